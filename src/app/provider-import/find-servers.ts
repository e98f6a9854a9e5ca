/** The servers in a configuration of another program, wherever in it they stand and whatever their fields are called. */
type Json = Readonly<Record<string, unknown>>;

export interface FoundServer {
  readonly name: string;
  /** The project it belongs to, where a file holds several. */
  readonly scope: string | null;
  readonly server: unknown;
}

/** Servers by name, in any of the places that the known programs have them. */
export function findServers(config: unknown): readonly FoundServer[] {
  if (!isObject(config)) return [];
  const { mcp, projects } = config;
  const own = [
    config.mcpServers,
    config.mcp_servers,
    config.servers,
    isObject(mcp) ? mcp.servers : undefined,
    config['mcp.servers'],
  ].flatMap((servers) => named(servers, null));
  const scoped = Object.entries(isObject(projects) ? projects : {}).flatMap(([scope, project]) =>
    isObject(project) ? named(project.mcpServers, scope) : [],
  );
  return [...own, ...scoped];
}

const named = (servers: unknown, scope: string | null): readonly FoundServer[] =>
  Object.entries(isObject(servers) ? servers : {}).map(([name, server]) => ({ name, scope, server }));

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
