/** What undoing does to something, in words a person decides by. */
import type { EventKind } from '../ports/event-log.ts';
import type { UndoStep } from './step.ts';

/** Of one page or file. What goes to the trash in the end needs no telling of what it is before. */
export function effectsOf(steps: readonly UndoStep[]): readonly string[] {
  const undone = steps.filter(({ outcome }) => outcome === 'undone');
  const comes = undone.filter(({ kind }) => kind === 'page_created');
  const told = comes.length > 0 ? comes : undone;
  return [...new Set(told.map(({ kind, effect }) => effect ?? EFFECTS[kind] ?? 'is as it was before'))];
}

const EFFECTS: Partial<Record<EventKind, string>> = {
  page_created: 'goes to the trash',
  page_restored: 'goes to the trash again',
  page_trashed: 'comes back from the trash',
  content_changed: 'gets its text back',
  links_rewritten: 'gets its links back',
  metadata_changed: 'gets its title and icon back',
  page_renamed: 'gets its name back',
  page_moved: 'goes back to its place',
  change_proposed: 'is no longer proposed',
  proposal_rejected: 'waits for review again',
  memory_written: 'is forgotten',
  memory_forgotten: 'is remembered again',
};
