/**
 * What a tool is. One file defines one tool; `server/` does the rest once: parse, guard, journal, run, render, map errors.
 */
import type * as z from 'zod';
import type { Activity, ActivityQuery, Evidence, Operation, OperationFilter, Terms } from '../../approvals/terms.ts';
import type { Airline, Confirmed } from '../../domain/airline.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { Ledger } from '../../domain/booking/booking-ledger.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { OfferStore } from '../../domain/pricing/offer-store.ts';

/** `read`; `hold`: free, lapses or can be undone; `commit`: moves money or cannot be undone. */
export type Effect = 'read' | 'hold' | 'commit';

/** Settings that change what a tool does or says. */
export interface ToolSettings {
  /** Point-of-sale currency, ISO 4217. */
  readonly currency?: string;
  /** Operating carrier where a reply names none. */
  readonly carrier?: string;
  /** Language of airline texts sent in several, BCP 47. */
  readonly locale: string;
  readonly maxTravelers: number;
  /** Address that download links must be under to be given as the airline's own. */
  readonly restUrl?: string;
  /** Account that payments of type debit_credit_account are charged to. */
  readonly account?: string;
  /** Dialect of the airline's interface. Default `rail`. */
  readonly dialect?: Dialect;
  /** Prices of the offers shown may be checked with the airline (FARECLERK_PRICE_CHECK). */
  readonly priceCheck?: boolean;
  /** Tools whose requests the airline does not document are offered. */
  readonly assumedOperations?: boolean;
}

/** Operations as tools may see them. */
export interface OperationReader {
  list(filter: OperationFilter): Promise<readonly Operation[]>;
  activity(query: ActivityQuery): Promise<Activity>;
  get(id: string): Promise<Operation | undefined>;
}

/** The two dialects of the interface (docs/wire/notes.md). */
export type Dialect = 'rail' | 'airline';

/** Built per call. */
export interface ToolContext {
  readonly airline: Airline;
  readonly state: { readonly offers: OfferStore; readonly ledger: Ledger; readonly operations: OperationReader };
  readonly settings: ToolSettings;
  readonly environment: 'sandbox' | 'live';
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  now(): number;
  /** Aborts when the caller gives up: for reads only. */
  readonly signal?: AbortSignal;
  /** Keyed digest of personal data (identities of travellers). */
  identity(text: string): string;
  progress?(done: number, total: number, message: string): void;
  /** Told of a booking that the ledger could not take, where that is no reason to fail. */
  unrecorded?(error: unknown): void;
}

interface Common<I extends z.ZodObject, O extends z.ZodObject> {
  /** verb_noun, the file's name in kebab-case. */
  readonly name: string;
  readonly title: string;
  /** When to use it and what it needs: every word is paid for on every call. */
  readonly description: string;
  readonly toolset: 'core' | 'desk';
  /** Dialects in which its payload is assumed: there it is offered only with FARECLERK_ASSUMED_OPERATIONS. */
  readonly assumed?: readonly Dialect[];
  /** Looks at the arguments as they came, before anything parses, keeps or logs them; throws ClerkError. */
  readonly screen?: (raw: unknown) => void;
  /** Made when first asked for: no work at import time. */
  readonly input: () => I;
  /** Success fields only; `environment` and `error` are added for every tool. */
  readonly output: () => O;
}

/** A tool that reads, or makes something free at once. */
export interface DirectTool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject>
  extends Common<I, O> {
  readonly effect: 'read' | 'hold';
  run(args: z.output<I>, ctx: ToolContext): Promise<z.input<O>>;
  /** The result for reading: short, tabular, with every handle needed next. */
  text(output: z.output<O>, args: z.output<I>): string;
}

/** What is known once an operation is done. */
export interface Done<A> {
  readonly args: A;
  readonly operation: Operation;
  /** The airline's own answer, when this process got it. */
  readonly evidence?: Evidence;
  /** The booking afterwards, from the answer or read again; absent where it could not be read. */
  readonly booking?: Booking;
  /** The terms it was done under, where this process carried it out: what was before. */
  readonly terms?: Terms;
  /** When it is told, milliseconds since 1970. */
  readonly now?: number;
}

/** What a guarded tool adds to the common output when it is done. */
export interface Report<X> {
  readonly added: X;
  /** What changed, in words, for the short booking. */
  readonly changed: readonly string[];
}

/**
 * A tool in two halves around a person's yes and the journal. It has no `run`: the type makes that a compile error.
 * `hold` tools take this form too where they must happen once (create_booking).
 */
export interface GuardedTool<I extends z.ZodObject = z.ZodObject, X extends z.ZodObject = z.ZodObject, T = unknown>
  extends Omit<Common<I, X>, 'output'> {
  readonly effect: 'hold' | 'commit';
  /** Fields added when done; the common ones (status, operation_id, approval, booking) come by themselves. */
  readonly output: () => X;
  /** Whether `booking` is given whole when done. Default false: the short form. */
  readonly wholeBooking?: boolean;
  readonly run?: never;
  /** Reads only: facts, amounts, rule, deadline. Throws ClerkError where a rule forbids the act. */
  preview(args: z.output<I>, ctx: ToolContext): Promise<Terms<T>>;
  /** Sends once. */
  commit(confirmed: Confirmed<T>, ctx: ToolContext): Promise<Evidence>;
  /** Words and fields of what came to pass, from evidence only. Also for a repeat, long after. */
  report(done: Done<z.output<I>>, ctx: ToolContext): Report<Partial<z.input<X>>>;
  text(output: Partial<z.output<X>>, done: Done<z.output<I>>): string;
}

export type Tool = DirectTool | GuardedTool;

export function isGuarded(tool: Tool): tool is GuardedTool {
  return 'preview' in tool;
}

/** Makes a value when it is first asked for, and keeps it: schemas cost nothing until then. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Gives a direct tool its types. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: DirectTool<I, O>): DirectTool<I, O> {
  return tool;
}

/** Gives a guarded tool its types. */
export function defineGuardedTool<I extends z.ZodObject, X extends z.ZodObject, T>(
  tool: GuardedTool<I, X, T>,
): GuardedTool<I, X, T> {
  return tool;
}

/** MCP tool annotations, derived from the one declared effect. The title stands beside them. */
export function annotations(tool: Pick<Tool, 'effect'>): {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
} {
  return {
    readOnlyHint: tool.effect === 'read',
    destructiveHint: tool.effect === 'commit',
    idempotentHint: tool.effect !== 'hold',
    openWorldHint: true,
  };
}
