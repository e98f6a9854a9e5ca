/** Declarations of tools that must not compile: an effect that does not fit, or metadata that is missing. */
import { z } from 'zod';
import { defineTool } from '../../../src/catalogue/tool-definition.ts';

const said = {
  name: 'a_tool',
  title: 'A tool',
  summary: 'Does it.',
  scopes: [],
  example: {},
  input: z.object({}),
  output: z.object({}),
} as const;
const write = { kind: 'page', derivation: 'none' } as const;
const handler = async () => ({});

export function readerWithWrite(): unknown {
  // @ts-expect-error who reads only registers no write
  return defineTool({ ...said, effect: 'read_only', write, handler });
}

export function readerWithWriteBroughtAlong(): unknown {
  const brought = { ...said, write };
  // @ts-expect-error nor does it get one from elsewhere
  return defineTool({ ...brought, effect: 'read_only', handler });
}

export function writerWithoutWrite(): unknown {
  // @ts-expect-error who writes says what
  return defineTool({ ...said, effect: 'local_side_effect', handler });
}

export function externalWithWrite(): unknown {
  // @ts-expect-error an effect outside of Sluice is no submission
  return defineTool({ ...said, effect: 'external_side_effect', write, handler });
}

export function unknownEffect(): unknown {
  // @ts-expect-error what no policy covers cannot be declared
  return defineTool({ ...said, effect: 'unsupported_effect', handler });
}

export function readerThatTakesATicket(): unknown {
  const effect = 'read_only';
  // @ts-expect-error a reader's call carries none
  return defineTool({ ...said, effect, handler: async (_use, _input, call) => ({ is: call.ticket }) });
}

export function externalThatReads(): unknown {
  const effect = 'external_side_effect';
  // @ts-expect-error a tool that takes its time holds no scope of the store
  return defineTool({ ...said, effect, handler: async (_use, _input, call) => ({ is: call.read }) });
}

export function missingMetadata(): unknown {
  const { title: _title, ...untitled } = said;
  const { summary: _summary, ...unsaid } = said;
  const { scopes: _scopes, ...unscoped } = said;
  const { example: _example, ...unshown } = said;
  const { output: _output, ...unshaped } = said;
  return [
    // @ts-expect-error a title
    defineTool({ ...untitled, effect: 'read_only', handler }),
    // @ts-expect-error a summary
    defineTool({ ...unsaid, effect: 'read_only', handler }),
    // @ts-expect-error scopes, if only none
    defineTool({ ...unscoped, effect: 'read_only', handler }),
    // @ts-expect-error an example
    defineTool({ ...unshown, effect: 'read_only', handler }),
    // @ts-expect-error the shape of the answer
    defineTool({ ...unshaped, effect: 'read_only', handler }),
    // @ts-expect-error an effect
    defineTool({ ...said, handler }),
  ];
}

export function unknownScope(): unknown {
  // @ts-expect-error the list of scopes is closed
  return defineTool({ ...said, scopes: ['workspace.own'], effect: 'read_only', handler });
}

export function exampleThatDoesNotFit(): unknown {
  const input = z.object({ count: z.int() });
  // @ts-expect-error an example is a call that works
  return defineTool({ ...said, input, example: { count: 'many' }, effect: 'read_only', handler });
}

export function answerThatDoesNotFit(): unknown {
  const output = z.object({ count: z.int() });
  // @ts-expect-error the answer has the declared shape
  return defineTool({ ...said, output, effect: 'read_only', handler });
}
