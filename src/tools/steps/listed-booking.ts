/** A booking in a list: its fields, how an entry of the ledger becomes a row, and the words of the row. */
import * as z from 'zod';
import { formatMoney, type Money, showAmount, showMoney, withThousands } from '../../core/money.ts';
import { HOUR_MS, instantOf, localMinute, MINUTE_MS, showLocal, showTrip, utcText } from '../../core/times.ts';
import { counted, joined } from '../../core/words.ts';
import type { DeskEntry, LedgerEntry } from '../../domain/booking/booking-ledger.ts';
import { hasPassed, shownState } from '../../domain/booking/booking-state.ts';
import { DEADLINE_NAMES } from '../../domain/booking/deadlines.ts';
import { namedIn, showPlace } from '../../domain/booking/stations.ts';
import { countType } from '../../domain/booking/status-codes.ts';
import { DEADLINE_WORDS } from '../../domain/facts/words.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { filled, optionalStrings, optionalTexts, strings, unlisted } from '../definition/field-notes.ts';
import { customerText } from '../rules/customer-key.ts';
import { decisionFields, decisionTexts } from '../views/decided-booking.ts';
import type { Attention } from './findings.ts';

/** Travellers named for each booking. */
const MOST_NAMED = 5;

/** What is paid in full has no `total`, and what was read lately no `seen_at`. Of the time limits, only the next one stands there. */
export const listedBooking = () =>
  z.object({
    ...strings('locator', 'state'),
    ...unlisted(optionalStrings('customer')),
    ...optionalStrings('contact'),
    passengers: z.int().optional(),
    ...unlisted({
      ...optionalStrings('passenger_types'),
      unnamed: z.int().optional(),
    }),
    travelers: optionalTexts(),
    ...optionalStrings('route', 'departs'),
    ...unlisted(optionalStrings('arrives', 'last_departs')),
    ...optionalStrings('class', 'total', 'paid', 'currency', ...DEADLINE_NAMES),
    ...unlisted(optionalStrings('refunded', 'refund_to_come')),
    passed: z.literal(true).describe('the time limit').optional(),
    ...optionalStrings('seen_at'),
    ...unlisted(optionalStrings('made_by')),
    ...decisionFields(),
    needs_attention: optionalTexts(),
  });

export type ListedBooking = z.input<ReturnType<typeof listedBooking>>;

/** A row, with the times that the list is ordered and dated by. */
export interface FoundRow {
  readonly row: ListedBooking;
  /** Why it needs attention, most serious first. */
  readonly attention: readonly Attention[];
  /** Minutes to its next deadline. Undefined if it has none, or the deadline is over. */
  readonly minutesLeft?: number | undefined;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

interface RowFacts {
  /** Why it needs attention; empty if it needs none. */
  readonly attention: readonly Attention[];
  readonly query: string | undefined;
  /** The departure that the filter for legs found. */
  readonly wantedDeparture: string | undefined;
  readonly now: number;
}

/** Whether a reading is so old that a list says of when it is. Both in milliseconds since 1970. */
export const isOldReading = (seenAt: number, now: number): boolean => seenAt < now - HOUR_MS;

/** Shows an entry of the ledger as a row. */
export function viewEntry(
  entry: LedgerEntry & Partial<DeskEntry>,
  { attention, query, wantedDeparture, now }: RowFacts,
): FoundRow {
  const { nextDeadline: deadline, departs, lastDeparts, classes, seenAt } = entry;
  const deadlineAt = instantOf(deadline?.at);
  const isAhead = deadlineAt !== undefined && deadlineAt > now;
  const shownDeparture = wantedDeparture ?? nextDeparture(entry, now);

  // A call for a train or a day is about what a customer catches or misses with it.
  const wantedLeg = entry.legs?.find((leg) => leg.departs === wantedDeparture);
  const row = {
    locator: entry.locator,
    state: shownState(entry.state, entry.runsUntil, now),
    customer: entry.customer,
    contact: entry.contactName,
    ...viewPassengers(entry),
    travelers: entry.travelers && namedTravelers(entry.travelers, query),
    route: entry.route,
    departs: shownDeparture && localMinute(shownDeparture),
    arrives: wantedLeg?.arrives && localMinute(wantedLeg.arrives),
    last_departs: lastDeparts === undefined || lastDeparts === shownDeparture ? undefined : localMinute(lastDeparts),
    class: classes?.join(', '),
    total: entry.total === entry.paid ? undefined : entry.total,
    paid: entry.paid,
    ...refundFields(entry),
    currency: entry.currency,
    ...(deadline && { [deadline.what]: localMinute(deadline.at, departs) }),
    passed: deadline === undefined || isAhead ? undefined : (true as const),
    seen_at: isOldReading(seenAt, now) ? localMinute(utcText(seenAt), departs) : undefined,
    made_by: entry.madeBy,
    needs_attention: filled(attention.map(({ why }) => why)),
  };

  const minutesLeft = isAhead ? Math.floor((deadlineAt - now) / MINUTE_MS) : undefined;
  return { row, attention, minutesLeft, seenAt };
}

/** What the airline refunded, and how much of it it has still to pay out, if that is known and not nothing. */
function refundFields({ sums: { refunded, toCome } = {}, currency }: LedgerEntry) {
  const text = (money: Money) => (money.currency === currency ? formatMoney(money) : showMoney(money));
  return {
    refunded: refunded && refunded.minor > 0 ? text(refunded) : undefined,
    refund_to_come: toCome && toCome.minor > 0 ? text(toCome) : undefined,
  };
}

/** The departure that comes next; the last one of a trip that is over. */
function nextDeparture({ departs, lastDeparts, departures }: LedgerEntry, now: number): string | undefined {
  const all = departures ?? [departs, lastDeparts].filter((each) => each !== undefined);
  return all.find((each) => !hasPassed(each, now)) ?? lastDeparts ?? departs;
}

type PassengerFacts = Pick<ListedBooking, 'passengers' | 'passenger_types' | 'unnamed'>;

function viewPassengers({ passengers }: LedgerEntry): PassengerFacts {
  if (passengers === undefined) return {};

  const byType = [...Map.groupBy(passengers, ({ type }) => type)];
  const isAdultsOnly = byType.every(([type]) => type === 'ADT');
  const unnamed = passengers.filter((passenger) => passenger.unnamed).length;

  return {
    passengers: passengers.length,
    passenger_types: isAdultsOnly ? undefined : byType.map(([type, { length }]) => countType(type, length)).join(', '),
    unnamed: unnamed || undefined,
  };
}

/** Names at most five travellers, those in the query first, and says how many more there are. */
function namedTravelers(names: readonly string[], query = ''): string[] {
  if (names.length <= MOST_NAMED) return [...names];
  const isInQuery = (name: string) => foldName(name).includes(foldName(query));
  const first = [...names.filter(isInQuery), ...names.filter((name) => !isInQuery(name))].slice(0, MOST_NAMED);
  return [...first, `and ${names.length - MOST_NAMED} more`];
}

interface TextFacts {
  readonly places: Readonly<Record<string, string>>;
  readonly withoutZone: (time: string) => string;
}

/** The line below a row, with what is decided by; none if the booking was not just read. */
export function decisionLine(row: ListedBooking, { withoutZone }: TextFacts): readonly string[] {
  const texts = decisionTexts(row, row.currency ?? '', withoutZone);
  return texts.length === 0 ? [] : [`    ${texts.join('; ')}`];
}

/** The cells of a row. */
export function rowTexts(row: ListedBooking, { places, withoutZone }: TextFacts) {
  return [
    row.locator,
    row.state.replace('_', ' '),
    routeWords(row.route, places),
    departureText(row, withoutZone),
    row.class && `class ${row.class}`,
    moneyText(row),
    row.customer && customerText(row.customer),
    row.contact,
    passengersText(row),
    row.travelers && `for ${row.travelers.join(', ')}`,
    withoutZone(deadlineText(row)),
    row.made_by && `made by ${callerName(row.made_by)}`,
    row.needs_attention && `ATTENTION: ${row.needs_attention.join('; ')}`,
  ];
}

/** `Makkah (QCA) → Madinah (XMD)` for `QCA-XMD`. */
function routeWords(route: string | undefined, places: Readonly<Record<string, string>>): string | undefined {
  return route?.replace(/[^-, ]+/g, (code) => showPlace(code, namedIn(places))).replaceAll('-', ' → ');
}

/** `SAR 690.00, paid`; an amount only if another one was paid; `SAR 986.00, paid 1,434.50, 516.00 came back`. */
function moneyText({ paid, total = paid, currency = '', refunded, refund_to_come: toCome }: ListedBooking): string {
  const back = refunded && (total === undefined ? withCurrency(refunded, currency) : withThousands(refunded));
  const ending = toCome === undefined ? 'came back' : `refunded, ${withThousands(toCome)} of it not paid out yet`;
  return joined([
    total && showAmount(total, currency),
    paid && (paid === total ? 'paid' : `paid ${withThousands(paid)}`),
    back && `${back} ${ending}`,
  ]);
}

/** An amount of another currency has its own. */
function withCurrency(amount: string, currency: string): string {
  return /^\d/.test(amount) ? showAmount(amount, currency) : amount;
}

/** `3 passengers`, `2 adults, 1 child, 3 not named yet`. */
export function passengersText({ passengers, passenger_types: types, unnamed }: PassengerFacts): string {
  if (passengers === undefined) return '';
  return joined([types ?? counted(passengers, 'passenger'), unnamed && `${unnamed} not named yet`]);
}

/** `Tue 1 Dec 08:00, last Sat 5 Dec 18:00`; `Tue 1 Dec 08:00-10:10` of a train or day that was asked for. */
function departureText(
  { departs, arrives, last_departs: last }: ListedBooking,
  withoutZone: (time: string) => string,
): string {
  const first = departs && (arrives === undefined ? showLocal(departs) : showTrip(departs, arrives));
  return joined([first && withoutZone(first), last && `last ${withoutZone(showLocal(last))}`]);
}

function deadlineText(row: ListedBooking): string {
  const texts = DEADLINE_NAMES.flatMap((name) => {
    const at = row[name];
    return at === undefined ? [] : [`${DEADLINE_WORDS[name]} ${showLocal(at)}${row.passed ? ', passed' : ''}`];
  });
  return texts.join('');
}
