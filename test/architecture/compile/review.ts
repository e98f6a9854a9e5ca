/** Ways round an author's yes that must not compile. */

import { z } from 'zod';
import type { WriteContext } from '../../../src/catalogue/call-context.ts';
import { defineTool } from '../../../src/catalogue/tool-definition.ts';
import { createPage } from '../../../src/domain/workspace/create-page.ts';
import type { WorkspaceMeans } from '../../../src/domain/workspace/means.ts';
import { acceptProposal } from '../../../src/domain/workspace/proposals/accept-proposal.ts';
import { rejectProposal } from '../../../src/domain/workspace/proposals/reject-proposal.ts';
import { type AcceptedCall, acceptCall, type KeptCall } from '../../../src/kernel/accepted-call.ts';
import type { PageId } from '../../../src/kernel/ids.ts';
import type { ReviewDesk } from '../../../src/kernel/ports/review-desk.ts';
import type { WriteTx } from '../../../src/kernel/ports/unit-of-work.ts';
import type { LandTicket, ProposeTicket } from '../../../src/kernel/ticket.ts';

declare const use: WorkspaceMeans;
declare const tx: WriteTx;
declare const kept: KeptCall;
declare const call: WriteContext;
declare const desk: ReviewDesk;
declare const land: LandTicket;
declare const proposal: ProposeTicket;

export function handlerWithoutTicket(): unknown {
  return defineTool({
    name: 'x',
    title: 'X',
    summary: 'X.',
    scopes: [],
    effect: 'read_only',
    example: {},
    input: z.object({}),
    output: z.object({}),
    async handler(means: WorkspaceMeans, _input, reading) {
      // @ts-expect-error a tool that declares no write has no ticket
      await createPage(means, reading.ticket, { title: 'A' });
      return {};
    },
  });
}

export function acceptedByLiteral(): AcceptedCall {
  // @ts-expect-error its private fields cannot be written down
  return { kept, tx };
}

export function acceptedWithoutReview(): unknown {
  return [
    // @ts-expect-error a transaction is no spent ticket
    acceptCall({ tx }, kept),
    // @ts-expect-error what was kept was not accepted by that
    call.carryOut(kept),
    // @ts-expect-error a review is opened with a ticket
    acceptProposal(use, call.ticket, { proposal: 'p', despiteChanges: false }, call.carryOut),
    // @ts-expect-error for a no as well
    rejectProposal(use, tx, 'p', undefined),
  ];
}

export function proposedWithAnotherTicket(): unknown {
  // @ts-expect-error what may land is not what may be proposed
  return desk.keep(land, {});
}

export function landedWithAProposal(): Promise<unknown> {
  // @ts-expect-error a handler's ticket is one to land
  return Promise.resolve<WriteContext['ticket']>(proposal);
}

export function originChanged(page: PageId): Promise<void> {
  // @ts-expect-error no store changes an origin
  return use.pages.update(tx, page, { origin: 'authored' });
}
