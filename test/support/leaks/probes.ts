/** Everything that a caller can try in order to find out about pages it must not see. */
import type { Catalogue } from '../../../src/catalogue/catalogue.ts';
import type { Target } from '../../../src/gateway/request.ts';
import type { Answer } from '../whole-app.ts';

/** Arguments that name a page, in whatever tool has them. */
const PAGE_ARGUMENTS = ['page', 'parent', 'root', 'template', 'into', 'under'];

const NOBODY = '01900000-0000-7000-8000-00000000beef';
/** Of `hello`. */
const DIGEST = 'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

/** Tools that need no page to be named; what is tried with them instead. A new tool of that sort has to be put here. */
const WITHOUT_A_PAGE: Readonly<Record<string, readonly Answer[]>> = {
  search: [
    ...[
      'zebra',
      'zebra money',
      'salaries',
      '"zebra figures"',
      'tag:confidential',
      'tag:public',
      'windfall',
    ].flatMap((query) => ['text', 'hybrid'].map((mode) => ({ query, mode }))),
    { query: 'zebra', limit: 1 },
    { query: '', filters: { tags: ['confidential'] } },
    { query: '', filters: { properties: { grade: 'top' } } },
    { query: 'prop:grade=top' },
    { query: 'prop:grade~to' },
    { query: 'prop:paid>1' },
    { query: 'has:grade' },
    { query: '', filters: { properties: { paid: { gte: 0 }, grade: { exists: false } } } },
    { query: 'under:salaries zebra' },
  ],
  get_page_tree: [{}, { depth: 1 }, { max_tokens: 50 }],
  get_workspace: [{}],
  list_tools: [{}],
  get_my_scopes: [{}],
  tools_search: [{ query: 'salaries' }],
  tools_describe: [{ names: ['read_page'] }],
  tools_call: [{ name: 'read_page', arguments: { page: 'salaries' } }],
  list_trash: [{}, { limit: 1 }],
  find_broken_links: [{}],
  export_pages: [{}],
  list_attachments: [{}],
  read_attachment: [{ path: 'pay.png' }, { path: 'logo.png' }, { path: 'none.png' }],
  restore_page: [],
  undo_change: [{ change: 1_000_000 }],
  upload_blobs: [{ blobs: ['aGVsbG8='] }],
  import_attachments: ['pay.png', 'logo.png', 'none.png'].map((path) => ({
    files: [{ path, digest: DIGEST, size: 5, parts: [DIGEST] }],
    dry_run: true,
  })),
  import_pages: [
    {
      files: [
        { path: 'Salaries.md', text: 'mine [[Bonus]]' },
        { path: 'Salaries/Bonus.md', text: 'mine' },
        { path: 'Team/Ledger.md', text: 'mine' },
      ],
      dry_run: true,
    },
  ],
  list_proposals: [{}, { state: 'pending' }],
  read_proposal: [{ proposal: 'none' }],
  accept_proposal: [{ proposal: 'none' }],
  reject_proposal: [{ proposal: 'none' }],
  list_page_files: [{}],
  remove_files: [{ files: [{ path: 'pay.png', digest: `sha256:${'0'.repeat(64)}` }] }],
  sync_pages: [{ files: [{ path: 'Salaries/Bonus.md', text: 'mine' }] }],
  create_derived_page: [{ title: 'Sum', content: 'See [[Salaries]].' }],
  detach_file: [{ path: 'pay.png' }, { path: 'none.png' }],
  get_timeline: [
    { limit: 100 },
    { kinds: ['page_created'], limit: 100 },
    { kinds: ['run_undone'] },
    { run: 'author:ann/merger' },
  ],
  rename_tag: [{ from: 'confidential', to: 'open', dry_run: true }],
  workspace_health: [{}],
  undo_run: ['test', 'merger'].map((run) => ({ run: `author:ann/${run}`, dry_run: true })),
  purge_page: [{ older_than_days: 1 }],
  get_search_status: [{}],
  reindex_search: [{ seconds: 1 }],
  memory_search: ['zebra', 'salaries', 'plans', 'dividend'].flatMap((query) => [
    { query },
    { query, include_superseded: true, include_candidates: true },
  ]),
  memory_context: [{}, { query: 'dividend' }],
  memory_stats: [{}],
  memory_consolidate: [{ dry_run: true }],
  memory_write: [{ tier: 'semantic', subject: 'zebra', predicate: 'is', body: 'Striped.' }],
  memory_read: [{ id: NOBODY }],
  memory_update: [{ id: NOBODY, pinned: true }],
  memory_supersede: [{ old: NOBODY, new: NOBODY }],
  memory_forget: [{ ids: [NOBODY], dry_run: true }],
  memory_review: [{ id: NOBODY, decision: 'reject' }],
  read_result: [{ handle: NOBODY }],
  'memory.add': [{ job_id: 'job-1', key: 'plan', content: 'x' }],
  'memory.list': [{ job_id: 'job-1' }],
  'memory.retrieve': [{ job_id: 'job-1', key: 'plan' }],
  'memory.delete': [{ job_id: 'job-1', key: 'plan' }],
};

/** Whole families that have nothing to do with pages. */
const OTHER_FAMILIES = ['approval'];

/** Tools to be tried with pages in other arguments. */
const FURTHER: Readonly<Record<string, (reference: string) => readonly Answer[]>> = {
  create_page: (page) => [
    { title: 'Child', parent: page },
    { title: 'Made', template: page },
    { title: 'Derived', content: 'x', derived_from: [page] },
  ],
  search: (page) => [{ query: 'zebra', filters: { under: page } }],
  list_proposals: (page) => [{ page }],
  list_page_files: (page) => [{ under: page }],
  remove_files: (page) => [{ files: [{ path: 'Salaries.md', page, version: 'v1.none' }] }],
  sync_pages: (page) => [{ files: [{ path: 'Other.md', text: 'mine', page, version: 'v1.none' }] }],
  restore_page: (page) => [{ page }, { batch: page }],
  purge_page: (page) => [{ page }, { batch: page }],
  memory_write: (page) => [
    { tier: 'semantic', subject: 'zebra', predicate: 'was', body: 'Plain.', sources: [page] },
    { tier: 'episodic', body: `About ${page}`, sources: [page] },
  ],
  memory_search: (page) => [{ query: page }],
  memory_read: (page) => [{ id: page }],
  memory_forget: (page) => [{ ids: [page], dry_run: true }],
  move_page: (page) => [{ page: 'attic', parent: page, dry_run: true }],
};

/** Pages that everybody sees. */
export const SPARED = ['Plans', 'minutes', 'attic', 'team'];

export interface Probe {
  readonly name: string;
  readonly target: Target;
}

const probe = (target: Target): Probe => ({ name: JSON.stringify(target), target });

/** Tools that nobody has said how to try. */
export const untried = ({ tools }: Catalogue): readonly string[] =>
  tools
    .filter(({ roles }) => roles === 'any')
    .filter(({ family }) => !OTHER_FAMILIES.includes(family))
    .filter(({ name, example }) => !(name in WITHOUT_A_PAGE) && !PAGE_ARGUMENTS.some((one) => one in example))
    .map(({ name }) => name);

/** Every tool, with a page named in every way a page can be. */
export function toolProbes({ tools }: Catalogue, references: readonly string[]): readonly Probe[] {
  return tools
    .filter(({ family }) => !OTHER_FAMILIES.includes(family))
    .flatMap(({ name, mode, example, input }) => {
      const known = PAGE_ARGUMENTS.filter((one) => one in example);
      const dry = 'dry_run' in Object(input.json.properties) ? { dry_run: true } : {};
      // What is to stay for the questions that follow is changed by none of them.
      const spares = mode === 'write' && !('dry_run' in dry);
      const tries = references
        .filter((page) => !(spares && SPARED.includes(page)))
        .flatMap((page) => [
          ...known.map((argument) => ({
            ...(example as Answer),
            ...placeless(known),
            [argument]: page,
            ...dry,
          })),
          ...(FURTHER[name]?.(page) ?? []),
        ]);
      return [...(WITHOUT_A_PAGE[name] ?? []), ...tries].map((input) =>
        probe({ kind: 'tool', name, arguments: input }),
      );
    });
}

/** Other pages of the example are not there; they must not be what it is refused for. */
const placeless = (known: readonly string[]): Answer =>
  Object.fromEntries(known.map((argument) => [argument, argument === 'page' ? 'attic' : null]));

export function otherProbes(
  { resources, prompts }: Catalogue,
  references: readonly string[],
): readonly Probe[] {
  const uris = resources.flatMap(({ uri }) =>
    [...references, 'zebra'].map((page) => uri.text.replace(/\{\w+\}/g, encodeURIComponent(page))),
  );
  const beginnings = ['s', 'sal', 'team/', 'team/l', 'b', 'w', 'm', ''];
  return [
    ...[...new Set(uris)].flatMap((uri) => [
      probe({ kind: 'resource', uri }),
      probe({ kind: 'subscription', uri }),
    ]),
    ...resources
      .filter(({ uri }) => uri.text.includes('{'))
      .flatMap(({ uri }) =>
        beginnings.map((value) =>
          probe({
            kind: 'completion',
            of: { kind: 'template', uri: uri.text },
            argument: /\{(\w+)\}/.exec(uri.text)?.[1] ?? '',
            value,
            others: {},
          }),
        ),
      ),
    ...prompts.flatMap(({ name, arguments: given }) => [
      ...references.map((page) =>
        probe({
          kind: 'prompt',
          name,
          arguments: Object.fromEntries(given.map((argument) => [argument.name, page])),
        }),
      ),
      ...given.flatMap((argument) =>
        beginnings.map((value) =>
          probe({
            kind: 'completion',
            of: { kind: 'prompt', name },
            argument: argument.name,
            value,
            others: {},
          }),
        ),
      ),
    ]),
  ];
}
