/**
 * A clerk with two tools that need no airline: who calls, and a wait that a test ends. State is real, in memory.
 */
import * as z from 'zod';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { defineTool } from '../../../../src/tools/definition/define.ts';
import { clerkOn, runtimeOf } from '../../../campaigns/support/office.ts';

export type TinyClerk = Awaited<ReturnType<typeof openTinyClerk>>;

const word = () => ({ word: z.string() });

/** Who asked, and the word they sent: a reply that crossed over would show another's. */
const whoAmI = defineTool({
  name: 'who_am_i',
  title: 'Who am I',
  description: 'Tells who calls.',
  toolset: 'core',
  effect: 'read',
  input: () => ({ word: z.string().optional(), deep: z.unknown().optional() }),
  output: () => ({ tenant: z.string(), id: z.string(), word: z.string() }),
  async run({ word = '' }, { caller }) {
    await new Promise(setImmediate);
    return { tenant: caller.tenant, id: caller.id, word };
  },
  text: ({ tenant, id, word }) => `${tenant} ${id} ${word}`,
});

export async function openTinyClerk(options: Parameters<typeof clerkOn>[2] = {}) {
  /** Calls of `wait_for` under way, by what they wait for. */
  const waiting = new Map<string, () => void>();
  /** Of calls that came to their end, whoever was still there. */
  const ended: string[] = [];
  const waitFor = defineTool({
    name: 'wait_for',
    title: 'Wait for',
    description: 'Waits.',
    toolset: 'core',
    effect: 'hold',
    input: word,
    output: word,
    async run({ word }) {
      await new Promise<void>((resolve) => waiting.set(word, resolve));
      waiting.delete(word);
      ended.push(word);
      return { word };
    },
    text: ({ word }) => `waited for ${word}`,
  });
  const state = await openSqliteState(':memory:');
  const airline = { read: async () => Promise.reject(new Error('no airline here')) };
  const parts = runtimeOf({ airline: airline as never, state });
  const clerk = clerkOn(parts, [], { tools: [whoAmI, waitFor], environment: 'sandbox', ...options });
  const tiny = { clerk, parts, waiting, ended, closed: false, close };
  async function close() {
    tiny.closed = true;
    await state.close();
  }
  return tiny;
}
