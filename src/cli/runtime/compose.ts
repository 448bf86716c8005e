/**
 * Puts the clerk together from settings. Nothing is opened and nothing heavy is loaded until the first call: a host
 * that only lists the tools pays for the list alone.
 */
import { existsSync } from 'node:fs';
import { type AirlineConfig, type Config, SettingsError } from '../../config/load.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { type Money, parseMoney } from '../../domain/pricing/money.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { ACTIVE_STATES } from '../../journal/operation.ts';
import { type ApprovalPage, approvalPageOf } from '../../server/approval-page/local-page.ts';
import { type Clerk, createClerk, type PageOpener } from '../../server/clerk.ts';
import type { State } from '../../store/state.ts';
import type { ToolSettings } from '../../tools/definition/define.ts';
import { CATALOG } from '../../tools/index.ts';
import { createLogs, type Logs } from '../terminal/log.ts';
import { osUser } from '../terminal/person.ts';
import type { OpenRuntime, RuntimeExtras } from './open-runtime.ts';
import { toolSchemas } from './schemas.ts';
import { tenantOf } from './tenant.ts';
import { offering } from './tool-availability.ts';
import { youngMemoryBound } from './young-memory.ts';

export interface Composed {
  readonly clerk: Clerk;
  readonly logs: Logs;
  /** Who calls on stdio and in the terminal: the OS user; the state folder is the rest of the identity. */
  readonly caller: Caller;
  /** Opened when it is first asked for. */
  state(): Promise<State>;
  /**
   * Takes up operations that an earlier process left open; opens nothing where there is none. In a fleet it stands ready
   * to take up those of others, from now on.
   */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** `fourEyesAbove`: the amount above which the yes must be another person's. */
type OpenPage = (clerk: () => Clerk, fourEyesAbove: Money | undefined) => PageOpener | undefined;

export interface ComposeOptions {
  /** True serves the approval page on loopback and opens a browser: for a server on this machine. Else a page's opener. */
  readonly page?: boolean | OpenPage;
  /**
   * Where a second person's yes is had, should the settings ask for one: on the page where people sign in, or no tool is
   * called at all. Absent: such settings are refused.
   */
  readonly fourEyes?: 'page' | 'unasked';
  /** `fareclerk approve` can decide what is asked here. Default true; not where callers are other people. */
  readonly terminal?: boolean;
  readonly extras?: RuntimeExtras;
}

/** Currency of the embedded sandbox airline's point of sale, where limits name none. */
const SANDBOX_CURRENCY = 'SAR';
/** docs/wire/notes.md, Travellers. */
const MAX_TRAVELERS = 9;

/** Of accounts without a name of their own the state folder alone tells callers apart. */
function callerOf({ airline }: Config): Caller {
  return { tenant: tenantOf(airline), id: osUser() };
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** What tools read of the airline; the sandbox airline's own facts are known once it has started. */
function airlineFacts(
  airline: AirlineConfig | undefined,
): Pick<ToolSettings, 'currency' | 'carrier' | 'restUrl' | 'account' | 'dialect'> {
  const { currency = SANDBOX_CURRENCY, carrier, restUrl, payment, dialect } = airline ?? {};
  return omitUndefined({ currency, carrier, restUrl, account: payment?.account, dialect });
}

/** What needs another person needs the page: a dialog asks whoever is there. Both are in the currency of the limits. */
function lesser(one: Money | undefined, other: Money | undefined): Money | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.minor <= other.minor ? one : other;
}

/** Another person says yes on the page where people sign in, and nowhere else. */
function assertFourEyes({ amounts }: Config, { fourEyes }: ComposeOptions): void {
  if (amounts.fourEyesAbove === undefined || fourEyes !== undefined) return;
  throw new SettingsError([
    {
      setting: 'FARECLERK_FOUR_EYES_ABOVE',
      wrong: 'is set, and this command cannot ask a second person.',
      expected: '`fareclerk serve --http`, where people sign in to approve',
    },
  ]);
}

export function composeClerk(config: Config, options: ComposeOptions = {}): Composed {
  assertFourEyes(config, options);
  const logs = createLogs(config.log);
  const boundMemory = youngMemoryBound();
  const { offered, withheld } = offering(CATALOG, config);
  const currency = config.amounts.currency ?? config.airline?.currency ?? SANDBOX_CURRENCY;
  const money = (digits: string | undefined): Money | undefined =>
    digits === undefined ? undefined : parseMoney(digits, currency);
  const settings: Changing<ToolSettings> = {
    locale: config.locale,
    maxTravelers: MAX_TRAVELERS,
    assumedOperations: config.assumedOperations,
    priceCheck: config.priceCheck,
    ...airlineFacts(config.airline),
  };
  let state: Promise<State> | undefined;
  let parts: OpenRuntime | undefined;

  function openStateOnce(): Promise<State> {
    state ??= import('./open-runtime.ts')
      .then(({ openState }) =>
        openState(config, { unwritten: (error) => logs.clerk.unrecorded?.({ error }), noticed: logs.journal.held }),
      )
      .catch((error) => {
        state = undefined;
        throw error;
      });
    return state;
  }

  async function open(): Promise<OpenRuntime> {
    const { openRuntime } = await import('./open-runtime.ts');
    parts = await openRuntime(config, logs, await openStateOnce(), options.extras);
    Object.assign(settings, airlineFacts(parts.airlineConfig));
    return parts;
  }

  const fourEyesAbove = money(config.amounts.fourEyesAbove);
  const loopback: ApprovalPage | undefined = options.page === true ? approvalPageOf(() => clerk) : undefined;
  const page = typeof options.page === 'function' ? options.page(() => clerk, fourEyesAbove) : loopback;
  const clerk: Clerk = createClerk({
    tools: offered,
    withheld,
    schemas: toolSchemas(),
    environment: config.environment,
    settings,
    approval: config.approval,
    limits: omitUndefined({ perAction: money(config.amounts.perAction), perDay: money(config.amounts.perDay) }),
    answerMs: config.answerMs,
    canUseTerminal: options.terminal ?? true,
    open,
    log: {
      ...logs.clerk,
      call(fields) {
        logs.clerk.call(fields);
        boundMemory();
      },
    },
    ...omitUndefined({ page, pageAbove: lesser(money(config.amounts.pageAbove), fourEyesAbove) }),
  });

  return {
    clerk,
    logs,
    caller: callerOf(config),
    state: openStateOnce,
    async resume() {
      if (config.state.databaseUrl !== undefined) await clerk.parts();
      if (parts !== undefined || !existsSync(config.state.file)) return;
      const { operations } = await openStateOnce();
      const [left] = await operations.list({ states: ACTIVE_STATES, limit: 1 });
      if (left !== undefined) await clerk.parts();
    },
    async close() {
      await loopback?.close();
      await parts?.close();
      await (await state)?.close();
    },
  };
}
