/**
 * The clerk: every tool call goes through here once, from MCP, the terminal or the approval page. It parses, runs or asks
 * for approval, renders, and maps errors. In order: the clerk, how it reaches plans, lines of the log, results, and errors.
 */

import { actCall } from '../approvals/act-call.ts';
import {
  type Answer,
  type Environment,
  headFields,
  type ResourceLink,
  type Result,
  type ResultHead,
  resultText,
  sandboxed,
} from '../approvals/answer.ts';
import type { Approval } from '../approvals/approval.ts';
import type { DecisionOutcome } from '../approvals/approval-status.ts';
import { type Asker, UnsentMistake } from '../approvals/consent-call.ts';
import type { Decider, DecisionRequest } from '../approvals/decide.ts';
import { personKey } from '../approvals/shares-of-one-person.ts';
import { cleanCode } from '../core/clean-text.ts';
import { type AirlineFault, ClerkError } from '../core/errors.ts';
import { nearest } from '../core/nearest-word.ts';
import { utcDay } from '../core/times.ts';
import type { TicketName } from '../domain/booking/booking.ts';
import type { Caller } from '../domain/people/caller.ts';
import { planCall } from '../plans/call.ts';
import { decideActOrPlan, stopPlan } from '../plans/decide-plan.ts';
import type { PlanView } from '../plans/plan.ts';
import { resumePlans } from '../plans/run-plan.ts';
import { severalStepsCall } from '../plans/several-steps.ts';
import {
  type ActTool,
  type DirectTool,
  isAct,
  isDirect,
  isPlanTool,
  type Tool,
  type ToolContext,
} from '../tools/definition/define.ts';
import type { LedgerTable } from '../tools/query-ledger.ts';
import { screenCardNumbers } from '../tools/rules/card-numbers.ts';
import { plainTracer } from '../tracing/tracer.ts';
import type { ErrorView } from './common-fields.ts';
import {
  boundAct,
  type ClerkLog,
  type ClerkOptions,
  hidingEntered,
  logMistake,
  type Runtime,
  toolContext,
} from './context.ts';
import { hasDetails, refuseDetails } from './details-arguments.ts';
import { type DetailsCall, detailsCall } from './details-call.ts';
import { checkTexts, inRefs, parseInput } from './parse-arguments.ts';
import { anyPlan, createPlanner, plansFor, stepArguments } from './plans.ts';
import { LIST_READINGS, RequestRates } from './request-rates.ts';

export type { Asker, ClientAndPage, PageOpener } from '../approvals/consent-call.ts';
export type { ClerkLog, ClerkOptions, PointOfSaleAirline, Runtime } from './context.ts';

/** The tool whose access rule also holds for the PDF of a ticket. */
const TICKETS = 'get_tickets';

/** The tool whose access rule and arguments also hold for the table with all rows. */
const LEDGER = 'query_ledger';

/** Characters of the airline's reference in an error, at most. */
const LONGEST_REFERENCE = 100;

export interface Clerk {
  readonly tools: readonly Tool[];
  readonly options: ClerkOptions;
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
  /** Goes on with plans that other processes left unfinished, until this process ends. */
  resumePlans(): Promise<void>;
  /** Lists the questions that nobody has answered yet. */
  waiting(): Promise<readonly Approval[]>;
  runtime(): Promise<Runtime>;
  /** Resolves when nothing is being sent any more. Opens nothing. */
  idle(): Promise<void>;
}

/** Creates the clerk. It opens the runtime with the first call. */
export function createClerk(options: ClerkOptions): Clerk {
  const byName = new Map(options.tools.map((tool) => [tool.name, tool]));
  let opening: Promise<Runtime> | undefined;
  const openOnce = () => {
    opening ??= options.open().catch((error) => {
      // The next call tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };

  const readings = new RequestRates(LIST_READINGS);
  /** Counts a reading of a list for the person, with whatever application. */
  const waitToRead = (caller: Caller) => readings.count(personKey({ tenant: caller.tenant, caller: caller.id }));

  /** @throws ClerkError with the reason, if the tool is not offered */
  function findTool(name: string): Tool {
    const tool = byName.get(name);
    if (tool === undefined) throw options.withheld.get(name) ?? unknownTool(name, byName.keys());
    return tool;
  }

  function readArgs(tool: Tool, raw: unknown) {
    checkTexts(raw);
    (tool.screen ?? screenCardNumbers)(raw);
    if (options.details === 'page') refuseDetails(tool, raw);
    const input = isAct(tool) && !hasDetails(raw) ? (tool.inputAlone ?? tool.input)() : tool.input();
    return parseInput(input, options.schemas.input(tool), raw, utcDay(Date.now()));
  }

  /** Parses the arguments, and runs a tool that reads, or hands an act to approvals. `call` logs its end and its errors. */
  async function answerUnlogged(name: string, raw: unknown, asker: Asker): Promise<Answer> {
    const tool = findTool(name);
    const args = readArgs(tool, raw);
    const runtime = await openOnce();
    const context = toolContext(options, runtime, asker);
    if (isDirect(tool)) {
      const readContext = { ...context, waitToRead: () => waitToRead(asker.caller) };
      const planContext = tool.toolset === 'plans' ? withPlans(readContext, options, runtime, asker) : readContext;
      const argsInRefs = await inRefs(args, planContext, runtime);
      return hidingEntered(planContext, runDirectTool(tool, argsInRefs, planContext, options.environment));
    }
    const { approval_id: approvalId, ...toolArgs } = args;
    if (isPlanTool(tool)) return planCall(createPlanner(options, runtime), asker, toolArgs, approvalId);
    // An answered dialog names its question; else the model's approval_id does.
    const handle = asker.dialog?.handle ?? approvalId;
    const argsInRefs = await inRefs(toolArgs, context, runtime, handle);
    if (tool.ofDesk?.isMeant(argsInRefs) === true)
      return runDeskPart(tool.ofDesk, argsInRefs, context, options.environment);
    const call = { tool, args: argsInRefs, context, asker, runtime, options };
    if (argsInRefs.details !== undefined) return detailsCall(call, approvalId);
    const several = await severalSteps(call, approvalId);
    if (several !== undefined) return several;
    return actCall({ act: boundAct(tool, argsInRefs, context), asker, runtime, settings: options }, approvalId);
  }

  /** Logs what is read under the access rule of a tool as a call of it. */
  async function loggedAs<T>(name: string, caller: Caller, read: () => Promise<T>): Promise<T> {
    const begunCall = { name, tool: byName.get(name), caller, at: performance.now() };
    try {
      const done = await read();
      logCall(options, begunCall, 'ok');
      return done;
    } catch (error) {
      throw logFailure(options, begunCall, error);
    }
  }

  return {
    tools: options.tools,
    options,
    async call(name, raw, asker) {
      const begunCall = { name, tool: byName.get(name), caller: asker.caller, at: performance.now() };
      try {
        const result = await answerUnlogged(name, raw, asker);
        logCall(options, begunCall, result.kind === 'result' ? String(result.structured.status ?? 'ok') : 'asked');
        return result;
      } catch (error) {
        return errorResult(logFailure(options, begunCall, error), begunCall.tool, options);
      }
    },
    async ticket(ticket, asker) {
      return loggedAs(TICKETS, asker.caller, async () => {
        // The PDF is withheld where its tool is.
        findTool(TICKETS);
        const { readTicket } = await import('../tools/steps/ticket-documents.ts');
        const context = toolContext(options, await openOnce(), asker);
        return readTicket(ticket, context);
      });
    },
    async ledgerTable(raw, asker) {
      return loggedAs(LEDGER, asker.caller, async () => {
        const { sql, from, to } = readArgs(findTool(LEDGER), raw);
        const { readAllRows } = await import('../tools/query-ledger.ts');
        const context = toolContext(options, await openOnce(), asker);
        const days = { from, to } as Parameters<typeof readAllRows>[1];
        return readAllRows(String(sql), days, context);
      });
    },
    async decide(operationId, yes, by, ticked) {
      const runtime = await openOnce();
      const actOf: DecisionRequest['actOf'] = (name, args, asker) => {
        const tool = byName.get(name);
        return tool && isAct(tool) ? boundAct(tool, args, toolContext(options, runtime, asker)) : undefined;
      };
      const plans = createPlanner(options, runtime);
      const offers = (tool: string) => byName.has(tool);
      return decideActOrPlan({ operationId, yes, by, runtime, settings: options, actOf, ticked, plans, offers });
    },
    ...planMethods(options, openOnce),
    async waiting() {
      const runtime = await openOnce();
      return runtime.state.approvals.waiting(runtime.clock.now());
    },
    runtime: openOnce,
    async idle() {
      const runtime = await opening?.catch(() => undefined);
      await Promise.allSettled(runtime?.inFlight ?? []);
    },
  };
}

/** Answers a call that takes several messages. Undefined for any other. */
async function severalSteps({ tool, args, context, asker, runtime, options }: DetailsCall, approvalId: unknown) {
  const { name, line } = tool;
  if (line === undefined) return undefined;
  const lineOf = () => hidingEntered(context, line(args, context));
  return severalStepsCall(createPlanner(options, runtime), asker, { tool: name, args }, lineOf, approvalId);
}

/** Adds what the tools of plans need to propose one. */
function withPlans(context: ToolContext, options: ClerkOptions, runtime: Runtime, asker: Asker): ToolContext {
  return {
    ...context,
    plans: plansFor(createPlanner(options, runtime), asker),
    argumentsOf: async (tool, args, at) =>
      inRefs(stepArguments(options, runtime.clock.now(), { tool, args, at }), context, runtime),
  };
}

/** The methods of the clerk that are about plans. */
function planMethods(
  options: ClerkOptions,
  openOnce: Clerk['runtime'],
): Pick<Clerk, 'plan' | 'stopPlan' | 'resumePlans'> {
  const planner = async () => createPlanner(options, await openOnce());
  return {
    plan: async (id) => anyPlan(await planner(), id),
    stopPlan: async (id) => stopPlan(await planner(), { id }),
    resumePlans: async () => resumePlans(await planner()),
  };
}

/** A call whose end is not logged yet. */
interface BegunCall {
  readonly name: string;
  /** Undefined if no such tool is offered. */
  readonly tool: Tool | undefined;
  readonly caller: Caller;
  /** By `performance.now()`. */
  readonly at: number;
}

function logCall({ log, tracer = plainTracer }: ClerkOptions, begun: BegunCall, outcome: string, code?: string): void {
  const { name, tool, at } = begun;
  const ms = Math.round(performance.now() - at);
  tracer.mark({ 'fareclerk.outcome': outcome, ...(code !== undefined && { 'fareclerk.error.code': code }) });
  if (code !== undefined) tracer.fail('tool_error');
  log.call({ tool: tool === undefined ? 'unknown' : name, ms, outcome, code });
}

/** Logs what went wrong; returns it as the caller may see it. */
function logFailure(options: ClerkOptions, begun: BegunCall, error: unknown): ClerkError {
  const known = error instanceof ClerkError ? error : internalError(options.log, begun.tool, error);
  logCall(options, begun, 'error', known.code);
  // A name that is in no catalog may be any text of the caller: it is not counted under that name.
  const isToolName = begun.tool !== undefined || options.withheld.has(begun.name);
  options.counter?.failed(begun.caller, isToolName ? begun.name : 'unknown', known.code);
  return withoutEffect(known, begun.tool);
}

async function runDirectTool(
  tool: DirectTool,
  args: Record<string, unknown>,
  context: ToolContext,
  environment: Environment,
): Promise<Result> {
  const links: ResourceLink[] = [];
  const { meta, ...output } = await tool.run(args, { ...context, attach: (link) => links.push(link) });
  const done = unaskedResult(output, tool.text(output), environment);
  return { ...done, meta, links: links.length > 0 ? links : undefined };
}

async function runDeskPart(
  { run }: NonNullable<ActTool['ofDesk']>,
  args: Record<string, unknown>,
  context: ToolContext,
  environment: Environment,
): Promise<Result> {
  const output = await run(args, context);
  return unaskedResult({ status: 'done', ...output }, '', environment);
}

/** The result of what is done without asking a person. */
function unaskedResult<O extends ResultHead>(output: O, body: string, environment: Environment): Result {
  return {
    kind: 'result',
    text: sandboxed(environment, resultText(output, body)),
    structured: { environment, ...headFields(output), ...output },
    isError: false,
  };
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

/** Marks the error of a tool that reads: it changed nothing at the airline. */
function withoutEffect(error: ClerkError, tool: Tool | undefined): ClerkError {
  if (error.effect === 'none' || tool?.effect !== 'read') return error;
  const { code, message, next, retry, airline, cause } = error;
  return new ClerkError(code, message, { next, effect: 'none', retry, airline, cause });
}

/** Makes the error of a mistake in this program: only the log has its message, under a reference. */
function internalError(log: ClerkLog, tool: Tool | undefined, thrown: unknown): ClerkError {
  const isUnsent = thrown instanceof UnsentMistake;
  const error = isUnsent ? thrown.cause : thrown;
  const reference = logMistake(log, tool?.name ?? 'unknown', error);
  return new ClerkError('E_INTERNAL', `Something went wrong inside fareclerk (reference ${reference}).`, {
    next: 'Tell the operator to look for the reference in the log of fareclerk.',
    effect: isUnsent || tool?.effect === 'read' ? 'none' : 'unknown',
  });
}

/** Writes an error as a result: what happened, whether anything changed, what to do next, and the airline's reference. */
function errorResult(
  error: ClerkError,
  tool: Tool | undefined,
  { environment, typed = (text) => text }: ClerkOptions,
): Result {
  const { code, effect, retry, changed = [] } = error;
  // An act reads before it sends: its error must say that the reading failed, and not the act.
  const hasActFailedReading = error.ofReading && tool !== undefined && tool.effect !== 'read';
  const said = [...changed, error.message, hasActFailedReading ? 'Nothing was changed.' : undefined];
  const message = said.filter((part) => part !== undefined).join(' ');
  const next = typed(error.next);
  const airline = error.airline && airlineField(error.airline);
  const airlineWords = airlineFaultText(error.airline);
  const lines = [
    `${code}: ${message}`,
    ...(airlineWords === '' ? [] : [`The airline said: ${airlineWords}.`]),
    `Next: ${next}`,
  ];
  const view: ErrorView = { code, message, next, effect, retry, airline };
  return {
    kind: 'result',
    text: sandboxed(environment, lines.join('\n')),
    structured: { environment, error: view },
    isError: true,
  };
}

function airlineField({ status, code, title, correlationId: correlation_id }: AirlineFault) {
  return { status, code, title, correlation_id };
}

/** `HTTP 500, code 322, "Not available"`; empty where the airline said nothing. */
function airlineFaultText({ status, code, title, correlationId }: AirlineFault = {}): string {
  const facts = [
    status === undefined ? '' : `HTTP ${status}`,
    code === undefined ? '' : `code ${cleanCode(code)}`,
    title ? `"${title}"` : '',
    correlationId === undefined ? '' : `reference ${cleanCode(correlationId, LONGEST_REFERENCE)}`,
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}
