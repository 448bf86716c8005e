/**
 * Defines the clerk's options and runtime, and makes from them what tools see. In order: the definitions, the context of one call, how
 * it hides what travellers entered on the details page, and acts bound to their arguments and caller.
 */

import type { Claims } from '../access/booking-access.ts';
import { mattersOf } from '../approvals/binding.ts';
import { bookingGist } from '../approvals/booking-gist.ts';
import type { BoundAct } from '../approvals/bound-act.ts';
import type { ApprovalSettings, Asker } from '../approvals/consent-call.ts';
import { digestWith, personDigest } from '../approvals/digest.ts';
import { type Terms, withChanges } from '../approvals/terms.ts';
import type { ClerkError } from '../core/errors.ts';
import { memoizeByObject } from '../core/memoize.ts';
import type { KeptDetails } from '../details/details-form.ts';
import type { DetailsStore } from '../details/ports.ts';
import { openCard } from '../details/seal.ts';
import type { Airline } from '../domain/airline.ts';
import { type Booking, bookingReferences } from '../domain/booking/booking.ts';
import { earliestOf } from '../domain/booking/booking-identity.ts';
import type { Ledger } from '../domain/booking/booking-ledger.ts';
import { looseLimitsOf } from '../domain/booking/deadlines.ts';
import type { OfferStore } from '../domain/booking/offers.ts';
import { soldFacts } from '../domain/booking/sold-facts.ts';
import type { PeopleLayer } from '../domain/facts/asked-people.ts';
import type { Pointed } from '../domain/facts/bound.ts';
import { mattersTo } from '../domain/facts/changes-an-act-binds.ts';
import type { Asked } from '../domain/facts/compare-hold-with-offer.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { UnlikeSetting } from '../domain/yes-settings.ts';
import { type Acts, touchesOf } from '../journal/act.ts';
import type { Operation } from '../journal/operation.ts';
import type { JournalPlace } from '../journal/ports.ts';
import type { CallCounter } from '../ledger/call-counter.ts';
import type { DecidedQuestions, LedgerReader } from '../ledger/ports.ts';
import type { SqlEnd, SqlQuestion } from '../ledger/sql-tables.ts';
import type { PlanRuntime } from '../plans/ports.ts';
import type { OpenCounts } from '../store/open-counts.ts';
import type {
  ActTool,
  FindingReader,
  OperationReader,
  Tool,
  ToolContext,
  ToolSettings,
  ToolState,
} from '../tools/definition/define.ts';
import { openChanges, readersOf } from '../tools/steps/findings.ts';
import { knownNow, noteBooking } from '../tools/steps/record-booking.ts';
import { loadPlaceNames } from '../tools/steps/resolve-stations.ts';
import { shortBooking } from '../tools/views/booking-data.ts';
import { bookingRefund } from '../tools/views/refund-data.ts';
import { refundText } from '../tools/views/refund-text.ts';
import { section } from '../tools/views/terms-text.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { ToolSchemas } from './schemas.ts';
import { airlineOfCall, airlineOfEntered } from './way-to-airline.ts';

/** Facts of the airline and its point of sale that tools know. */
type AirlineFacts = Pick<ToolSettings, 'currency' | 'carrier' | 'account' | 'dialect' | 'airlineHost' | 'agency'>;

/** Opened on the first call, not at start. */
export interface Runtime extends PlanRuntime {
  readonly airline: Airline;
  /** Known once the airline is open. The currency is that of the caller's point of sale. */
  readonly airlineFacts?: AirlineFacts;
  /** Operations that the caller's tools may see. Default: all. */
  readonly visibleOperations?: OperationReader;
  /** Bookings of all callers of the tenant, for a supervisor. Default: the caller's own. */
  readonly deskLedger?: Ledger;
  readonly state: PlanRuntime['state'] & {
    readonly offers: OfferStore;
    readonly ledger: Ledger;
    readonly findings?: FindingReader;
    readonly details: DetailsStore;
    /** Which bookings a caller may see or change. */
    readonly claims: Claims;
    readonly ledgerRows?: Pick<LedgerReader, 'questionsAbout'> & {
      /** Notes that somebody reads the rows of others. */
      noteRead?(): void;
    };
    readonly decided?: DecidedQuestions;
    openCounts(now: number, acts: Acts): Promise<OpenCounts>;
    /** Counts deliveries to other systems that are not made yet. */
    readonly deliveries?: { oldestWaiting(receivers: readonly string[]): Promise<number | undefined> };
    /** Places that must take writes before anything is sent, and take none. */
    unwritable(): Promise<readonly JournalPlace[]>;
    /** The settings that a yes depends on, and that a server which began earlier has otherwise. */
    unlikeSettings(): Promise<readonly UnlikeSetting[]>;
  };
  /**
   * A caller's own point of sale. Undefined: the server's.
   * @throws ClerkError E_NOT_PERMITTED if the caller may not sell here.
   */
  pointOfSaleOf?(caller: Caller): PointOfSaleAirline | undefined;
}

/** The airline under a point of sale of its own (docs/wire/interface.md, Point of sale). */
export interface PointOfSaleAirline {
  readonly airline: Airline;
  /** ISO 4217. */
  readonly currency: string;
  readonly agency?: string;
}

/** The page where travellers enter their details. */
export interface DetailsPage {
  /** Undefined where travellers cannot reach this server. The address holds the id: it is a secret. */
  address(id: string): Promise<string | undefined>;
  /** Opens the page in a browser of this machine. Returns whether that worked. */
  open?(id: string): Promise<boolean>;
}

export interface ClerkOptions extends ApprovalSettings {
  readonly tools: readonly Tool[];
  /** Tools that are not offered (read-only mode), with the error that says why. */
  readonly withheld: ReadonlyMap<string, ClerkError>;
  readonly schemas: ToolSchemas;
  readonly settings: ToolSettings;
  open(): Promise<Runtime>;
  /** Whether this process goes on with plans that others left unfinished. */
  readonly resumesPlans?: boolean;
  /** Where travellers enter their details. Absent: this server has no address that they can reach. */
  readonly detailsPage?: DetailsPage;
  /** `page`: documents in arguments are refused (FARECLERK_DETAILS). Default `either`. */
  readonly details?: 'either' | 'page';
  /** Runs a SELECT in a process of its own. Absent where Node cannot do so safely. */
  runSql?(question: SqlQuestion): Promise<SqlEnd>;
  readonly log: ClerkLog;
  /** Default: failed calls are not counted. */
  readonly counter?: Pick<CallCounter, 'failed' | 'write'>;
  /** Default: nothing is recorded. */
  readonly tracer?: Tracer;
}

/** Allow-listed fields only: no arguments, no names, no bodies. */
export interface ClerkLog {
  call(fields: { tool: string; ms: number; outcome: string; code?: string }): void;
  failure(fields: { tool: string; reference: string; error: unknown }): void;
  /** A supervisor saw bookings or operations of another caller. */
  supervisorRead?(fields: { tool: string /** As in access lines: a digest. */; caller?: string }): void;
  /** The ledger could not be written: the call is answered, but lists will not show the booking. */
  unrecorded?(fields: { error: unknown }): void;
}

/** Logs a mistake in this program. @returns the reference under which a person finds it in the log */
export function logMistake(log: Pick<ClerkLog, 'failure'>, tool: string, error: unknown): string {
  const reference = crypto.randomUUID().slice(0, 8);
  log.failure({ tool, reference, error });
  return reference;
}

/**
 * Gives the runtime the airline and the facts of a caller's own point of sale, if they have one.
 * @throws ClerkError E_NOT_PERMITTED if the caller may not sell here
 */
export function withPointOfSale(runtime: Runtime, caller: Caller): Runtime {
  const pointOfSale = runtime.pointOfSaleOf?.(caller);
  if (pointOfSale === undefined) return runtime;
  const { airline, ...facts } = pointOfSale;
  return { ...runtime, airline, airlineFacts: { ...runtime.airlineFacts, ...facts } };
}

/** Builds the context of one call. */
export function toolContext(
  options: ClerkOptions,
  runtime: Runtime,
  { caller, signal, progress }: Pick<Asker, 'caller' | 'signal' | 'progress'>,
): ToolContext {
  return {
    airline: airlineOfCall(runtime.airline),
    state: toolState(options, runtime, caller),
    settings: { ...options.settings, ...runtime.airlineFacts },
    acts: runtime.acts,
    caller,
    now: () => runtime.clock.now(),
    offers: (name) => options.tools.some((tool) => tool.name === name),
    identity: digestWith(runtime.state.digestKey),
    signal,
    progress,
  };
}

function toolState(options: ClerkOptions, runtime: Runtime, caller: Caller): ToolState {
  const { state, deskLedger, compareReading, visibleOperations: operations = state.operations } = runtime;
  const { offers, findings, ledgerRows } = state;

  return {
    offers,
    ledger: deskLedger ?? state.ledger,
    operations,
    findings,
    isSupervisor: deskLedger === undefined ? undefined : true,
    questionsAbout: ledgerRows && ((locator) => ledgerRows.questionsAbout(caller.tenant, locator)),
    openQuestions: (locators) => state.approvals.openAbout({ tenant: caller.tenant }, locators, runtime.clock.now()),
    // Terms and results of a call ask about the same reading: the store answers once.
    enteredOnPage: memoizeByObject((booking: Booking) => enteredOnPage(booking, caller, runtime)),
    askedFor: (booking) => askedFor(booking, caller, runtime),
    compareReading: compareReading && ((...reading) => compareReading(caller, ...reading)),
    compared: new WeakMap(),
    unrecorded: (error) => options.log.unrecorded?.({ error }),
    desk: deskQuestions(options, runtime),
  };
}

function deskQuestions(
  { runSql, counter }: Pick<ClerkOptions, 'runSql' | 'counter'>,
  { state: { ledgerRows }, visibleOperations }: Runtime,
): ToolState['desk'] {
  if (runSql === undefined || ledgerRows === undefined) return undefined;

  // Nothing limits which operations are seen: this server has one user.
  const isSingleUser = visibleOperations === undefined ? true : undefined;
  return {
    async catchUp(sources) {
      // People often ask why a call failed right after it: its count may not be stored yet.
      if (sources.some(({ each }) => each === 'failures')) await counter?.write();
      ledgerRows.noteRead?.();
    },
    runSql,
    isSingleUser,
  };
}

/**
 * Adds what travellers entered on the details page, once all cards are there.
 * @throws if somebody changed a sealed card in the state
 */
export function enteredContext(context: ToolContext, id: string, details: KeptDetails): ToolContext {
  const entered = details.form.cards.map((_, card) => openCard(id, details, card, details.cards.get(card) ?? ''));
  const hidden = entered.map(({ birth_date: birthDate, document }) => ({ birthDate, document }));
  return { ...context, airline: airlineOfEntered(context.airline, hidden), entered };
}

/** Asks about all callers of the tenant: nobody may see what a colleague's traveller entered. */
async function enteredOnPage(booking: Booking, { tenant }: Caller, { acts, state }: Runtime): Promise<boolean> {
  const names = [booking.locator, ...bookingReferences(booking).map(({ id }) => id)];
  const locators = [...new Set(names.flatMap((name) => [name, name.trim().toUpperCase()]))];
  const digest = digestWith(state.digestKey);
  const operations = await state.operations.withEnteredDetails(tenant, locators);

  return operations.some(({ locator, subject, outcome }) => {
    if (locator !== undefined) return true;
    // A create without a locator: it made this booking if its travellers are the same.
    return acts.of(subject).reply?.(subject, { booking }, { digest, outcome, isSameBooking: true }) === 'done';
  });
}

/**
 * Looks at the operations of all callers of the tenant: a colleague may pay what another one held. Expects what the hold was asked
 * for, and what acts of ours did since that succeeded.
 */
async function askedFor(booking: Booking, { tenant }: Caller, { acts, state }: Runtime): Promise<Asked> {
  const about = { tenant, locator: booking.locator, from: earliestOf(booking) };
  const newestFirst = await state.operations.list({ ...about, states: ['succeeded'] });
  const isCreate = ({ subject }: Operation) => acts.of(subject).offer !== undefined;

  // What was moved or cancelled is no longer what was offered.
  const end = newestFirst.findIndex((one) => isCreate(one) || acts.of(one.subject).decidesBooking);
  const since = end < 0 ? newestFirst : newestFirst.slice(0, end);

  const made = newestFirst.findIndex(isCreate);
  const all = made < 0 ? newestFirst : newestFirst.slice(0, made + 1);
  const create = made === since.length ? newestFirst[made] : undefined;
  if (all.length === 0) return { layers: [] };

  const kept = await state.operations.askedPeople(all.map(({ id }) => id));
  const layersOf = (some: readonly Operation[]) =>
    some.flatMap(({ id }): readonly PeopleLayer[] => {
      const { salt, people } = kept.get(id) ?? {};
      const isKept = people !== undefined && salt !== undefined;
      return isKept ? [{ people, digest: personDigest(state.digestKey, salt) }] : [];
    });

  return {
    offer: create && acts.of(create.subject).offer?.(create.subject),
    layers: layersOf(create === undefined ? since : all),
    sent: layersOf(all),
    first: create?.outcome?.first,
    added: since.flatMap((operation) => touchesOf(acts, operation).flatMap(({ adds }) => adds ?? [])),
    digest: digestWith(state.digestKey),
  };
}

/**
 * Binds an act to its arguments and its caller, as approvals use it. Before a yes it works for the call in `context`, after a yes in
 * `sendContext`.
 */
export function boundAct(tool: ActTool, args: BoundAct['args'], callContext: ToolContext): BoundAct {
  // A booking whose details this call has in hand was entered on the page, even if no operation says so yet.
  const state = { ...callContext.state, enteredOnPage: async () => true };
  const context = callContext.entered === undefined ? callContext : { ...callContext, state };

  const { airline, settings } = context;
  const sendContext = { ...context, signal: undefined, progress: undefined };
  let lastPointed: Pointed | undefined;

  async function readTerms(readContext: ToolContext, pointed: Pointed | undefined) {
    lastPointed = pointed;
    const previewed = await tool.preview(args, { ...readContext, pointed });
    const { booking } = previewed;

    const [areEntered, changes] = await Promise.all([
      areDetailsEntered(previewed, context),
      booking ? openChanges([booking], mattersOf(previewed), context) : undefined,
    ]);
    const terms = withLooseLimits(withChanges(previewed, changes), context.now());
    return areEntered ? withDetailsFromPage(terms) : terms;
  }

  return {
    tool: tool.name,
    effect: tool.effect,
    args,
    sendsBack: tool.sendsBack,
    readers: readersOf({ settings, airline }),
    showsFullBooking: tool.showsFullBooking === true,

    async preview(pointed) {
      if (tool.effect === 'commit') await loadPlaceNames(airline);
      const terms = await readTerms(context, pointed);
      const { booking } = terms;
      if (booking === undefined) return terms;
      return { ...terms, about: bookingGist(booking, airline.placeName, settings) };
    },

    previewAgain: (pointed) => readTerms(sendContext, pointed),
    pausedMs: (sender) => airline.pausedMs(tool.requests, sender),
    sendContext,
    commit: tool.commit,
    read: async (locator) => knownNow(await airline.read(locator), context),

    refundWords(booking) {
      const refund = bookingRefund(booking, context.now(), context);
      return refund && refundText(refund, booking.pricing?.total?.total.currency ?? '').join(' ');
    },

    async show(done) {
      const facts = { ...done, args };
      const { added, ...head } = await tool.report(facts, { ...context, pointed: lastPointed });
      const text = tool.text?.(added) ?? '';
      const { booking: bookingAfter } = done;
      const isShort = bookingAfter !== undefined && !tool.showsFullBooking;
      const booking = isShort ? shortBooking(bookingAfter, context) : undefined;
      return { ...head, text, fields: added, booking };
    },

    changes: (bookings, known = []) =>
      openChanges(bookings, mattersTo('payment', []), context, ({ id }) => !known.includes(id)),

    async remember(booking) {
      await noteBooking(context, booking, { madeHere: tool.act?.countedAs === 'hold' });
    },
  };
}

/** Says after the act which limits of the booking are no exact times: a person must know what the airline sent. */
function withLooseLimits(terms: Terms, now: number): Terms {
  const lines = terms.booking === undefined ? [] : looseLimitsOf(terms.booking, now);
  if (lines.length === 0) return terms;
  return { ...terms, sections: terms.sections.toSpliced(1, 0, section('caution', ...lines)) };
}

/** Whether the details page collected the details that these terms are about. */
async function areDetailsEntered({ booking }: Terms, context: ToolContext): Promise<boolean> {
  return booking === undefined ? context.entered !== undefined : context.state.enteredOnPage(booking);
}

/** Notes in the sold facts of the terms that the details came from the page. */
function withDetailsFromPage(terms: Terms): Terms {
  const { booking, sold = booking && soldFacts(booking) } = terms;
  return { ...terms, sold: { ...sold, details: 'page' } };
}
