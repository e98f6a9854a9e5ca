/** Whether this build or licence includes a feature. The open build includes all of them. */
export type Feature = 'mcp';

export interface Entitlements {
  includes(feature: Feature): boolean;
}

export const openBuild: Entitlements = { includes: () => true };
