/** Credentials and personal data whose form is more than a beginning: checked by digits, by parts or by their look. */
import type { Sensitivity } from './token-shapes.ts';

export interface SecretShape {
  readonly id: string;
  readonly class: Sensitivity;
  /** What every match holds: a text without it is not searched. */
  readonly needs?: string;
  /** Every repetition in it has an upper bound, so that no attempt looks further than that. */
  readonly shape: RegExp;
  readonly sure?: boolean;
  /** A check that a shape alone cannot make. */
  readonly holds?: (found: string) => boolean;
  /** It may be prose: masked in an answer, but no reason to refuse a call. */
  readonly doubtful?: (found: string) => boolean;
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    id: 'private-key',
    class: 'CREDENTIAL_LIKE',
    needs: '-----BEGIN ',
    shape:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,8192}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    sure: true,
  },
  {
    id: 'jwt',
    class: 'CREDENTIAL_LIKE',
    needs: 'eyJ',
    shape: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,2000}/g,
    sure: true,
  },
  {
    id: 'bearer',
    class: 'CREDENTIAL_LIKE',
    needs: 'earer ',
    shape: /\b[Bb]earer [A-Za-z0-9._~+/-]{16,400}={0,2}/g,
    doubtful: (found) => !/\d/.test(found),
  },
  {
    id: 'basic-header',
    class: 'CREDENTIAL_LIKE',
    needs: 'asic ',
    shape: /\b[Bb]asic [A-Za-z0-9+/]{8,400}={0,2}(?![A-Za-z0-9+/=])/g,
    holds: (found) => namesAndPassword(found.slice('basic '.length)),
  },
  {
    id: 'account-key',
    class: 'CREDENTIAL_LIKE',
    needs: 'Key=',
    shape: /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,100}={0,2}/g,
    sure: true,
  },
  {
    id: 'basic-auth',
    class: 'CREDENTIAL_LIKE',
    needs: '://',
    shape: /\b[a-z][a-z0-9+.-]{1,10}:\/\/[^\s:/@]{1,64}:[^\s:/@]{1,64}@/g,
    holds: (found) => !PLACEHOLDER.test(found.slice(found.lastIndexOf(':') + 1, -1)),
  },
  {
    id: 'named-secret',
    class: 'CREDENTIAL_LIKE',
    shape:
      /\b(?:api[_-]?key|apikey|access[_-]?token|auth[_-]?token|refresh[_-]?token|client[_-]?secret|secret[_-]?key|password|passwd|pwd)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?!\[)[^\s"',;()]{6,200}(?![\w(])/gi,
    holds: (found) => !PLACEHOLDER.test(assigned(found)),
    doubtful: (found) => readsAsProse(assigned(found)),
  },
  {
    id: 'named-token',
    class: 'CREDENTIAL_LIKE',
    shape:
      /(?<![A-Za-z0-9]|page[ _-]|next[ _-]|sync[ _-]|continuation[ _-])(?:token|secret)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[A-Za-z0-9+/_.~-]{12,200}={0,2}(?![\w(+/[-])/gi,
    holds: (found) => looksMade(assigned(found)),
  },
  {
    id: 'social-security',
    class: 'REGULATED',
    needs: '-',
    shape: /\b(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/g,
  },
  {
    id: 'card',
    class: 'REGULATED',
    shape: /(?<![\w./-])[2-6](?:[ -]?\d){12,18}(?![\w-])/g,
    holds: isCard,
  },
  {
    id: 'iban',
    class: 'REGULATED',
    shape: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
    holds: isIban,
  },
  {
    id: 'random-looking',
    class: 'UNKNOWN_SENSITIVE',
    shape: /(?<![A-Za-z0-9+/_=.-])[A-Za-z0-9+/_-]{32,512}={0,2}(?![A-Za-z0-9+/_=-])/g,
    holds: looksRandom,
  },
  {
    id: 'email',
    class: 'USER_PRIVATE',
    needs: '@',
    shape: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}\b/g,
  },
  {
    id: 'phone',
    class: 'USER_PRIVATE',
    needs: '+',
    shape: /(?<![\w.+-])\+\d{1,3}(?:[ .-]?\(?\d{1,8}\)?){1,5}(?![\w-])/g,
    holds: isPhone,
  },
];

/** What stands in examples where a secret would be, and code that looks one up. */
const PLACEHOLDER =
  /^(?:[<$%{*]|x{3}|\.{3}|your|my[_-]?|example|changeme|process\.env|os\.environ|env[.[]|[a-z_]+\[|secret$|secretpassword$|password$|pass$)/i;

const assigned = (found: string): string => found.replace(/^[^:=]{1,30}[:=][ \t"']{0,9}/, '');

/** A word or a name in code, what is wanted of a password, where something lies, or what tests are written with. */
const readsAsProse = (value: string): boolean =>
  (/^[\p{L}.!?_/-]+$/u.test(value) && !/\p{Ll}\p{Lu}/u.test(value)) ||
  /^(?:\d+[-+\d]*(?:char|digit|letter|day|time)|https?:|[~.]{0,2}\/|test|dummy|fake|demo|sample)/i.test(
    value,
  );

/** Nobody's word, and no name in code: letters and digits that change often, or long without a pause. */
function looksMade(value: string): boolean {
  if (PLACEHOLDER.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || value.includes('//')) return false;
  const plain = value.replaceAll(/[^A-Za-z0-9]/g, '');
  const changes = plain.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return changes >= 3 || (plain.length >= 16 && plain.length === value.length && changes > 0);
}

/** What is sent as "Basic" is a name, a colon and a password in base64; a word that follows "basic" is none. */
function namesAndPassword(encoded: string): boolean {
  if (encoded.length % 4 !== 0) return false;
  return /^[\x20-\x39\x3b-\x7e]{0,200}:[\x20-\x7e]{1,200}$/.test(
    Buffer.from(encoded, 'base64').toString('utf8'),
  );
}

/** As many digits as a number has with its country. */
function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= 8 && digits <= 15;
}

/** Luhn's check digit, on numbers that are grouped in one way or not at all. */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 13 || /^(\d)\1+$/.test(digits) || (text.includes(' ') && text.includes('-')))
    return false;
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  let rest = 0;
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

/** Upper and lower case and digits all mixed; a digest, with or without its name, or a path is not. */
function looksRandom(text: string): boolean {
  if (/^[0-9a-f-]+$/i.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text))
    return false;
  if (/^sha(?:1|256|384|512)-/.test(text) || text.includes('//')) return false;
  const changes = [...text].filter(
    (sign, at) => at > 0 && kindOf(sign) !== kindOf(text[at - 1] ?? ''),
  ).length;
  return changes >= text.length / 4 && (text.match(/\//g)?.length ?? 0) <= 4;
}

const kindOf = (sign: string): number =>
  /[a-z]/.test(sign) ? 0 : /[A-Z]/.test(sign) ? 1 : /\d/.test(sign) ? 2 : 3;
