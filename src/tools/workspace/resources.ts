/** The workspace by URI: its tree, its pages, a search, a page's history. */
import { defineResource } from '../../catalogue/resource-definition.ts';
import { findPage } from '../../domain/workspace/find-page.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES, MAX_DEPTH } from '../../domain/workspace/page.ts';
import { pageHistory } from '../../domain/workspace/page-history.ts';
import { pageTree } from '../../domain/workspace/page-tree.ts';
import { readPage } from '../../domain/workspace/read-page.ts';
import { searchPages } from '../../domain/workspace/search-pages.ts';
import { LARGEST_MAX_TOKENS } from '../../domain/workspace/token-budget.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { completePage } from './complete-page.ts';
import { describeEvent } from './get-page-history.ts';
import { checkQuery, workspaceOf } from './page-shape.ts';

const JSON_TYPE = 'application/json';

const workspaceTree = defineResource({
  name: 'workspace_tree',
  title: 'Page tree',
  summary: 'The hierarchy of pages as JSON.',
  uri: 'sluice://workspace/tree',
  mimeType: JSON_TYPE,
  scopes: ['workspace.read'],
  limits: { outputBytes: 4 * MAX_CONTENT_BYTES },
  follows: async () => null,
  async handler(use: WorkspaceMeans, _variables, call) {
    const answer = await pageTree(use, call.read, workspaceOf(call), {
      depth: MAX_DEPTH,
      maxTokens: LARGEST_MAX_TOKENS,
    });
    return {
      mimeType: JSON_TYPE,
      text: JSON.stringify({ tree: answer.tree, truncated: 'nextCursor' in answer }),
    };
  },
});

const workspacePage = defineResource({
  name: 'workspace_page',
  title: 'Page content',
  summary: 'A page as Markdown, by its slug, path or id.',
  uri: 'sluice://workspace/page/{slug}',
  mimeType: 'text/markdown',
  scopes: ['workspace.read'],
  limits: { outputBytes: 2 * MAX_CONTENT_BYTES },
  follows: followedPage,
  complete: { slug: completePage },
  async handler(use: WorkspaceMeans, { slug = '' }, call) {
    const reading = await asResource(
      readPage(use, call.read, workspaceOf(call), { page: slug, maxTokens: Number.MAX_SAFE_INTEGER }),
    );
    call.noteRead({ kind: 'page', id: reading.page.id, version: reading.version });
    return { mimeType: 'text/markdown', text: reading.content };
  },
});

const workspaceSearch = defineResource({
  name: 'workspace_search',
  title: 'Search results',
  summary: 'Pages that match a query, as JSON.',
  uri: 'sluice://workspace/search?q={query}',
  mimeType: JSON_TYPE,
  scopes: ['workspace.read'],
  follows: async () => null,
  async handler(use: WorkspaceMeans, { query = '' }, call) {
    const wish = { query: checkQuery('q', query), limit: 20, mode: 'hybrid', filters: {} } as const;
    const { results } = await searchPages(use, call.read, workspaceOf(call), wish);
    const found = results.map(({ page, mention, snippet, score }) => ({
      slug: page.slug,
      path: mention.path,
      title: page.title,
      snippet: snippet.text,
      score,
    }));
    return { mimeType: JSON_TYPE, text: JSON.stringify({ query, results: found }) };
  },
});

const workspacePageHistory = defineResource({
  name: 'workspace_page_history',
  title: 'Page history',
  summary: 'What happened to a page, newest first, as JSON.',
  uri: 'sluice://workspace/page/{slug}/history',
  mimeType: JSON_TYPE,
  scopes: ['workspace.read'],
  follows: followedPage,
  complete: { slug: completePage },
  async handler(use: WorkspaceMeans, { slug = '' }, call) {
    const { events } = await asResource(pageHistory(use, call.read, workspaceOf(call), slug, 100));
    return { mimeType: JSON_TYPE, text: JSON.stringify({ events: events.map(describeEvent) }) };
  },
});

async function followedPage(
  use: WorkspaceMeans,
  { slug = '' }: Readonly<Record<string, string>>,
  workspace: WorkspaceId,
  read: ReadScope,
): Promise<string> {
  return (await asResource(findPage(use, read, workspace, slug))).id;
}

/** A page that is not there is a resource that is not there. */
async function asResource<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'not_found') {
      throw new SluiceError('resource_not_found', error.message, error.details);
    }
    throw error;
  }
}

export const workspaceResources = [workspaceTree, workspacePage, workspaceSearch, workspacePageHistory];
