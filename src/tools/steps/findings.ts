/**
 * Writes what the airline changed, and says which bookings need a person: first changes in groups, then one finding in words, then
 * the reasons to look at a booking, then the findings of a caller.
 */

import * as z from 'zod';
import { type AirlineChange, CHANGED_SINCE, type ChangeLines } from '../../approvals/terms.ts';
import { cleanCode, quoted } from '../../core/clean-text.ts';
import { showAmount } from '../../core/money.ts';
import { dateOf, HOUR_MS, instantOf, showDay, showLocal, utcText } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import { type AirlineDeed, holdEnds, type LedgerEntry } from '../../domain/booking/booking-ledger.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import { closesOnceTold } from '../../domain/booking/closed-by.ts';
import { type DeadlineName, showDeadline } from '../../domain/booking/deadlines.ts';
import { digitsOnly } from '../../domain/booking/expected-change.ts';
import {
  type Finding,
  type FindingFacts,
  type FindingSegment,
  isAbout,
  type MovedDeadline,
} from '../../domain/booking/finding.ts';
import { type PlaceName, showPlace } from '../../domain/booking/stations.ts';
import { passengerTypeWord } from '../../domain/booking/status-codes.ts';
import type { Operation } from '../../journal/operation.ts';
import { type ChangesTold, type ToolContext, vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings, optionalTexts, strings } from '../definition/field-notes.ts';
import { isQuiet } from './record-booking.ts';

/** What the words for a finding depend on. */
interface WordsContext {
  readonly settings: Pick<ToolContext['settings'], 'dialect'>;
  readonly airline: Pick<ToolContext['airline'], 'placeName'>;
}

interface FindingWords {
  readonly vehicle: 'train' | 'flight';
  readonly placeName?: PlaceName | undefined;
}

type KindText = (before: FindingFacts, after: FindingFacts) => string;

/** How many bookings of a group are named: as many as a plan has lines. */
const MOST_BOOKINGS = 50;
/** How many characters of an id are shown: enough to tell findings apart. */
export const SHOWN_ID_LENGTH = 8;

/** How many changes a question tells in full. */
const MOST_IN_FULL = 3;

/** How much of an allowance is shown. */
const FARE_CHARS = 90;
/** How much of a refund rule is shown. */
const RULE_CHARS = 150;

/** Words for the codes of a departure that the airline cancelled. */
const CANCELLED: ReadonlySet<string> = new Set(['cancelled', 'have cancelled', 'unable']);

/** Says for each kind of finding what happened to its train, or to the booking as a whole. */
const KIND_TEXTS: Readonly<Record<Finding['kind'], KindText>> = {
  segment_cancelled: (_before, { status = 'cancelled' }) =>
    CANCELLED.has(status) ? 'was cancelled by the airline' : `does not run for this booking (${status})`,
  // It may run again as another number, or at another time.
  segment_restored: (before, after) =>
    [`runs again${newNumber(before, after)}, was ${before.status}`, ...newTimes(before, after)].join('; '),
  no_show: () => 'is marked as not travelled',
  number_changed: (before, after) =>
    [`is now ${cleanCode(after.number ?? '', 12)}`, ...newTimes(before, after), ...newCarrier(before, after)].join(
      ', ',
    ),
  route_changed: (before, after) => [...newStations(before, after), ...newTimes(before, after)].join(', '),
  retimed: (before, after) => newTimes(before, after).join(', '),
  schedule_change: (before, { status = '' }) =>
    status.startsWith('unknown') ? `is ${status}, was ${before.status}` : 'is marked as a schedule change',
  stops_changed: (before, after) =>
    `stops on the way: ${cleanCode(after.stops ?? '')}, was ${cleanCode(before.stops ?? '')}`,
  flight_added: () => 'is in the booking, and nobody booked it',
  class_changed: (before, after) => `has class ${cleanCode(after.class ?? '')}, was ${cleanCode(before.class ?? '')}`,
  carrier_changed: (before, after) =>
    `is ${after.detail ?? 'operated'} by ${cleanCode(after.carrier ?? '')}, was by ${cleanCode(before.carrier ?? '')}`,
  fare_changed: (before, after) => fareText(before, after),
  passenger_off_flight: (before) => `no longer carries ${personText(before)}`,
  passenger_on_flight: (_before, after) => `carries ${personText(after)}, and did not before`,
  seat_changed: (before, after) =>
    `has ${after.seat ? `seat ${cleanSeats(after.seat)}` : 'no seat'}, was ${cleanSeats(before.seat ?? '')}`,
  coupon_closed: (before, after) => `has ${someTickets(after.passengers)} ${after.status}, was ${before.status}`,
  ticket_gone: (before, after) => `has ${ticketsText(after)}, had ${before.tickets}`,
  ticket_twice: (before, after) => `has ${ticketsText(after)} of ${personText(after)}, had ${before.tickets}`,
  ticket_of_other: (before, after) => `has a ticket of ${personText(after)}, was of ${personText(before)}`,
  flown_early: (before, after) =>
    `has ${someTickets(after.tickets)} ${after.status} before the departure, was ${before.status}`,
  refunded: (_before, after) => ['the airline refunded', moneyText(after)].join(' ').trim(),
  refund_pending: (_before, after) => ['refund not paid out yet', moneyText(after)].join(': '),
  refund_arrived: (_before, after) => ['refund paid out', moneyText(after)].join(': '),
  // The deadlines themselves say it (effectTexts).
  deadline_moved: () => '',
  price_changed: (before, after) =>
    after.detail === 'offer'
      ? `costs ${moneyText(after)}, not the ${moneyText(before)} of the offer`
      : `costs ${moneyText(after)}, was ${moneyText(before) || `in ${cleanCode(before.currency ?? '')}`}`,
  // An order of another sum than the total: both as they are now.
  order_unlike_total: (before, after) => `has an order of ${moneyText(after)}, and its total is ${moneyText(before)}`,
  payment_changed: (before, after) => `has ${orderText(after)}, was ${orderText(before)}`,
  refund_rule_changed: (before, after) => ruleText('refund', before, after),
  change_rule_changed: (before, after) => ruleText('change', before, after),
  passenger_gone: (before, after) => `has ${peopleText(after.passengers)}, was ${before.passengers}`,
  passenger_added: (before, after) => `has ${peopleText(after.passengers)}, was ${before.passengers}`,
  name_changed: (_before, after) => detailText(after),
  type_changed: (before, after) =>
    `${personText(after)} is ${passengerTypeWord(cleanCode(after.type ?? ''))}, was ${passengerTypeWord(cleanCode(before.type ?? ''))}`,
  document_changed: (_before, after) => detailText(after),
  contact_changed: (_before, after) => detailText(after),
  booking_cancelled: () => 'the airline cancelled the booking',
  charged_more: (before, after) =>
    `the airline charged ${moneyText(after)} for a change, and at most ${moneyText(before)} was approved`,
};

/** A deadline by its field, in few words. */
export const DEADLINE_WORDS: Readonly<Record<DeadlineName, string>> = {
  pay_by: 'pay by',
  names_until: 'names until',
  cancel_until: 'cancel until',
};

/** Says what the airline did to flights and nobody has dealt with. */
const DEED_TEXTS: Readonly<Record<AirlineDeed['what'], (flights: string) => string>> = {
  owed: (flights) => `the airline cancelled ${flights} and has not refunded it`,
  unclear: (flights) => `the airline cancelled ${flights}; ask it whether a recorded refund is for it`,
  cancelled: (flights) => `the airline cancelled ${flights}`,
  moved: (flights) => `the airline moved ${flights}: read it for the new times`,
};

export function wordsFor({ settings, airline }: WordsContext): FindingWords {
  return { vehicle: vehicleOf(settings), placeName: airline.placeName };
}

/** Makes the schema of one change of a train, or of bookings as a whole, with the bookings that it is about. */
export function changeSchema() {
  return z.object({
    ...strings({ what: 'the change in words', kind: 'the kind of finding' }),
    ...optionalStrings({ train: 'number of the train or flight', date: 'local day of its departure' }),
    bookings: noted('how many bookings it is about', z.int()),
    locators: noted(`the bookings, at most ${MOST_BOOKINGS}`, z.array(z.string())),
    also: optionalTexts('what it does to connections and deadlines of a booking'),
    finding_ids: noted('for `close_findings`', z.array(z.string())),
  });
}

type ChangeGroup = z.output<ReturnType<typeof changeSchema>>;

/** Selects the findings that are named, and the names that no finding has. */
export function matchFindings(
  findings: readonly Finding[],
  names: readonly string[],
  isNamed: (finding: Finding, name: string) => boolean,
) {
  return {
    chosen: findings.filter((finding) => names.some((name) => isNamed(finding, name))),
    unknown: names.filter((name) => !findings.some((finding) => isNamed(finding, name))),
  };
}

/** Groups the findings of the same change of the same train. The largest group comes first. */
export function groupChanges(findings: readonly Finding[], ctx: WordsContext): ChangeGroup[] {
  const words = wordsFor(ctx);
  const describeChange = (finding: Finding) =>
    finding.segment === undefined ? findingText(finding, words) : trainText(finding.segment, finding, words);
  const groups = [...Map.groupBy(findings, describeChange)].map(([what, sameChange]): ChangeGroup => {
    const [{ kind, segment } = {} as Finding] = sameChange;
    const locators = [...new Set(sameChange.map(({ locator }) => locator))];
    const shown = sameChange.slice(0, MOST_BOOKINGS);
    // The text of a change without a train has its effects already.
    const also = segment === undefined ? [] : shown.flatMap((finding) => bookingEffects(finding, words));
    return {
      what,
      kind,
      train: segment && cleanCode(segment.number, 12),
      date: segment && dateOf(segment.departs),
      bookings: locators.length,
      locators: locators.slice(0, MOST_BOOKINGS),
      also: also.length > 0 ? also : undefined,
      finding_ids: shown.map(({ id }) => id.slice(0, SHOWN_ID_LENGTH)),
    };
  });
  return groups.toSorted((a, b) => b.bookings - a.bookings);
}

function bookingEffects(finding: Finding, words: FindingWords): string[] {
  const effects = effectTexts(finding, words);
  return effects.length === 0 ? [] : [`${finding.locator}: ${effects.join('; ')}`];
}

/** `train 101 on Tue 1 Dec was cancelled by the airline: 2 bookings: ABC123, …; finding_ids …` */
export function changeGroupText({ what, bookings, locators, also = [], finding_ids: ids }: ChangeGroup): string {
  const cutNote = bookings > locators.length ? `, first ${locators.length}` : '';
  const texts = [`${counted(bookings, 'booking')}${cutNote}: ${locators.join(', ')}`, ...also];
  return `  ${what}: ${texts.join('; ')}; finding_ids ${ids.join(', ')}`;
}

/** Says what changed, and what that does to connections and deadlines. */
export function findingText(finding: Finding, words: FindingWords): string {
  const { segment } = finding;
  const train = segment && `${words.vehicle} ${segmentText(segment, words)}${onDay(segment)}`;
  const change = [train, kindText(finding)].filter(Boolean).join(' ');
  return [change, ...effectTexts(finding, words)].filter((part) => part !== '').join('; ');
}

/** Says what a change does to connections and deadlines of its booking: `misses 7 Jeddah (JED) → Riyadh (RUH) at 19:20`. */
function effectTexts(
  { segment, after = {}, missed = [], deadlines = [] }: Finding,
  words: FindingWords,
): readonly string[] {
  const near = after.departs ?? segment?.departs;
  return [
    ...missed.map((next) => `misses ${segmentText(next, words)} at ${timeWithDay(next.departs, near)}`),
    ...deadlines.map((deadline) => deadlineText(deadline, segment?.departs)),
  ];
}

/**
 * Says what changed without the stations, so that it is the same wherever people board: `train 101 on Fri 20 Nov was
 * cancelled by the airline`.
 */
function trainText(segment: FindingSegment, finding: Finding, { vehicle }: FindingWords): string {
  return `${vehicle} ${cleanCode(segment.number, 12)}${onDay(segment)} ${kindText(finding)}`;
}

function kindText({ kind, before = {}, after = {} }: Finding): string {
  return KIND_TEXTS[kind](before, after);
}

/** `Changed since Tue 17 Nov: …`, by the local date of the segment. */
export function changedSinceText(finding: Finding, words: FindingWords): string {
  return `${sinceText(finding)}: ${findingText(finding, words)}`;
}

function sinceText({ since, segment }: Finding): string {
  const [weekday, day, month] = showDeadline(utcText(since), segment?.departs).split(' ');
  return `${CHANGED_SINCE}${weekday} ${day} ${month}`;
}

/**
 * Writes what the airline changed and nobody has dealt with: the first three in full, those that bind the act before the others, and
 * the rest by count. Undefined if there is nothing to tell. Places are codes: the trip beside it has their names.
 */
function changeLines(
  findings: readonly Finding[],
  tells: ChangesTold | undefined,
  { settings }: Pick<WordsContext, 'settings'>,
): ChangeLines | undefined {
  const words = { vehicle: vehicleOf(settings) };
  const isBound = ({ kind }: Finding) => tells?.[kind] === 'bound';
  const told = findings.filter(({ kind }) => typeof tells?.[kind] !== 'object');
  if (told.length === 0) return undefined;
  const inOrder = [...told.filter(isBound), ...told.filter((finding) => !isBound(finding))];
  const [inFull, rest] = [inOrder.slice(0, MOST_IN_FULL), inOrder.slice(MOST_IN_FULL)];
  const lines = [...Map.groupBy(inFull, (finding) => `${sinceText(finding)} ${subjectText(finding, words)}`).values()];
  return {
    lines: [...lines.map((same) => sameSubjectText(same, words)), ...restText(rest, words)],
    changes: {
      all: inOrder.map((finding) => viewChange(finding, words)),
      bound: told.filter(isBound).map(({ id }) => id),
      closed: inFull.filter(closesOnceTold).map(({ id }) => id),
    },
  };
}

/** `Changed since Tue 17 Nov: flight 1201 JED → RUH on Tue 1 Dec departs 08:45, was 07:10; has class B, was Y`. */
function sameSubjectText(findings: readonly Finding[], words: FindingWords): string {
  const [first = {} as Finding, ...more] = findings;
  const parts = [
    changedSinceText(first, words),
    ...more.flatMap((next) => [kindText(next), ...effectTexts(next, words)]),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** `And 3 more (flight 1203, passenger 2)` */
function restText(rest: readonly Finding[], words: FindingWords): readonly string[] {
  if (rest.length === 0) return [];
  const about = [...new Set(rest.map((finding) => subjectText(finding, words)))];
  return [`And ${rest.length} more (${about.join(', ')})`];
}

/** What the finding is about: `flight 1201`, `passenger 2`, `the booking`. */
function subjectText({ segment, before = {}, after = {} }: Finding, { vehicle }: FindingWords): string {
  if (segment !== undefined) return `${vehicle} ${cleanCode(segment.number, 12)}`;
  const person = after.person ?? before.person;
  return person === undefined ? 'the booking' : personText({ person });
}

function viewChange(finding: Finding, words: FindingWords): AirlineChange {
  const { locator, kind, id } = finding;
  return { locator, what: findingText(finding, words), kind, finding_id: id.slice(0, SHOWN_ID_LENGTH) };
}

/** The schema of the changes by the airline that a question or a result tells. */
export function airlineChangesSchema() {
  const change = z.object(
    strings({
      locator: 'the booking',
      what: 'the change in words',
      kind: 'the kind of finding',
      finding_id: 'for `close_findings`',
    }),
  );
  return noted('what the airline changed and nobody has dealt with', z.array(change).optional());
}

/**
 * Tells what the airline changed on these bookings. Undefined if that is nothing, or nothing that the act tells.
 * @param tells undefined for all
 * @param isNews whether to tell a finding
 */
export async function openChanges(
  bookings: readonly Pick<LedgerEntry, 'locator' | 'createdAt'>[],
  tells: ChangesTold | undefined,
  ctx: ToolContext,
  isNews: (finding: Finding) => boolean = () => true,
): Promise<ChangeLines | undefined> {
  const open = await openFindings(ctx, bookings);
  return changeLines(open.filter(isNews), tells, ctx);
}

function segmentText({ from, to, number }: FindingSegment, { placeName }: FindingWords): string {
  return `${cleanCode(number, 12)} ${showPlace(from, placeName)} → ${showPlace(to, placeName)}`;
}

/** Says the day at the station, because a train of the same number runs each day. Empty if the day cannot be read. */
function onDay({ departs }: FindingSegment): string {
  return Number.isNaN(Date.parse(dateOf(departs))) ? '' : ` on ${showDay(departs)}`;
}

function moneyText({ amount, currency }: FindingFacts): string {
  return amount === undefined ? '' : showAmount(amount, currency ?? '');
}

function fareText({ fare: was = '' }: FindingFacts, { fare = '', detail }: FindingFacts): string {
  if (detail === 'baggage') return `has baggage ${quoted(fare, FARE_CHARS)}, was ${quoted(was, FARE_CHARS)}`;
  if (detail === 'name') return `is in the fare ${quoted(fare, FARE_CHARS)}, was in ${quoted(was, FARE_CHARS)}`;
  return `is in fare ${cleanCode(fare, 20)}, was in ${cleanCode(was, 20)}`;
}

function ruleText(what: string, { rule: before = '' }: FindingFacts, { rule: after = '' }: FindingFacts): string {
  // Only the beginning of a long text is kept.
  if (after === before) return `has another ${what} rule than before: both begin ${quoted(after, RULE_CHARS)}`;
  return `has the ${what} rule ${quoted(after, RULE_CHARS)}, was ${quoted(before, RULE_CHARS)}`;
}

/** `a payment of SAR 50.00 (paid)` */
function orderText(facts: FindingFacts): string {
  return `a ${facts.detail ?? 'payment'} of ${moneyText(facts)} (${facts.status})`;
}

function peopleText(count: number | undefined): string {
  return `${count} ${count === 1 ? 'passenger' : 'passengers'}`;
}

/** `a ticket`, `2 tickets` */
function someTickets(count: number | undefined): string {
  return count === 1 ? 'a ticket' : `${count} tickets`;
}

function ticketsText({ tickets = 0 }: FindingFacts): string {
  return tickets === 0 ? 'no ticket' : counted(tickets, 'ticket');
}

/** `passenger 2`, `passengers 1 and 2`, `the contact` */
function personText({ person = '' }: FindingFacts): string {
  if (person === 'contact') return 'the contact';
  const refs = person.split(', ').map((ref) => cleanCode(ref));
  return `${refs.length === 1 ? 'passenger' : 'passengers'} ${listed(refs)}`;
}

/** Says no value, because none of them is kept. */
function detailText(facts: FindingFacts): string {
  return `${facts.detail} of ${personText(facts)} differs from the one before`;
}

function cleanSeats(seats: string): string {
  return seats
    .split(', ')
    .map((seat) => cleanCode(seat, 12))
    .join(', ');
}

/** ` as 119` if the number differs. */
function newNumber({ number: before = '' }: FindingFacts, { number: after = '' }: FindingFacts): string {
  return after === '' || digitsOnly(after) === digitsOnly(before) ? '' : ` as ${cleanCode(after, 12)}`;
}

/** `leaves from RUH, was MED; goes to DMM, was JED` */
function newStations(before: FindingFacts, after: FindingFacts): string[] {
  const other = (verb: string, was: string | undefined, now: string | undefined) =>
    was === undefined || now === undefined ? [] : [`${verb} ${cleanCode(now)}, was ${cleanCode(was)}`];
  return [...other('leaves from', before.from, after.from), ...other('goes to', before.to, after.to)];
}

/** `operated by XY, was by HHR` */
function newCarrier({ carrier: was }: FindingFacts, { carrier }: FindingFacts): string[] {
  return was === undefined || carrier === undefined
    ? []
    : [`operated by ${cleanCode(carrier)}, was by ${cleanCode(was)}`];
}

/** Says the new departure, or the new arrival if it departs as before: `departs 09:40, was 08:00`. Empty if neither is known. */
function newTimes(before: FindingFacts, after: FindingFacts): string[] {
  const moved = (verb: string, was: string | undefined, now: string | undefined) =>
    was === undefined || now === undefined ? [] : [`${verb} ${timeWithDay(now, was)}, was ${clockBefore(was, now)}`];
  const departs = moved('departs', before.departs, after.departs);
  return departs.length > 0 ? departs : moved('arrives', before.arrives, after.arrives);
}

/** With its day where the clock is the same on another day. */
function clockBefore(was: string, now: string): string {
  return clockText(was) === clockText(now) ? timeWithDay(was, now) : clockText(was);
}

function clockText(time: string): string {
  return showLocal(time).split(' ').at(3) ?? '(no time)';
}

/** `09:40`, or with its day if that differs from the other time's. */
function timeWithDay(time: string, other: string | undefined): string {
  return other !== undefined && dateOf(time) === dateOf(other)
    ? clockText(time)
    : `${showDay(time)} ${clockText(time)}`;
}

function deadlineText({ what, before, after }: MovedDeadline, near: string | undefined): string {
  return `${DEADLINE_WORDS[what]} ${showDeadline(after, near)}, was ${showDeadline(before, near)}`;
}

/** Says why a booking was not read. @param code of the error */
export function unreadText(code: string): string {
  return code === 'E_NOT_FOUND' ? 'the airline found no booking with this locator' : `could not be read now (${code})`;
}

/**
 * Gives the most serious reasons why a person should look at a booking.
 * @param failures why bookings could not be read, in words, by their locators
 * @param changed locators of bookings that the airline changed
 */
export function attentionReasons(
  entry: LedgerEntry,
  operation: Pick<Operation, 'state' | 'tool'> | undefined,
  failures: ReadonlyMap<string, string>,
  changed: ReadonlySet<string>,
  now: number,
): readonly string[] {
  if (operation?.state === 'needs_person') return [`${operation.tool} needs checking with the airline`];
  if (operation !== undefined) return [`the outcome of ${operation.tool} is not known yet`];
  const failure = failures.get(entry.locator);
  if (failure !== undefined) return [failure];
  const dueText = dueSoonText(entry, now);
  const deeds = deedTexts(entry, now);
  // The deeds that a reading shows say more than the existence of a finding.
  const changes = deeds.length === 0 && changed.has(entry.locator) ? ['the airline changed it'] : deeds;
  return dueText === undefined ? changes : [dueText, ...changes];
}

/** Writes one text for all flights with the same deed. Once a flight has left, only its refund still matters. */
function deedTexts({ byAirline = [] }: LedgerEntry, now: number): readonly string[] {
  const open = byAirline.filter(
    ({ what, departs }) => what === 'owed' || what === 'unclear' || !hasPassed(departs, now),
  );
  return [...Map.groupBy(open, ({ what }) => what)].map(([what, deeds]) =>
    DEED_TEXTS[what](listed([...new Set(deeds.map(({ flight }) => flight))])),
  );
}

function dueSoonText(entry: LedgerEntry, now: number): string | undefined {
  const at = instantOf(holdEnds(entry));
  if (at === undefined || at > now + HOUR_MS) return undefined;
  return at <= now ? 'unpaid, and its time limit has passed since it was read' : 'unpaid, and due within the hour';
}

/** Reads what the airline changed on these bookings and nobody has dealt with, newest first. */
export async function openFindings(
  { state, caller, now }: ToolContext,
  bookings: readonly Pick<LedgerEntry, 'locator' | 'createdAt'>[],
): Promise<readonly Finding[]> {
  // A reading that has just shown that no finding is open saves the look for one.
  const byLocator = new Map(
    bookings.filter((booking) => !isQuiet(booking)).map((booking) => [booking.locator, booking]),
  );
  if (byLocator.size === 0) return [];
  const open = (await state.findings?.open(caller.tenant, now(), [...byLocator.keys()])) ?? [];
  return open.filter((finding) => isAbout(finding, byLocator.get(finding.locator) ?? {}));
}

/** Reads the open findings about bookings in the caller's ledger: a clerk's own, or all of the desk for a supervisor. */
export async function callerFindings({ state, caller, now }: ToolContext): Promise<readonly Finding[]> {
  const open = (await state.findings?.open(caller.tenant, now())) ?? [];
  const locators = [...new Set(open.map(({ locator }) => locator))];
  const { entries } = await state.ledger.find(caller, { locators, limit: locators.length });
  const ofCaller = new Map(entries.map((entry) => [entry.locator, entry]));
  return open.filter((finding) => {
    const entry = ofCaller.get(finding.locator);
    return entry !== undefined && isAbout(finding, entry);
  });
}

/** Says for each booking its newest change by the airline, and how many more there are. */
export function newestChangeTexts(
  findings: readonly Finding[],
  ctx: Pick<ToolContext, 'settings' | 'airline'>,
): ReadonlyMap<string, string> {
  const changes = [...Map.groupBy(findings, ({ locator }) => locator)].map(([locator, [newest, ...more]]) => {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    return [locator, `the airline changed it: ${findingText(newest as Finding, wordsFor(ctx))}${others}`] as const;
  });
  return new Map(changes);
}
