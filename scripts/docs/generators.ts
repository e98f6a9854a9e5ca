/** The generated pages. Add one here and `npm run docs` writes it, `npm run check` keeps it current. */
import { renderCliPage } from './cli-page.ts';
import { renderConfigurationPage } from './configuration-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { renderLayersPage } from './layers-page.ts';
import { renderPolicyPage } from './policy-page.ts';
import { renderToolsPage } from './tools-page.ts';

export interface Generator {
  /** Where the page goes, from the root of the repository. */
  readonly path: string;
  render(): Promise<string>;
}

export const generators: readonly Generator[] = [
  { path: 'docs/reference/cli.md', render: renderCliPage },
  { path: 'docs/reference/configuration.md', render: renderConfigurationPage },
  { path: 'docs/reference/errors.md', render: renderErrorsPage },
  { path: 'docs/reference/layers.md', render: renderLayersPage },
  { path: 'docs/reference/policy.md', render: renderPolicyPage },
  { path: 'docs/reference/tools.md', render: renderToolsPage },
];
