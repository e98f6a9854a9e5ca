/** Answers that were too long to be given whole, in SQL. */
import type {
  AnswerBounds,
  AnswerPart,
  AnswerStore,
  KeptAnswer,
} from '../../domain/providers/ports/answer-store.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { inPieces } from './chunks.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const answerStore: AnswerStore = {
  async put(tx, { id, principal, provider, tool, parts, bytes, createdAt }) {
    await writing(tx)
      .insertInto('kept_answer')
      .values({
        id,
        principal_id: principal,
        provider_id: provider,
        tool,
        parts: JSON.stringify(parts),
        bytes,
        created_at: createdAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },

  async find(scope, id) {
    const row = await reading(scope)
      .selectFrom('kept_answer')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toAnswer(row);
  },

  async trim(tx, bounds) {
    const gone = beyond(await newestFirst(tx), bounds);
    await inPieces(
      gone.map(({ id }) => id),
      async (piece) => {
        await writing(tx).deleteFrom('kept_answer').where('id', 'in', piece).execute();
        return [];
      },
    );
    return gone.flatMap(({ parts }) => parts.map(({ digest }) => digest));
  },

  async usage(scope, provider) {
    const row = await reading(scope)
      .selectFrom('kept_answer')
      .select(({ fn }) => [fn.countAll().as('answers'), fn.sum('bytes').as('bytes')])
      .where('provider_id', '=', provider)
      .executeTakeFirst();
    return { answers: Number(row?.answers ?? 0), bytes: Number(row?.bytes ?? 0) };
  },
};

/** There are never more of them than the bounds allow. */
async function newestFirst(tx: WriteTx): Promise<readonly KeptAnswer[]> {
  const rows = await reading(tx)
    .selectFrom('kept_answer')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toAnswer);
}

function beyond(
  answers: readonly KeptAnswer[],
  { before, perPrincipal, bytesInAll }: AnswerBounds,
): readonly KeptAnswer[] {
  const counts = new Map<string, number>();
  let bytes = 0;
  return answers.filter((answer) => {
    const count = (counts.get(answer.principal) ?? 0) + 1;
    if (answer.createdAt < before || count > perPrincipal || bytes + answer.bytes > bytesInAll) return true;
    counts.set(answer.principal, count);
    bytes += answer.bytes;
    return false;
  });
}

const toAnswer = (row: Database['kept_answer']): KeptAnswer => ({
  id: row.id,
  principal: row.principal_id,
  provider: row.provider_id,
  tool: row.tool,
  parts: JSON.parse(row.parts) as AnswerPart[],
  bytes: row.bytes,
  createdAt: row.created_at,
});
