/**
 * Presents the outcome of an operation as the answer of a call, from the journal and from evidence: a success with the
 * booking as it is afterwards, an operation that is still unsettled, or an error. In this order: the two entries, then
 * unsettled operations, successes, errors, and last the booking after a success.
 */

import { ClerkError } from '../core/errors.ts';
import { showMoney } from '../core/money.ts';
import { MINUTE_MS, showLocal, utcText } from '../core/times.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { showClock } from '../domain/booking/deadlines.ts';
import { orderStatus } from '../domain/booking/status-codes.ts';
import { type ChosenOffer, listsAllOf, listsFewerFlights } from '../domain/facts/compare-hold-with-offer.ts';
import { ordersIn, ordersOfAct } from '../domain/facts/tickets-and-orders.ts';
import { actWord, touchesOf } from '../journal/act.ts';
import { type ActiveState, isActive, locatorOf, type Operation } from '../journal/operation.ts';
import { doubtSentence } from '../journal/outcome.ts';
import type { OperationRun } from '../journal/perform.ts';
import { type AfterStatus, nameOnly, type Result, type ResultHead, result, sameCall } from './answer.ts';
import type { Approval, OutcomeFacts } from './approval.ts';
import type { SucceededOperation } from './bound-act.ts';
import { type ActCall, longestWait } from './consent-call.ts';
import { digestWith } from './digest.ts';
import { approvalStale } from './endings.ts';
import { BY_NOBODY, CHECK_BOOKING, notKnownYet, outcomeFacts, refusedButDone } from './outcome-words.ts';
import { questionHandle } from './request.ts';
import { namesakesOf } from './same-trip.ts';
import type { ChangeLines } from './terms.ts';

interface RunReport extends OperationRun, Pick<SucceededOperation, 'terms'> {
  /** The operation was final before this call. */
  readonly isRepeat?: boolean;
}

/** Waits for an operation that exists already, and presents it. `approval` is absent for a create asked for again. */
export async function waitAndPresent(
  call: ActCall,
  approval: Approval | undefined,
  operation: Operation,
): Promise<Result> {
  if (!isActive(operation.state))
    return presentOutcome(call, approval, { operation, isRepeat: approval === undefined });
  const now = await call.runtime.journal.follow(operation.id, longestWait(call), call.asker.signal);
  return presentOutcome(call, approval, { operation: now });
}

/** Presents an operation in any state. Throws the error of one that was refused or not carried out. */
export async function presentOutcome(
  call: ActCall,
  approval: Approval | undefined,
  report: RunReport,
): Promise<Result> {
  const { operation } = report;
  // The store failed before the dispatch could be written, so the operation is never sent.
  if (operation.state === 'intent' && report.error?.effect === 'none') throw report.error;
  if (isActive(operation.state)) return presentPending(call, approval, report);

  switch (operation.state) {
    case 'needs_person':
      return presentNeedsPerson(call, report);
    case 'succeeded':
      return presentSuccess(call, approval, report);
    case 'resolved':
      await markOutcomeTold(call, approval);
      throw closedByPerson(call, operation);
    case 'refused':
    case 'not_executed':
      await markOutcomeTold(call, approval);
      throw report.error ?? storedFailure(call, approval, operation);
  }
}

/** Erases what the approval carried. Returns whether this call is the first to tell the caller the outcome. */
async function markOutcomeTold(
  { runtime, isDecidedOutside }: ActCall,
  approval: Approval | undefined,
): Promise<boolean> {
  if (approval === undefined) return true;
  const { approvals } = runtime.state;
  // The page shows the outcome to a person. The caller learns it only from the call that follows.
  if (!isDecidedOutside) return approvals.markTold(approval.handleHash, runtime.clock.now());
  await approvals.erase(approval.handleHash);
  return true;
}

// An operation that is not settled.

function presentPending(call: ActCall, approval: Approval | undefined, { operation }: RunReport): Result {
  const { act, runtime } = call;
  const isReadable = operation.locator !== undefined;
  const until = Math.max(runtime.journal.handedOverAt(operation), runtime.clock.now());
  const by = showClock(utcText(Math.ceil(until / MINUTE_MS) * MINUTE_MS), approval?.near);

  const next = [
    'Do not pay or book it again, here or anywhere else.',
    `In 60 seconds ${sameCall(act.tool, approval && questionHandle(call, approval), call.detailsId)}, then once a minute. Nothing is sent twice.`,
    isReadable ? 'read_booking shows it too.' : undefined,
    `If nothing settles it by ${by}, the status becomes needs_person and a person takes over.`,
  ];

  const why = runtime.journal.isUnrecorded(operation.id) ? 'unrecorded' : (operation.state as ActiveState);
  const { shows } = operation.outcome ?? {};
  const unknown =
    shows === undefined
      ? [notKnownYet(why, `The ${subjectWords(call, operation)}`), doubtSentence(runtime.acts, operation)]
      : [`NOT FINISHED YET: the ${subjectWords(call, operation)}. ${shows}`];

  const head = { summary: unknown.filter(Boolean).join(' '), next: next.filter(Boolean).join(' ') };
  return presentUnsettled(call, 'pending', head, { operation, approval });
}

function presentNeedsPerson(call: ActCall, { operation }: RunReport): Result {
  const what = `The ${subjectWords(call, operation)} needs checking with the airline. It is not certain what was done, and nothing more is sent.`;
  const head = {
    summary: what,
    warnings: [operation.outcome?.check ?? CHECK_BOOKING],
    next: 'STOP. Do not pay or book it again. Tell the user exactly this.',
  };
  return presentUnsettled(call, 'needs_person', head, { operation });
}

/** `payment of SAR 20.00 for booking ABC123`. */
function subjectWords({ runtime: { acts } }: ActCall, operation: Operation): string {
  const { tool, amount } = operation;
  const locator = locatorOf(operation);
  const sum = amount && acts.named(tool)?.countedAs === 'payment' ? ` of ${showMoney(amount)}` : '';
  return `${actWord(acts, tool)}${sum}${locator === undefined ? '' : ` for booking ${locator}`}`;
}

function presentUnsettled(
  call: ActCall,
  status: AfterStatus,
  head: ResultHead,
  { operation, approval }: { readonly operation: Operation; readonly approval?: Approval | undefined },
): Result {
  const fields = {
    operation_id: operation.id,
    approval: approval && { id: questionHandle(call, approval) },
    booking: nameOnly(locatorOf(operation)),
  };
  return result(call, status, { head, fields, body: operationLine });
}

function operationLine({ operation_id, booking }: { operation_id: string; booking?: { locator: string } }): string {
  return `Operation ${operation_id}${booking ? ` on ${booking.locator}` : ''}.`;
}

// A success.

async function presentSuccess(call: ActCall, approval: Approval | undefined, report: RunReport): Promise<Result> {
  const { act, runtime } = call;
  const { operation, evidence, terms } = report;

  // Showing the booking and closing the approval do not wait for the ledger.
  const { booking, isPartial, isQuiet, ledgerWritten } = await bookingAfter(call, report);
  const known = { before: terms?.booking, digest: digestWith(runtime.state.digestKey) };
  const shown = await act.show({ operation, now: runtime.clock.now(), evidence, terms, booking, isPartial });
  const facts = booking && outcomeFacts(runtime.acts, operation, booking, known);

  const [isNews, namesakes, changes] = await Promise.all([
    markOutcomeTold(call, approval),
    namesakesOf(call, operation),
    isQuiet.then((quiet) => changesSince(call, operation, booking, quiet)),
    keepFacts(call, approval, facts),
    ledgerWritten,
  ]);
  const isRepeat = report.isRepeat === true || !isNews;

  const areOrdersTold = changes?.changes.all.some(({ kind }) => kind === 'order_added') === true;
  const orders = areOrdersTold ? [] : ordersOfNobody(call, operation, terms?.booking, booking);

  // Around the summary of the act's own view: how the success is known.
  const sentences = [
    isRepeat ? 'Already done before, so nothing was sent now.' : provenByReading(operation),
    shown.summary,
    booking === undefined ? couldNotReadBack(operation) : undefined,
    modelApproved(call, operation),
  ];

  const head = {
    summary: sentences.filter(Boolean).join(' ') || undefined,
    next: shown.next ?? (isRepeat ? howToHoldAnother(call, operation) : undefined),
    warnings: [...(shown.warnings ?? []), ...namesakes, ...orders, ...(changes?.lines ?? [])],
  };

  const { id: operation_id, subject, outcome } = operation;
  const fields = {
    booking: shown.booking ?? nameOnly(locatorOf(operation)),
    airline_changes: changes?.changes.all,
    ...shown.fields,
  };

  const approval_id = approval && questionHandle(call, approval);
  const meta = { operation_id, approval_id, title: runtime.acts.of(subject).title(subject, outcome) };
  return result(call, isRepeat ? 'already_done' : 'done', { head, fields, body: shown.text, meta });
}

/** Warns of orders to pay that the booking did not show before, and that are not of the operation. */
function ordersOfNobody(
  { runtime: { acts } }: ActCall,
  operation: Operation,
  before: Booking | undefined,
  booking: Booking | undefined,
): readonly string[] {
  // A split is answered with another booking.
  if (before === undefined || booking === undefined || before.locator !== booking.locator) return [];

  const [atMost] = touchesOf(acts, operation).flatMap(({ pays }) => pays ?? []);
  const { others } = ordersOfAct(ordersIn(before), ordersIn(booking), atMost);
  return others.map(({ amount, status }) => {
    const sum = amount === undefined ? '' : ` of ${showMoney(amount)}`;
    return `The airline has an order${sum} (${orderStatus(status)}) that was not in the booking before. Tell the person: nobody approved it.`;
  });
}

/**
 * What the airline changed, nobody has dealt with, and the question did not name: on the booking, and on the one that was changed, if
 * the airline answered with another. The operation succeeded, whether or not that can be read.
 * @param isQuiet it is sure that there is nothing about the booking
 */
async function changesSince(
  { act }: ActCall,
  operation: Operation,
  booking: Booking | undefined,
  isQuiet: boolean,
): Promise<ChangeLines | undefined> {
  const shown = booking?.locator;
  const locators = [...new Set([operation.locator, locatorOf(operation)])].filter((each) => each !== undefined);
  const others = locators.filter((locator) => locator !== shown).map((locator) => ({ locator }));
  const bookings = booking === undefined || isQuiet ? others : [booking, ...others];
  if (bookings.length === 0) return undefined;
  return await act.changes?.(bookings, operation.facts?.told).catch(() => undefined);
}

/** Stores facts for the page and the terminal, where the person looks afterwards. A failure changes no outcome. */
async function keepFacts({ runtime }: ActCall, approval: Approval | undefined, facts: OutcomeFacts | undefined) {
  if (facts === undefined || approval?.assurance !== 'page' || approval.after !== undefined) return;
  await runtime.state.approvals.keepTerms({ ...approval, after: facts }).catch(() => undefined);
}

/** Says that no person approved it, if the model's word was enough. */
function modelApproved({ settings }: ActCall, { assurance }: Operation): string | undefined {
  if (assurance !== 'caller_confirmed') return undefined;
  return settings.environment === 'sandbox' ? `${BY_NOBODY}.` : 'Approved by the assistant, not by a person.';
}

/** Says that a reading proves the success: it shows that it was done, not by whom. */
function provenByReading({ outcome }: Operation): string | undefined {
  if (outcome?.basis !== 'read') return undefined;
  return refusedButDone(outcome) ?? 'No answer settled it, but the booking read back shows that it was done.';
}

function couldNotReadBack(operation: Operation): string | undefined {
  const locator = locatorOf(operation);
  return locator && `Booking ${locator} could not be read back just now.`;
}

/** How to make another hold. A create that is asked for again only shows the earlier hold. */
function howToHoldAnother({ act, runtime }: ActCall, { id }: Operation): string | undefined {
  if (runtime.acts.named(act.tool)?.countedAs !== 'hold') return undefined;
  return `Only if the person wants one more of it, pass again_after: "${id}".`;
}

// An operation that was not done, or that a person closed.

function closedByPerson({ runtime: { acts } }: ActCall, { id, tool, outcome }: Operation): ClerkError {
  const when = outcome?.resolved === undefined ? '' : ` on ${showLocal(utcText(outcome.resolved.at))}`;
  const what = `The operator checked this ${actWord(acts, tool)} with the airline and closed it${when}. Nothing was sent now.`;
  return new ClerkError('E_ALREADY_DONE', what, {
    next:
      acts.named(tool)?.countedAs === 'hold'
        ? `Ask the operator what was found. If there is no such booking, call ${tool} with again_after ${id}.`
        : 'Call read_booking to see its state, then decide again. The operator knows what was found.',
  });
}

/** The error of an operation that was not done, from what the journal stored of it. */
function storedFailure(
  { act, runtime: { acts } }: ActCall,
  approval: Approval | undefined,
  { outcome }: Operation,
): ClerkError {
  const stored = outcome?.error;
  if (stored?.code === 'E_APPROVAL_STALE') return approvalStale(act.tool, approval?.voidLines ?? []);
  if (stored) return new ClerkError(stored.code, stored.message, stored);

  const newApproval = act.effect === 'commit' ? ' A new attempt needs a new approval.' : '';
  const what = `Checked with the airline: the ${actWord(acts, act.tool)} did not go through.${newApproval}`;
  return new ClerkError('E_AIRLINE_TIMEOUT', what, {
    next: `Call ${act.tool} again without approval_id if it is still wanted.`,
  });
}

// The booking after a success: which reading or answer shows it, and how the ledger learns of it.

interface BookingAfter {
  /** Undefined: it could not be read now, and no answer shows it. */
  readonly booking: Booking | undefined;
  readonly isPartial: boolean;
  /** Resolves once it is known: whether no finding about the booking is open for sure. */
  readonly isQuiet: Promise<boolean>;
  /** Resolves once the ledger has the booking, and the marks for further readings. */
  readonly ledgerWritten: Promise<void>;
}

/** Finds the booking after an operation, and writes it to the ledger in the background. */
async function bookingAfter(call: ActCall, run: OperationRun): Promise<BookingAfter> {
  const { booking, isInLedger, isPartial = false, compared } = await findLatestBooking(call, run);
  const writeLedger = async () => {
    if (booking === undefined) return;
    if (!isInLedger) await keepReading(call, run.operation, booking);
    await readChangedBookingSoon(call, run.operation, booking);
  };
  return { booking, isPartial, isQuiet: compared, ledgerWritten: compared.then(writeLedger) };
}

interface LatestBooking {
  readonly booking: Booking | undefined;
  readonly isInLedger: boolean;
  /** It is an answer that lists only a part. */
  readonly isPartial?: boolean;
  /**
   * Resolves once a booking that was read for this call has been compared with the reading before: true if no finding about it is open
   * for sure.
   */
  readonly compared: Promise<boolean>;
}

/**
 * Finds the booking after an operation: the first of these that is known.
 *
 * 1. the reading that settled the operation, which is in the ledger already;
 * 2. the airline's answer, if it lists the whole booking;
 * 3. a reading made now;
 * 4. the airline's answer, although it lists only a part.
 */
async function findLatestBooking(
  call: ActCall,
  { operation, booking: ledgerBooking, evidence }: OperationRun,
): Promise<LatestBooking> {
  const answer = evidence?.booking;
  const compared = Promise.resolve(false);
  if (ledgerBooking !== undefined) return { booking: withQuote(ledgerBooking, answer), isInLedger: true, compared };
  if (answer !== undefined && listsAll(call, operation, answer))
    return { booking: answer, isInLedger: false, compared };

  const reading = await readNow(call, operation);
  const latest = reading.booking ?? (answer && withoutPartTotal(call, operation, answer));
  const isPartial = reading.booking === undefined;
  return { booking: latest && withQuote(latest, answer), isInLedger: false, isPartial, compared: reading.compared };
}

/** Reads the booking, and compares it in the background with the reading before. */
async function readNow({ act, runtime, asker }: ActCall, operation: Operation) {
  const locator = locatorOf(operation);
  const begunAt = runtime.clock.now();
  // The operation succeeded, whether or not the booking can be read now.
  const booking = locator === undefined ? undefined : await act.read(locator).catch(() => undefined);
  const comparing = booking && runtime.compareReading?.(asker.caller, booking, begunAt);
  const compared = comparing?.then(({ isQuiet }) => isQuiet).catch(() => false);
  return { booking, compared: compared ?? Promise.resolve(false) };
}

/** The booking with the quote id of the answer: readings carry none. */
function withQuote(booking: Booking, answer: Booking | undefined): Booking {
  const quoteId = answer?.pricing?.quoteId;
  if (booking.pricing === undefined || quoteId === undefined) return booking;
  return { ...booking, pricing: { ...booking.pricing, quoteId } };
}

/** Whether the answer shows everything that the result shows of the booking. */
function listsAll(call: ActCall, operation: Operation, answer: Booking): boolean {
  const { act } = call;
  if (repliesWithoutDetails(call, operation)) return false;
  if (act.showsFullBooking !== true) return true;
  return listsAllOf(offerOf(call, operation), answer);
}

/** Whether the airline's answer to this act lacks details of the booking, such as its price. */
function repliesWithoutDetails({ runtime: { acts } }: ActCall, { subject }: Operation): boolean {
  return acts.of(subject).replyLacks === 'details';
}

/** The offer that the operation holds, if it is a hold. */
function offerOf({ runtime: { acts } }: ActCall, { subject }: Operation): ChosenOffer | undefined {
  return acts.of(subject).offer?.(subject);
}

/** The answer without its total, if that is the price of only a part of the offer. */
function withoutPartTotal(call: ActCall, operation: Operation, answer: Booking): Booking {
  if (!listsFewerFlights(offerOf(call, operation), answer) || answer.pricing === undefined) return answer;
  const { total: _, ...pricing } = answer.pricing;
  return { ...answer, pricing: { ...pricing, perType: [] } };
}

/** Keeps the booking in the caller's ledger, like any reading, unless that would lose its price and time limits. */
async function keepReading(call: ActCall, operation: Operation, booking: Booking): Promise<void> {
  const wouldLosePrice = repliesWithoutDetails(call, operation) && booking.pricing === undefined;
  if (!wouldLosePrice) await call.act.remember(booking);
}

/**
 * Marks the old booking for a reading if the airline answered with another one, as it answers a split with the new
 * booking. Must run after the comparison, which would overwrite the mark with a later time.
 */
async function readChangedBookingSoon(call: ActCall, operation: Operation, booking: Booking): Promise<void> {
  const { runtime, asker } = call;
  const isOfOther = runtime.acts.of(operation.subject).replyLacks === 'booking';
  if (!isOfOther || operation.locator === undefined) return;
  await runtime.compareReading?.(asker.caller, { ...booking, locator: operation.locator }).catch(() => undefined);
}
