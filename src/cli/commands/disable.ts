/** Switches off. */
import { defineCommand, textOf } from '../command.ts';
import { switchTool } from '../switch-tool.ts';

export const disable = defineCommand({
  path: ['disable'],
  summary: 'Switch everything off at once, or one tool; it stays so over restarts',
  options: [{ name: 'tool', value: 'pattern', summary: 'Only this tool or pattern' }],
  examples: ['disable', 'disable --tool "sandbox.*"'],
  run: (context, input) => switchTool(context, false, textOf(input, 'tool')),
});
