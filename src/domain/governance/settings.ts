/** The settings of a home: a closed list with defaults, kept with a schema version. Secrets among them are sealed. */
import { SluiceError } from '../../kernel/errors.ts';

const SETTINGS_SCHEMA_VERSION = 1;

const MIN_PORT = 1024;
const MAX_PORT = 65_535;
const DEFAULT_PORT = 7862;

export interface Settings {
  readonly schema_version: number;
  /** False = the off switch: nothing is listed, called or streamed. */
  readonly mcp_enabled: boolean;
  readonly mcp_port: number;
  /** Patterns of tools that are switched off. */
  readonly disabled_tools: readonly string[];
  readonly audit_retention_days: number;
  /** How long the trash keeps what was deleted. */
  readonly trash_retention_days: number;
  /** The owner's own rules of the firewall; null = those that come with Sluice. */
  readonly firewall_rules: Readonly<Record<string, unknown>> | null;
  /** Whether providers' tools that change something on this machine wait for a yes as well. */
  readonly approval_local_effects: boolean;
  /** Whether they wait in runs that have read what is private and heard what nobody vouches for. */
  readonly approval_mixed_runs: boolean;
  /** Classes of sensitive text that hold an answer back until somebody says yes. */
  readonly approval_output_classes: readonly string[];
  /** Whether a yes may be given for everything a run does with a tool. */
  readonly approval_for_session: boolean;
}

const DEFAULT_SETTINGS: Settings = {
  schema_version: SETTINGS_SCHEMA_VERSION,
  mcp_enabled: true,
  mcp_port: DEFAULT_PORT,
  disabled_tools: [],
  audit_retention_days: 180,
  trash_retention_days: 30,
  firewall_rules: null,
  approval_local_effects: false,
  approval_mixed_runs: true,
  approval_output_classes: [],
  approval_for_session: false,
};

export type SettingKey = keyof Settings;

/** Privileged and impossible ports become the nearest possible one. */
export const clampPort = (port: number): number => Math.min(MAX_PORT, Math.max(MIN_PORT, Math.trunc(port)));

/** Reads stored values over the defaults; a value of the wrong type falls back, one of a newer schema refuses. */
export function readSettings(stored: ReadonlyMap<string, unknown>): Settings {
  const version = stored.get('schema_version') ?? SETTINGS_SCHEMA_VERSION;
  if (typeof version !== 'number' || version > SETTINGS_SCHEMA_VERSION) {
    throw new SluiceError(
      'unavailable',
      `The settings have schema ${version}, this Sluice knows ${SETTINGS_SCHEMA_VERSION}`,
    );
  }
  const pick = <K extends SettingKey>(key: K, fits: (value: unknown) => boolean): Settings[K] => {
    const value = stored.get(key);
    return value !== undefined && fits(value) ? (value as Settings[K]) : DEFAULT_SETTINGS[key];
  };
  return {
    schema_version: SETTINGS_SCHEMA_VERSION,
    mcp_enabled: pick('mcp_enabled', isSwitch),
    mcp_port: clampPort(pick('mcp_port', (value) => Number.isInteger(value))),
    disabled_tools: pick('disabled_tools', isListOfText),
    audit_retention_days: pick('audit_retention_days', isNumberOfDays),
    trash_retention_days: pick('trash_retention_days', isNumberOfDays),
    firewall_rules: pick('firewall_rules', (value) => typeof value === 'object'),
    approval_local_effects: pick('approval_local_effects', isSwitch),
    approval_mixed_runs: pick('approval_mixed_runs', isSwitch),
    approval_output_classes: pick('approval_output_classes', isListOfText),
    approval_for_session: pick('approval_for_session', isSwitch),
  };
}

const isSwitch = (value: unknown): boolean => typeof value === 'boolean';

const isNumberOfDays = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;

const isListOfText = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
