/** An airline's network: its stations, lines and tariff. Two are built in. Amounts are decimals in its currency. */
import type { Dialect } from './wire.ts';

export interface Network {
  readonly name: string;
  /** The seller: marketing carrier of every line. */
  readonly carrier: string;
  readonly ticketPrefix: string;
  readonly currency: string;
  readonly country: string;
  /** Base price of an adult: `start` and then per minute of travel, rounded to `step`. */
  readonly price: Readonly<Record<'start' | 'perMinute' | 'step', string>>;
  readonly typePercent: Readonly<Record<FareType, number>>;
  readonly taxes: readonly Charge[];
  readonly fees: readonly Charge[];
  readonly penaltyVatPercent: number;
  /** How many minutes before departure a segment can be cancelled for the last time. */
  readonly cancelCutoffMinutes: number;
  readonly stations: readonly NetworkStation[];
  readonly vehicles: Readonly<Record<string, Vehicle>>;
  readonly fares: readonly Fare[];
  readonly lines: readonly Line[];
}

export type FareType = 'ADT' | 'CHD' | 'INF';

export interface NetworkStation {
  readonly code: string;
  readonly name: string;
  readonly city: string;
  /** Default: the station's code. */
  readonly cityCode?: string;
  readonly country: string;
  /** IANA time zone. */
  readonly zone: string;
  /** Whether passengers can change trains or flights here. */
  readonly hub?: boolean;
}

/** A line in one direction. The nth departure of a day, from 0, has the number `number + 2n`. */
export interface Line {
  readonly number: number;
  readonly from: string;
  readonly to: string;
  /** Minutes from the first stop to the last. */
  readonly minutes: number;
  /** Stops between them: how many minutes after the first stop, and for how many. */
  readonly via?: readonly { readonly at: string; readonly after: number; readonly stop: number }[];
  /** Local times at the first stop: `06:00 07:30`. */
  readonly departures: string;
  /** ISO weekdays of the first stop's local date, Monday 1; default all. */
  readonly days?: string;
  readonly vehicle: string;
  /** Operating carrier, if it is not the seller. */
  readonly operatedBy?: string;
}

/** A penalty that is in force from the end of the previous one until `untilHours` before departure; default amount 0. */
interface Penalty {
  readonly untilHours: number;
  readonly allowed: boolean;
  readonly amount?: string;
}

export interface Fare {
  readonly basis: string;
  readonly bookingClass: string;
  /** Booking class of the coaches whose seats the fare sells. Default: its own class. */
  readonly cabin?: string;
  readonly name: string;
  /** Per cent of the line's base price. */
  readonly percent: number;
  readonly baggage: string;
  /** The fare is sold only while more than this share of its cabin is free; default 0. */
  readonly closesBelowPercent?: number;
  readonly refund: readonly Penalty[];
  readonly change: readonly Penalty[];
}

/** A tax or fee: per cent of the fare, or else an amount. */
export interface Charge {
  readonly code: string;
  readonly name: string;
  readonly percent?: number;
  readonly amount?: string;
  /** Who pays it; default all types. */
  readonly types?: readonly FareType[];
}

/** A coach or cabin: seats in rows `first` to `last`, with these letters and `|` for the aisle. */
export interface Coach {
  readonly code: string;
  readonly bookingClass: string;
  readonly first: number;
  readonly last: number;
  readonly letters: string;
}

export interface Vehicle {
  readonly kind: 'train' | 'aircraft';
  readonly name: string;
  readonly coaches: readonly Coach[];
}

/** Loads the network of a dialect. */
export async function loadNetwork(dialect: Dialect): Promise<Network> {
  const { default: network } =
    dialect === 'rail'
      ? await import('./rail-network.json', { with: { type: 'json' } })
      : await import('./airline-network.json', { with: { type: 'json' } });
  return network as Network;
}
