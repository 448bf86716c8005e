/** Puts the clerk of a process together, in this order: its tools and settings, the addresses of its pages, the clerk, its pages. */
import { type Clerk, createClerk, type PageOpener } from '../../clerk/clerk.ts';
import type { DetailsPage } from '../../clerk/context.ts';
import { withoutDetails } from '../../clerk/schemas.ts';
import { type Config, sellingTenant } from '../../config/load.ts';
import { badSetting } from '../../config/problem.ts';
import { type Money, parseMoney } from '../../core/money.ts';
import { MOST_TRAVELERS } from '../../domain/booking/offers.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { systemClock } from '../../journal/clock.ts';
import { ACTIVE_STATES } from '../../journal/operation.ts';
import { canRestrictSql, type SqlEnd, type SqlQuestion } from '../../ledger/sql-tables.ts';
import { createLocalPage } from '../../pages/approval/local-page.ts';
import { PLAN_YES_MS } from '../../plans/plan.ts';
import type { State } from '../../store/state.ts';
import type { TicketDelivery } from '../../tools/definition/define.ts';
import { CATALOG } from '../../tools/index.ts';
import { outsideTrace } from '../../tracing/tracer.ts';
import { osUser } from '../terminal/arguments.ts';
import type { Logs } from '../terminal/log.ts';
import { toolAvailability } from './offered-tools.ts';
import { createProgram, hasState, type Program } from './program.ts';
import { toolSchemas } from './schemas.ts';

export interface Composed {
  readonly clerk: Clerk;
  readonly logs: Logs;
  /** The caller on stdio and in the terminal: the OS user. Accounts without a name share one per state folder. */
  readonly caller: Caller;
  /** Returns the state. The first call opens it. */
  state(): Promise<State>;
  /**
   * Continues the work that an earlier process left open; on PostgreSQL and over HTTP also the work of other processes, so it
   * opens everything there. Resolves after the first look. If there is no state yet, or nothing is open, it goes on looking.
   */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface ComposeOptions {
  /** The pages that are served on loopback, with a browser that opens them: approvals and details, or details alone. */
  readonly localPages?: 'all' | 'details';
  /** The details page on the public address. Default: the one on loopback, if that is served. */
  readonly detailsPage?: DetailsPage;
  /** Given if callers sign in: the page where they approve, if it has a client. Only there, a second person can approve. */
  readonly signIn?: { readonly page: PageOpener | undefined };
  /** One-time addresses for tickets, for a server over HTTP. Without them tickets are saved into the operator's folder. */
  readonly ticketLinks?: TicketDelivery;
  /** Adds the flags to the commands in results that make them read these settings. */
  readonly typed?: (text: string) => string;
}

/** How long to wait between two looks for work that needs no call, milliseconds. */
const LOOK_MS = 2_000;

/** Currency of the embedded sandbox airline's point of sale, for limits without a currency. */
const SANDBOX_CURRENCY = 'SAR';

/** Builds the clerk of a command, and what the command needs beside it. Opens nothing yet. */
export function composeClerk(config: Config, options: ComposeOptions = {}): Composed {
  return composeClerkOf(createProgram(config), options);
}

/** Builds the clerk of a process over what the process has made. */
export function composeClerkOf(
  program: Program,
  { localPages, detailsPage, signIn, ticketLinks, typed }: ComposeOptions,
): Composed {
  const { config, logs } = program;
  if (config.amounts.fourEyesAbove !== undefined && signIn === undefined) {
    const expected = '`fareclerk serve --http`, where people sign in to approve';
    throw badSetting('FARECLERK_FOUR_EYES_ABOVE', 'is set, and this command cannot ask a second person.', expected);
  }

  const loopback = localPages === undefined ? undefined : createLocalPage();
  const clerk = createClerk({
    ...offeredTools(config, ticketLinks),
    ...approvalSettings(config),
    environment: config.environment,
    answerMs: config.answerMs,
    canUseTerminal: signIn === undefined,
    page: signIn?.page ?? (localPages === 'all' ? loopback : undefined),
    detailsPage: detailsPage ?? loopback?.details,
    open: program.open,
    resumesPlans: config.toolsets.includes('plans'),
    log: logs.clerk,
    counter: program.counter,
    tracer: program.tracer,
    typed,
  });

  loopback?.serve(clerk);
  const workSearch = lookForWork(() => openIfDue(program, clerk));

  return {
    clerk,
    logs,
    caller: { tenant: sellingTenant(config.airline), id: osUser() },
    state: program.state,
    resume: workSearch.begin,
    async close() {
      await workSearch.end();
      await loopback?.close();
      await program.close();
    },
  };
}

// The settings of the clerk.

/** The tools that are offered, and what they know of the settings. */
function offeredTools(config: Config, ticketLinks: TicketDelivery | undefined) {
  const runsSql = config.queryLedger && canRestrictSql();
  const { offered, withheld } = toolAvailability(CATALOG, { ...config, runsSql });
  const settings = Object.freeze({
    maxTravelers: MOST_TRAVELERS,
    timeZone: config.timeZone,
    assumedOperations: config.assumedOperations,
    sendsTickets: offered.some(({ name }) => name === 'send_tickets'),
    tickets: ticketLinks,
  });

  return {
    tools: offered,
    withheld,
    schemas: config.details === 'page' ? withoutDetails(toolSchemas()) : toolSchemas(),
    settings,
    details: config.details,
    runSql: runsSql ? (question: SqlQuestion) => runSqlApart(config, question) : undefined,
  };
}

/** How people are asked, and up to which amounts. */
function approvalSettings(config: Config) {
  const { perAction, perDay, pageAbove, fourEyesAbove } = readAmounts(config);
  const { approval, dialogFloorMs } = config;

  // An amount that needs another person also needs the page: a dialog asks whoever is there.
  return {
    approval,
    dialogFloorMs,
    limits: { perAction, perDay },
    pageAbove: lesser(pageAbove, fourEyesAbove),
    fourEyesAbove,
  };
}

/** Reads the amounts of the settings. Without a currency they are in that of the airline. */
export function readAmounts({ amounts, airline }: Config) {
  const currency = amounts.currency ?? airline?.currency ?? SANDBOX_CURRENCY;
  const money = (digits: string | undefined) => (digits === undefined ? undefined : parseMoney(digits, currency));
  return {
    perAction: money(amounts.perAction),
    perDay: money(amounts.perDay),
    pageAbove: money(amounts.pageAbove),
    fourEyesAbove: money(amounts.fourEyesAbove),
  };
}

/** Returns the smaller of two amounts in the currency of the limits. */
function lesser(first: Money | undefined, second: Money | undefined): Money | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return first.minor <= second.minor ? first : second;
}

/** Runs a statement over rows that another process reads from the state. */
async function runSqlApart(config: Config, question: SqlQuestion): Promise<SqlEnd> {
  const { placeOf } = await import('./open-state.ts');
  const { rowsApartFrom } = await import('../../ledger/run-apart.ts');
  const { runSql } = await import('../../ledger/run-sql.ts');
  return runSql(question, rowsApartFrom(placeOf(config)));
}

// Work that needs no call.

/**
 * Looks again and again until there is work that needs no call: another process may make the state, or leave something open
 * in it.
 * @param findWork returns whether there is some
 */
function lookForWork(findWork: () => Promise<boolean>) {
  const ending = new AbortController();
  let search: Promise<void> | undefined;

  const searchOn = async () => {
    do await systemClock.sleep(LOOK_MS, ending.signal);
    while (!ending.signal.aborted && !(await findWork().catch(() => false)));
  };

  return {
    /** Resolves after the first look. */
    async begin(): Promise<void> {
      if (!(await findWork())) search = outsideTrace(searchOn);
    },

    async end(): Promise<void> {
      ending.abort();
      await search;
    },
  };
}

/** Opens everything if there is work that needs no call. Returns whether everything is open. */
async function openIfDue(program: Program, clerk: Clerk): Promise<boolean> {
  const { config } = program;
  if (program.isOpen()) return true;
  if (!hasState(config)) return false;

  const isDue =
    config.state.databaseUrl !== undefined ||
    program.watches ||
    (await hasUnfinishedWork(config, await program.state()));
  if (isDue) await clerk.runtime();

  return program.isOpen();
}

/** Whether operations are open, or a plan is not finished. */
async function hasUnfinishedWork(config: Config, { operations, plans, clock = systemClock }: State): Promise<boolean> {
  const [active] = await operations.list({ states: ACTIVE_STATES, limit: 1 });
  if (active !== undefined || !config.toolsets.includes('plans')) return active !== undefined;
  return (await plans.unfinished(clock.now() - PLAN_YES_MS)).length > 0;
}
