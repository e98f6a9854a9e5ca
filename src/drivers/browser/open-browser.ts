/** Shows an address in the browser: as one argument of a program, never in a line for a shell. */
import { spawn } from 'node:child_process';

/** Undefined for what is no address of a page, and where there is no such program. */
export function browserCommand(url: string, platform: string): readonly [string, ...string[]] | undefined {
  if (!URL.canParse(url)) return undefined;
  const { href, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  if (platform === 'darwin') return ['open', href];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', href];
  return ['xdg-open', href];
}

/** The address is printed as well; where nothing can show it that has to do. */
export function openBrowser(url: string): void {
  const [program, ...args] = browserCommand(url, process.platform) ?? [];
  if (program === undefined) return;
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
