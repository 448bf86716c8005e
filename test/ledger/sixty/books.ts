/**
 * What the airlines' own books say, and what the people remember; nothing of what the desks keep. Days and times are those of the
 * desk that is asked about. Its imports are tested (books.test.ts).
 */
import { allBookings, type CarrierBooking, findBooking } from '../../../src/sandbox/record.ts';
import { localDateTime } from '../../../src/sandbox/zone.ts';
import { type Leg, legsOf } from './legs.ts';
import { CURRENCIES, DESKS, type DeskName, PEOPLE } from './people.ts';
import type { Failed, Made, Remembrance, Sold } from './play.ts';

export interface Entry {
  readonly at: number;
  readonly day: string;
  readonly clock: string;
  readonly locator: string;
  /** Id of the clerk. */
  readonly by: string;
  readonly minor: number;
  readonly currency: string;
  /** Pointers or ticket numbers, as the airline wrote them down. */
  readonly about: readonly string[];
}

export interface Refund extends Entry {
  /** What the airline keeps of what was paid, with the VAT on it. */
  readonly kept: number;
  readonly vat: number;
  readonly isPaidOut: boolean;
}

interface Exchange extends Entry {
  /** Minor units. */
  readonly charged: number;
  readonly back: number;
}

interface Kept {
  readonly name: string;
  readonly locator: string;
  readonly by: string;
  readonly customer: string | undefined;
  readonly currency: string;
  readonly booking: CarrierBooking;
  /** The trains as they are now. */
  readonly legs: readonly Leg[];
  /** The booking when it was paid. */
  readonly sold: Sold | undefined;
}

export type Books = ReturnType<typeof openBooks>;

const DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, KWD: 3, JPY: 0 };
/** Minor units as people write them: 1234 is 12.34 EUR. */
export const written = (minor: number, currency: string): number =>
  Number((minor / 10 ** (DIGITS[currency] ?? 2)).toFixed(DIGITS[currency]));
export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export function openBooks(desk: DeskName, remembrance: Remembrance) {
  const { now, sandboxOf, made, sold, questions, failed, reasons } = remembrance;
  const { zone } = DESKS[desk];
  const dayOf = (at: number) => localDateTime(zone, at).slice(0, 10);
  const clockOf = (at: number) => localDateTime(zone, at).slice(11, 16);
  const isOfDesk = ({ by }: Pick<Made, 'by'>) => PEOPLE[by].desk === desk;
  const ours = new Map(
    [...made].filter(([, one]) => isOfDesk(one)).map(([name, one]) => [one.locator, { name, ...one }]),
  );
  const all: Kept[] = CURRENCIES.flatMap((currency) => {
    const carrier = sandboxOf(currency).carrier();
    return allBookings(carrier.state).flatMap((booking) => {
      const { locator } = booking;
      const one = ours.get(locator);
      if (one === undefined) return [];
      const { name, customer } = one;
      const by = PEOPLE[one.by].id;
      return [
        { name, locator, by, customer, currency, booking, legs: legsOf(carrier, booking), sold: sold.get(locator) },
      ];
    });
  });
  const lines = CURRENCIES.flatMap((currency) =>
    sandboxOf(currency)
      .ledger()
      .flatMap(({ at: time, event, locator, amount, seq, about }) => {
        const one = ours.get(locator);
        const at = Date.parse(time);
        const when = { at, day: dayOf(at), clock: clockOf(at) };
        const money = { minor: amount?.minor ?? 0, currency };
        return one === undefined ? [] : [{ ...when, event, locator, by: PEOPLE[one.by].id, ...money, seq, about }];
      }),
  );
  const entries = lines.toSorted((a, b) => a.at - b.at);
  const of = (event: (typeof entries)[number]['event']) => entries.filter((entry) => entry.event === event);
  /** What the airline wrote next of the same booking, if that is this event. */
  const next = ({ locator, seq, currency }: (typeof entries)[number], event: string, after = 1) =>
    entries.find(
      (other) =>
        other.currency === currency && other.locator === locator && other.seq === seq + after && other.event === event,
    );
  const exchanges: Exchange[] = of('rebooked').map((entry) => {
    const charge = next(entry, 'paid');
    const back = next(entry, 'refunded', charge === undefined ? 1 : 2);
    return { ...entry, charged: charge?.minor ?? 0, back: back?.minor ?? 0 };
  });
  const isCharge = (paid: (typeof entries)[number]) =>
    entries.some((other) => other.event === 'rebooked' && next(other, 'paid') === paid);
  const refunds: Refund[] = [...Map.groupBy(of('refunded'), ({ locator }) => locator).values()].flatMap((group) =>
    // The airline's record has the refunds of a booking, and their orders, in the order of its ledger.
    group.map((entry, i) => {
      const booking = findBooking(sandboxOf(entry.currency as 'EUR').carrier().state, entry.locator);
      const { penalty, tax } = booking?.refunds[i]?.whole ?? {};
      const order = booking?.orders.filter(({ direction }) => direction === 'REFUND')[i];
      const vat = tax?.minor ?? 0;
      return { ...entry, kept: (penalty?.minor ?? 0) + vat, vat, isPaidOut: order?.status === 'PAID' };
    }),
  );
  const inDays = <T extends { readonly day: string }>(
    list: readonly T[],
    [from = '', to = '9']: readonly string[],
  ): T[] => list.filter(({ day }) => day >= from && day <= to);
  const dated = <T extends { readonly at: number }>(list: readonly T[]) =>
    list.map((one) => ({ ...one, day: dayOf(one.at), clock: clockOf(one.at) }));
  const instant = now();
  const locatorOf = (name: string) => made.get(name)?.locator ?? '';
  return {
    now: instant,
    today: dayOf(instant),
    dayOf,
    clockOf,
    inDays,
    all,
    locator: locatorOf,
    booking(name: string): Kept {
      const found = all.find((one) => one.name === name);
      if (found === undefined) throw new Error(`the books have no ${name}`);
      return found;
    },
    /** Of a booking's first payment. */
    sales: of('paid').filter((entry) => !isCharge(entry)) as readonly Entry[],
    /** Payments, and what exchanges cost. */
    paid: of('paid') as readonly Entry[],
    refunds: refunds.toSorted((a, b) => a.at - b.at),
    exchanges,
    created: of('created') as readonly Entry[],
    released: of('cancelled') as readonly Entry[],
    questions: dated(questions.filter(isOfDesk)).map((one) => ({ ...one, by: PEOPLE[one.by].id })),
    failed: dated(failed.filter(isOfDesk)).map((one: Failed & { day: string; clock: string }) => ({
      ...one,
      by: PEOPLE[one.by].id,
    })),
    reasons,
    held: all.filter(({ booking }) => booking.state === 'held' && booking.payBy > instant),
    lapsed: all.filter(({ booking }) => booking.state === 'held' && booking.payBy <= instant),
    /** Trains on which somebody travels, or travelled, with a ticket. */
    travelled: all.flatMap((one) =>
      one.booking.state === 'ticketed'
        ? one.legs
            .filter(({ isGone }) => !isGone)
            .map((leg) => ({ ...leg, locator: one.locator, by: one.by, people: people(one.booking) }))
        : [],
    ),
    /** Bookings on trains that the airline changed by itself. */
    mishaps: CURRENCIES.flatMap((currency) => sandboxOf(currency).mishaps()).flatMap(({ mishap: { kind }, touched }) =>
      kind === 'cancel' || kind === 'retime' ? touched.filter((locator) => ours.has(locator)) : [],
    ),
  };
}

export const people = ({ travelers }: CarrierBooking, type?: string): number =>
  travelers.filter((one) => type === undefined || one.type === type).length;

/** `QCA-XMD-QCA` */
export const routeOf = (legs: readonly Leg[]): string => [legs[0]?.from, ...legs.map(({ to }) => to)].join('-');

type Row = readonly (string | number)[];

/** Sums of minor units by keys and currency, written as people do: `[...keys, sum]`. */
export function totals<T extends { readonly currency: string }>(
  list: readonly T[],
  minor: (one: T) => number,
  keys: (one: T) => Row = ({ currency }) => [currency],
): Row[] {
  const groups = Map.groupBy(list, (one) => JSON.stringify([keys(one), one.currency]));
  return [...groups].map(([key, group]) => {
    const [row, currency] = JSON.parse(key) as [Row, string];
    return [...row, written(sum(group.map(minor)), currency)];
  });
}
