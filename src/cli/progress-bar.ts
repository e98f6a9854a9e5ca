/** How far something is, in one line. */
const WIDTH = 24;

/** Without a total that is known, only the count. */
export function progressBar(done: number, total: number | undefined, what: string): string {
  if (total === undefined || total === 0) return `${done} ${what}`;
  const share = Math.min(1, done / total);
  const filled = Math.floor(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${percent} %  ${done} of ${total} ${what}`;
}
