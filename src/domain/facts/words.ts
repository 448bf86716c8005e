/**
 * Says in words what differs: first a finding, which is what the airline changed, then in what a hold differs from what was asked for, then
 * the values of both.
 */
import { cleanCode, cleanRef, quoted } from '../../core/clean-text.ts';
import { showAmount } from '../../core/money.ts';
import { clockTime, dateOf, localMinute, showDay, showLocal, utcText, zoneOf } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import { type DeadlineName, showDeadline } from '../booking/deadlines.ts';
import type { Finding, FindingFacts, FindingSegment, MovedDeadline } from '../booking/finding.ts';
import { type PlaceName, showRoute } from '../booking/stations.ts';
import { passengerTypeWord } from '../booking/status-codes.ts';
import { maskEmail, maskNumber } from '../people/mask-text.ts';
import type { HeldDifference } from './asked-people.ts';
import { digitsOnly } from './values.ts';

/** Who reads the words. */
export interface Readers {
  readonly vehicle: 'train' | 'flight';
  /** Absent: places are codes. */
  readonly placeName?: PlaceName | undefined;
}

/** Who reads in what a hold differs. */
export interface HoldReaders extends Readers {
  /** Whether travellers entered their details on the details page: then no value of them is shown. */
  readonly areEntered: boolean;
}

/** A finding, or a difference that nobody stored. */
type ToldChange = Pick<Finding, 'kind' | 'segment' | 'before' | 'after' | 'missed' | 'deadlines'>;

type KindText = (before: FindingFacts, after: FindingFacts) => string;

/** How much is shown of words of others: names, allowances, rules of an offer. */
const WORDS_CHARS = 90;
/** How much of a rule that changed is shown. */
const RULE_CHARS = 150;
const NUMBER_CHARS = 12;
const SEAT_CHARS = 12;
const NO_TIME = '(no time)';
const CONTACT = 'the contact';

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
    [`is now ${numberText(after.number)}`, ...newTimes(before, after), ...newCarrier(before, after)].join(', '),
  route_changed: (before, after) => [...newStations(before, after), ...newTimes(before, after)].join(', '),
  retimed: (before, after) => newTimes(before, after).join(', '),
  schedule_change: (before, { status = '' }) =>
    status.startsWith('unknown') ? `is ${status}, was ${before.status}` : 'is marked as a schedule change',
  stops_changed: (before, after) => `stops on the way: ${codeText(after.stops)}, was ${codeText(before.stops)}`,
  flight_added: () => 'is in the booking, and nobody booked it',
  class_changed: (before, after) => `has class ${codeText(after.class)}, was ${codeText(before.class)}`,
  carrier_changed: (before, after) =>
    `is ${after.detail ?? 'operated'} by ${codeText(after.carrier)}, was by ${codeText(before.carrier)}`,
  fare_changed: fareText,
  passenger_off_flight: (before) => `no longer carries ${personText(before)}`,
  passenger_on_flight: (_before, after) => `carries ${personText(after)}, and did not before`,
  seat_changed: (before, after) =>
    `has ${after.seat ? `seat ${seatsText(after.seat)}` : 'no seat'}, was ${seatsText(before.seat)}`,
  coupon_closed: (before, after) => `has ${someTickets(after.passengers)} ${after.status}, was ${before.status}`,
  ticket_gone: (before, after) => `has ${ticketsText(after)}, had ${before.tickets}`,
  ticket_twice: (before, after) => `has ${ticketsText(after)} of ${personText(after)}, had ${before.tickets}`,
  ticket_of_other: (before, after) => `has a ticket of ${personText(after)}, was of ${personText(before)}`,
  ticket_astray: (_before, { tickets, detail }) => `has ${someTickets(tickets)} ${astrayText(detail)}`,
  flown_early: (before, after) =>
    `has ${someTickets(after.tickets)} ${after.status} before the departure, was ${before.status}`,

  refunded: (before, after) => {
    const refunded = ['the airline refunded', moneyText(after)].join(' ').trim();
    return before.amount === undefined ? refunded : `${refunded}, and ${moneyText(before)} was approved`;
  },

  refund_pending: (_before, after) => ['refund not paid out yet', moneyText(after)].join(': '),
  refund_arrived: (_before, after) => ['refund paid out', moneyText(after)].join(': '),
  // The deadlines themselves say it (effectTexts).
  deadline_moved: () => '',

  price_changed: (before, after) =>
    after.detail === 'offer'
      ? `costs ${moneyText(after)}, not the ${moneyText(before)} of the offer`
      : `costs ${moneyText(after)}, was ${moneyText(before) || `in ${codeText(before.currency)}`}`,

  // The order and the total as they are now.
  order_unlike_total: (before, after) => `has an order of ${moneyText(after)}, and its total is ${moneyText(before)}`,
  order_added: (_before, { amount, currency, status }) =>
    `has an order of ${moneyText({ amount, currency })} (${status ?? 'no status'}) that was not in it before`,
  payment_changed: (before, after) => `has ${orderText(after)}, was ${orderText(before)}`,
  refund_rule_changed: (before, after) => ruleText('refund', before, after),
  change_rule_changed: (before, after) => ruleText('change', before, after),
  passenger_gone: peopleText,
  passenger_added: peopleText,
  name_changed: detailText,
  type_changed: (before, after) => `${personText(after)} is ${typeText(after)}, was ${typeText(before)}`,
  lap_changed: (before, after) =>
    `${personText(after)} is on the lap of ${adultText(after)}, was of ${adultText(before)}`,
  document_changed: detailText,
  contact_changed: detailText,
  booking_cancelled: () => 'the airline cancelled the booking',
  other_booking: (before, after) =>
    `the airline shows another booking under this locator: ${tripText(after)}, was ${tripText(before)}`,
  charged_more: (before, after) =>
    `the airline charged ${moneyText(after)} for a change, and at most ${moneyText(before)} was approved`,
};

/** A deadline by its field, in few words. */
export const DEADLINE_WORDS: Readonly<Record<DeadlineName, string>> = {
  pay_by: 'pay by',
  names_until: 'names until',
  cancel_until: 'cancel until',
};

// A finding.

/** Says what changed, and what that does to connections and deadlines. */
export function findingText(finding: ToldChange, readers: Readers): string {
  const { segment } = finding;
  const train = segment && `${readers.vehicle} ${segmentText(segment, readers)}${onDay(segment)}`;
  const change = [train, kindText(finding)].filter(Boolean).join(' ');
  return [change, ...effectTexts(finding, readers)].filter((part) => part !== '').join('; ');
}

/**
 * Says what changed of a train without the stations, so that it is the same wherever people board: `train 101 on Fri 20 Nov was
 * cancelled by the airline`.
 */
export function trainText(segment: FindingSegment, finding: Finding, { vehicle }: Readers): string {
  return `${vehicle} ${numberText(segment.number)}${onDay(segment)} ${kindText(finding)}`;
}

/** `departs 09:40, was 08:00` */
export function kindText({ kind, before = {}, after = {} }: ToldChange): string {
  return KIND_TEXTS[kind](before, after);
}

/** Says what a change does to connections and deadlines of its booking: `misses 7 Jeddah (JED) → Riyadh (RUH) at 19:20`. */
export function effectTexts(
  { segment, after = {}, missed = [], deadlines = [] }: ToldChange,
  readers: Readers,
): readonly string[] {
  const near = after.departs ?? segment?.departs;
  return [
    ...missed.map((next) => `misses ${segmentText(next, readers)} at ${timeWithDay(next.departs, near)}`),
    ...deadlines.map((deadline) => deadlineText(deadline, segment?.departs)),
  ];
}

/** What a finding is about: `flight 1201`, `passenger 2`, `the booking`. */
export function findingSubject({ segment, before = {}, after = {} }: Finding, { vehicle }: Readers): string {
  if (segment !== undefined) return `${vehicle} ${numberText(segment.number)}`;
  const person = after.person ?? before.person;
  return person === undefined ? 'the booking' : personText({ person });
}

/** The day of the reading before, where the segment departs: `Tue 17 Nov`. */
export function sinceText({ since, segment }: Finding): string {
  return showDay(localMinute(utcText(since), segment?.departs));
}

// In what a hold differs.

/** What a difference is about: `flight HHR101`, `passenger 2`. Undefined for the booking as a whole. */
export function differenceSubject({ of }: HeldDifference, { vehicle }: HoldReaders): string | undefined {
  if (of === undefined) return undefined;
  if (of === 'contact') return CONTACT;
  if (of === 'party') return 'the party';
  return isFlight(of) ? `${vehicle} ${of.flight}` : passengersText([of.passenger]);
}

/** `flight HHR101 leaves 07:05, offered 06:15` */
export function differenceText(difference: HeldDifference, readers: HoldReaders): string {
  const { of, what, says, form } = difference;
  const about = differenceSubject(difference, readers);
  const [asked, held] = shownValues(difference, readers);
  if (of === undefined) return bookingText(difference, asked, held);
  if (of === 'party' && says === undefined) return `${held} held, offered ${asked}`;
  if (of === 'party') return `${form === undefined ? 'passenger ' : ''}${asked} ${says}`;

  if (isFlight(of)) {
    if (form !== undefined) return `${about} ${says} ${held}, offered ${asked}`;
    const named = asked ?? held;
    return `${named === undefined ? about : `${readers.vehicle} ${named}`} ${says}`;
  }

  if (form === undefined) return `${about}${held === undefined ? '' : ` ${held}`} ${says}`;
  if (held === undefined) return `the ${what} of ${about} is not the one sent`;

  return asked === undefined || asked === held
    ? `the ${what} of ${about} is not the one sent, but ${held}`
    : `the ${what} of ${about} is ${held}, sent ${asked}`;
}

/** `the total is SAR 700.00, offered SAR 690.00` */
function bookingText(
  { what, isSaidFirst }: HeldDifference,
  asked: string | undefined,
  held: string | undefined,
): string {
  const when = isSaidFirst === true ? 'at first' : 'offered';
  return `the ${what} is ${held}, ${asked === undefined ? `not the one ${when}` : `${when} ${asked}`}`;
}

/** One side of a difference, as a field. */
export function sideText(value: string, difference: HeldDifference, readers: HoldReaders): string {
  if (difference.form === 'time') return localMinute(value);
  return valueText(value, difference, readers) || 'not shown';
}

/** The values as people read them; undefined for those that are not known or not shown. */
function shownValues(difference: HeldDifference, readers: HoldReaders): readonly [asked?: string, held?: string] {
  const { asked = '', held = '', form } = difference;
  if (form === 'time') return timesText(asked, held);
  return [valueText(asked, difference, readers) || undefined, valueText(held, difference, readers) || undefined];
}

/** Empty if it is not known or not shown. */
function valueText(value: string, { form, of }: HeldDifference, { areEntered }: HoldReaders): string {
  if (value === '') return '';

  switch (form) {
    case 'number':
      return areEntered ? '' : maskNumber(cleanCode(value, 40));
    case 'email': {
      const masked = maskEmail(value);
      // Other text than an address has no part that could be shown.
      return masked.includes('@') ? masked : '';
    }
    case 'code':
      return codeText(value);
    case 'plain':
      return value;
    case 'words':
      return wordsText(value);
    default:
      // The words for a flight that is missing or was not offered are our own; those for a passenger are a name.
      return isFlight(of) ? value : wordsText(value);
  }
}

function isFlight(of: HeldDifference['of']): of is { readonly flight: string } {
  return typeof of === 'object' && 'flight' in of;
}

// Flights and places.

function segmentText(segment: FindingSegment, { placeName }: Readers): string {
  return `${numberText(segment.number)} ${showRoute(segment, placeName)}`;
}

/** `1201 JED → RUH on Tue 1 Dec`, of the first flight of a booking. */
function tripText({ from = '', to = '', number = '', departs = '' }: FindingFacts): string {
  const first = { from, to, number, departs };
  return from === '' ? 'no flight' : `${segmentText(first, { vehicle: 'flight' })}${onDay(first)}`;
}

/** The number of a flight as the airline sends it. */
export function numberText(number = ''): string {
  return cleanCode(number, NUMBER_CHARS);
}

/** ` as 119` if the number differs. */
function newNumber({ number: before = '' }: FindingFacts, { number: after = '' }: FindingFacts): string {
  return after === '' || digitsOnly(after) === digitsOnly(before) ? '' : ` as ${numberText(after)}`;
}

/** `leaves from RUH, was MED; goes to DMM, was JED` */
function newStations(before: FindingFacts, after: FindingFacts): string[] {
  const other = (verb: string, was: string | undefined, now: string | undefined) =>
    was === undefined || now === undefined ? [] : [`${verb} ${codeText(now)}, was ${codeText(was)}`];
  return [...other('leaves from', before.from, after.from), ...other('goes to', before.to, after.to)];
}

/** `operated by XY, was by HHR` */
function newCarrier({ carrier: was }: FindingFacts, { carrier }: FindingFacts): string[] {
  return was === undefined || carrier === undefined
    ? []
    : [`operated by ${codeText(carrier)}, was by ${codeText(was)}`];
}

function fareText({ fare: was }: FindingFacts, { fare, detail }: FindingFacts): string {
  if (detail === 'baggage') return `has baggage ${wordsText(fare)}, was ${wordsText(was)}`;
  if (detail === 'name') return `is in the fare ${wordsText(fare)}, was in ${wordsText(was)}`;
  return `is in fare ${codeText(fare, 20)}, was in ${codeText(was, 20)}`;
}

function seatsText(seats = ''): string {
  return seats
    .split(', ')
    .map((seat) => cleanCode(seat, SEAT_CHARS))
    .join(', ');
}

// Times.

/** Says the day at the station, because a train of the same number runs each day. Empty if the day cannot be read. */
function onDay({ departs }: FindingSegment): string {
  return Number.isNaN(Date.parse(dateOf(departs))) ? '' : ` on ${showDay(departs)}`;
}

/**
 * Says the new departure, or the new arrival if it departs as before: `departs 09:40, was 08:00`. The flight has its day beside it, which
 * the time before repeats only where the clock is the same. Empty if neither is known.
 */
function newTimes(before: FindingFacts, after: FindingFacts): string[] {
  const moved = (verb: string, was: string | undefined, now: string | undefined) => {
    if (was === undefined || now === undefined) return [];
    const wasText = clockText(was) === clockText(now) ? timeWithDay(was, now) : clockText(was);
    return [`${verb} ${timeWithDay(now, was)}, was ${wasText}`];
  };
  const departs = moved('departs', before.departs, after.departs);
  return departs.length > 0 ? departs : moved('arrives', before.arrives, after.arrives);
}

/** `07:05` and `06:15`; with days or zones if the clock times alone do not tell them apart. */
function timesText(asked: string, held: string): readonly [string, string] {
  const areTimes = [asked, held].every((time) => clockText(time) !== NO_TIME);
  if (!areTimes || zoneOf(asked) !== zoneOf(held)) return [showLocal(asked), showLocal(held)];
  return [timeWithDay(asked, held), timeWithDay(held, asked)];
}

/** `09:40`, or with its day if that differs from the other time's. */
function timeWithDay(time: string, other: string | undefined): string {
  return other !== undefined && dateOf(time) === dateOf(other)
    ? clockText(time)
    : `${showDay(time)} ${clockText(time)}`;
}

function clockText(time: string): string {
  return showLocal(time) === NO_TIME ? NO_TIME : clockTime(time);
}

function deadlineText({ what, before, after }: MovedDeadline, near: string | undefined): string {
  return `${DEADLINE_WORDS[what]} ${showDeadline(after, near)}, was ${showDeadline(before, near)}`;
}

// People and their tickets.

/** `passenger 2`, `passengers 1 and 2`, `the contact` */
function personText({ person = '' }: FindingFacts): string {
  return person === 'contact' ? CONTACT : passengersText(person.split(', '));
}

/** Of an infant, by the pointer of its adult. */
const adultText = ({ detail = '' }: FindingFacts): string => passengersText([detail]);

/** By their pointers. */
function passengersText(refs: readonly string[]): string {
  return `${refs.length === 1 ? 'passenger' : 'passengers'} ${listed(refs.map(cleanRef))}`;
}

function typeText({ type }: FindingFacts): string {
  return passengerTypeWord(codeText(type));
}

function peopleText(before: FindingFacts, { passengers = 0 }: FindingFacts): string {
  return `has ${counted(passengers, 'passenger')}, was ${before.passengers}`;
}

/** Says no value, because none of them is kept. */
function detailText({ status, detail }: FindingFacts, facts: FindingFacts): string {
  if (detail !== undefined) return `${personText(facts)} has another ${facts.detail} beside the one before`;
  if (status !== undefined)
    return `${facts.detail} of ${personText(facts)} was changed here, and the airline shows the old one`;
  return `${facts.detail} of ${personText(facts)} differs from the one before`;
}

/** `a ticket`, `2 tickets` */
function someTickets(count: number | undefined): string {
  return count === 1 ? 'a ticket' : `${count} tickets`;
}

/** What a ticket lacks, by its name in a finding. */
export function astrayText(lack: string | undefined): string {
  return lack === 'flight' ? 'for a flight that is not in the booking' : 'of no passenger of the booking';
}

function ticketsText({ tickets = 0 }: FindingFacts): string {
  return tickets === 0 ? 'no ticket' : counted(tickets, 'ticket');
}

// Money, rules and other words of the airline.

function moneyText({ amount, currency }: FindingFacts): string {
  return amount === undefined ? '' : showAmount(amount, currency ?? '');
}

/** `a payment of SAR 50.00 (paid)` */
function orderText(facts: FindingFacts): string {
  return `a ${facts.detail ?? 'payment'} of ${moneyText(facts)} (${facts.status})`;
}

function ruleText(what: string, { rule: before = '' }: FindingFacts, { rule: after = '' }: FindingFacts): string {
  // Only the beginning of a long text is kept.
  if (after === before) return `has another ${what} rule than before: both begin ${quoted(after, RULE_CHARS)}`;
  return `has the ${what} rule ${quoted(after, RULE_CHARS)}, was ${quoted(before, RULE_CHARS)}`;
}

function codeText(code = '', max?: number): string {
  return cleanCode(code, max);
}

function wordsText(words = ''): string {
  return quoted(words, WORDS_CHARS);
}
