/** Credentials and personal data by their shapes. What is found is replaced; the text around it stays. */
export const SENSITIVITY = ['CREDENTIAL_LIKE', 'REGULATED', 'UNKNOWN_SENSITIVE', 'USER_PRIVATE'] as const;
export type Sensitivity = (typeof SENSITIVITY)[number];

interface SecretShape {
  readonly id: string;
  readonly class: Sensitivity;
  readonly shape: RegExp;
  /** A check that a shape alone cannot make. */
  readonly holds?: (found: string) => boolean;
}

/** Every shape begins with fixed letters or has a fixed length, so that none can be made to run long. */
const SHAPES: readonly SecretShape[] = [
  {
    id: 'private-key',
    class: 'CREDENTIAL_LIKE',
    shape:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s]{0,8192}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  },
  { id: 'aws-key', class: 'CREDENTIAL_LIKE', shape: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  {
    id: 'github-token',
    class: 'CREDENTIAL_LIKE',
    shape: /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})\b/g,
  },
  { id: 'gitlab-token', class: 'CREDENTIAL_LIKE', shape: /\bglpat-[A-Za-z0-9_-]{16,64}/g },
  { id: 'model-key', class: 'CREDENTIAL_LIKE', shape: /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,200}/g },
  { id: 'slack-token', class: 'CREDENTIAL_LIKE', shape: /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}/g },
  { id: 'google-key', class: 'CREDENTIAL_LIKE', shape: /\bAIza[A-Za-z0-9_-]{35}/g },
  { id: 'stripe-key', class: 'CREDENTIAL_LIKE', shape: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,100}/g },
  { id: 'npm-token', class: 'CREDENTIAL_LIKE', shape: /\bnpm_[A-Za-z0-9]{30,60}\b/g },
  {
    id: 'jwt',
    class: 'CREDENTIAL_LIKE',
    shape: /\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,2000}/g,
  },
  { id: 'bearer', class: 'CREDENTIAL_LIKE', shape: /\b[Bb]earer [A-Za-z0-9._~+/-]{16,400}={0,2}/g },
  {
    id: 'basic-auth',
    class: 'CREDENTIAL_LIKE',
    shape: /\b[a-z][a-z0-9+.-]{1,10}:\/\/[^\s:/@]{1,64}:[^\s:/@]{1,64}@/g,
  },
  {
    id: 'named-secret',
    class: 'CREDENTIAL_LIKE',
    shape:
      /\b(?:api[_-]?key|apikey|access[_-]?token|auth[_-]?token|refresh[_-]?token|client[_-]?secret|secret[_-]?key|password|passwd|pwd)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?[^\s"',;()]{6,200}(?![\w(])/gi,
  },
  { id: 'social-security', class: 'REGULATED', shape: /\b(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/g },
  { id: 'card', class: 'REGULATED', shape: /\b\d(?:[ -]?\d){12,18}\b/g, holds: isCard },
  {
    id: 'iban',
    class: 'REGULATED',
    shape: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
    holds: isIban,
  },
  {
    id: 'random-looking',
    class: 'UNKNOWN_SENSITIVE',
    shape: /\b[A-Za-z0-9+/_-]{32,512}\b/g,
    holds: looksRandom,
  },
  {
    id: 'email',
    class: 'USER_PRIVATE',
    shape: /\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}\b/g,
  },
];

export interface SecretFinding {
  readonly rule: string;
  readonly class: Sensitivity;
  readonly count: number;
}

/** `masks` says which classes are replaced; the others are only counted. */
export function findSecrets(
  text: string,
  masks: (found: Sensitivity) => boolean,
): { readonly text: string; readonly found: readonly SecretFinding[] } {
  const found: SecretFinding[] = [];
  let now = text;
  for (const { id, class: sensitivity, shape, holds } of SHAPES) {
    let count = 0;
    now = now.replace(shape, (match) => {
      if (holds && !holds(match)) return match;
      count += 1;
      return masks(sensitivity) ? `[${id} removed]` : match;
    });
    if (count > 0) found.push({ rule: id, class: sensitivity, count });
  }
  return { text: now, found };
}

/** Luhn's check digit. */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 13 || /^(\d)\1+$/.test(digits)) return false;
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

/** Upper and lower case and digits all mixed; a digest in hexadecimal or a path is not. */
function looksRandom(text: string): boolean {
  if (/^[0-9a-f-]+$/i.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text))
    return false;
  const changes = [...text].filter(
    (sign, at) => at > 0 && kindOf(sign) !== kindOf(text[at - 1] ?? ''),
  ).length;
  return changes >= text.length / 4 && !text.includes('//') && (text.match(/\//g)?.length ?? 0) <= 4;
}

const kindOf = (sign: string): number =>
  /[a-z]/.test(sign) ? 0 : /[A-Z]/.test(sign) ? 1 : /\d/.test(sign) ? 2 : 3;
