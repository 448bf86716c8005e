/**
 * A clerk with two tools that need no airline: who calls, and a wait that a test ends. State is real, in memory.
 */
import * as z from 'zod';
import type { Airline } from '../../../../src/domain/airline.ts';
import { systemClock, systemRandom } from '../../../../src/journal/clock.ts';
import { createJournal } from '../../../../src/journal/journal.ts';
import { type Clerk, type ClerkLog, createClerk, type Runtime } from '../../../../src/server/clerk.ts';
import { liveSchemas } from '../../../../src/server/schemas.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { defineTool, type Tool } from '../../../../src/tools/definition/define.ts';

export interface TinyClerk {
  readonly clerk: Clerk;
  readonly parts: Runtime;
  /** Calls of `wait_for` under way, by what they wait for. */
  readonly waiting: Map<string, () => void>;
  /** Of calls that came to their end, whoever was still there. */
  readonly ended: string[];
  readonly closed: boolean;
  close(): Promise<void>;
}

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

export async function openTinyClerk(options: { log?: ClerkLog; more?: readonly Tool[] } = {}): Promise<TinyClerk> {
  const waiting = new Map<string, () => void>();
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
  const reader = { read: async () => Promise.reject(new Error('no airline here')) };
  const journal = createJournal({
    store: state.operations,
    clock: systemClock,
    reader,
    owner: 'test',
    digest: (text) => text,
    settleMs: 240_000,
  });
  const airline = reader as unknown as Airline;
  const parts: Runtime = { airline, state, journal, clock: systemClock, random: systemRandom, inFlight: new Set() };
  const clerk = createClerk({
    tools: [whoAmI, waitFor, ...(options.more ?? [])],
    withheld: new Map(),
    schemas: liveSchemas(),
    environment: 'sandbox',
    settings: { locale: 'en', maxTravelers: 9 },
    approval: 'auto',
    limits: {},
    // The scripted person answers at once.
    dialogFloorMs: 0,
    answerMs: 30_000,
    canUseTerminal: false,
    open: async () => parts,
    log: options.log ?? { call() {}, failure: ({ error }) => Promise.reject(error) },
  });
  let closed = false;
  return {
    clerk,
    parts,
    waiting,
    ended,
    get closed() {
      return closed;
    },
    async close() {
      closed = true;
      await state.close();
    },
  };
}
