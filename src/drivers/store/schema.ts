/** The tables, as both databases have them. Times are milliseconds, flags 0 or 1, lists and objects JSON text. */
import type { Generated } from 'kysely';
import type { AuditRecord } from '../../domain/governance/audit-record.ts';
import type { SegmentRow } from './audit-segments.ts';

export interface Database {
  governance: { id: number; version: number };
  credential: {
    id: string;
    kind: string;
    name: string;
    token_digest: string;
    role: string;
    scopes: string | null;
    workspace_id: string | null;
    origin: string;
    name_form: string;
    /** What it is offered: JSON; null = everything. */
    offer: string | null;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
  };
  role: { name: string; tools: string; scopes: string; reach: string; version: number };
  access_rule: {
    id: string;
    subject_type: string;
    subject_id: string | null;
    resource_type: string;
    pattern: string;
    effect: string;
    priority: number;
    reason: string;
  };
  removed_rule: { id: string };
  setting: { key: string; value: string };
  audit: { [Field in keyof AuditRecord]: AuditRecord[Field] };
  audit_segment: { [Field in keyof SegmentRow]: SegmentRow[Field] };
  read_trail: { run_id: string; kind: string; entity_id: string; version: string; at: number };
  kept_result: {
    principal_id: string;
    tool: string;
    key: string;
    input_digest: string;
    result: string;
    at: number;
  };
  workspace: {
    id: string;
    name: string;
    name_key: string;
    created_at: number;
    /** Null = closed. */
    opened_at: number | null;
    /** The number of the last event. */
    sequence: number;
    /** One more whenever it may have changed who sees what; 0 = nothing was ever granted. */
    permission_version: Generated<number>;
    /** 1 = nobody writes into it. */
    read_only: Generated<number>;
  };
  page: PageTable;
  page_document: {
    page_id: string;
    snapshot: Uint8Array;
    /** Updates kept since the snapshot. */
    updates: number;
    /** The block index: JSON, see the domain's BlockEntry. */
    blocks: string;
  };
  page_update: { page_id: string; number: number; bytes: Uint8Array };
  /** `derived` = from the page's own text; 0 = set by somebody. */
  page_alias: {
    page_id: string;
    workspace_id: string;
    alias: string;
    alias_key: string;
    derived: Generated<number>;
  };
  page_tag: {
    page_id: string;
    workspace_id: string;
    tag: string;
    tag_key: string;
    derived: Generated<number>;
  };
  page_property: {
    page_id: string;
    workspace_id: string;
    key: string;
    value: string;
    derived: Generated<number>;
    /** Of numbers and dates: which of them, and where it stands among them. */
    order_kind: string | null;
    order_at: number | null;
  };
  attachment: {
    workspace_id: string;
    file_path: string;
    /** As a page's; empty outside of every zone. */
    zone: string;
    /** What a link must say to mean it, folded. */
    name_key: string;
    digest: string;
    size: number;
    media_type: string;
    /** Digests of the blobs that make it up: JSON. */
    parts: string;
    /** A principal; null where nobody knows any more. */
    brought_by: string | null;
  };
  /** A file that came into a zone from another, and the last event from before. */
  file_coming: {
    workspace_id: string;
    file_path: string;
    zone: string;
    came_from: string;
    sequence: number;
  };
  idle_blob: { digest: string; since: number };
  page_link: {
    source_id: string;
    ordinal: number;
    workspace_id: string;
    form: string;
    embed: number;
    position: number;
    length: number;
    target_position: number;
    target_length: number;
    path: string;
    fragment: string | null;
    display: string | null;
    /** The folded last part of the path: what a page must be called to be meant. */
    target_key: string;
    status: string;
    target_id: string | null;
  };
  page_source: {
    workspace_id: string;
    sequence: number;
    page_id: string;
    source_kind: string;
    source_id: string;
    source_version: string;
  };
  event: EventTable;
  /** Who wrote something, once for each call that landed text. */
  attribution: AttributionTable;
  attribution_source: {
    attribution: number;
    source_kind: string;
    source_id: string;
    source_version: string;
  };
  /** Who wrote a block that is there. */
  block_provenance: AuthorshipColumns & { block_id: string; page_id: string };
  /** Who wrote a block that a page had, by its digest, for when it comes back. */
  former_block: AuthorshipColumns & { page_id: string; digest: string };
  provider: {
    id: string;
    profile: string;
    state: string;
    reason_code: string;
    reason: string;
    seen: string | null;
    admitted: string | null;
    findings: string;
    drift: string;
    created_at: number;
    updated_at: number;
  };
  provider_move: {
    provider_id: string;
    number: number;
    at: number;
    from_state: string | null;
    to_state: string;
    reason_code: string;
    reason: string;
    actor: string;
    call_id: string;
  };
  provider_version: { version: number };
  kept_answer: {
    id: string;
    principal_id: string;
    provider_id: string;
    tool: string;
    /** What it is made of, each with the digest of its blob: JSON. */
    parts: string;
    bytes: number;
    created_at: number;
  };
  /** `user_name` is empty for a credential that all callers share. */
  credential_slot: {
    ref: string;
    user_name: string;
    kind: string;
    sealed: string;
    facts: string | null;
    created_at: number;
    updated_at: number;
  };
  credential_slot_version: { version: number };
  approval: {
    id: string;
    kind: string;
    state: string;
    call_id: string;
    principal_kind: string;
    principal_id: string;
    principal_name: string;
    run_id: string;
    tool: string;
    server: string;
    effect: string;
    input_digest: string;
    binding: string;
    policy: string;
    summary: string;
    created_at: number;
    expires_at: number;
    decision: string | null;
    decided_at: number | null;
    decided_by: string | null;
    decided_call: string | null;
    reason: string | null;
    used_at: number | null;
    used_call: string | null;
    blob: string | null;
  };
  /** `page_id` is empty for a grant on the whole workspace. */
  permission_grant: {
    workspace_id: string;
    page_id: string;
    subject_kind: string;
    subject: string;
    level: string;
    granted_at: number;
    granted_by: string;
  };
  page_vector: {
    page_id: string;
    workspace_id: string;
    model: string;
    /** The text and title they were made from. */
    version: string;
    title: string;
    /** Where each passage begins and ends: JSON. */
    places: string;
    vectors: Uint8Array;
    stamp: number;
  };
  semantic_progress: {
    workspace_id: string;
    model: string;
    sequence: number;
    /** The last one given to a row of vectors; never goes back. */
    stamp: number;
  };
  trash_batch: {
    id: string;
    workspace_id: string;
    root_id: string;
    at: number;
    principal_id: string;
    principal_name: string;
    restored_at: number | null;
  };
  trash_item: {
    batch_id: string;
    page_id: string;
    parent_id: string | null;
    position: string;
    slug: string;
  };
  proposal: ProposalTable;
  memory_item: MemoryTable;
  memory_source: {
    item_id: string;
    ordinal: number;
    kind: string;
    source_id: string;
    source_version: string;
  };
  memory_term: { workspace_id: string; token: string; item_id: string; hits: number };
  memory_vector: { item_id: string; model: string; vector: Uint8Array };
  /** Up to which event a run has been told; the run without a name stands for all of them. */
  memory_run: { workspace_id: string; run_id: string; told_through: number };
}

interface ProposalTable {
  id: string;
  workspace_id: string;
  page_id: string | null;
  /** The tool that was called. */
  op: string;
  arguments: string;
  /** What it would change, at which version: JSON. */
  concerns: string;
  sources: string;
  /** The text the page would have had. */
  proposed_text: string | null;
  origin: string;
  principal_kind: string;
  principal_id: string;
  principal_name: string;
  role: string;
  credential_id: string;
  run_id: string;
  thread_id: string | null;
  call_id: string;
  summary: string;
  overlapping: number;
  state: string;
  created_at: number;
  /** Null = never. */
  expires_at: number | null;
  decided_at: number | null;
  decided_by: string | null;
  decided_by_name: string | null;
  note: string | null;
}

interface MemoryTable {
  id: string;
  workspace_id: string;
  tier: string;
  kind: string;
  scope: string;
  scope_key: string;
  owner_id: string;
  run_id: string;
  item_key: string | null;
  body: string;
  /** What nobody looks items up by: JSON. */
  facts: string;
  lifecycle: string;
  created_at: number;
  updated_at: number;
  observed_at: number;
  valid_from: number;
  valid_to: number | null;
  ended_at: number | null;
  superseded_by: string | null;
  pinned: number;
  version: number;
  trashed_at: number | null;
  /** How many it is found by. */
  tokens: number;
  bytes: number;
}

interface PageTable {
  /** Small and stable, for the search index. */
  number: Generated<number>;
  id: string;
  workspace_id: string;
  parent_id: string | null;
  slug: string;
  slug_key: string;
  title: string;
  title_key: string;
  icon: string | null;
  position: string;
  properties: string;
  tags: string;
  origin: string;
  lifecycle: string;
  version: string;
  content: string;
  words: number;
  created_at: number;
  created_by: string;
  updated_at: number;
  updated_by: string;
  /** The batch it was trashed with; null = live. */
  trash_batch: string | null;
  /** The file it was imported from; a slash at the end = a folder without a note. */
  file_path: string | null;
  /** Of the file's text as it was last seen, by a sync if it says so; that text is a version of the page, or kept here. */
  file_digest: string | null;
  file_version: string | null;
  file_text: string | null;
  /** How its links are written; null = Obsidian's way. */
  dialect: string | null;
  /** The nearest page with grants of its own, itself or above it; null = none. */
  zone: string | null;
}

interface EventTable {
  workspace_id: string;
  sequence: number;
  at: number;
  kind: string;
  page_id: string | null;
  call_id: string;
  run_id: string;
  principal_id: string;
  principal_name: string;
  tool: string;
  origin: string;
  before_version: string | null;
  after_version: string | null;
  /** Events of one change share the sequence of its first. */
  change: number;
  details: string;
}

interface AttributionTable {
  number: Generated<number>;
  /** Digest of everything else, so that each is kept once. */
  key: string;
  principal_kind: string;
  principal_id: string;
  principal_name: string;
  run_id: string;
  tool: string;
  call_id: string;
  origin: string;
  at: number;
  accepted_by: string | null;
  /** The run that the call undid. */
  undoes: string | null;
}

/** Numbers of attributions. */
interface AuthorshipColumns {
  /** JSON, newest first; 0 stands for nobody knows who. */
  written_by: string;
  restored_by: number | null;
  /** Who touched it last, be it by moving it. */
  touched_by: number;
}
