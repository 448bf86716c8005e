/**
 * The clerk: every tool call goes through here once, whatever brought it (MCP, the terminal, the approval page):
 * parse, guard, journal, run, render, map errors.
 */
import type { Airline } from '../domain/airline.ts';
import type { Money } from '../domain/money.ts';
import { nearest } from '../domain/nearest.ts';
import type { Caller, Ledger, OfferShelf } from '../domain/state.ts';
import { ClerkError } from '../errors.ts';
import { keyedDigest } from '../guard/digest.ts';
import type { ApprovalMode } from '../guard/ladder.ts';
import type { Limits } from '../guard/limits.ts';
import type { Approval, ApprovalStore } from '../guard/ports.ts';
import type { Journal } from '../journal/journal.ts';
import type { Clock, OperationStore, Random } from '../journal/ports.ts';
import { type DirectTool, isGuarded, type Tool, type ToolContext, type ToolSettings } from '../tools/define.ts';
import { type Answer, type Environment, errorResult, type Result, sandboxed } from './answer.ts';
import { guardedCall } from './guarded-call.ts';
import { parseInput } from './parse.ts';
import { type Presser, type PressOutcome, press } from './press.ts';
import type { ToolSchemas } from './schemas.ts';

/** What calls work with; opened on the first call, not at start. */
export interface Parts {
  readonly airline: Airline;
  readonly state: {
    readonly operations: OperationStore;
    readonly approvals: ApprovalStore;
    readonly offers: OfferShelf;
    readonly ledger: Ledger;
    readonly digestKey: Uint8Array;
  };
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  /** Operations that this process is sending: awaited when it ends. */
  readonly inFlight: Set<Promise<unknown>>;
}

/** How a page is put before a person. */
export interface PageOpener {
  /** A browser can be opened here. */
  canOpen(): boolean;
  /** Serves the page of this approval and opens it; where the client opens URLs itself, gives the address instead. */
  open(
    approval: Approval,
    clientOpensUrls: boolean,
  ): Promise<{
    readonly opened: boolean;
    /** For the client to open (URL elicitation). It may carry a secret: never in a result. */
    readonly url?: string;
    /** An address that asks for sign-in, and may be told to anybody. */
    readonly publicUrl?: string;
  }>;
}

export interface ClerkOptions {
  readonly tools: readonly Tool[];
  /** Tools that exist but are not offered, by the error that says why (read-only mode). */
  readonly withheld: ReadonlyMap<string, ClerkError>;
  readonly schemas: ToolSchemas;
  readonly environment: Environment;
  readonly settings: ToolSettings;
  readonly approval: ApprovalMode;
  readonly pageAbove?: Money;
  readonly limits: Limits;
  /** How long a call waits for the airline before it says pending, milliseconds. */
  readonly answerMs: number;
  /** How long a call with an approval_id waits for the person, or for an open operation, milliseconds: default 25_000. */
  readonly waitMs?: number;
  /** `fareclerk approve` in a terminal can decide here (stdio). */
  readonly canUseTerminal: boolean;
  readonly page?: PageOpener;
  open(): Promise<Parts>;
  readonly log: ClerkLog;
}

/** Allow-listed fields only: no arguments, no names, no bodies. */
export interface ClerkLog {
  call(fields: { tool: string; ms: number; outcome: string; code?: string }): void;
  failure(fields: { tool: string; reference: string; error: unknown }): void;
}

/** Who calls, and what their client can do. */
export interface CallHow {
  readonly caller: Caller;
  readonly canElicit: boolean;
  readonly canOpenUrls: boolean;
  readonly signal?: AbortSignal;
  /** The host's dialog came back: the question's handle, and whatever the host sent. */
  readonly dialog?: { readonly handle: string; readonly raw: unknown };
  readonly progress?: (done: number, total: number, message: string) => void;
}

export interface Clerk {
  readonly tools: readonly Tool[];
  readonly options: ClerkOptions;
  call(name: string, args: unknown, how: CallHow): Promise<Answer>;
  /** A yes or no given outside the call: on the page, or typed in a terminal. */
  press(operationId: string, yes: boolean, by: Presser): Promise<PressOutcome>;
  waiting(): Promise<readonly Approval[]>;
  parts(): Promise<Parts>;
  /** Resolves when nothing is being sent any more. Opens nothing. */
  idle(): Promise<void>;
}

export function createClerk(options: ClerkOptions): Clerk {
  const byName = new Map(options.tools.map((tool) => [tool.name, tool]));
  let opened: Promise<Parts> | undefined;
  const parts = () => {
    opened ??= options.open().catch((error) => {
      // A store or sandbox that could not be opened may be mended meanwhile: the next call tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };

  async function answer(name: string, raw: unknown, how: CallHow): Promise<Answer> {
    const tool = byName.get(name);
    if (tool === undefined) throw options.withheld.get(name) ?? unknownTool(name, byName.keys());
    tool.screen?.(raw);
    const args = parseInput(tool.input(), options.schemas.input(tool), raw);
    const ready = await parts();
    const context = toolContext(options, ready, how);
    if (isGuarded(tool)) return guardedCall({ tool, args, how, context, parts: ready, options });
    return direct(tool, args, context, options.environment);
  }

  return {
    tools: options.tools,
    options,
    parts,
    async call(name, raw, how) {
      const started = performance.now();
      const log = (outcome: string, code?: string) =>
        options.log.call({
          tool: byName.has(name) ? name : 'unknown',
          ms: Math.round(performance.now() - started),
          outcome,
          ...(code !== undefined && { code }),
        });
      try {
        const result = await answer(name, raw, how);
        log(result.kind === 'result' ? String(result.structured.status ?? 'ok') : 'asked');
        return result;
      } catch (error) {
        const known = error instanceof ClerkError ? error : internalError(options.log, byName.get(name), error);
        log('error', known.code);
        return errorResult(known, options.environment);
      }
    },
    async idle() {
      const ready = await opened?.catch(() => undefined);
      await Promise.allSettled(ready?.inFlight ?? []);
    },
    async press(operationId, yes, by) {
      const ready = await parts();
      return press({ operationId, yes, by, parts: ready, options, tool: (name) => byName.get(name) });
    },
    async waiting() {
      const ready = await parts();
      return ready.state.approvals.waiting(ready.clock.now());
    },
  };
}

async function direct(
  tool: DirectTool,
  args: Record<string, unknown>,
  context: ToolContext,
  environment: Environment,
): Promise<Result> {
  const output = await tool.run(args, context);
  return {
    kind: 'result',
    text: sandboxed(environment, tool.text(output, args)),
    structured: { environment, ...output },
    isError: false,
  };
}

/** Built per call. Sending halves get one without the caller's signal: a commit outlives its caller's patience. */
export function toolContext(
  options: Pick<ClerkOptions, 'settings' | 'environment'>,
  parts: Parts,
  how: Pick<CallHow, 'caller' | 'signal' | 'progress'>,
): ToolContext {
  const { state, clock } = parts;
  return {
    airline: parts.airline,
    state: { offers: state.offers, ledger: state.ledger, operations: state.operations },
    settings: options.settings,
    environment: options.environment,
    caller: how.caller,
    now: () => clock.now(),
    identity: (text) => keyedDigest(state.digestKey, text),
    ...(how.signal && { signal: how.signal }),
    ...(how.progress && { progress: how.progress }),
  };
}

function unknownTool(name: string, known: Iterable<string>): ClerkError {
  const near = nearest(name, known);
  return new ClerkError(
    'E_INPUT',
    `tool: there is no such tool.${near ? ` Nearest: ${near}.` : ''} Nothing was sent.`,
    {
      next: near ? `Call ${near}, if that is meant.` : 'List the tools and call one of them.',
    },
  );
}

/** A mistake of ours: its words stay in the log, under a reference. */
function internalError(log: ClerkLog, tool: Tool | undefined, error: unknown): ClerkError {
  const reference = crypto.randomUUID().slice(0, 8);
  log.failure({ tool: tool?.name ?? 'unknown', reference, error });
  return new ClerkError('E_INTERNAL', `Something went wrong inside fareclerk (reference ${reference}).`, {
    next: 'A person should look for the reference in the log of fareclerk.',
    effect: tool?.effect === 'read' ? 'none' : 'unknown',
  });
}
