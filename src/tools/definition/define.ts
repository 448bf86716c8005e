/**
 * The types of a tool, and the functions that define one. `clerk/` parses, approves, journals, runs, renders and maps
 * errors.
 */

import * as z from 'zod';
import type { ResourceLink, ResultHead } from '../../approvals/answer.ts';
import type { SucceededOperation } from '../../approvals/bound-act.ts';
import type { OpenQuestion } from '../../approvals/ports.ts';
import type { Terms } from '../../approvals/terms.ts';
import { once } from '../../core/memoize.ts';
import type { DetailsForm } from '../../details/details-form.ts';
import type { ActRequest, Airline, Confirmed, Dialect, ReadCall } from '../../domain/airline.ts';
import type { Booking, TicketName } from '../../domain/booking/booking.ts';
import type { Ledger } from '../../domain/booking/booking-ledger.ts';
import type { Findings } from '../../domain/booking/finding.ts';
import type { OfferStore } from '../../domain/booking/offers.ts';
import type { Pointed } from '../../domain/facts/bound.ts';
import type { Telling } from '../../domain/facts/changes-an-act-binds.ts';
import type { Asked } from '../../domain/facts/compare-hold-with-offer.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { EnteredDetails } from '../../domain/people/traveler.ts';
import type { ActPart, Acts } from '../../journal/act.ts';
import type { AsCompared } from '../../journal/as-known.ts';
import type { Evidence } from '../../journal/evidence.ts';
import type { Operation } from '../../journal/operation.ts';
import type { OperationFilter } from '../../journal/ports.ts';
import type { KeptQuestion, LedgerSource } from '../../ledger/ports.ts';
import type { SqlEnd, SqlQuestion } from '../../ledger/sql-tables.ts';
import type { Plans } from '../../plans/plan.ts';

export interface ToolSettings {
  /** Point-of-sale currency, ISO 4217. */
  readonly currency?: string;
  /** Operating carrier where a reply names none (FARECLERK_CARRIER). */
  readonly carrier?: string;
  /** The host of the airline's address; absent for the sandbox. */
  readonly airlineHost?: string;
  /** The agency that sells, as the airline knows it. */
  readonly agency?: string;
  readonly maxTravelers: number;
  /** Account that payments of type debit_credit_account are charged to. */
  readonly account?: string;
  /** Dialect of the airline's interface. Default `rail`. */
  readonly dialect?: Dialect;
  /** Whether tools are offered whose requests the airline does not document. */
  readonly assumedOperations?: boolean;
  /**
   * IANA name of the zone whose days lists and questions mean (FARECLERK_TIME_ZONE). A function, because the machine's zone
   * comes from ICU, which takes a twentieth of a start to load.
   */
  readonly timeZone: () => string;
  /** Whether `send_tickets` is offered. */
  readonly sendsTickets?: boolean;
  readonly tickets?: TicketDelivery;
}

export interface OperationReader {
  list(filter: OperationFilter): Promise<readonly Operation[]>;
  get(id: string): Promise<Operation | undefined>;
  /** Why customers had these operations done, by id, for those that keep it. */
  reasons(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export type FindingReader = Pick<Findings, 'open' | 'list' | 'close'>;

/** Gives the word for a segment that people read: the rail dialect sells trains, the other one flights. */
export function vehicleOf({ dialect = 'rail' }: Pick<ToolSettings, 'dialect'>): 'train' | 'flight' {
  return dialect === 'rail' ? 'train' : 'flight';
}

/** Where a browser gets a ticket's PDF, over HTTP; it is always a resource too. */
export interface TicketDelivery {
  /** Returns a short-lived address of our own that serves the PDF once. */
  link(caller: Caller, ticket: TicketName): Promise<string>;
}

/** Answers questions in SQL. */
interface DeskQuestions {
  /** Stores what rows of these kinds must have, before another process reads them. */
  catchUp(sources: readonly LedgerSource[]): Promise<void>;
  runSql(question: SqlQuestion): Promise<SqlEnd>;
  /** Whether only one person uses this server: its caller then sees what a supervisor would. */
  readonly isSingleUser?: true;
}

/** What the tools of plans may do. */
export interface PlanTools extends Plans {
  /**
   * Parses the arguments of another tool that asks, or of a recipe, as a call of it would. `at`: their place in this call, for
   * errors. @throws ClerkError if they are not valid, or the tool is not offered here
   */
  argumentsOf(tool: string, args: unknown, at: string): Readonly<Record<string, unknown>>;
}

/** What is known of a reading since it was compared. */
interface ComparedReading {
  /** It is sure that no finding about the booking is open. */
  readonly isQuiet: boolean;
  /** The operations on the booking. Undefined if one may have changed since they were listed. */
  readonly operations: readonly Operation[] | undefined;
}

/** What outlives a call, as its caller may see and change it. */
export interface ToolState {
  readonly offers: OfferStore;
  readonly ledger: Ledger;
  readonly operations: OperationReader;
  readonly findings?: FindingReader;
  /** Whether the caller is a supervisor: lists and questions then cover all callers of the tenant. */
  readonly isSupervisor?: true;
  /** Questions to people about a booking that the caller may read. */
  questionsAbout?(locator: string): Promise<readonly KeptQuestion[]>;
  /** Questions about these bookings that wait for a person, whoever's call asked them. */
  openQuestions?(locators: readonly string[]): Promise<readonly OpenQuestion[]>;
  /**
   * Whether travellers of this booking entered details on the details page, in any call of the tenant. Tools then show no birth
   * date, document number or day of expiry.
   */
  enteredOnPage(booking: Booking): Promise<boolean>;
  /**
   * Gives what a booking that this server made was asked for, and what acts of ours changed of that; of one that was made
   * elsewhere only what they changed.
   */
  askedFor(booking: Booking): Promise<Asked>;
  /**
   * Compares a reading with the one before. `begunAt`: when the reading began,
   * milliseconds since 1970. Absent, the booking is an operation's reply: nothing is compared, the booking is read again soon, and the
   * result is not quiet. `operations`: those on the booking, listed after it was read. Absent: they are listed.
   */
  compareReading?(
    booking: Booking,
    begunAt?: number,
    operations?: Promise<readonly Operation[] | undefined>,
  ): Promise<AsCompared>;
  /** What is known of readings of this call since they were compared. Replies of operations are not compared. */
  readonly compared: WeakMap<object, ComparedReading>;
  /** Called when the ledger cannot store a booking and the call goes on. */
  unrecorded?(error: unknown): void;
  /** Absent if Node cannot run SQL of strangers safely. */
  readonly desk?: DeskQuestions;
  /** Only for the tools of plans. */
  readonly plans?: PlanTools;
}

/** What a tool may use in one call: the airline as its caller reaches it, the state, the settings, and the call itself. */
export interface ToolContext {
  readonly airline: Airline;
  readonly state: ToolState;
  readonly settings: ToolSettings;
  readonly acts: Acts;
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether this caller can call a tool. */
  offers(tool: string): boolean;
  /** Keyed digest of personal data. */
  identity(text: string): string;
  /** The reading from which the pointers in the arguments were taken. Absent: they are those of the booking as it is read now. */
  readonly pointed?: Pointed | undefined;
  /** Aborts reads when the caller gives up. */
  readonly signal?: AbortSignal;
  /** What travellers entered on the details page of this call, in the order of the form's cards. It is passed on nowhere else. */
  readonly entered?: readonly EnteredDetails[];
  /** Adds a link to the result. */
  attach?(link: ResourceLink): void;
  progress?(done: number, total: number, message: string): void;
  /** Counts a reading of many against the caller's share of readings. Returns 0, or in how many seconds the next one is allowed. */
  waitToRead?(): number;
}

/** Gives the options of a read, which aborts when the caller gives up. */
export function readCall({ signal }: Pick<ToolContext, 'signal'>): ReadCall {
  return signal ? { signal } : {};
}

/** Makes a signal that aborts after `ms` milliseconds, or when the caller gives up. */
export function signalWithin(ms: number, { signal }: Pick<ToolContext, 'signal'>): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

export type Fields = z.core.$ZodShape;
export type InputSchema<I extends Fields> = z.ZodObject<I, z.core.$strict>;

export type ArgsOf<F extends () => Fields> = z.output<InputSchema<ReturnType<F>>>;

export type ResultOf<F extends () => Fields> = z.input<z.ZodObject<ReturnType<F>>>;

/** What every tool says about itself. */
export interface ToolBasics {
  /** verb_noun; the file has the same name in kebab-case. */
  readonly name: string;
  readonly title: string;
  /** When to use it and what it needs. Every conversation pays for every word. */
  readonly description: string;
  /** FARECLERK_TOOLSET says which of these are offered. */
  readonly toolset: 'core' | 'desk' | 'plans';
  /** Dialects that do not document its request: it is listed there only with FARECLERK_ASSUMED_OPERATIONS. */
  readonly assumed?: readonly Dialect[];
  /** Offered only if Node can run SQL of strangers safely. */
  readonly needsSql?: true;
  /** The view of its results (mcp/app-views). Default: the card of questions if it needs a yes, otherwise none. */
  readonly view?: 'fares' | 'seats';
  /** Inputs that work in the sandbox. `today`: YYYY-MM-DD. Default: a locator if it needs one. */
  readonly example?: object | ((today: string) => object);
}

/** Text as lines; undefined lines are left out. */
export type Lines = string | readonly (string | undefined)[];

export function joinLines(lines: Lines): string {
  return typeof lines === 'string' ? lines : lines.filter((line) => line !== undefined).join('\n');
}

// The type parameters of the tools below:
// I: the schema of the arguments. O: the schema of a reading tool's fields. X: the schema of the fields that an act adds.
// T: what an act sends, as in Terms<T>.
// L: the text of a result, which is `Lines` as a tool writes it and `string` once defineTool or defineAct has joined it.

/** A tool that reads, or does something free at once. */
interface DirectBody<I extends z.ZodObject, O extends z.ZodObject, L> extends ToolBasics {
  /** `hold`: it is free, and lapses or can be undone. */
  readonly effect: 'read' | 'hold';
  run(args: z.output<I>, ctx: ToolContext): Promise<z.input<O> & ResultHead>;
  /** The body of the text, from the fields and nothing else: short, tabular, with every handle. Default: the summary says all. */
  text?(output: z.output<O>): L;
}

/** Output: success fields only; `environment` and `error` are added for every tool. */
export type DirectTool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> = DirectBody<
  I,
  O,
  string
> &
  Schemas<I, O>;

/** What is known once an operation is done, with the arguments of its tool. */
export interface Done<A> extends SucceededOperation {
  readonly args: A;
}

/** What an act reports of its success. */
export interface ActReport<X extends z.ZodObject> extends ResultHead {
  /** Fields that the act adds to the output. */
  readonly added: Partial<z.input<X>>;
}

/** The result of an act, for defineAct and defineBookingChange. */
export interface Reporting<I extends z.ZodObject, X extends z.ZodObject, L = Lines> {
  /** Reports from evidence only; a repeated call can come long after. */
  report(done: Done<z.output<I>>, ctx: ToolContext): ActReport<X> | Promise<ActReport<X>>;
  text?(output: Partial<z.output<X>>): L;
}

/**
 * What an act also does in the desk's own records alone: nothing of it goes to the airline, so that there is no question and no
 * operation.
 */
export interface DeskPart<A, R> {
  /** Whether the call asks for it. */
  isMeant(args: A): boolean;
  run(args: A, ctx: ToolContext): Promise<Partial<R> & ResultHead>;
}

/** A tool that runs at most once, with approval and journal between its halves. Its type forbids `run`. */
interface ActBody<I extends z.ZodObject, X extends z.ZodObject, T, L> extends ToolBasics, Reporting<I, X, L>, Telling {
  /** `commit`: it moves money or cannot be undone. */
  readonly effect: 'hold' | 'commit';
  /** Absent if the tool makes no operation of its own. */
  readonly act?: ActPart;
  /** What it may ask or send besides reading its booking: it is not begun while the airline wants a pause of that. */
  readonly requests: readonly ActRequest[];
  /** The input for a call without `details`, which must give all that the details page would ask. Default: `input`. */
  readonly inputAlone?: () => z.ZodObject;
  /** Says whom the details page asks for what. Makes every check that needs no details, so that nobody types them in vain. */
  detailsForm?(args: z.output<I>, ctx: ToolContext): Promise<DetailsForm>;
  /** For a call that asks for something of the desk's own records. */
  readonly ofDesk?: DeskPart<z.output<I>, z.input<X>>;
  /** Whether its output has the whole booking. Default: the short form is added. */
  readonly showsFullBooking?: boolean;
  readonly run?: never;
  /** Writes the terms: facts, amounts, rule, deadline. Reads only. Throws ClerkError if a rule forbids the act. */
  preview(args: z.output<I>, ctx: ToolContext): Promise<Terms<T>>;
  /** Sends the request once. */
  commit(confirmed: Confirmed<T>, ctx: ToolContext): Promise<Evidence>;
}

/** Output: fields added when done; the common ones (status, operation_id, approval, booking) are added for every tool. */
export type ActTool<I extends z.ZodObject = z.ZodObject, X extends z.ZodObject = z.ZodObject, T = unknown> = ActBody<
  I,
  X,
  T,
  string
> &
  Schemas<I, X>;

/** A tool that asks once for many acts: those of a plan. It sends nothing itself. */
interface PlanTool<I extends z.ZodObject = z.ZodObject, X extends z.ZodObject = z.ZodObject>
  extends ToolBasics,
    Schemas<I, X> {
  readonly effect: 'commit';
  readonly carriesOut: 'plan';
}

export type Tool = DirectTool | ActTool | PlanTool;

export function isAct(tool: Tool): tool is ActTool {
  return 'preview' in tool;
}

/** Whether the tool runs without a question: it neither asks itself nor carries out a plan. */
export function isDirect(tool: Tool): tool is DirectTool {
  return !isAct(tool) && !isPlanTool(tool);
}

export function isPlanTool(tool: Tool): tool is PlanTool {
  return 'carriesOut' in tool;
}

/** Makes the schemas of a tool, at its first call. */
export interface Schemas<I, O> {
  readonly input: () => I;
  readonly output: () => O;
}

function schemasOf<I extends Fields, O extends Fields>({ input, output }: Schemas<I, O>) {
  return {
    input: once((): InputSchema<I> => z.strictObject(input())),
    output: once((): z.ZodObject<O> => z.object(output())),
  };
}

export function defineTool<I extends Fields, O extends Fields>(
  tool: Schemas<I, O> & DirectBody<InputSchema<I>, z.ZodObject<O>, Lines>,
): DirectTool<InputSchema<I>, z.ZodObject<O>> {
  return { ...tool, ...schemasOf(tool), text: (output) => joinLines(tool.text?.(output) ?? '') };
}

export function defineAct<I extends Fields, X extends Fields, T>(
  tool: Schemas<I, X> & ActBody<InputSchema<I>, z.ZodObject<X>, T, Lines>,
): ActTool<InputSchema<I>, z.ZodObject<X>, T> {
  return { ...tool, ...schemasOf(tool), text: (output) => joinLines(tool.text?.(output) ?? '') };
}

export function definePlanTool<I extends Fields, X extends Fields>(
  tool: Schemas<I, X> & ToolBasics,
): PlanTool<InputSchema<I>, z.ZodObject<X>> {
  return { ...tool, ...schemasOf(tool), effect: 'commit', carriesOut: 'plan' };
}

/** Whether the dialect does not document this request (docs/wire/notes.md, Changes). */
export function isAssumed(assumed: readonly Dialect[] | undefined, dialect: Dialect = 'rail'): boolean {
  return assumed?.includes(dialect) === true;
}

/** Derives the MCP tool annotations from the effect. */
export function annotations(tool: Pick<Tool, 'effect'>) {
  return {
    readOnlyHint: tool.effect === 'read',
    destructiveHint: tool.effect === 'commit',
    idempotentHint: tool.effect !== 'hold',
    openWorldHint: true,
  };
}
