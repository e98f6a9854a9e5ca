/** Where other programs keep the MCP servers they use, on each system. */
import { isAbsolute, join, resolve } from 'node:path';

export const PROGRAMS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'windsurf',
] as const;
export type Program = (typeof PROGRAMS)[number];

export interface ConfigPlace {
  readonly program: Program | 'file';
  readonly path: string;
}

export interface Surroundings {
  /** The folder of the person, not of Sluice. */
  readonly userHome: string;
  /** Where projects may have a configuration of their own. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}

/** Of one program, of all of them, or one file. */
export function configPlaces(at: Surroundings, from: string | undefined): readonly ConfigPlace[] {
  if (from === undefined) return PROGRAMS.flatMap((program) => placesOf(at, program));
  const program = PROGRAMS.find((known) => known === from);
  if (program) return placesOf(at, program);
  return [{ program: 'file', path: isAbsolute(from) ? from : resolve(at.folder, from) }];
}

function placesOf(at: Surroundings, program: Program): readonly ConfigPlace[] {
  const mine = (...parts: string[]): string => join(at.userHome, ...parts);
  const here = (...parts: string[]): string => join(at.folder, ...parts);
  const paths: Readonly<Record<Program, readonly string[]>> = {
    'claude-desktop': [join(settingsFolder(at), 'Claude', 'claude_desktop_config.json')],
    'claude-code': [mine('.claude.json'), here('.mcp.json')],
    cursor: [mine('.cursor', 'mcp.json'), here('.cursor', 'mcp.json')],
    vscode: [
      join(settingsFolder(at), 'Code', 'User', 'mcp.json'),
      join(settingsFolder(at), 'Code', 'User', 'settings.json'),
      here('.vscode', 'mcp.json'),
    ],
    codex: [mine('.codex', 'config.toml')],
    gemini: [mine('.gemini', 'settings.json'), here('.gemini', 'settings.json')],
    windsurf: [mine('.codeium', 'windsurf', 'mcp_config.json')],
  };
  return [...new Set(paths[program])].map((path) => ({ program, path }));
}

function settingsFolder({ platform, userHome }: Surroundings): string {
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support');
  return platform === 'win32' ? join(userHome, 'AppData', 'Roaming') : join(userHome, '.config');
}
