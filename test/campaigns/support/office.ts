/**
 * A whole clerk in this process, in front of any airline: the composition of `cli/runtime/open-runtime.ts` with the airline, the
 * state file and the times of a proof.
 */

import { keyedDigest } from '../../../src/approvals/digest.ts';
import { type Asker, type Clerk, type ClerkOptions, createClerk, type Runtime } from '../../../src/clerk/clerk.ts';
import { liveSchemas } from '../../../src/clerk/schemas.ts';
import { systemClock, systemRandom } from '../../../src/journal/clock.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { CATALOG, noteSettled } from '../../../src/tools/index.ts';
import { ACTS } from '../../support/rules.ts';
import type { Look } from './acts.ts';

export type { Asker };
export type Answer = Awaited<ReturnType<Clerk['call']>>;
export type Result = Extract<Answer, { kind: 'result' }>;
export type Ask = Extract<Answer, { kind: 'ask' }>;
export type State = Awaited<ReturnType<typeof openSqliteState>>;
type JournalOptions = Parameters<typeof createJournal>[0];
type Operation = Parameters<NonNullable<JournalOptions['readerFor']>>[0];

/** What each reading goes through besides, and, without `begunAt`, each reply: the complete first one of a `hold`, too. */
type See = (...read: [...Parameters<NonNullable<Runtime['compareReading']>>, hold?: Operation]) => Promise<boolean>;

export const CALLER = { tenant: 'office', id: 'ann' };

export interface OfficeOptions extends Partial<Pick<ClerkOptions, 'limits' | 'answerMs' | 'waitMs' | 'approval'>> {
  readonly airline: Runtime['airline'];
  /** Default `rail`. */
  readonly dialect?: 'rail' | 'airline';
  readonly see?: See;
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
  readonly see?: See;
  /** What an operation did cannot be noted. Default: it is not told, because the airline may be away. */
  failed?(error: unknown): void;
}

/** A journal on a store and an airline: what a desk works with. */
export function runtimeOf({ airline, state, settleMs = 240_000, ...options }: RuntimeOptions): Runtime {
  const clock = options.clock ?? state.clock ?? systemClock;
  const { see = async () => false, failed = () => undefined } = options;
  const readSoon: Parameters<typeof noteSettled>[0]['readSoon'] = async (caller, booking, hold) => {
    await see(caller, booking, undefined, hold);
  };
  const settling = { acts: ACTS, state, clock, readSoon, failed };
  const readerFor = ({ tenant, caller: id }: Pick<Operation, 'tenant' | 'caller'>) => ({
    async read(locator: string) {
      const begunAt = clock.now();
      const booking = await airline.read(locator);
      await see({ tenant, id }, booking, begunAt).catch(() => undefined);
      return booking;
    },
  });
  const journal = createJournal({
    ...{
      acts: ACTS,
      store: state.operations,
      clock,
      reader: airline,
      owner: `office:${crypto.randomUUID()}`,
      settleMs,
    },
    digest: (text) => keyedDigest(state.digestKey, text),
    settled: noteSettled({ ...settling, readerFor }),
    ...options.journal,
  });
  const parts = {
    acts: ACTS,
    airline,
    state,
    journal,
    clock,
    random: systemRandom,
    inFlight: new Set<Promise<unknown>>(),
  };
  return { ...parts, ...(options.see && { compareReading: options.see }) };
}

/** Which message of the airline's a stored reply answers; `modify` for all others. */
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

export async function openOffice({ airline, settleMs, dialect, see, state: given, close, ...options }: OfficeOptions) {
  const failures: unknown[] = [];
  const state = given ?? (await openSqliteState(':memory:'));
  const { journal, ...clerkOptions } = options;
  const parts: Runtime = {
    ...runtimeOf({
      ...{ airline, state, ...(settleMs !== undefined && { settleMs }), ...(see && { see }) },
      journal: { chain: state.chain, pollMs: 20, ...journal },
    }),
  };
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
