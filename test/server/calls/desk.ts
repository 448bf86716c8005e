/**
 * A whole clerk in one process against the sandbox airline over real HTTP, with a clock one can move. What really
 * happened is read in the airline's own ledger.
 */

import type { Answer, Result } from '../../../src/approvals/answer.ts';
import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import type { Clock } from '../../../src/journal/ports.ts';
import { createOtaAirline } from '../../../src/ota/airline.ts';
import type { LedgerEvent } from '../../../src/sandbox/ledger.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/start.ts';
import { type CallHow, type Clerk, type ClerkOptions, createClerk, type Runtime } from '../../../src/server/clerk.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../../src/store/state.ts';
import { clerkOn, runtimeOf } from '../../campaigns/support/office.ts';

export interface Desk {
  readonly clerk: Clerk;
  readonly sandbox: Sandbox;
  readonly parts: Runtime;
  /** Moves the clerk's clock, and the airline's with it. */
  advance(ms: number): void;
  /** Events that move money or undo something, since the desk opened. */
  acts(): LedgerEvent[];
  call(tool: string, args: object, how?: Partial<CallHow>): Promise<Answer>;
  /** Calls a tool that must end in a result. */
  result(tool: string, args: object, how?: Partial<CallHow>): Promise<Result>;
  /** Calls and, when asked, answers in the dialog. */
  say(tool: string, args: object, raw: unknown | ((act: string) => unknown)): Promise<Result>;
  close(): Promise<void>;
}

export const CALLER = { tenant: 'desk', id: 'ann' };
export const dialogHow: Partial<CallHow> = { canElicit: true };

export interface DeskOptions
  extends Partial<
    Pick<
      ClerkOptions,
      | 'approval'
      | 'dialogFloorMs'
      | 'silenceMs'
      | 'limits'
      | 'pageAbove'
      | 'environment'
      | 'page'
      | 'canUseTerminal'
      | 'answerMs'
      | 'waitMs'
      | 'log'
      | 'tickets'
    >
  > {
  readonly sandbox?: SandboxOptions;
  /** Default: in memory. */
  openState?(now: () => number): Promise<State>;
  readonly settleMs?: number;
  /** The day on which everything happens (RFC 3339); default today. */
  readonly startsAt?: string;
}

const NOTHING = new Set<LedgerEvent>(['created']);

export async function openDesk(options: DeskOptions = {}): Promise<Desk> {
  const { startsAt, settleMs = 240_000 } = options;
  let offset = startsAt === undefined ? 0 : Date.parse(startsAt) - Date.now();
  const clock: Clock = { now: () => Date.now() + offset, sleep: systemClock.sleep };
  const sandbox = await startSandbox({ ...options.sandbox, ...(startsAt !== undefined && { nowIso: startsAt }) });
  const { settings } = sandbox;
  const tokens = await tokenSource(settings);
  const airline = createOtaAirline({
    baseUrl: settings.FARECLERK_BASE_URL ?? '',
    gatewayUrl: settings.FARECLERK_GATEWAY_URL ?? '',
    restUrl: settings.FARECLERK_REST_URL ?? '',
    credentials: { mode: 'both', apiKey: settings.FARECLERK_API_KEY ?? '', tokens },
    pointOfSale: {
      agentId: settings.FARECLERK_AGENT_ID ?? '',
      agencyId: settings.FARECLERK_AGENCY_ID ?? '',
      currency: settings.FARECLERK_CURRENCY ?? '',
    },
    isConfirmed,
    dialect: options.sandbox?.dialect ?? 'rail',
  });
  const openState = options.openState ?? ((now) => openSqliteState(':memory:', { now }));
  const state = await openState(clock.now);
  const ending = new AbortController();
  const plans = { leases: state.leases, owner: 'test', running: new Map(), ending: ending.signal };
  const parts: Runtime = { ...runtimeOf({ airline, state, clock, settleMs }), plans };
  const clerk = clerkOn(parts, failures, {
    ...options,
    settings: {
      assumedOperations: true,
      dialect: options.sandbox?.dialect ?? 'rail',
      currency: settings.FARECLERK_CURRENCY ?? 'SAR',
    },
  });
  const call = (tool: string, args: object, how: Partial<CallHow> = {}) =>
    clerk.call(tool, args, { caller: CALLER, canElicit: false, canOpenUrls: false, ...how });
  const result = async (tool: string, args: object, how: Partial<CallHow> = {}) => {
    const answer = await call(tool, args, how);
    if (answer.kind !== 'result') throw new Error(`${tool} asked a question`);
    return answer;
  };
  return {
    clerk,
    sandbox,
    parts,
    call,
    result,
    advance(ms) {
      offset += ms;
      sandbox.advance(ms);
    },
    acts: () =>
      sandbox
        .ledger()
        .map((entry) => entry.event)
        .filter((event) => !NOTHING.has(event)),
    async say(tool, args, raw) {
      const asked = await call(tool, args, dialogHow);
      if (asked.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(asked)}`);
      const act = asked.form.properties.decision.enum[1] ?? '';
      const answer = typeof raw === 'function' ? (raw as (act: string) => unknown)(act) : raw;
      return result(tool, args, { ...dialogHow, dialog: { handle: asked.handle, raw: answer } });
    },
    async close() {
      ending.abort();
      await Promise.allSettled(plans.running.values());
      await clerk.idle();
      await airline.close();
      await state.close();
      await sandbox.close();
    },
  };
}

/** Mistakes inside the clerk, which no law may meet. */
export const failures: unknown[] = [];

/** Code of an error, else the status of a guarded tool; the kind of an answer that is a question. */
export function codeOf(answer: Answer): string | undefined {
  if (answer.kind !== 'result') return answer.kind;
  return (answer.structured.error as { code: string } | undefined)?.code ?? (answer.structured.status as string);
}

export function handleOf(result: Result): string {
  return (result.structured.approval as { id: string }).id;
}

export const accept = (act: string) => ({ action: 'accept', content: { decision: act } });

async function tokenSource(settings: Readonly<Record<string, string>>) {
  const url = `${settings.FARECLERK_AUTH_URL}/realms/${settings.FARECLERK_TENANT}/protocol/openid-connect/token`;
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: settings.FARECLERK_CLIENT_ID ?? '',
    client_secret: settings.FARECLERK_CLIENT_SECRET ?? '',
    username: settings.FARECLERK_USERNAME ?? '',
    password: settings.FARECLERK_PASSWORD ?? '',
  });
  const fetchToken = async () => {
    const reply = await fetch(url, { method: 'POST', body });
    return ((await reply.json()) as { access_token: string }).access_token;
  };
  // The airline's clock is moved by tests: a token is asked for anew each time.
  return { token: fetchToken, ensureLife: fetchToken, invalidate() {} };
}

/** Another server process with other settings on the same state. */
export function siblingOf(desk: Desk, options: Partial<ClerkOptions>): Clerk {
  return createClerk({ ...desk.clerk.options, ...options });
}
