/** What the airline changed, as data and in words, and which bookings need a person for it. */
import * as z from 'zod';
import { cleanCode } from '../../core/clean-text.ts';
import { showAmount } from '../../core/money.ts';
import { dateOf, HOUR_MS, instantOf, showDay, showDeadline, showLocal, utcText } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import type { AirlineDeed, LedgerEntry } from '../../domain/booking/booking-ledger.ts';
import { type DeadlineName, hasPassed } from '../../domain/booking/booking-state.ts';
import type { Finding, FindingFacts, FindingSegment, MovedDeadline } from '../../domain/booking/finding.ts';
import { type PlaceName, showPlace } from '../../domain/booking/stations.ts';
import type { Operation } from '../../journal/operation.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings, optionalTexts, strings } from '../definition/field-notes.ts';

interface InWords {
  readonly settings: Pick<ToolContext['settings'], 'dialect'>;
  readonly airline: Pick<ToolContext['airline'], 'placeName'>;
}

export const wordsFor = ({ settings, airline }: InWords): FindingWords => ({
  vehicle: vehicleOf(settings),
  placeName: airline.placeName,
});

/** One change of a train, or of bookings as a whole, with the bookings that it is about. */
export function changeSchema() {
  return z.object({
    ...strings({ what: 'the change in words', kind: 'the kind of finding' }),
    ...optionalStrings({ train: 'number of the train or flight', date: 'local day of its departure' }),
    bookings: noted('how many bookings it is about', z.int()),
    locators: noted(`the bookings, at most ${MOST_NAMED}`, z.array(z.string())),
    also: optionalTexts('what it does to connections and deadlines of a booking'),
    finding_ids: noted('for `close_findings`', z.array(z.string())),
  });
}

type ChangeGroup = z.output<ReturnType<typeof changeSchema>>;

/** Bookings of a group that are named: as many as a plan has lines. */
const MOST_NAMED = 50;
/** Enough of an id to tell findings apart. */
export const SHOWN_ID_LENGTH = 8;

/** The findings that are named, and the names that none of them has. */
export function findingsNamed(
  findings: readonly Finding[],
  names: readonly string[],
  isNamed: (finding: Finding, name: string) => boolean,
) {
  return {
    chosen: findings.filter((finding) => names.some((name) => isNamed(finding, name))),
    unknown: names.filter((name) => !findings.some((finding) => isNamed(finding, name))),
  };
}

/** Findings in groups: those of the same change of the same train are one. The largest group comes first. */
export function changeGroups(found: readonly Finding[], ctx: InWords): ChangeGroup[] {
  const words = wordsFor(ctx);
  const groupText = (finding: Finding) =>
    finding.segment === undefined ? findingText(finding, words) : trainText(finding.segment, finding, words);
  const groups = [...Map.groupBy(found, groupText)].map(([what, all]): ChangeGroup => {
    const [{ kind, segment } = {} as Finding] = all;
    const locators = [...new Set(all.map(({ locator }) => locator))];
    const named = all.slice(0, MOST_NAMED);
    // A change without a train has its effects in its own words already.
    const also = segment === undefined ? [] : named.flatMap((finding) => bookingEffects(finding, words));
    return {
      what,
      kind,
      train: segment && cleanCode(segment.number, 12),
      date: segment && dateOf(segment.departs),
      bookings: locators.length,
      locators: locators.slice(0, MOST_NAMED),
      also: also.length > 0 ? also : undefined,
      finding_ids: named.map(({ id }) => id.slice(0, SHOWN_ID_LENGTH)),
    };
  });
  return groups.toSorted((a, b) => b.bookings - a.bookings);
}

function bookingEffects(finding: Finding, words: FindingWords): string[] {
  const effects = effectTexts(finding, words);
  return effects.length === 0 ? [] : [`${finding.locator}: ${effects.join('; ')}`];
}

/** `train 101 on Tue 1 Dec was cancelled by the airline: 2 bookings: ABC123, …; finding_ids …` */
export function changeText({ what, bookings, locators, also = [], finding_ids: ids }: ChangeGroup): string {
  const cut = bookings > locators.length ? `, first ${locators.length}` : '';
  const texts = [`${counted(bookings, 'booking')}${cut}: ${locators.join(', ')}`, ...also];
  return `  ${what}: ${texts.join('; ')}; finding_ids ${ids.join(', ')}`;
}

interface FindingWords {
  readonly vehicle: 'train' | 'flight';
  readonly placeName?: PlaceName | undefined;
}

/** What changed, and what it does to connections and deadlines. */
export function findingText(finding: Finding, words: FindingWords): string {
  const { segment } = finding;
  const what = [segment && `${words.vehicle} ${segmentText(segment, words)}${onDay(segment)}`, kindText(finding)];
  return [what.filter(Boolean).join(' '), ...effectTexts(finding, words)].filter((part) => part !== '').join('; ');
}

/** What a change does to connections and deadlines of its booking: `misses 7 Jeddah (JED) → Riyadh (RUH) at 19:20`. */
function effectTexts(
  { segment, after = {}, missed = [], deadlines = [] }: Finding,
  words: FindingWords,
): readonly string[] {
  const near = after.departs ?? segment?.departs;
  return [
    ...missed.map((next) => `misses ${segmentText(next, words)} at ${timeBeside(next.departs, near)}`),
    ...deadlines.map((deadline) => deadlineText(deadline, segment?.departs)),
  ];
}

/** The same for everybody on the train, wherever they board: `train 101 on Fri 20 Nov was cancelled by the airline`. */
function trainText(segment: FindingSegment, finding: Finding, { vehicle }: FindingWords): string {
  return `${vehicle} ${cleanCode(segment.number, 12)}${onDay(segment)} ${kindText(finding)}`;
}

const kindText = ({ kind, before = {}, after = {} }: Finding) => KIND_TEXTS[kind](before, after);

/** `Changed since Tue 17 Nov: …`, by the local date of the segment. */
export function changedText(finding: Finding, words: FindingWords): string {
  const { since, segment } = finding;
  const [weekday, day, month] = showDeadline(utcText(since), segment?.departs).split(' ');
  return `Changed since ${weekday} ${day} ${month}: ${findingText(finding, words)}`;
}

function segmentText({ from, to, number }: FindingSegment, { placeName }: FindingWords): string {
  return `${cleanCode(number, 12)} ${showPlace(from, placeName)} → ${showPlace(to, placeName)}`;
}

/** The day by the calendar of the station, because a train of the same number runs each day; empty if it cannot be read. */
function onDay({ departs }: FindingSegment): string {
  return Number.isNaN(Date.parse(dateOf(departs))) ? '' : ` on ${showDay(departs)}`;
}

type KindText = (before: FindingFacts, after: FindingFacts) => string;

/** Words for the codes of a departure that the airline cancelled. */
const CANCELLED: ReadonlySet<string> = new Set(['cancelled', 'have cancelled', 'unable']);

/** What each kind of finding says of its train, or of the booking as a whole. */
const KIND_TEXTS: Readonly<Record<Finding['kind'], KindText>> = {
  segment_cancelled: (_before, { status = 'cancelled' }) =>
    CANCELLED.has(status) ? 'was cancelled by the airline' : `does not run for this booking (${status})`,
  segment_restored: (before) => `runs again, was ${before.status}`,
  no_show: () => 'is marked as not travelled',
  number_changed: (before, after) =>
    [`is now ${cleanCode(after.number ?? '', 12)}`, ...newTimes(before, after)].join(', '),
  retimed: (before, after) => newTimes(before, after).join(', '),
  schedule_change: () => 'is marked as a schedule change',
  class_changed: (before, after) => `has class ${cleanCode(after.class ?? '')}, was ${cleanCode(before.class ?? '')}`,
  seat_changed: (before, after) =>
    `has ${after.seat ? `seat ${cleanSeats(after.seat)}` : 'no seat'}, was ${cleanSeats(before.seat ?? '')}`,
  coupon_closed: (before, after) =>
    `has ${after.passengers === 1 ? 'a ticket' : `${after.passengers} tickets`} ${after.status}, was ${before.status}`,
  refunded: (_before, after) => ['the airline refunded', moneyText(after)].join(' ').trim(),
  refund_pending: (_before, after) => ['refund not paid out yet', moneyText(after)].join(': '),
  refund_arrived: (_before, after) => ['refund paid out', moneyText(after)].join(': '),
  // The deadlines themselves say it (effectTexts).
  deadline_moved: () => '',
  price_changed: (before, after) => `costs ${moneyText(after)}, was ${moneyText(before)}`,
  passenger_gone: (before, after) => `has ${peopleText(after.passengers)}, was ${before.passengers}`,
  booking_cancelled: () => 'the airline cancelled the booking',
  charged_more: (before, after) =>
    `the airline charged ${moneyText(after)} for a change, and at most ${moneyText(before)} was approved`,
};

const moneyText = ({ amount, currency }: FindingFacts): string =>
  amount === undefined ? '' : showAmount(amount, currency ?? '');

const peopleText = (count: number | undefined): string => `${count} ${count === 1 ? 'passenger' : 'passengers'}`;

const cleanSeats = (seats: string): string =>
  seats
    .split(', ')
    .map((seat) => cleanCode(seat, 12))
    .join(', ');

/** The new departure, or the new arrival if it departs as before: `departs 09:40, was 08:00`. Empty if neither is known. */
function newTimes(before: FindingFacts, after: FindingFacts): string[] {
  const moved = (word: string, was: string | undefined, is: string | undefined) =>
    was === undefined || is === undefined ? [] : [`${word} ${timeBeside(is, was)}, was ${clockText(was)}`];
  const departs = moved('departs', before.departs, after.departs);
  return departs.length > 0 ? departs : moved('arrives', before.arrives, after.arrives);
}

const clockText = (time: string): string => showLocal(time).split(' ').at(3) ?? '(no time)';

/** With the day, if it is another one. */
function timeBeside(time: string, other: string | undefined): string {
  return other !== undefined && dateOf(time) === dateOf(other)
    ? clockText(time)
    : `${showDay(time)} ${clockText(time)}`;
}

/** A deadline by its field, in few words. */
export const DEADLINE_WORDS: Readonly<Record<DeadlineName, string>> = {
  pay_by: 'pay by',
  names_until: 'names until',
  cancel_until: 'cancel until',
};

function deadlineText({ what, before, after }: MovedDeadline, near: string | undefined): string {
  return `${DEADLINE_WORDS[what]} ${showDeadline(after, near)}, was ${showDeadline(before, near)}`;
}

export const unreadText = (failure: string) => `could not be read now (${failure})`;

/**
 * The most serious reasons why a person should look at a booking.
 * @param changed locators of bookings that the airline changed
 */
export function attention(
  entry: LedgerEntry,
  operation: Operation | undefined,
  failures: ReadonlyMap<string, string>,
  changed: ReadonlySet<string>,
  now: number,
): readonly string[] {
  if (operation?.state === 'needs_person') return [`a person must check ${operation.tool}`];
  if (operation !== undefined) return [`the outcome of ${operation.tool} is not known yet`];
  const failure = failures.get(entry.locator);
  if (failure !== undefined) return [unreadText(failure)];
  const due = dueSoon(entry, now);
  const deeds = deedTexts(entry, now);
  // What a reading shows says more than that there is a finding.
  const news = deeds.length === 0 && changed.has(entry.locator) ? ['the airline changed it'] : deeds;
  return [...(due === undefined ? [] : [due]), ...news];
}

const DEEDS: Readonly<Record<AirlineDeed['what'], (flights: string) => string>> = {
  owed: (flights) => `the airline cancelled ${flights} and has not refunded it`,
  unclear: (flights) => `the airline cancelled ${flights}; ask it whether a recorded refund is for it`,
  cancelled: (flights) => `the airline cancelled ${flights}`,
  moved: (flights) => `the airline moved ${flights}: read it for the new times`,
};

/** One sentence for flights of the same lot. Once a flight has left, only its refund still matters. */
function deedTexts({ byAirline = [] }: LedgerEntry, now: number): readonly string[] {
  const open = byAirline.filter(
    ({ what, departs }) => what === 'owed' || what === 'unclear' || !hasPassed(departs, now),
  );
  return [...Map.groupBy(open, ({ what }) => what)].map(([what, deeds]) =>
    DEEDS[what](listed([...new Set(deeds.map(({ flight }) => flight))])),
  );
}

function dueSoon(entry: LedgerEntry, now: number): string | undefined {
  const at = entry.state === 'held' ? instantOf(entry.payBy) : undefined;
  if (at === undefined || at > now + HOUR_MS) return undefined;
  return at <= now ? 'unpaid, and its time limit has passed since it was read' : 'unpaid, and due within the hour';
}

/** What the airline changed on these bookings and nobody has dealt with, newest first. */
export async function openFindings(ctx: ToolContext, locators: readonly string[]): Promise<readonly Finding[]> {
  return (await ctx.state.findings?.open(ctx.caller.tenant, ctx.now(), locators)) ?? [];
}

/** All that are open, of bookings in the caller's ledger: a clerk's own, a supervisor's whole desk. */
export async function callerFindings({ state, caller, now }: ToolContext): Promise<readonly Finding[]> {
  const open = (await state.findings?.open(caller.tenant, now())) ?? [];
  const locators = [...new Set(open.map(({ locator }) => locator))];
  const { entries } = await state.ledger.find(caller, { locators, limit: locators.length });
  const locatorsOfCaller = new Set(entries.map(({ locator }) => locator));
  return open.filter(({ locator }) => locatorsOfCaller.has(locator));
}

/** For each booking what the airline changed: the newest change, and how many more there are. */
export function changedTexts(
  found: readonly Finding[],
  ctx: Pick<ToolContext, 'settings' | 'airline'>,
): ReadonlyMap<string, string> {
  const changes = [...Map.groupBy(found, ({ locator }) => locator)].map(([locator, [newest, ...more]]) => {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    return [locator, `the airline changed it: ${findingText(newest as Finding, wordsFor(ctx))}${others}`] as const;
  });
  return new Map(changes);
}
