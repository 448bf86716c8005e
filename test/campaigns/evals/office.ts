/**
 * The world of one scene: an airline that remembers, a clerk, a person who is asked, and a colleague elsewhere. All of it
 * on real HTTP with a real store; nothing is left when it closes.
 */

import type { Result } from '../../../src/approvals/answer.ts';
import { memoryClaims } from '../../../src/approvals/claims.ts';
import { SCOPES } from '../../../src/approvals/scopes.ts';
import { toolAvailability } from '../../../src/cli/runtime/tool-availability.ts';
import { parseMoney } from '../../../src/domain/pricing/money.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import type { Operation } from '../../../src/journal/operation.ts';
import type { Clock } from '../../../src/journal/ports.ts';
import { type LedgerEntry, type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import type { Clerk, Runtime } from '../../../src/server/clerk.ts';
import { clerkOf } from '../../../src/server/http/caller-clerk.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { airlineAt } from '../support/airline.ts';
import { clerkOn, runtimeOf } from '../support/office.ts';
import type { Scene } from './scene.ts';

const CURRENCY = 'SAR';
/** In doubt for this long at most; a scene moves the clock. */
const SETTLE_MS = 240_000;

const DESK = { tenant: 'evals', id: 'desk' };
const STRANGER = { tenant: 'evals', id: 'stranger' };
const COLLEAGUE = { tenant: 'evals', id: 'colleague' };

export interface Office {
  readonly sandbox: Sandbox;
  readonly clerk: Clerk;
  /** Questions that the person was asked so far. */
  asked(): readonly string[];
  /** A call by whoever plays; the person answers what is asked. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Result>;
  /** A call of the desk that sets the stage: the person says yes. */
  stage(tool: string, args: Readonly<Record<string, unknown>>): Promise<Result>;
  /** By a colleague at another desk, of another clerk. */
  colleague(tool: string, args: Readonly<Record<string, unknown>>): Promise<Result>;
  advance(ms: number): void;
  operations(): Promise<readonly Operation[]>;
  ledger(): readonly LedgerEntry[];
  /** Mistakes inside the clerk. */
  readonly failures: readonly unknown[];
  close(): Promise<void>;
}

type Settings = NonNullable<Scene['settings']>;

/** An adapter, a store and a journal: what one desk works with. */
async function openRuntime(sandbox: Sandbox, clock: Clock) {
  const airline = airlineAt({ settings: sandbox.settings, mode: 'key' });
  const state = await openSqliteState(':memory:', { now: clock.now });
  const runtime = runtimeOf({ airline, state, clock, settleMs: SETTLE_MS });
  const { inFlight } = runtime;
  const ending = new AbortController();
  const running = new Map<string, Promise<void>>();
  const plans = { leases: state.leases, owner: 'evals', running, ending: ending.signal };
  const parts: Runtime = { ...runtime, plans };
  return {
    parts,
    async close() {
      ending.abort();
      await Promise.allSettled([...inFlight, ...running.values()]);
      await airline.close();
      await state.close();
    },
  };
}

function evalClerk(parts: Runtime, settings: Settings, failures: unknown[]): Clerk {
  const {
    readOnly = false,
    toolsets = ['core', 'desk'],
    plans = false,
    perAction,
    perDay,
    approval = 'auto',
    waitMs = 3_000,
  } = settings;
  const { offered, withheld } = toolAvailability(CATALOG, { readOnly, toolsets, plans, assumedOperations: true });
  const money = (digits: string | undefined) => (digits === undefined ? undefined : parseMoney(digits, CURRENCY));
  const [action, day] = [money(perAction), money(perDay)];
  return clerkOn(parts, failures, {
    tools: offered,
    withheld,
    settings: { assumedOperations: true, currency: CURRENCY },
    approval,
    limits: { ...(action && { perAction: action }), ...(day && { perDay: day }) },
    answerMs: 2_000,
    waitMs,
  });
}

interface Dialogs {
  readonly person: NonNullable<Scene['person']>;
  readonly asked: string[];
  /** Runs while a question is open. */
  meanwhile(): Promise<void>;
}

/** Calls, and answers as the person would. */
async function answered(
  clerk: Clerk,
  caller: typeof DESK,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { person, asked, meanwhile }: Dialogs,
): Promise<Result> {
  const how = { caller, canElicit: person !== 'absent', canOpenUrls: false };
  const first = await clerk.call(tool, args, how);
  if (first.kind === 'result') return first;
  if (first.kind !== 'ask') throw new Error('a page was to be opened where none can be');
  asked.push(first.message);
  await meanwhile();
  const act = first.form.properties.decision.enum.find((choice) => choice !== 'no');
  const decision = person === 'yes' ? act : 'no';
  const raw = person === 'closes' ? { action: 'cancel' } : { action: 'accept', content: { decision } };
  const then = await clerk.call(tool, args, { ...how, dialog: { handle: first.handle, raw } });
  if (then.kind !== 'result') throw new Error('a question was answered with a question');
  return then;
}

/** @param whileAsked runs while the person has a question before them */
export async function openOffice(
  { settings = {}, person = 'yes', caller }: Pick<Scene, 'settings' | 'person' | 'caller'>,
  whileAsked: (office: Office) => Promise<void> = async () => undefined,
): Promise<Office> {
  let offset = 0;
  const clock: Clock = { now: () => Date.now() + offset, sleep: systemClock.sleep };
  const sandbox = await startSandbox({ accepts: 'key' });
  const failures: unknown[] = [];
  const desk = await openRuntime(sandbox, clock);
  const own = caller === 'stranger' ? STRANGER : DESK;
  const clerk = evalClerk(desk.parts, settings, failures);
  const who = { caller: own, scopes: new Set<string>(SCOPES) };
  const played = caller === 'stranger' ? clerkOf(clerk, who, memoryClaims()) : clerk;
  const stager = evalClerk(desk.parts, {}, failures);
  const asked: string[] = [];
  let elsewhere: Awaited<ReturnType<typeof openRuntime>> | undefined;
  const silent: Dialogs = { person: 'yes', asked: [], meanwhile: async () => undefined };
  const office: Office = {
    sandbox,
    clerk: played,
    failures,
    asked: () => asked,
    call: (tool, args) => answered(played, own, tool, args, { person, asked, meanwhile: () => whileAsked(office) }),
    stage: (tool, args) => answered(stager, DESK, tool, args, silent),
    async colleague(tool, args) {
      elsewhere ??= await openRuntime(sandbox, clock);
      return answered(evalClerk(elsewhere.parts, {}, failures), COLLEAGUE, tool, args, silent);
    },
    advance(ms) {
      offset += ms;
      sandbox.advance(ms);
    },
    operations: () => desk.parts.state.operations.list({}),
    ledger: () => sandbox.ledger(),
    async close() {
      await desk.close();
      await elsewhere?.close();
      await sandbox.close();
    },
  };
  return office;
}
