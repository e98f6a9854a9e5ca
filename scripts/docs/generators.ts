/** The generated pages. Add one here and `npm run docs` writes it, `npm run check` keeps it current. */
import { renderLayersPage } from './layers-page.ts';

export interface Generator {
  /** Where the page goes, from the root of the repository. */
  readonly path: string;
  render(): Promise<string>;
}

export const generators: readonly Generator[] = [
  { path: 'docs/reference/layers.md', render: renderLayersPage },
];
