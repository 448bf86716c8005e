/** Presents the outcome of an operation as the answer of a call: from the journal and from evidence. */

import { ClerkError } from '../core/errors.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { utcText } from '../core/times.ts';
import { type Booking, segmentsOf } from '../domain/booking/booking.ts';
import type { ActPart } from '../journal/act.ts';
import { isActive, locatorOf, type Operation } from '../journal/operation.ts';
import type { Ran } from '../journal/perform.ts';
import {
  type AfterStatus,
  headFields,
  type Meta,
  type Result,
  type ResultHead,
  resultText,
  sandboxed,
} from './answer.ts';
import { type ActCall, type Asked, type ConsentCall, patienceOf, type SucceededOperation } from './call-types.ts';
import { approvalStale } from './expiry.ts';
import { type OutcomeFacts, outcomeFacts } from './outcome-facts.ts';
import { CHECK_BOOKING, NOT_KNOWN_YET } from './outcome-words.ts';
import { linesOf } from './terms.ts';

/** The words of results, `fareclerk doctor` and docs/concepts/approvals.md for the sandbox's last resort. */
export const BY_NOBODY = 'Approved by nobody: sandbox';

export interface RunReport extends Ran, Pick<SucceededOperation, 'terms'> {
  /** The operation was final before this call. */
  readonly repeat?: boolean;
}

/** Waits for an operation that exists already, and presents it. `asked` is absent for a create asked for again. */
export async function waitAndPresent(call: ActCall, asked: Asked | undefined, operation: Operation): Promise<Result> {
  if (!isActive(operation.state)) return tell(call, asked, { operation, repeat: asked === undefined });
  const now = await call.runtime.journal.follow(operation.id, patienceOf(call), call.asker.signal);
  return tell(call, asked, { operation: now });
}

/** Presents an operation in any state. Throws the error of one that was refused or not carried out. */
export async function tell(call: ActCall, asked: Asked | undefined, told: RunReport): Promise<Result> {
  const { operation } = told;
  // The store went away before the dispatch could be written: it is never sent.
  if (operation.state === 'intent' && told.error?.effect === 'none') throw told.error;
  if (isActive(operation.state)) return pending(call, asked, operation, NOT_KNOWN_YET[operation.state].result);
  switch (operation.state) {
    case 'needs_person':
      return needsPerson(call, asked, operation);
    case 'succeeded':
      return done(call, asked, told);
    case 'resolved':
      await spend(call, asked);
      throw closedByPerson(call, operation);
    case 'refused':
    case 'not_executed':
      await spend(call, asked);
      throw told.error ?? failure(call, asked, operation);
  }
}

function closedByPerson({ runtime: { acts } }: ActCall, { id, tool, outcome }: Operation): ClerkError {
  const when = outcome?.resolved === undefined ? '' : ` at ${utcText(outcome.resolved.at)}`;
  const what = `A person checked this ${tool} with the airline and closed it${when}. Nothing was sent now.`;
  return new ClerkError('E_ALREADY_DONE', what, {
    next:
      acts.named(tool)?.countedAs === 'hold'
        ? `Ask the operator what was found. If there is no such booking, call ${tool} with again_after ${id}.`
        : 'Call read_booking to see its state, then decide again; the operator knows what was found.',
  });
}

function failure({ act }: ActCall, asked: Asked | undefined, { outcome }: Operation): ClerkError {
  const kept = outcome?.error;
  if (kept?.code === 'E_APPROVAL_STALE') return approvalStale(act.tool, asked?.approval.staleLines ?? []);
  if (kept) return new ClerkError(kept.code, kept.message, kept);
  const again = act.effect === 'commit' ? ' A new attempt needs a new approval.' : '';
  return new ClerkError('E_AIRLINE_TIMEOUT', `Checked with the airline: ${act.tool} was not carried out.${again}`, {
    next: `Call ${act.tool} again without approval_id if it is still wanted.`,
  });
}

async function done(call: ActCall, asked: Asked | undefined, told: RunReport): Promise<Result> {
  const { act, runtime } = call;
  const { operation, evidence, terms } = told;
  const booking = await bookingAfter(call, operation, evidence?.booking);
  const shown = await act.show(omitUndefined({ operation, now: runtime.clock.now(), evidence, terms, booking }));
  if (booking) await keepFacts(call, asked, outcomeFacts(runtime.acts, operation, booking, terms?.booking));
  const isFirst = await spend(call, asked);
  const repeat = told.repeat === true || !isFirst;
  if (booking && !lacksPrice(call, operation, booking)) await act.remember(booking);
  // The answer is another booking: the one that was changed is to be read soon too.
  if (booking && replyLacks(call, operation) === 'booking' && operation.locator !== undefined)
    await runtime
      .compareReading?.(call.asker.caller, { ...booking, locator: operation.locator })
      .catch(() => undefined);
  const notes = [
    approverOf(call, operation),
    repeat ? 'Already done before; nothing was sent now.\n' : provenByReading(operation),
    booking ? '' : unread(operation),
  ];
  const head = { ...shown, summary: shown.summary === undefined ? undefined : notes.join('') + shown.summary };
  const body = shown.summary === undefined ? notes.join('') + shown.text : shown.text;
  const fields = {
    operation_id: operation.id,
    ...approvalField(asked),
    ...(shown.booking ? { booking: shown.booking } : nameOnly(locatorOf(operation))),
    ...shown.fields,
  };
  return result(call, repeat ? 'already_done' : 'done', head, body, fields, shown.meta);
}

/** For the page and the terminal, where the person looks afterwards. Failing to keep them changes no outcome. */
async function keepFacts({ runtime }: ActCall, asked: Asked | undefined, after: OutcomeFacts) {
  if (asked?.approval.assurance !== 'page' || asked.approval.after !== undefined) return;
  await runtime.state.approvals.keepFacts(asked.approval.handleHash, after).catch(() => undefined);
}

/** Erases what the approval carried. True: the caller learns its outcome for the first time. */
async function spend({ runtime }: ActCall, asked: Asked | undefined): Promise<boolean> {
  if (asked === undefined) return true;
  const { approvals } = runtime.state;
  const { handle, approval } = asked;
  // The page shows the outcome too, but only the call that follows is the caller's.
  if (handle !== undefined) return approvals.tell(approval.handleHash, runtime.clock.now());
  await approvals.erase(approval.handleHash);
  return true;
}

/** Where no person was asked: the model's word. */
function approverOf({ settings }: ActCall, { assurance }: Operation): string {
  if (assurance !== 'caller_confirmed') return '';
  return settings.environment === 'sandbox' ? `${BY_NOBODY}.\n` : 'Approved by the assistant, not by a person.\n';
}

/** A reading shows that it was done, not by whom. */
function provenByReading({ outcome }: Operation): string {
  return outcome?.basis === 'read' ? 'No answer settled it; the booking read back shows it was done.\n' : '';
}

function unread(operation: Operation): string {
  const locator = locatorOf(operation);
  return locator === undefined ? '' : `Booking ${locator} could not be read back just now.\n`;
}

export function result(
  { settings: { environment } }: Pick<ConsentCall, 'settings'>,
  status: AfterStatus,
  head: ResultHead,
  body: string,
  fields: object,
  meta?: Meta,
): Result {
  return {
    kind: 'result',
    text: sandboxed(environment, resultText(head, body)),
    structured: { environment, status, ...headFields(head), ...fields },
    isError: false,
    ...omitUndefined({ meta }),
  };
}

export function nameOnly(locator: string | undefined) {
  return locator === undefined ? {} : { booking: { locator, state: 'unknown', changed: [] } };
}

export function approvalField(asked: Asked | undefined, url?: string) {
  if (asked?.handle === undefined) return {};
  const { approval, handle } = asked;
  const expires_at = new Date(approval.expiresAt).toISOString();
  return { approval: omitUndefined({ id: handle, expires_at, terms: [...linesOf(approval.sections)], url }) };
}

function pending(call: ActCall, asked: Asked | undefined, operation: Operation, words: string): Result {
  const id = asked?.handle === undefined ? '' : ` and approval_id ${asked.handle}`;
  const text = [
    words,
    `Do not book or pay again. In 30 seconds call ${call.act.tool} with the same arguments${id}; it will not be sent twice.`,
    nameOf(operation),
  ];
  return unsettled(call, 'pending', text, asked, operation);
}

function needsPerson(call: ActCall, asked: Asked | undefined, operation: Operation): Result {
  const text = [
    'STOP: a person must check. It is not certain what was done, and nothing more is sent.',
    operation.outcome?.check ?? CHECK_BOOKING,
    `Tell the user exactly this. ${nameOf(operation)}`,
  ];
  return unsettled(call, 'needs_person', text, asked, operation);
}

function nameOf({ id, locator }: Operation): string {
  return `Operation ${id}${locator ? ` on ${locator}` : ''}.`;
}

function unsettled(
  call: ActCall,
  status: AfterStatus,
  text: readonly string[],
  asked: Asked | undefined,
  operation: Operation,
): Result {
  return result(call, status, {}, text.join('\n'), {
    operation_id: operation.id,
    ...approvalField(asked),
    ...nameOnly(locatorOf(operation)),
  });
}

/** The booking after an operation: the airline's own answer, or a reading where the answer may list only a part. */
async function bookingAfter(call: ActCall, operation: Operation, answer?: Booking): Promise<Booking | undefined> {
  if (answer !== undefined && listsAll(call, operation, answer)) return answer;
  const read = (await readAfter(call, operation)) ?? (answer && withoutPartTotal(call, operation, answer));
  const quoteId = answer?.pricing?.quoteId;
  // Only the answer carries the quote.
  return read?.pricing && quoteId !== undefined ? { ...read, pricing: { ...read.pricing, quoteId } } : read;
}

function listsAll(call: ActCall, operation: Operation, answer: Booking): boolean {
  const { act } = call;
  if (replyLacks(call, operation) === 'details') return false;
  return act.showsFullBooking !== true || (answer.travelers.length > 0 && !listsFewer(call, operation, answer));
}

function replyLacks({ runtime: { acts } }: ActCall, { subject }: Operation): ActPart['replyLacks'] {
  return acts.of(subject).replyLacks;
}

/** Whether storing this booking in the ledger would lose its price and time limits. */
function lacksPrice(call: ActCall, operation: Operation, booking: Booking): boolean {
  return replyLacks(call, operation) === 'details' && booking.pricing === undefined;
}

/** A hold can list one of two segments, with the price of that one (docs/wire/notes.md, Replies). */
function listsFewer({ runtime: { acts } }: ActCall, { subject }: Operation, answer: Booking): boolean {
  const offer = acts.of(subject).offer?.(subject);
  return segmentsOf(answer).length < (offer?.segments.length ?? 0);
}

function withoutPartTotal(call: ActCall, operation: Operation, answer: Booking): Booking {
  if (!listsFewer(call, operation, answer) || answer.pricing === undefined) return answer;
  const { total: _, ...pricing } = answer.pricing;
  return { ...answer, pricing: { ...pricing, perType: [] } };
}

async function readAfter({ runtime, asker: how }: ActCall, operation: Operation): Promise<Booking | undefined> {
  const locator = locatorOf(operation);
  if (locator === undefined) return undefined;
  const begunAt = runtime.clock.now();
  // The operation succeeded, whether or not the booking can be read now.
  const booking = await runtime.airline.read(locator).catch(() => undefined);
  if (booking) await runtime.compareReading?.(how.caller, booking, begunAt).catch(() => undefined);
  return booking;
}
