/** Sets properties of a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { PROPERTY_TYPES, propertyType } from '../../domain/workspace/properties/property-types.ts';
import { setProperties as set } from '../../domain/workspace/properties/set-properties.ts';
import {
  factsOf,
  idempotencyArgument,
  ifMatchArgument,
  pageArgument,
  pageFacts,
  propertiesArgument,
} from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const setProperties = defineTool({
  name: 'set_properties',
  title: 'Set properties',
  summary:
    'Sets properties in the frontmatter of a page: text, number, boolean, date, datetime, list or link; null removes. Everything else in the text stays as it is.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  write: { kind: 'property', contentArgument: 'properties', derivation: 'none' },
  example: { page: 'projects/alpha', properties: { status: 'done', due: '2026-01-31', owner: '[[Ann]]' } },
  input: z.object({
    page: pageArgument,
    properties: propertiesArgument.unwrap(),
    types: z
      .record(z.string(), z.enum(PROPERTY_TYPES))
      .optional()
      .describe('What values must be; refused where one is not'),
    if_match: ifMatchArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    changed: z.boolean(),
    previous_version: z.string(),
    properties: z.array(
      z.object({ name: z.string(), type: z.enum(PROPERTY_TYPES).nullable(), value: z.unknown() }),
    ),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, changed, previousVersion } = await set(use, call.ticket, {
      page: input.page,
      properties: input.properties,
      types: input.types,
      ifMatch: input.if_match,
    });
    return {
      ...factsOf(page, await pathOf(use, call.read, page.id)),
      changed,
      previous_version: previousVersion,
      properties: Object.entries(page.properties).map(([name, value]) => ({
        name,
        type: propertyType(value),
        value,
      })),
    };
  },
});
