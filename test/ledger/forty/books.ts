/**
 * What the airlines' own books say of the fortnight: their ledgers and records of bookings, and nothing of what the desk keeps. Days
 * are those of Riyadh. Who did what, and what people answered, no airline knows: the play wrote it down.
 */
import { findDeparture } from '../../../src/sandbox/carrier.ts';
import { allBookings, type CarrierBooking } from '../../../src/sandbox/record.ts';
import type { Currency, Who } from './desk.ts';
import type { Fortnight } from './fortnight.ts';

export interface Entry {
  readonly at: number;
  readonly day: string;
  readonly locator: string;
  readonly by: Who;
  readonly minor: number;
  readonly currency: string;
  /** Pointers or ticket numbers, as the airline wrote them down. */
  readonly about: readonly string[];
}

export interface Leg {
  readonly locator: string;
  readonly n: number;
  readonly train: string;
  readonly from: string;
  readonly to: string;
  readonly day: string;
  /** `07:42` at the station. */
  readonly clock: string;
  readonly bookingClass: string;
  readonly isGone: boolean;
  readonly booking: CarrierBooking;
}

export type Books = ReturnType<typeof openBooks>;

/** Riyadh keeps no summer time. */
const inRiyadh = (at: number): string => new Date(at + 3 * 3_600_000).toISOString();
export const dayIn = (at: number): string => inRiyadh(at).slice(0, 10);
const clockIn = (at: number): string => inRiyadh(at).slice(11, 16);
const DIGITS: Readonly<Record<string, number>> = { SAR: 2, KWD: 3, JPY: 0 };
export const written = (minor: number, currency: string): number =>
  Number((minor / 10 ** (DIGITS[currency] ?? 2)).toFixed(DIGITS[currency]));
export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export function openBooks(fortnight: Fortnight) {
  const now = fortnight.now();
  const places = (['SAR', 'KWD', 'JPY'] as const).map((currency) => fortnight.at(currency));
  const makers = new Map([...fortnight.made.values()].map(({ locator, by }) => [locator, by]));
  const entries = places.flatMap(({ sandbox }) =>
    sandbox.ledger().flatMap(({ at, event, locator, amount, seq, about }) => {
      const by = makers.get(locator);
      if (by === undefined) return [];
      return [
        {
          at: Date.parse(at),
          day: dayIn(Date.parse(at)),
          event,
          locator,
          by,
          minor: amount?.minor ?? 0,
          currency: amount?.currency ?? '',
          seq,
          about,
        },
      ];
    }),
  );
  const paid = entries.filter(({ event }) => event === 'paid');
  const isExchange = (entry: (typeof paid)[number]) =>
    entries.some(
      (other) => other.event === 'rebooked' && other.locator === entry.locator && other.seq === entry.seq - 1,
    );
  const bookings = new Map<string, { readonly booking: CarrierBooking; readonly currency: Currency }>();
  const legs: Leg[] = [];
  for (const { sandbox, currency } of places) {
    const carrier = sandbox.carrier();
    for (const booking of allBookings(carrier.state)) {
      if (!makers.has(booking.locator)) continue;
      bookings.set(booking.locator, { booking, currency });
      const segments = booking.options.flatMap((option) => option.segments);
      const departures = segments.map((segment) => ({ segment, departure: findDeparture(carrier, segment) }));
      for (const [i, { segment, departure }] of departures.entries()) {
        legs.push({
          ...{ locator: booking.locator, n: i + 1, train: `HHR${departure.shownNumber}` },
          ...{
            from: departure.from.code,
            to: departure.to.code,
            day: dayIn(departure.departsAt),
            clock: clockIn(departure.departsAt),
          },
          ...{ bookingClass: segment.bookingClass, isGone: segment.cancelled || departure.cancelled, booking },
        });
      }
    }
  }
  const heads = ({ travelers }: CarrierBooking, type?: string) =>
    travelers.filter((one) => type === undefined || one.type === type).length;
  return {
    now,
    fortnight,
    locator: (name: string) => fortnight.of(name).locator,
    booking(name: string): CarrierBooking {
      const found = bookings.get(fortnight.of(name).locator);
      if (found === undefined) throw new Error(`the books have no ${name}`);
      return found.booking;
    },
    all: [...bookings.values()],
    by: (locator: string): Who => makers.get(locator) ?? 'sue',
    /** Of a booking's first payment. */
    sales: paid.filter((entry) => !isExchange(entry)) as readonly Entry[],
    /** What changes of trains cost; those that were free stand only as `rebooked`. */
    charges: paid.filter(isExchange) as readonly Entry[],
    paid: paid as readonly Entry[],
    refunds: entries
      .filter(({ event }) => event === 'refunded')
      .map((entry) => {
        const made = bookings.get(entry.locator)?.booking.refunds ?? [];
        const { penalty, tax } = made.find(({ whole }) => whole.amount.minor === entry.minor)?.whole ?? {};
        const isPaidOut = bookings.get(entry.locator)?.booking.refundsWait !== true;
        return { ...entry, kept: (penalty?.minor ?? 0) + (tax?.minor ?? 0), vat: tax?.minor ?? 0, isPaidOut };
      }),
    of: (event: (typeof entries)[number]['event']) => entries.filter((entry) => entry.event === event),
    /** Legs on which somebody travels with a ticket. */
    travelled: legs.filter(({ isGone, booking }) => !isGone && booking.state === 'ticketed'),
    legs,
    heads,
    lapsed: [...bookings.values()].filter(({ booking }) => booking.state === 'held' && booking.payBy <= now),
    held: [...bookings.values()].filter(({ booking }) => booking.state === 'held' && booking.payBy > now),
  };
}

/** Sums in each group: `[...key, sum]`, by currency too. */
export function grouped<T extends { readonly currency: string }>(
  entries: readonly T[],
  keys: (entry: T) => readonly (string | number)[],
  minor: (entry: T) => number,
) {
  const groups = Map.groupBy(entries, (entry) => JSON.stringify([...keys(entry), entry.currency]));
  return [...groups].map(([key, all]) => ({
    key: JSON.parse(key) as (string | number)[],
    count: all.length,
    minor: sum(all.map(minor)),
  }));
}
