/**
 * The clerk: every tool call goes through here once, from MCP, the terminal or the approval page. It parses, runs or asks
 * for approval, renders, and maps errors. In order: the clerk, the kinds of call, its tools and their arguments.
 */

import { actCall } from '../approvals/act-call.ts';
import { type Answer, type ResourceLink, type Result, type ResultHead, result } from '../approvals/answer.ts';
import type { Approval } from '../approvals/approval.ts';
import type { Asker } from '../approvals/consent-call.ts';
import type { Decider, DecisionRequest } from '../approvals/decide.ts';
import type { DecisionOutcome } from '../approvals/outcome-words.ts';
import { personKey } from '../approvals/shares-of-one-person.ts';
import { ClerkError } from '../core/errors.ts';
import { nearest } from '../core/nearest-word.ts';
import type { TicketName } from '../domain/booking/booking.ts';
import type { Caller } from '../domain/people/caller.ts';
import { planCall } from '../plans/call.ts';
import { decideActOrPlan, stopPlan } from '../plans/decide-plan.ts';
import type { PlanView } from '../plans/plan.ts';
import { resumePlans } from '../plans/run-plan.ts';
import {
  type DirectTool,
  isAct,
  isDirect,
  isPlanTool,
  type PlanTools,
  type Tool,
  type ToolContext,
} from '../tools/definition/define.ts';
import type { LedgerTable } from '../tools/query-ledger.ts';
import { refuseCardNumbers } from '../tools/rules/card-numbers.ts';
import { outsideTrace } from '../tracing/tracer.ts';
import { errorResult, logCall, logFailure } from './call-end.ts';
import { boundAct, type ClerkOptions, type Runtime, toolContext } from './context.ts';
import { hasDetails, refuseDetails } from './details-arguments.ts';
import { type DetailsCall, detailsCall } from './details-call.ts';
import { checkTexts, parseInput } from './parse-arguments.ts';
import { anyPlan, createPlanner, plansFor, stepArguments } from './plans.ts';
import { LIST_READINGS, RequestRates } from './request-rates.ts';

export type { Asker, ClientAndPage, PageOpener } from '../approvals/consent-call.ts';
export type { ClerkLog, ClerkOptions, PointOfSaleAirline, Runtime } from './context.ts';

/** The tool whose access rule also holds for the PDF of a ticket. */
const TICKETS = 'get_tickets';

/** The tool whose access rule and arguments also hold for the table with all rows. */
const LEDGER = 'query_ledger';

/** The tool that a caller calls, and its arguments as they came. */
export interface NamedCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * Narrows what one call works with: to a point of sale, or to the bookings that its caller may reach.
 * @param call absent for a ticket, and for what a person decided
 */
export type Narrow = (runtime: Runtime, call?: NamedCall) => Runtime;

export interface Clerk {
  readonly tools: readonly Tool[];
  readonly options: ClerkOptions;
  /**
   * The same clerk, with fewer tools, whose calls, tickets, tables and decisions work with less. Plans, waiting questions and the runtime
   * itself are not narrowed: whoever asks for them checks whose they are.
   */
  narrowed(narrow: Narrow, tools?: Pick<ClerkOptions, 'tools' | 'withheld'>): Clerk;
  call(name: string, args: unknown, asker: Asker): Promise<Answer>;
  /** The PDF of a ticket, under the same access as a call of get_tickets. @throws ClerkError */
  ticket(ticket: TicketName, asker: Pick<Asker, 'caller' | 'signal'>): Promise<Uint8Array>;
  /** All rows of a statement, under the same access as a call of query_ledger. @throws ClerkError */
  ledgerTable(args: unknown, asker: Pick<Asker, 'caller' | 'signal'>): Promise<LedgerTable>;
  /**
   * A yes or no given outside the call: on the page, or typed in a terminal.
   * @param ticked lines of a plan, from 1; default: all
   */
  decide(operationId: string, yes: boolean, by: Decider, ticked?: readonly number[]): Promise<DecisionOutcome>;
  /** Reads a plan of any caller: whoever asks must check who may see it. */
  plan(id: string): Promise<PlanView | undefined>;
  /** Finishes the act that is being sent, and begins nothing more of the plan. False: it was stopped before, or is unknown. */
  stopPlan(id: string): Promise<boolean>;
  /** Lists the questions that nobody has answered yet. */
  waiting(): Promise<readonly Approval[]>;
  runtime(): Promise<Runtime>;
  /** Resolves when nothing is being sent any more. Opens nothing. */
  idle(): Promise<void>;
}

/** Creates the clerk. It opens the runtime with the first call. */
export function createClerk(options: ClerkOptions): Clerk {
  let opening: Promise<Runtime> | undefined;
  const readings = new RequestRates(LIST_READINGS);

  return clerkIn({
    options,
    byName: toolsByName(options),
    open() {
      opening ??= openRuntime(options).catch((error) => {
        // The next call tries again.
        opening = undefined;
        throw error;
      });
      return opening;
    },
    opened: () => opening,
    narrow: (runtime) => runtime,
    // Counts for the person, with whatever application.
    waitToRead: ({ tenant, id: caller }) => readings.count(personKey({ tenant, caller })),
  });
}

/** Opens the runtime, and goes on with plans that other processes left unfinished, until this process ends. */
async function openRuntime(options: ClerkOptions): Promise<Runtime> {
  const runtime = await options.open();
  const resume = () => void resumePlans(createPlanner(options, runtime)).catch(() => undefined);
  if (options.resumesPlans) outsideTrace(resume);
  return runtime;
}

/** What a clerk works with. A narrowed one shares the runtime, and what lists may read. */
interface Office {
  readonly options: ClerkOptions;
  readonly byName: ReadonlyMap<string, Tool>;
  open(): Promise<Runtime>;
  /** Undefined before the first call, and after a failure. */
  opened(): Promise<Runtime> | undefined;
  readonly narrow: Narrow;
  /** Counts a reading of a list. Returns 0, or in how many seconds the next one is allowed. */
  waitToRead(caller: Caller): number;
}

function toolsByName({ tools }: Pick<ClerkOptions, 'tools'>): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function clerkIn(office: Office): Clerk {
  const { options, byName } = office;
  const planner = async () => createPlanner(options, await office.open());

  return {
    tools: options.tools,
    options,

    narrowed(narrow, tools = options) {
      const fewer = { ...options, tools: tools.tools, withheld: tools.withheld };
      return clerkIn({ ...office, options: fewer, byName: toolsByName(fewer), narrow });
    },

    async call(name, raw, asker) {
      const begunCall = { name, tool: byName.get(name), caller: asker.caller, at: performance.now() };
      try {
        const answer = await answerUnlogged(office, { name, args: raw }, asker);
        logCall(options, begunCall, answer.kind === 'result' ? String(answer.structured.status ?? 'ok') : 'asked');
        return answer;
      } catch (error) {
        return errorResult(logFailure(options, begunCall, error), begunCall.tool, options);
      }
    },

    ticket: (ticket, asker) => loggedAs(office, TICKETS, asker.caller, () => readPdf(office, ticket, asker)),
    ledgerTable: (args, asker) => loggedAs(office, LEDGER, asker.caller, () => readTable(office, args, asker)),
    decide: (operationId, yes, by, ticked) => decideIn(office, { operationId, yes, by, ticked }),
    plan: async (id) => anyPlan(await planner(), id),
    stopPlan: async (id) => stopPlan(await planner(), { id }),

    async waiting() {
      const { state, clock } = await office.open();
      return state.approvals.waiting(clock.now());
    },

    runtime: office.open,

    async idle() {
      const runtime = await office.opened()?.catch(() => undefined);
      await Promise.allSettled(runtime?.inFlight ?? []);
    },
  };
}

// The kinds of call.

/** Parses the arguments, and runs a tool that reads, or hands an act to approvals. `call` logs its end and its errors. */
async function answerUnlogged(office: Office, named: NamedCall, asker: Asker): Promise<Answer> {
  const { options } = office;
  const tool = findTool(office, named.name);
  const args = readArgs(options, tool, named.args);
  const runtime = office.narrow(await office.open(), named);
  const context = toolContext(options, runtime, asker);
  if (isDirect(tool)) return directCall(office, { tool, args, context, asker, runtime });

  const { approval_id: approvalId, ...toolArgs } = args;
  if (isPlanTool(tool)) return planCall(createPlanner(options, runtime), asker, toolArgs, approvalId);

  const call = { tool, args: toolArgs, context, asker, runtime, options };
  const apart = await apartFromQuestion(call, approvalId);
  if (apart !== undefined) return apart;

  return actCall({ act: boundAct(tool, toolArgs, context), asker, runtime, settings: options }, approvalId);
}

interface DirectCall extends Pick<DetailsCall, 'args' | 'context' | 'asker' | 'runtime'> {
  readonly tool: DirectTool;
}

/** Runs a tool that reads, or does something free at once. */
async function directCall(office: Office, call: DirectCall): Promise<Result> {
  const { tool, args, asker, runtime } = call;
  const { options } = office;
  const context = { ...call.context, waitToRead: () => office.waitToRead(asker.caller) };
  const toolsContext = tool.toolset === 'plans' ? withPlans(context, options, runtime, asker) : context;
  const links: ResourceLink[] = [];
  const output = await tool.run(args, { ...toolsContext, attach: (link) => links.push(link) });
  return { ...unaskedResult(options, output, tool.text?.(output) ?? ''), links: links.length > 0 ? links : undefined };
}

/**
 * Answers a call of an act that is no single question: about the desk's own records, or with a details page. Undefined for any other.
 */
async function apartFromQuestion(call: DetailsCall, approvalId: unknown): Promise<Answer | undefined> {
  const { tool, args, context, options } = call;
  const { ofDesk } = tool;
  if (ofDesk?.isMeant(args)) {
    return unaskedResult(options, { status: 'done', ...(await ofDesk.run(args, context)) }, '');
  }
  return args.details === undefined ? undefined : detailsCall(call, approvalId);
}

/** Adds what the tools of plans need to propose one. */
function withPlans(context: ToolContext, options: ClerkOptions, runtime: Runtime, asker: Asker): ToolContext {
  const plans: PlanTools = {
    ...plansFor(createPlanner(options, runtime), asker),
    argumentsOf: (tool, args, at) => stepArguments(options, { tool, args, at }),
  };
  return { ...context, state: { ...context.state, plans } };
}

/** The result of what is done without asking a person. */
function unaskedResult<O extends ResultHead>(settings: ClerkOptions, output: O, body: string): Result {
  const { summary, next, warnings, ...fields } = output;
  return result({ settings }, undefined, { head: { summary, next, warnings }, fields, body });
}

/** Logs what is read under the access rule of a tool as a call of it. */
async function loggedAs<T>(
  { options, byName }: Office,
  name: string,
  caller: Caller,
  read: () => Promise<T>,
): Promise<T> {
  const begunCall = { name, tool: byName.get(name), caller, at: performance.now() };
  try {
    const done = await read();
    logCall(options, begunCall, 'ok');
    return done;
  } catch (error) {
    throw logFailure(options, begunCall, error);
  }
}

async function readPdf(office: Office, ticket: TicketName, asker: Pick<Asker, 'caller' | 'signal'>) {
  // The PDF is withheld where its tool is.
  findTool(office, TICKETS);
  const { readTicket } = await import('../tools/steps/ticket-documents.ts');
  return readTicket(ticket, toolContext(office.options, office.narrow(await office.open()), asker));
}

async function readTable(office: Office, raw: unknown, asker: Pick<Asker, 'caller' | 'signal'>) {
  const { options } = office;
  const { sql, from, to } = readArgs(options, findTool(office, LEDGER), raw);
  const { readAllRows } = await import('../tools/query-ledger.ts');
  const runtime = office.narrow(await office.open(), { name: LEDGER, args: raw });
  const days = { from, to } as Parameters<typeof readAllRows>[1];
  return readAllRows(String(sql), days, toolContext(options, runtime, asker));
}

type GivenDecision = Pick<Parameters<typeof decideActOrPlan>[0], 'operationId' | 'yes' | 'by' | 'ticked'>;

async function decideIn({ options, byName, open, narrow }: Office, given: GivenDecision): Promise<DecisionOutcome> {
  const runtime = narrow(await open());
  const actOf: DecisionRequest['actOf'] = (name, args, asker) => {
    const tool = byName.get(name);
    return tool && isAct(tool) ? boundAct(tool, args, toolContext(options, runtime, asker)) : undefined;
  };
  const plans = createPlanner(options, runtime);
  return decideActOrPlan({ ...given, runtime, settings: options, actOf, plans, offers: (tool) => byName.has(tool) });
}

// Tools and their arguments.

/** @throws ClerkError with the reason, if the tool is not offered */
function findTool({ options, byName }: Office, name: string): Tool {
  const tool = byName.get(name);
  if (tool === undefined) throw options.withheld.get(name) ?? unknownTool(name, byName.keys());
  return tool;
}

function readArgs({ schemas, details }: ClerkOptions, tool: Tool, raw: unknown) {
  checkTexts(raw);
  refuseCardNumbers(raw);
  if (details === 'page') refuseDetails(tool, raw);
  const input = isAct(tool) && !hasDetails(raw) ? (tool.inputAlone ?? tool.input)() : tool.input();
  return parseInput(input, schemas.input(tool), raw);
}

function unknownTool(name: string, known: Iterable<string>): ClerkError {
  const nearestTool = nearest(name, known);
  return new ClerkError(
    'E_INPUT',
    `tool: there is no such tool.${nearestTool ? ` Nearest: ${nearestTool}.` : ''} Nothing was sent.`,
    {
      next: nearestTool ? `Call ${nearestTool}, if that is meant.` : 'List the tools and call one of them.',
    },
  );
}
