/** The audit family: what was done, by whom, and proof that nothing is missing. */
import { defineFamily } from '../../catalogue/family.ts';
import { exportRecords } from './export.ts';
import { get } from './get.ts';
import { lineage } from './lineage.ts';
import { list } from './list.ts';
import type { AuditMeans } from './means.ts';
import { verify } from './verify.ts';

export const auditFamily = defineFamily<AuditMeans>('audit', {
  tools: [list, get, lineage, verify, exportRecords],
});
