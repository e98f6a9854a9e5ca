/** A text for a person who decides: nothing invisible, no credentials, no numbers that the law protects. */
import { namesCredential } from '../credential-check.ts';
import { findSecrets } from './find-secrets.ts';
import { removeInvisible } from './invisible.ts';
import { DEFAULT_RULES } from './rules.ts';

/** Names and addresses stay: they are what has to be looked at. */
export const maskForPeople = (text: string): string =>
  findSecrets(DEFAULT_RULES, [removeInvisible(text).text], (found) => found !== 'USER_PRIVATE').texts.join(
    '',
  );

/** The same for arguments, as JSON: what a name gives away as a credential goes whole. */
export const maskArguments = (input: unknown): string =>
  maskForPeople(
    JSON.stringify(input, (key, value) =>
      namesCredential(key) && value !== null && value !== '' ? '[credential removed]' : value,
    ),
  );
