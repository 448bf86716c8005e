/**
 * A whole clerk in this process, in front of any airline: the program's journal, whose readings are compared, with the airline, the
 * state file and the times of a proof.
 */

import { noDialogs } from '../../../src/approvals/consent-call.ts';
import { type Asker, type Clerk, type ClerkOptions, createClerk, type Runtime } from '../../../src/clerk/clerk.ts';
import { liveSchemas } from '../../../src/clerk/schemas.ts';
import {
  openJournal,
  readingComparer,
  type WatchingCalls,
  watchingCalls,
} from '../../../src/cli/runtime/journal-and-watcher.ts';
import { systemClock, systemRandom } from '../../../src/journal/clock.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { ACTS } from '../../support/rules.ts';
import type { Look } from './acts.ts';

export type { Asker };
export type Answer = Awaited<ReturnType<Clerk['call']>>;
export type Result = Extract<Answer, { kind: 'result' }>;
export type Ask = Extract<Answer, { kind: 'ask' }>;
export type State = Awaited<ReturnType<typeof openSqliteState>>;
type JournalOptions = Parameters<typeof openJournal>[1];

export const CALLER = { tenant: 'office', id: 'ann' };

/** What of a clerk's options an office may be given. */
type Given = 'limits' | 'answerMs' | 'waitMs' | 'approval' | 'canUseTerminal' | 'runSql';

export interface OfficeOptions extends Partial<Pick<ClerkOptions, Given>> {
  readonly airline: Runtime['airline'];
  /** Default `rail`. */
  readonly dialect?: 'rail' | 'airline';
  /** Default: in memory. */
  readonly state?: State;
  readonly settleMs?: number;
  readonly journal?: Partial<JournalOptions>;
  /** Ends what the airline holds, with the office. */
  close?(): Promise<void>;
}

export type Office = Awaited<ReturnType<typeof openOffice>>;

const schemas = liveSchemas();

export interface RuntimeOptions extends Pick<OfficeOptions, 'airline' | 'settleMs' | 'journal'> {
  readonly state: State;
  /** Default: the state's own, else the system's. */
  readonly clock?: Runtime['clock'];
  /** What becomes of the program's comparison of readings. Default: it is as it is. */
  readings?(ofProgram: WatchingCalls): WatchingCalls;
  /** What an operation did cannot be noted. Default: it is not told, because the airline may be away. */
  failed?(error: unknown): void;
}

/** A journal on a store and an airline, and readings compared as in the program: what a desk works with. */
export function runtimeOf({ airline, state, settleMs = 240_000, ...options }: RuntimeOptions): Runtime {
  const clock = options.clock ?? state.clock ?? systemClock;
  const { failed = () => undefined } = options;
  const ofProgram = watchingCalls(readingComparer(state), clock);
  const readings = options.readings?.(ofProgram) ?? ofProgram;
  const journal = openJournal(
    { state, clock, readerFor: () => airline, readings, failed },
    { owner: `office:${crypto.randomUUID()}`, settleMs, ...options.journal },
  );
  return {
    acts: ACTS,
    airline,
    state,
    journal,
    clock,
    random: systemRandom,
    inFlight: new Set<Promise<unknown>>(),
    dialogs: noDialogs(),
    compareReading: readings.compareReading,
  };
}

type ClerkSettings = Partial<Omit<ClerkOptions, 'settings'>> & {
  readonly settings?: Partial<ClerkOptions['settings']>;
};

/** A clerk with every tool, whose scripted person answers at once. `failures`: mistakes inside it. */
export function clerkOn(parts: Runtime, failures: unknown[], options: ClerkSettings = {}): Clerk {
  return createClerk({
    ...{ tools: CATALOG, withheld: new Map(), schemas, environment: 'live', approval: 'auto', limits: {} },
    ...{ dialogFloorMs: 0, answerMs: 30_000, waitMs: 20, canUseTerminal: false },
    open: async () => parts,
    log: { call() {}, failure: ({ error }) => failures.push(error) },
    ...options,
    settings: { timeZone: () => 'UTC', maxTravelers: 9, currency: 'SAR', ...options.settings },
  });
}

export async function openOffice({ airline, settleMs, dialect, state: given, close, ...options }: OfficeOptions) {
  const failures: unknown[] = [];
  const state = given ?? (await openSqliteState(':memory:'));
  const { journal, ...clerkOptions } = options;
  const parts = runtimeOf({
    ...{ airline, state, ...(settleMs !== undefined && { settleMs }) },
    journal: { pollMs: 20, ...journal },
  });
  const clerk = clerkOn(parts, failures, { settings: dialect === undefined ? {} : { dialect }, ...clerkOptions });
  const call = (tool: string, args: object, how: Partial<Asker> = {}) =>
    clerk.call(tool, args, { caller: CALLER, canElicit: true, canOpenUrls: false, ...how });
  /** Calls a tool that must end in a result. */
  const result = async (tool: string, args: object, how?: Partial<Asker>): Promise<Result> => {
    const answer = await call(tool, args, how);
    if (answer.kind !== 'result') throw new Error(`${tool} asked a question`);
    return answer;
  };
  /** Structured content of a reading. */
  const look: Look = async (tool, args) => (await result(tool, args)).structured;
  return {
    clerk,
    parts,
    /** Mistakes inside the clerk, which no proof may meet. */
    failures: failures as readonly unknown[],
    call,
    result,
    look,
    /** Asks for the question of a tool that must ask. */
    async question(tool: string, args: object): Promise<Ask> {
      const answer = await call(tool, args);
      if (answer.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(answer)}`);
      return answer;
    },
    /** Answers a question with its own words of the act. */
    yes: (tool: string, args: object, question: Ask) =>
      result(tool, args, { dialog: { handle: question.handle, raw: yesTo(question) } }),
    operations: () => state.operations.list({}),
    async close() {
      await clerk.idle();
      await close?.();
      await state.close();
    },
  };
}

/** What a host sends when its user picks the words of the act. */
export function yesTo(question: Pick<Ask, 'form'>): unknown {
  return { action: 'accept', content: { decision: question.form.properties.decision.enum[1] } };
}

/** Code of an error, else the status of a tool that asks, else `ok`; `ask` for a question. */
export function codeOf(answer: Answer): string {
  if (answer.kind !== 'result') return answer.kind;
  const { error, status } = answer.structured as { error?: { code: string }; status?: string };
  return error?.code ?? status ?? 'ok';
}
