/** Writes that must not compile: without a ticket, with one of the wrong kind, or in a scope that only reads. */
import { addClient, type CredentialMeans } from '../../../src/domain/governance/manage-credentials.ts';
import { type PolicyMeans, setEnabled } from '../../../src/domain/governance/manage-policy.ts';
import { createPage } from '../../../src/domain/workspace/create-page.ts';
import type { WorkspaceMeans } from '../../../src/domain/workspace/means.ts';
import type { Page } from '../../../src/domain/workspace/page.ts';
import { recordChange } from '../../../src/domain/workspace/record-change.ts';
import { revisePage } from '../../../src/domain/workspace/revise-page.ts';
import { trashPage } from '../../../src/domain/workspace/trash-page.ts';
import type { WorkspaceId } from '../../../src/kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../src/kernel/ports/unit-of-work.ts';
import type { Submission } from '../../../src/kernel/submission.ts';
import type {
  Landing,
  LandTicket,
  ProposeTicket,
  TicketMint,
  WriteTicket,
} from '../../../src/kernel/ticket.ts';

declare const use: WorkspaceMeans;
declare const scope: ReadScope;
declare const tx: WriteTx;
declare const submission: Submission;
declare const mint: TicketMint;
declare const proposal: ProposeTicket;
declare const page: Page;

export function ticketByLiteral(): WriteTicket {
  // @ts-expect-error its private fields cannot be written down
  return {};
}

export function ticketByLiteralOfTheSameForm(): LandTicket {
  // @ts-expect-error not even with everything that can be seen of one
  return { mode: 'land', tx, submission };
}

export function proposalThatLands(): LandTicket {
  // @ts-expect-error the two are different types
  return proposal;
}

export function landingByLiteral(): Landing {
  // @ts-expect-error what a spent ticket gives is as good as a ticket
  return { tx, submission };
}

export function writersWithoutTicket(): unknown {
  return [
    // @ts-expect-error the ticket is left out
    createPage(use, { title: 'A' }),
    // @ts-expect-error there is none
    createPage(use, undefined, { title: 'A' }),
    // @ts-expect-error a transaction is not a ticket
    revisePage(use, tx, { page: 'a', content: '' }),
    // @ts-expect-error nor is a submission
    trashPage(use, submission, 'a'),
    // @ts-expect-error nor is an empty object
    recordChange(use, {}, 'w' as WorkspaceId, []),
  ];
}

export function governorsWithoutTicket(policy: PolicyMeans, credentials: CredentialMeans): unknown {
  return [
    // @ts-expect-error the off switch is a write as well
    setEnabled(policy, true),
    // @ts-expect-error and so is a token
    addClient(credentials, undefined, { name: 'a' }),
  ];
}

export function writingInAReadScope(): unknown {
  return [
    // @ts-expect-error a read scope is no transaction
    use.pages.insert(scope, page),
    // @ts-expect-error also for the link index
    use.links.replace(scope, page.workspace, [page.id], []),
    // @ts-expect-error and for the mint
    mint.land(scope, submission),
  ];
}

export function readScopeByLiteral(): ReadScope {
  // @ts-expect-error only a store makes one
  return {};
}
