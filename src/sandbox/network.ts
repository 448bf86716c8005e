/** An airline's network: its stations, lines and tariff. Two are built in. */
import * as z from 'zod';
import type { Dialect } from './wire.ts';

const stationCode = z.string().regex(/^[A-Z]{3}$/);
const country = z.string().regex(/^[A-Z]{2}$/);
const carrier = z.string().regex(/^[A-Z0-9]{2,3}$/);
const bookingClass = z.string().regex(/^[A-Z]$/);
const weekdays = z.string().regex(/^[1-7]{1,7}$/);

const station = z.strictObject({
  code: stationCode,
  name: z.string().min(1),
  city: z.string().min(1),
  /** Default: the station's code. */
  cityCode: stationCode.optional(),
  country,
  /** IANA time zone. */
  zone: z.string(),
  /** Whether passengers can change trains or flights here. */
  hub: z.boolean().default(false),
});

/** A line in one direction. The nth departure of a day, from 0, has the number `number + 2n`. */
const line = z.strictObject({
  number: z.int().positive(),
  from: z.string(),
  to: z.string(),
  /** Minutes from the first stop to the last. */
  minutes: z.int().positive(),
  /** Stops between them: how many minutes after the first stop, and for how many. */
  via: z.array(z.strictObject({ at: z.string(), after: z.int().positive(), stop: z.int().positive() })).default([]),
  /** Local times at the first stop: `06:00 07:30`. */
  departures: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d( ([01]\d|2[0-3]):[0-5]\d)*$/),
  /** ISO weekdays of the first stop's local date, Monday 1. */
  days: weekdays.default('1234567'),
  vehicle: z.string(),
  /** Operating carrier, if it is not the seller. */
  operatedBy: carrier.optional(),
});

const amount = z.string().regex(/^\d+(\.\d+)?$/);
const passengerType = z.enum(['ADT', 'CHD', 'INF']);

/** A penalty that is in force from the end of the previous one until `untilHours` before departure. */
const penalty = z.strictObject({
  untilHours: z.int().nonnegative(),
  allowed: z.boolean(),
  amount: amount.default('0'),
});

const fare = z.strictObject({
  basis: z.string().regex(/^[A-Z0-9]{2,8}$/),
  bookingClass,
  /** Booking class of the coaches whose seats the fare sells. Default: its own class. */
  cabin: bookingClass.optional(),
  name: z.string().min(1),
  /** Per cent of the line's base price. */
  percent: z.int().positive(),
  baggage: z.string(),
  /** The fare is sold only while more than this share of its cabin is free. */
  closesBelowPercent: z.int().min(0).max(100).default(0),
  refund: z.array(penalty).min(1),
  change: z.array(penalty).min(1),
});

const chargeShape = z.strictObject({
  code: z.string().min(1),
  name: z.string().min(1),
  percent: z.number().nonnegative().optional(),
  amount: amount.optional(),
  types: z.array(passengerType).default(['ADT', 'CHD', 'INF']),
});
const hasOneRate = ({ percent, amount }: Pick<z.infer<typeof chargeShape>, 'percent' | 'amount'>): boolean =>
  (percent === undefined) !== (amount === undefined);
const charge = chargeShape.refine(hasOneRate, 'either percent or amount');
/** `kept`: the airline keeps it if the flight is changed, and takes it again for the new one. */
const fee = chargeShape.extend({ kept: z.boolean().default(false) }).refine(hasOneRate, 'either percent or amount');

/** A coach or cabin: seats in rows `first` to `last`, with these letters and `|` for the aisle. */
const coach = z.strictObject({
  code: z.string().min(1),
  bookingClass,
  first: z.int().positive(),
  last: z.int().positive(),
  letters: z.string().regex(/^[A-Z|]+$/),
});

const vehicle = z.strictObject({
  kind: z.enum(['train', 'aircraft']),
  name: z.string(),
  coaches: z.array(coach).min(1),
});

const networkShape = z.strictObject({
  name: z.string().min(1),
  /** The seller: marketing carrier of every line. */
  carrier,
  ticketPrefix: z.string().regex(/^\d{3}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  country,
  /** Base price of an adult: `start` and then per minute of travel, rounded to `step`. */
  price: z.strictObject({ start: amount, perMinute: amount, step: amount }),
  typePercent: z.strictObject({ ADT: z.int(), CHD: z.int(), INF: z.int() }),
  taxes: z.array(charge),
  fees: z.array(fee),
  /** Whether a change sets off the fare and each tax by itself, so that a lower one makes up for no higher one. */
  changesByPart: z.boolean().default(false),
  penaltyVatPercent: z.number().min(0).max(100),
  /** How many minutes before departure a segment can be cancelled for the last time. */
  cancelCutoffMinutes: z.int().nonnegative(),
  stations: z.array(station).min(2),
  vehicles: z.record(z.string(), vehicle),
  fares: z.array(fare).min(1),
  lines: z.array(line).min(1),
});

export type Network = z.infer<typeof networkShape>;
export type NetworkStation = z.infer<typeof station>;
export type Line = z.infer<typeof line>;
export type Fare = z.infer<typeof fare>;
export type Charge = z.infer<typeof charge>;
export type Coach = z.infer<typeof coach>;
export type Vehicle = z.infer<typeof vehicle>;
export type FareType = z.infer<typeof passengerType>;

/** Reads a network in the form of rail-network.json. */
export const readNetwork = (network: unknown): Network => networkShape.parse(network);

/** Loads the network of a dialect. */
export async function loadNetwork(dialect: Dialect): Promise<Network> {
  const { default: network } =
    dialect === 'rail'
      ? await import('./rail-network.json', { with: { type: 'json' } })
      : await import('./airline-network.json', { with: { type: 'json' } });
  return readNetwork(network);
}
