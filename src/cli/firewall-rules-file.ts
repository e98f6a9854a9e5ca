/** A file of rules for the firewall: JSON, read whole. */
import { readFileSync } from 'node:fs';
import { invalidInput } from '../kernel/errors.ts';

export function readRulesFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw invalidInput('file', `cannot be read: "${path}"`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput('file', `must be JSON: "${path}" (${error instanceof Error ? error.message : ''})`);
  }
}
