/** Stories of commands about calls that wait for a person. */
import { expect } from 'vitest';
import { WITH_SEND } from '../../../support/approvals.ts';
import type { Cli, Stories } from '../../../support/cli-story.ts';
import { plantTree } from '../../../support/planted-tree.ts';
import { scriptedUpstream } from '../../../support/scripted-upstream.ts';

/** A provider with a tool that waits, and the approval that a call of it asked for. */
async function waiting(cli: Cli): Promise<{ tool: string; approval: string }> {
  const id = cli.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 30);
  const { target } = await scriptedUpstream(plantTree({}), 'stdio', WITH_SEND);
  const command = 'command' in target ? target.command : [];
  await cli.json('provider', 'add', id, '--stdio', '--json', '--', ...command);
  await cli.json('provider', 'review', id, '--admit-all', '--reason', 'a story');
  const tool = `${id}.send`;
  const refused = await cli.fails(4, 'tool', 'call', tool, '{"to":"ann"}');
  expect(refused).toMatchObject({ code: 'DELEG_APPROVAL_REQUIRED' });
  return { tool, approval: String(refused.approval) };
}

export const approvalStories: Stories = {
  'approval list': async (cli) => {
    const { tool, approval } = await waiting(cli);
    expect(await cli.text('approval', 'list')).toContain(`${approval}  preinvoke  pending  ${tool}`);
    const { approvals } = await cli.json<{ approvals: unknown[] }>(
      'approval',
      'list',
      '--all',
      '--limit',
      '1',
    );
    expect(approvals).toMatchObject([{ id: approval }]);
  },

  'approval show': async (cli) => {
    const { approval } = await waiting(cli);
    expect(await cli.text('approval', 'show', approval)).toContain('{"to":"ann"}');
    await cli.fails(3, 'approval', 'show', 'nowhere');
  },

  'approval decide': async (cli) => {
    const { tool, approval } = await waiting(cli);
    await cli.fails(2, 'approval', 'decide', approval);
    await cli.fails(4, 'approval', 'decide', approval, '--approve', '--session', '--reason', 'no');
    const decided = await cli.json('approval', 'decide', approval, '--approve', '--reason', 'a story');
    expect(decided).toMatchObject({ state: 'approved', decision: 'APPROVED_ONCE', reason: 'a story' });
    await cli.fails(5, 'approval', 'decide', approval, '--reject', '--reason', 'too late');
    expect(JSON.stringify(await cli.json('tool', 'call', tool, '{"to":"ann"}'))).toContain('ann');
  },

  'audit lineage': async (cli) => {
    const { tool } = await waiting(cli);
    const { records } = await cli.json<{ records: { call_id: string }[] }>('audit', 'list', '--tool', tool);
    const call = records[0]?.call_id ?? '';
    expect(await cli.text('audit', 'lineage', call)).toContain('BLOCKED_BY_POLICY: refused');
    await cli.fails(3, 'audit', 'lineage', 'nowhere');
  },

  'approval policy': async (cli) => {
    const changed = await cli.json('approval', 'policy', '--output-classes', 'USER_PRIVATE');
    expect(changed).toMatchObject({ output_classes: ['USER_PRIVATE'], local_effects: false });
    expect(await cli.text('approval', 'policy')).toContain('USER_PRIVATE');
    expect(await cli.json('approval', 'policy', '--output-classes', 'none')).toMatchObject({
      output_classes: [],
    });
    await cli.fails(2, 'approval', 'policy', '--sessions', 'perhaps');
  },
};
