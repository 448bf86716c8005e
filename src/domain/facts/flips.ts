/**
 * Readings that flip: after an act of ours one node of the airline shows what it did, and another still shows the booking as it was. What
 * an act changed is kept for an hour ({@link Flips}), and what a later reading shows as it was before is taken as it is known. What no act
 * changed is compared as ever: a train that is cancelled, runs again, and is cancelled again makes three findings.
 *
 * In this order: what is kept, how it is kept, what a reading shows as it was, row by row.
 */
import { sameJson } from '../../core/own.ts';
import { diffFlight } from './differ.ts';
import type { Difference, PairedReadings } from './difference.ts';
import type { KeptSegment } from './flight-rows.ts';
import type { Flipped, Flips, KeptCoupon, KeptOrder, KeptReading } from './kept-reading.ts';
import { findEarlierSegments } from './pair.ts';
import { type KeptPerson, pairPeople } from './person-rows.ts';
import { isDivided, isRefund, knownBefore } from './tickets-and-orders.ts';
import { SHOWN_WITHIN_MS } from './touches.ts';

/** What the comparison says of the acts of the last hour. */
export interface TouchedOf {
  /** When the newest act was done that the new reading shows. Absent: it shows none. */
  readonly shownAt?: number | undefined;
  /** When the newest act was done, shown or not. Absent: there is none. */
  readonly doneAt?: number | undefined;
}

/** Pointers, which each reading may set anew. */
const POINTERS: ReadonlySet<string> = new Set(['ref', 'segment', 'on', 'lap']);

/** What the price says of a flight: it shows nothing of whether the flight itself lags. */
const OF_PRICE: ReadonlySet<string> = new Set(['cancelUntil', 'rules']);

/** What is no field of the booking as a whole, or names no state of it. */
const NO_FIELDS: ReadonlySet<string> = new Set([
  ...['at', 'createdAt', 'spent', 'seen', 'flips'],
  ...['segments', 'persons', 'coupons', 'orders', 'contact'],
]);

// What is kept.

/** Keeps what the acts of the last hour changed from the reading before to what is known now. Empty if that is nothing. */
export function flipsAfter(
  before: KeptReading,
  readings: Omit<PairedReadings, 'running'>,
  differences: readonly Difference[],
  { shownAt, doneAt }: TouchedOf,
): readonly Flips[] {
  const { known } = readings;
  // Tickets and orders may follow what was shown first.
  const at = shownAt ?? (differences.length === 0 ? doneAt : undefined);
  if (at === undefined) return [];

  const coupons = otherCoupons(before.coupons, known.coupons);
  const orders = otherOrders(before.orders, known.orders);
  const rest =
    shownAt === undefined ? { segments: [], persons: [], booking: {} } : restOf(before, readings, differences);

  const flips = { at, coupons, orders, ...rest };
  const isSame = sameJson({ at, coupons: [], orders: [], segments: [], persons: [], booking: {} }, flips);
  return isSame ? [] : [flips];
}

function restOf(before: KeptReading, readings: Omit<PairedReadings, 'running'>, differences: readonly Difference[]) {
  const { expected, known } = readings;
  return {
    segments: otherSegments(before, readings, differences),
    persons: otherPersons(before, readings),
    contact: sameJson(before.contact, expected.contact) ? undefined : { was: before.contact, is: known.contact },
    booking: otherFields(before, readings),
  };
}

/** An explanation changes a flight in its place, or adds one after the others. */
function otherSegments(
  { segments: before }: KeptReading,
  { expected, known, earlierSegments }: Omit<PairedReadings, 'running'>,
  differences: readonly Difference[],
): readonly Flipped<KeptSegment>[] {
  const told = new Set(differences.map(({ now }) => now));

  return expected.segments.flatMap((explained, i): Flipped<KeptSegment>[] => {
    const was = before[i];
    // An airline may no longer list what we cancelled.
    const now = known.segments[earlierSegments.indexOf(explained)];
    const isTouched = !sameJson(was, explained);
    const is = now ?? explained;
    // What the airline did by itself makes a finding each time.
    const isOurs = isTouched || (now !== undefined && !told.has(now));
    return isOurs && !isSameRow(was, is) ? [{ was, is }] : [];
  });
}

function otherPersons(
  { persons: before = [] }: KeptReading,
  { expected, people }: Omit<PairedReadings, 'running'>,
): readonly Flipped<KeptPerson>[] {
  return before.flatMap((was): Flipped<KeptPerson>[] => {
    const explained = expected.persons?.find(({ ref }) => ref === was.ref);
    if (explained === undefined) return [{ was }];
    if (sameJson(was, explained)) return [];
    return [{ was, is: people.find((pair) => pair.was === explained && pair.isSure)?.now ?? explained }];
  });
}

function otherCoupons(before: readonly KeptCoupon[], known: readonly KeptCoupon[]): readonly Flipped<KeptCoupon>[] {
  const find = (coupons: readonly KeptCoupon[], { id }: KeptCoupon) => coupons.find((coupon) => coupon.id === id);
  const earlier = before.map((was) => ({ was, is: find(known, was) }));
  const added = known.filter((is) => find(before, is) === undefined).map((is) => ({ is }));
  return [...earlier.filter(({ was, is }) => !isSameRow(was, is)), ...added];
}

function otherOrders(before: readonly KeptOrder[], known: readonly KeptOrder[]): readonly Flipped<KeptOrder>[] {
  const earlier = knownBefore(known, before);
  const later = known.map((is) => ({ was: earlier.get(is), is }));
  const paired = new Set(earlier.values());
  const gone = before.filter((was) => !paired.has(was)).map((was) => ({ was }));
  return [...gone, ...later.filter(({ was, is }) => !isSameRow(was, is))];
}

/** The state follows from flights that the airline may have changed by itself: it is kept where an act explains it. */
function otherFields(before: KeptReading, { expected, known }: Omit<PairedReadings, 'running'>): Partial<KeptReading> {
  const isOther = (name: keyof KeptReading) =>
    !NO_FIELDS.has(name) &&
    before[name] !== undefined &&
    !sameJson(before[name], known[name]) &&
    (name !== 'state' || before.state !== expected.state);
  return Object.fromEntries(fieldsOf(before).flatMap((name) => (isOther(name) ? [[name, before[name]]] : [])));
}

const fieldsOf = <Row extends object>(...rows: readonly Row[]): readonly (keyof Row & string)[] =>
  Object.keys(Object.assign({}, ...rows)) as (keyof Row & string)[];

/** The fields in which two rows differ. */
function otherIn<Row extends object>(was: Row, is: Row): readonly (keyof Row & string)[] {
  return fieldsOf(was, is).filter((name) => !POINTERS.has(name) && !sameJson(was[name], is[name]));
}

function isSameRow<Row extends object>(was: Row | undefined, is: Row | undefined): boolean {
  return was !== undefined && is !== undefined && otherIn(was, is).length === 0;
}

// What a reading shows as it was.

/**
 * Gives the reading without what it shows as it was before an act of ours.
 * @param before the reading before, as it is known
 */
export function withoutFlips(before: KeptReading, reading: KeptReading): KeptReading {
  return flipsAt(before, reading).reduce((shown, flips) => withoutLag(flips, before, shown), reading);
}

/** What of the reading before still counts when the new one was read. */
export function flipsAt({ flips = [] }: KeptReading, { at }: KeptReading): readonly Flips[] {
  return flips.filter((one) => at - one.at < SHOWN_WITHIN_MS);
}

function withoutLag(flips: Flips, before: KeptReading, reading: KeptReading): KeptReading {
  const segments = segmentsNow(flips, before, reading);
  const isRebooked = segments.some((segment, i) => {
    const shown = reading.segments[i];
    return shown === undefined || diffFlight(shown, segment).length > 0;
  });

  const { persons, contact, coupons, orders } = reading;
  const current = personsNow(flips, before, persons);
  const fields = fieldsOf(flips.booking).filter((name) => sameJson(reading[name], flips.booking[name]));

  return {
    ...reading,
    ...Object.fromEntries(fields.map((name) => [name, before[name]])),
    segments,
    // Of a flight that was rebooked, it says who was on it, and by which tickets.
    persons: isRebooked ? current?.map((person) => ({ ...person, on: undefined })) : current,
    coupons: isRebooked ? [] : couponsNow(flips, before, { ...reading, segments, coupons }),
    contact: contact && flips.contact ? asNow(contact, flips.contact, before.contact) : contact,
    orders: orders.length === 0 ? orders : ordersNow(flips, before, orders),
  };
}

function segmentsNow(
  { segments: flips }: Flips,
  before: KeptReading,
  { segments: shown }: KeptReading,
): readonly KeptSegment[] {
  const rows = flips.flatMap(({ is }) => is ?? []);
  const latest = findEarlierSegments(rows, before.segments);
  const current = (is: KeptSegment) => before.segments[latest.indexOf(is)];
  const earlier = findEarlierSegments(
    flips.flatMap(({ was }) => was ?? []),
    shown,
  );

  const segments = shown.map((segment, i) => {
    const flip = flips.find(({ was }) => was !== undefined && was === earlier[i]);
    return flip?.is === undefined ? segment : asNow(segment, flip, current(flip.is));
  });

  // An airline that lists the old flight as cancelled adds the new one.
  const lags = segments.some((segment, i) => segment !== shown[i]);
  const added = flips.flatMap(({ was, is }) => (was === undefined && is !== undefined ? (current(is) ?? []) : []));
  return lags ? [...segments, ...added] : segments;
}

function personsNow(
  { persons: flips }: Flips,
  before: KeptReading,
  shown: KeptReading['persons'],
): KeptReading['persons'] {
  const gone = flips.filter(({ is }) => is === undefined);
  // Two people can have one identity: those who stayed are not those who are gone.
  const stayed = new Set(gone.length === 0 ? shown : pairPeople(before.persons, shown).map((pair) => pair.now));
  const hasLeft = (person: KeptPerson) => !stayed.has(person) && gone.some(({ was }) => was?.who === person.who);

  return shown
    ?.filter((person) => !hasLeft(person))
    .map((person) => {
      const flip = flips.find(({ was }) => was?.who === person.who);
      if (flip?.is === undefined) return person;
      const pair = pairPeople([flip.is], before.persons).find(({ isSure }) => isSure);
      return asNow(person, flip, pair?.now);
    });
}

function couponsNow(
  { coupons: flips, segments: flights }: Flips,
  before: KeptReading,
  { coupons: shown, segments }: KeptReading,
): readonly KeptCoupon[] {
  if (shown.length === 0) return shown;
  const find = (coupons: readonly KeptCoupon[], id: string | undefined) => coupons.find((coupon) => coupon.id === id);
  const earlier = findEarlierSegments(before.segments, segments);

  const added = flips.flatMap(({ was, is }) => (was === undefined ? (find(before.coupons, is?.id) ?? []) : []));
  const lags = added.every(({ id }) => find(shown, id) === undefined);
  // An index counts the segments of its own reading.
  const placed = (coupon: KeptCoupon, { segment = -1, astray }: KeptCoupon): KeptCoupon => {
    const was = before.segments[segment];
    const index = was === undefined ? -1 : earlier.indexOf(was);
    return { ...coupon, segment: index < 0 ? undefined : index, astray };
  };

  const isOfAnother = ({ was, is }: Flipped<KeptSegment>) => !was || !is || diffFlight(was, is).length > 0;
  const isRebooked = flights.some(isOfAnother);
  const coupons = shown.flatMap((coupon) => {
    const flip = flips.find(({ was }) => was?.id === coupon.id);
    if (flip?.was !== undefined && flip.is === undefined) return [];
    const known = find(before.coupons, coupon.id);
    const current = flip === undefined ? coupon : asNow(coupon, flip, known);
    // It may name a flight of before, where the flights do not lag.
    const isLate = current !== coupon || (isRebooked && coupon.astray === 'flight');
    return [isLate && known !== undefined ? placed(current, known) : current];
  });
  if (!lags) return coupons;

  const known = [...before.coupons, ...flips.flatMap(({ was }) => was ?? [])];
  const unknown = shown.filter(({ id }) => find(known, id) === undefined);
  const issued = added.map((coupon) => placed(coupon, coupon));
  return [...coupons, ...issued.filter((coupon) => !isReplaced(coupon, unknown))];
}

/** Whether a coupon that no reading showed before is in the place of one that an act issued: a node that lags shows none. */
function isReplaced({ who, segment }: KeptCoupon, unknown: readonly KeptCoupon[]): boolean {
  return unknown.some((coupon) => mayBeSame(coupon.who, who) && mayBeSame(coupon.segment, segment));
}

/** Whether two values can be the same, as far as both are known. */
const mayBeSame = <Value>(a: Value | undefined, b: Value | undefined): boolean =>
  a === undefined || b === undefined || a === b;

function ordersNow({ orders: flips }: Flips, before: KeptReading, shown: readonly KeptOrder[]): readonly KeptOrder[] {
  const latest = knownBefore(
    before.orders,
    flips.flatMap(({ is }) => is ?? []),
  );
  const current = (is: KeptOrder) => before.orders.find((order) => latest.get(order) === is);
  const earlier = knownBefore(
    shown,
    flips.flatMap(({ was }) => was ?? []),
  );

  const orders = shown.flatMap((order) => {
    const flip = flips.find(({ was }) => was !== undefined && was === earlier.get(order));
    if (flip === undefined) return [order];
    return flip.is === undefined ? [] : [asNow(order, flip, current(flip.is))];
  });

  const added = flips.flatMap(({ was, is }) => (was === undefined && is !== undefined ? (current(is) ?? []) : []));
  const known = new Set(knownBefore(orders, before.orders).values());
  if (added.some((order) => known.has(order))) return orders;

  // A reading of the same sum does not lag: the airline shows what the act made in more orders, or in fewer.
  return [...orders, ...added.filter((order) => !isDivided(alikeIn(before.orders, order), alikeIn(orders, order)))];
}

/** The orders in the direction of the order. */
const alikeIn = (orders: readonly KeptOrder[], order: KeptOrder): readonly KeptOrder[] =>
  orders.filter((one) => isRefund(one) === isRefund(order));

/**
 * Gives a row as it is now if something of it is as it was before the act, and nothing of what the act changed is shown.
 * @param known the row as it is known by now; undefined: as the act left it
 */
function asNow<Row extends object>(shown: Row, { was, is }: Flipped<Row>, known = is): Row {
  if (was === undefined || is === undefined || known === undefined) return shown;
  const others = otherIn(was, is);
  const isAs = (row: Row) => (name: keyof Row) => shown[name] !== undefined && sameJson(shown[name], row[name]);
  const lagging = others.filter(isAs(was));
  const isNew = (name: keyof Row & string) => !OF_PRICE.has(name) && isAs(known)(name) && !isAs(was)(name);
  if (lagging.length === 0 || others.some(isNew)) return shown;
  return { ...shown, ...Object.fromEntries(lagging.map((name) => [name, known[name]])) };
}
