/** The airline as its addresses and operations see it: state, clock, network, settings, and lookups in them. */
import { cancelLimit, type PricedOption, type PricedSegment } from './fares.ts';
import type { Credentials } from './identity.ts';
import type { Fare, Network } from './network/network.ts';
import {
  allSegments,
  type CarrierBooking,
  findBooking,
  type HeldOption,
  type HeldSegment,
  isExpired,
} from './record.ts';
import { Refusal } from './refusal.ts';
import type { CarrierState, Clock } from './state.ts';
import type { Departure, Timetable } from './timetable.ts';
import type { Dialect, Wire } from './wire.ts';

export interface Carrier {
  readonly state: CarrierState;
  readonly timetable: Timetable;
  readonly network: Network;
  /** Instant of the request being answered, ms epoch by the airline's clock. */
  readonly now: number;
  /** Address under which tickets are downloaded. */
  readonly restUrl: string;
  /** Short name of the airline at the identity provider. */
  readonly tenant: string;
  readonly dialect: Dialect;
  /** The fare of its class that a rebooking gets. Absent: the one asked for, or the cheapest. */
  readonly rebooksInto?: 'dearest';
}

/** A hold lasts thirty minutes (docs/wire/notes.md, Money and rules). */
export const HOLD_MS = 30 * 60_000;
/** Names and seats are fixed 72 hours before the first departure. */
export const NAMES_FIXED_MS = 72 * 3_600_000;
/** Sales of a departure close this long before it leaves. */
export const SALE_CUTOFF_MS = 30 * 60_000;
/** Most travellers in one booking. */
export const MOST_TRAVELERS = 9;

/** Throws 97 if neither locator is known. */
export function needBooking(carrier: Carrier, locator: string): CarrierBooking {
  const booking = findBooking(carrier.state, locator.trim().toUpperCase());
  if (booking === undefined) throw new Refusal('97', `no booking ${locator}`);
  return booking;
}

/** Throws unless the booking is paid and not wholly cancelled. */
export function needTicketed(booking: CarrierBooking): void {
  if (booking.state === 'held') throw new Refusal('118', 'the booking is not paid');
  if (booking.state === 'cancelled') throw new Refusal('95', 'the whole booking is cancelled');
}

/** Throws unless the booking is neither cancelled nor lapsed. */
export function needOpen(carrier: Carrier, booking: CarrierBooking): void {
  if (booking.state === 'cancelled') throw new Refusal('95', 'the whole booking is cancelled');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');
}

/** Where departures and fares are looked up. */
type Tables = Pick<Carrier, 'timetable' | 'network'>;

export function findDeparture(carrier: Pick<Carrier, 'timetable'>, segment: HeldSegment): Departure {
  const departure = carrier.timetable.find(segment.departure);
  if (departure === undefined) throw new Refusal('448', `the timetable lost departure ${segment.departure.number}`);
  return departure;
}

/** What the airline answers about a departure that it cancelled: a code of rail, or of OpenTravel. */
export function serviceCancelled(carrier: Carrier, { shown }: Departure): Refusal {
  return new Refusal(carrier.dialect === 'rail' ? '3509' : '16', `departure ${shown} is cancelled`);
}

/** The time limit for cancelling or rebooking a segment, ms epoch; none if the airline cancelled its departure. */
function changeLimit(carrier: Carrier, segment: HeldSegment): number {
  const { cancelled, departsAt } = findDeparture(carrier, segment);
  return cancelled ? Number.POSITIVE_INFINITY : cancelLimit(carrier.network, departsAt);
}

/** Throws once the time limit for cancelling or rebooking a segment has passed. */
export function needInTime(carrier: Carrier, segment: HeldSegment): void {
  if (carrier.now >= changeLimit(carrier, segment))
    throw new Refusal('150', `the time limit of segment ${segment.ref} has passed`);
}

export function findFare(carrier: Pick<Carrier, 'network'>, segment: HeldSegment): Fare {
  const fare = carrier.network.fares.find((fare) => fare.basis === segment.basis);
  if (fare === undefined) throw new Refusal('448', `the tariff lost fare ${segment.basis}`);
  return fare;
}

function priceSegment(carrier: Tables, segment: HeldSegment): PricedSegment {
  const { ref, prices, cancelled, status } = segment;
  const known = {
    ref,
    fare: findFare(carrier, segment),
    departure: findDeparture(carrier, segment),
    prices,
    cancelled,
  };
  return status === undefined ? known : { ...known, status };
}

/** The priced components of a booking. */
export function priceSegments(carrier: Tables, booking: CarrierBooking): readonly PricedSegment[] {
  return allSegments(booking).map((segment) => priceSegment(carrier, segment));
}

/** Held options with their fares and departures. */
export function pricedOptions(carrier: Carrier, options: readonly HeldOption[]): readonly PricedOption[] {
  return options.map(({ ref, segments }) => ({
    ref,
    segments: segments.map((segment) => priceSegment(carrier, segment)),
  }));
}

/** What a reply answers. */
export interface Answered {
  /** The message, or the name of another address, as faults name it. */
  readonly name: string;
  /** The message without its envelope; empty for other addresses. */
  readonly request: Wire;
  readonly carrier: Carrier;
}

/**
 * The last word on a reply or refusal: its form. It runs within the transaction of a message, so that a Refusal thrown
 * here undoes what the message did.
 */
type Rewrite = (reply: Wire, answered: Answered) => Wire;

export interface SandboxContext {
  readonly state: CarrierState;
  readonly clock: Clock;
  readonly timetable: Timetable;
  readonly credentials: Credentials;
  /** Which credentials a call must carry. */
  readonly accepts: 'both' | 'key' | 'token';
  readonly dialect: Dialect;
  readonly rebooksInto?: Carrier['rebooksInto'];
  readonly rewrite: Rewrite;
  /** Origin of the sandbox's own address, known once it listens. */
  origin(): string;
}

export function carrierNow(context: SandboxContext): Carrier {
  const { state, timetable, clock, dialect, credentials, rebooksInto } = context;
  return {
    state,
    timetable,
    network: timetable.network,
    now: clock.now(),
    restUrl: context.origin(),
    tenant: credentials.tenant,
    dialect,
    rebooksInto,
  };
}
