/**
 * Puts the clerk together from settings. Nothing is opened and nothing heavy is loaded until the first call: a host
 * that only lists the tools pays for the list alone.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { AirlineConfig, Config } from '../config.ts';
import { type Money, parseMoney } from '../domain/money.ts';
import { present } from '../domain/present.ts';
import type { Caller } from '../domain/state.ts';
import { ACTIVE_STATES } from '../journal/operation.ts';
import { type ApprovalPage, approvalPageOf } from '../server/approval-page/page.ts';
import { type Clerk, createClerk } from '../server/clerk.ts';
import type { Metrics } from '../server/metrics.ts';
import type { State } from '../store/state.ts';
import type { ToolSettings } from '../tools/define.ts';
import { CATALOG } from '../tools/index.ts';
import { createLogs, type Logs } from './log.ts';
import { offering } from './offering.ts';
import type { OpenParts } from './parts.ts';
import { toolSchemas } from './schemas.ts';

export interface Composed {
  readonly clerk: Clerk;
  readonly logs: Logs;
  /** Who calls on stdio and in the terminal: the OS user; the state folder is the rest of the identity. */
  readonly caller: Caller;
  /** Takes up operations that an earlier process left open; opens nothing where there is none. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface ComposeOptions {
  /** Serves the approval page on loopback and opens a browser: for a server on this machine. */
  readonly page?: boolean;
  /** `fareclerk approve` can decide what is asked here. Default true; not where callers are other people. */
  readonly terminal?: boolean;
  readonly metrics?: Metrics;
}

/** Currency of the embedded sandbox airline's point of sale, where limits name none. */
const SANDBOX_CURRENCY = 'SAR';
/** field-notes.md, travellers. */
const MAX_TRAVELERS = 9;

/** One airline's bookings apart from another's, should two share a state folder. */
function tenantOf(airline: AirlineConfig | undefined): string {
  return airline === undefined ? 'sandbox' : `${new URL(airline.baseUrl).host}/${airline.agencyId}`;
}

function callerOf({ airline }: Config): Caller {
  let user = 'user';
  try {
    user = userInfo().username;
  } catch {
    // An account without an entry (containers): the state folder alone tells callers apart.
  }
  return { tenant: tenantOf(airline), id: `os:${user}` };
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** What tools read of the airline; the sandbox airline's own facts are known once it has started. */
function airlineFacts(airline: AirlineConfig | undefined): Pick<ToolSettings, 'currency' | 'carrier' | 'restUrl'> {
  const { currency = SANDBOX_CURRENCY, carrier, restUrl } = airline ?? {};
  return present({ currency, carrier, restUrl });
}

export function composeClerk(config: Config, options: ComposeOptions = {}): Composed {
  const logs = createLogs(config.log);
  const { offered, withheld } = offering(CATALOG, config);
  const currency = config.amounts.currency ?? config.airline?.currency ?? SANDBOX_CURRENCY;
  const money = (digits: string | undefined): Money | undefined =>
    digits === undefined ? undefined : parseMoney(digits, currency);
  const settings: Changing<ToolSettings> = {
    locale: config.locale,
    maxTravelers: MAX_TRAVELERS,
    assumedOperations: config.assumedOperations,
    ...airlineFacts(config.airline),
  };
  let state: Promise<State> | undefined;
  let parts: OpenParts | undefined;

  function openStateOnce(): Promise<State> {
    state ??= import('./parts.ts')
      .then(({ openState }) => openState(config))
      .catch((error) => {
        state = undefined;
        throw error;
      });
    return state;
  }

  async function open(): Promise<OpenParts> {
    const { openParts } = await import('./parts.ts');
    parts = await openParts(config, logs, await openStateOnce(), options.metrics);
    Object.assign(settings, airlineFacts(parts.airlineConfig));
    return parts;
  }

  const page: ApprovalPage | undefined = options.page ? approvalPageOf(() => clerk) : undefined;
  const clerk: Clerk = createClerk({
    tools: offered,
    withheld,
    schemas: toolSchemas(),
    environment: config.environment,
    settings,
    approval: config.approval,
    limits: present({ perAction: money(config.amounts.perAction), perDay: money(config.amounts.perDay) }),
    answerMs: config.answerMs,
    canUseTerminal: options.terminal ?? true,
    open,
    log: logs.clerk,
    ...present({ page, pageAbove: money(config.amounts.pageAbove) }),
  });

  return {
    clerk,
    logs,
    caller: callerOf(config),
    async resume() {
      if (parts !== undefined || !existsSync(config.state.file)) return;
      const { operations } = await openStateOnce();
      const [left] = await operations.list({ states: ACTIVE_STATES, limit: 1 });
      if (left !== undefined) await clerk.parts();
    },
    async close() {
      await page?.close();
      await parts?.close();
      await (await state)?.close();
    },
  };
}
