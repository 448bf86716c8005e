/**
 * A clerk with two tools that need no airline: who calls, and a wait that a test ends. State is real, in memory.
 */
import * as z from 'zod';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { clerkOn, runtimeOf } from '../../campaigns/support/office.ts';

export type TinyClerk = Awaited<ReturnType<typeof openTinyClerk>>;

/** Schemas of a tool, made once. */
export const schemas = (input: z.ZodRawShape, output: z.ZodRawShape) => {
  const [given, told] = [z.strictObject(input), z.object(output)];
  return { input: () => given, output: () => told };
};

/** Who asked, and the word they sent: a reply that crossed over would show another's. */
const whoAmI = {
  ...{ name: 'who_am_i', title: 'Who am I', description: 'Tells who calls.', toolset: 'core', effect: 'read' },
  ...schemas(
    { word: z.string().optional(), deep: z.unknown().optional() },
    { tenant: z.string(), id: z.string(), word: z.string() },
  ),
  async run({ word = '' }: { word?: string }, { caller }: { caller: { tenant: string; id: string } }) {
    await new Promise(setImmediate);
    return { tenant: caller.tenant, id: caller.id, word };
  },
  text: ({ tenant, id, word }: Record<'tenant' | 'id' | 'word', string>) => `${tenant} ${id} ${word}`,
};

export async function openTinyClerk(options: Parameters<typeof clerkOn>[2] = {}) {
  /** Calls of `wait_for` under way, by what they wait for. */
  const waiting = new Map<string, () => void>();
  /** Of calls that came to their end, whoever was still there. */
  const ended: string[] = [];
  const waitFor = {
    ...{ name: 'wait_for', title: 'Wait for', description: 'Waits.', toolset: 'core', effect: 'hold' },
    ...schemas({ word: z.string() }, { word: z.string() }),
    async run({ word }: { word: string }) {
      await new Promise<void>((resolve) => waiting.set(word, resolve));
      waiting.delete(word);
      ended.push(word);
      return { word };
    },
    text: ({ word }: { word: string }) => `waited for ${word}`,
  };
  const state = await openSqliteState(':memory:');
  const airline = { read: async () => Promise.reject(new Error('no airline here')), pausedMs: async () => 0 };
  const parts = runtimeOf({ airline: airline as never, state });
  const clerk = clerkOn(parts, [], { tools: [whoAmI, waitFor] as never, environment: 'sandbox', ...options });
  const tiny = { clerk, parts, waiting, ended, closed: false, close };
  async function close() {
    tiny.closed = true;
    await state.close();
  }
  return tiny;
}
