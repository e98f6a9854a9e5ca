/** Switches on. */
import { defineCommand, textOf } from '../command.ts';
import { switchTool } from '../switch-tool.ts';

export const enable = defineCommand({
  path: ['enable'],
  summary: 'Switch everything on again, or one tool',
  options: [{ name: 'tool', value: 'pattern', summary: 'Only this tool or pattern' }],
  examples: ['enable', 'enable --tool delete_page'],
  run: (context, input) => switchTool(context, true, textOf(input, 'tool')),
});
