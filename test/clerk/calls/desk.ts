/**
 * A whole clerk in one process against the sandbox airline over real HTTP, with a clock one can move. What really
 * happened is read in the airline's own ledger.
 */

import { systemClock } from '../../../src/journal/clock.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { airlineAt, type OtaAirline, setting } from '../../campaigns/support/airline.ts';
import { clerkOn, codeOf, runtimeOf, yesTo } from '../../campaigns/support/office.ts';
import { sqlOver } from '../../support/run-sql.ts';
import { startSandbox } from '../../support/sandbox/start.ts';

export { codeOf };

export type Clerk = ReturnType<typeof clerkOn>;
export type Desk = Awaited<ReturnType<typeof openDesk>>;
type How = Partial<Parameters<Clerk['call']>[2]>;
type Airline = Parameters<typeof runtimeOf>[0]['airline'];
type Answer = Awaited<ReturnType<Clerk['call']>>;
export type Result = Extract<Answer, { kind: 'result' }>;

export const CALLER = { tenant: 'desk', id: 'ann' };
export const dialogHow = { canElicit: true };
const HOW = { caller: CALLER, canElicit: false, canOpenUrls: false };
export const PAY = { payment: { type: 'invoice' } };

export interface DeskOptions extends NonNullable<Parameters<typeof clerkOn>[2]> {
  readonly sandbox?: Parameters<typeof startSandbox>[0];
  /** Default: in memory. */
  openState?(now: () => number): ReturnType<typeof openSqliteState>;
  readonly settleMs?: number;
  /** What stands before the adapter. */
  readonly before?: (adapter: OtaAirline) => Airline;
  /** Answers questions in SQL. */
  readonly sql?: true;
  /** The day on which everything happens (RFC 3339); default today. */
  readonly startsAt?: string;
}

export async function openDesk({
  sandbox: sells,
  openState,
  settleMs,
  before,
  startsAt,
  sql,
  ...options
}: DeskOptions = {}) {
  let offset = startsAt === undefined ? 0 : Date.parse(startsAt) - Date.now();
  const now = () => Date.now() + offset;
  const clock = { now, sleep: systemClock.sleep };
  // A login would end when a test moves the clock.
  const at = startsAt === undefined ? {} : { nowIso: startsAt };
  const sandbox = await startSandbox({ accepts: 'key', ...sells, ...at });
  const { settings } = sandbox;
  const dialect = sells?.dialect ?? 'rail';
  const adapter = airlineAt({ settings, mode: 'key' });
  const airline = before === undefined ? adapter : before(adapter);
  const state = await (openState?.(now) ?? openSqliteState(':memory:', { now }));
  const ending = new AbortController();
  const plans = { leases: state.leases, owner: 'test', running: new Map(), ending: ending.signal };
  const failed = (error: unknown) => options.log?.unrecorded?.({ error });
  const runtime = runtimeOf({ airline, state, clock, failed, ...(settleMs !== undefined && { settleMs }) });
  const parts = { ...runtime, state, plans };
  const clerk = clerkOn(parts, failures, {
    ...(sql && { runSql: sqlOver(state.ledgerRows) }),
    ...options,
    settings: { assumedOperations: true, dialect, currency: setting(settings, 'CURRENCY'), ...options.settings },
  });
  const call = (tool: string, args: object, how: How = {}) => clerk.call(tool, args, { ...HOW, ...how });
  return {
    clerk,
    sandbox,
    parts,
    call,
    /** Calls a tool that must end in a result. */
    result: async (tool: string, args: object, how: How = {}) => resultOf(await call(tool, args, how)),
    /** Asks a question in the dialog. */
    ask: (tool: string, args: object, how: How = {}) => ask(clerk, tool, args, how),
    /** Calls and, when asked, answers in the dialog. */
    async say(tool: string, args: object, raw: unknown): Promise<Result> {
      const asked = await ask(clerk, tool, args);
      return asked.answer(typeof raw === 'function' ? raw(asked.act) : raw);
    },
    /** Moves the clerk's clock, and the airline's with it. */
    advance(ms: number) {
      offset += ms;
      sandbox.advance(ms);
    },
    /** Events that move money or undo something, since the desk opened. */
    acts: () => sandbox.ledger().flatMap(({ event }) => (event === 'created' ? [] : [event])),
    /** Surname of the first traveller, as the airline has it. */
    surnameIn: async (locator: string) => (await airline.read(locator)).travelers[0]?.name?.surname ?? '',
    async close() {
      ending.abort();
      await Promise.allSettled(plans.running.values());
      await clerk.idle();
      await adapter.close();
      await state.close();
      await sandbox.close();
    },
  };
}

/** Mistakes inside the clerk, which no law may meet. */
export const failures: unknown[] = [];

export function resultOf(answer: Answer): Result {
  if (answer.kind !== 'result') throw new Error(`a question: ${JSON.stringify(answer)}`);
  return answer;
}

/** Asks a question of a clerk in the dialog; it is answered with the dialog's own words, or with others. */
export async function ask(clerk: Clerk, tool: string, args: object, how: How = {}) {
  const all = { ...HOW, ...dialogHow, ...how };
  const asked = await clerk.call(tool, args, all);
  if (asked.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(asked)}`);
  const answer = async (raw: unknown, changed = args) =>
    resultOf(await clerk.call(tool, changed, { ...all, dialog: { handle: asked.handle, raw } }));
  const act = asked.form.properties.decision.enum[1] ?? '';
  return { ...asked, act, answer, yes: (changed = args) => answer(yesTo(asked), changed) };
}

export const errorOf = ({ structured }: Result) =>
  structured.error as { code: string; effect: string; message: string; next: string; airline?: { code?: string } };

export function handleOf({ structured, meta }: Result): string {
  return (structured.approval as { id: string } | undefined)?.id ?? String(meta?.approval_id);
}

export const accept = (act: string) => ({ action: 'accept', content: { decision: act } });

/** Another server process with other settings on the same state. */
export function siblingOf(desk: Pick<Desk, 'clerk' | 'parts'>, options: Parameters<typeof clerkOn>[2] = {}): Clerk {
  return clerkOn(desk.parts, failures, { ...desk.clerk.options, ...options } as typeof options);
}
