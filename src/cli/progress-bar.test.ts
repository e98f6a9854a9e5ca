import { expect, it } from 'vitest';
import { progressBar } from './progress-bar.ts';

it('[SYNC-18] shows how much is done of how much', () => {
  expect(progressBar(0, 8, 'files')).toBe('[........................]   0 %  0 of 8 files');
  expect(progressBar(3, 8, 'files')).toBe('[#########...............]  37 %  3 of 8 files');
  expect(progressBar(8, 8, 'files')).toBe('[########################] 100 %  8 of 8 files');
  expect(progressBar(9, 8, 'files')).toContain('100 %');
  expect(progressBar(5, 0, 'files')).toBe('5 files');
});
