/** Ready-made requests about the workspace. They carry text of pages as data and say where it comes from. */
import { text } from '../../catalogue/content.ts';
import { definePrompt } from '../../catalogue/prompt-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { readPage } from '../../domain/workspace/read-page.ts';
import { searchPages } from '../../domain/workspace/search-pages.ts';
import { LARGEST_MAX_TOKENS } from '../../domain/workspace/token-budget.ts';
import { completePage } from './complete-page.ts';
import { checkQuery, workspaceOf } from './page-shape.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

const summarizePage = definePrompt({
  name: 'summarize_page',
  title: 'Summarize a page',
  summary: 'Asks for a short summary of one page that names its source.',
  scopes: ['workspace.read'],
  arguments: [{ name: 'page', description: 'The id, path or slug of the page', required: true }],
  complete: { page: completePage },
  limits: { outputBytes: 4 * 1024 * 1024 },
  async handler(use: WorkspaceMeans, { page = '' }, call) {
    const reading = await readPage(use, call.read, workspaceOf(call), {
      page,
      maxTokens: LARGEST_MAX_TOKENS / 4,
    });
    call.noteRead({ kind: 'page', id: reading.page.id, version: reading.version });
    const head = `Summarize the page "${reading.page.title}" (id ${reading.page.id}, version ${reading.version}) in at most five sentences. If you keep the summary, create a page with derived_from set to that id.`;
    return [{ role: 'user', content: text(`${head}\n\n<page>\n${reading.content}\n</page>`) }];
  },
});

const weeklyReview = definePrompt({
  name: 'weekly_review',
  title: 'Weekly review',
  summary: 'Asks for a review of the pages that changed in the last seven days.',
  scopes: ['workspace.read'],
  arguments: [],
  async handler(use: WorkspaceMeans, _input, call) {
    const wish = {
      query: '',
      limit: 50,
      mode: 'text',
      filters: { updatedSince: call.at - WEEK_MS },
    } as const;
    const { results } = await searchPages(use, call.read, workspaceOf(call), wish);
    const lines = results.map(
      ({ page, mention }) =>
        `- ${mention.path} — "${page.title}", ${page.lifecycle}, changed by ${page.updatedBy}`,
    );
    const head =
      'Review what changed in the workspace in the last seven days. Read the pages below with read_page, then say what is new, what is unfinished and what needs a decision.';
    return [{ role: 'user', content: text(`${head}\n\n${lines.join('\n') || '(nothing changed)'}`) }];
  },
});

const findContradictions = definePrompt({
  name: 'find_contradictions',
  title: 'Find contradictions',
  summary: 'Asks for statements about a topic that contradict each other, with the pages they are on.',
  scopes: ['workspace.read'],
  arguments: [{ name: 'topic', description: 'Words to search for', required: true }],
  async handler(use: WorkspaceMeans, { topic = '' }, call) {
    const wish = { query: checkQuery('topic', topic), limit: 10, mode: 'hybrid', filters: {} } as const;
    const { results } = await searchPages(use, call.read, workspaceOf(call), wish);
    const lines = results.map(({ mention, snippet }) => `- ${mention.path}: ${snippet.text}`);
    const head = `Find statements about "${topic}" in these pages that contradict each other. Read the pages with read_page before you judge, quote both statements and name both pages.`;
    return [{ role: 'user', content: text(`${head}\n\n${lines.join('\n') || '(no page matches)'}`) }];
  },
});

export const workspacePrompts = [summarizePage, weeklyReview, findContradictions];
