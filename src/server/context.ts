/**
 * What a call goes through the clerk with: settings, open parts, who calls, and the context that tools see.
 */

import type { ApprovalMode } from '../approvals/channels.ts';
import { keyedDigest } from '../approvals/digest.ts';
import type { Limits } from '../approvals/limits.ts';
import type { OpenCounts } from '../approvals/open-counts.ts';
import type { Approval, ApprovalStore } from '../approvals/ports.ts';
import type { Airline } from '../domain/airline.ts';
import type { Caller, Ledger, OfferStore } from '../domain/people/caller.ts';
import type { Money } from '../domain/pricing/money.ts';
import type { ClerkError } from '../errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { Chain, Clock, OperationStore, Random } from '../journal/ports.ts';
import type { GuardedTool, Tool, ToolContext, ToolSettings } from '../tools/definition/define.ts';
import type { Environment } from './answer.ts';
import type { ToolSchemas } from './schemas.ts';

/** What calls work with; opened on the first call, not at start. */
export interface Runtime {
  readonly airline: Airline;
  readonly state: {
    readonly operations: OperationStore;
    readonly approvals: ApprovalStore;
    readonly offers: OfferStore;
    readonly ledger: Ledger;
    readonly digestKey: Uint8Array;
    /** Absent: nothing stops sending. */
    readonly chain?: Chain;
    openCounts(now: number): Promise<OpenCounts>;
  };
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  /** Operations that this process is sending: awaited when it ends. */
  readonly inFlight: Set<Promise<unknown>>;
  /**
   * A caller's own point of sale; undefined: the server's.
   * @throws ClerkError E_NOT_PERMITTED where the caller may not sell here.
   */
  deskOf?(caller: Caller): OwnDesk | undefined;
}

/** The airline under a point of sale of its own (docs/wire/interface.md, Point of sale). */
export interface OwnDesk {
  readonly airline: Airline;
  /** ISO 4217. */
  readonly currency: string;
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
  open(): Promise<Runtime>;
  readonly log: ClerkLog;
}

/** Allow-listed fields only: no arguments, no names, no bodies. */
export interface ClerkLog {
  call(fields: { tool: string; ms: number; outcome: string; code?: string }): void;
  failure(fields: { tool: string; reference: string; error: unknown }): void;
  /** A booking is not in the ledger: what was asked is answered, but lists will not show it. */
  unrecorded?(fields: { error: unknown }): void;
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

/** Built per call. Sending halves get one without the caller's signal: a commit outlives its caller's patience. */
export function toolContext(
  options: Pick<ClerkOptions, 'settings' | 'environment' | 'log'>,
  parts: Runtime,
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
    unrecorded: (error) => options.log.unrecorded?.({ error }),
    ...(how.signal && { signal: how.signal }),
    ...(how.progress && { progress: how.progress }),
  };
}

/** Default of `ClerkOptions.waitMs`. */
export const WAIT_MS = 25_000;

/** How far a call came: what its failure proves. */
export interface Trail {
  /** It brought no approval. */
  readonly isNew?: boolean;
  /** The operation that its approval is for. */
  operationId?: string;
  /** It began to carry it out. */
  ran?: true;
}

/** One call of a guarded tool, as its steps pass it on. */
export interface GuardedCall {
  readonly tool: GuardedTool;
  /** The tool's arguments without `approval_id`: what approvals are bound to. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly how: Pick<CallHow, 'caller'> & Partial<CallHow>;
  readonly context: ToolContext;
  readonly parts: Runtime;
  readonly options: ClerkOptions;
  readonly trail: Trail;
}
