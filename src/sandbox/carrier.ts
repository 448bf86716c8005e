/** The airline in three views, for mishaps, operations and addresses; then lookups that throw a Refusal. */
import type { Money } from '../core/money.ts';
import { cancelLimit, fareRules, type Rule, type RuleKind } from './fare-rules.ts';
import type { Credentials } from './identity.ts';
import type { Fare, Network } from './network.ts';
import { type PricedOption, segmentsIn, totalPrice } from './priced-trip.ts';
import {
  type CarrierBooking,
  countTypes,
  findBooking,
  type HeldOption,
  type HeldSegment,
  isExpired,
  type Traveler,
} from './record.ts';
import { Refusal } from './refusal.ts';
import type { CarrierState, Clock } from './state.ts';
import type { Departure, Timetable } from './timetable.ts';
import type { Dialect, Wire } from './wire.ts';
import { HOUR_MS, MINUTE_MS } from './zone.ts';

/** The airline while it answers a request: enough for operations. */
export interface Carrier {
  readonly state: CarrierState;
  readonly timetable: Timetable;
  readonly network: Network;
  readonly dialect: Dialect;
  /** ms epoch by the airline's clock. */
  readonly now: number;
  /** Address under which tickets are downloaded. */
  readonly restUrl: string;
  /** Short name of the airline at the identity provider. */
  readonly tenant: string;
}

/** The airline at one instant: enough for mishaps. */
export type AirlineNow = Pick<Carrier, 'state' | 'timetable' | 'network' | 'dialect' | 'now'>;

/** The call that a reply answers. */
interface AnsweredCall {
  /** The message, or the name of another address, as faults name it. */
  readonly name: string;
  /** The message without its envelope; empty for other addresses. */
  readonly request: Wire;
  readonly carrier: Carrier;
}

/**
 * Changes a reply or refusal before it is sent. Runs within the transaction of a message, so that a Refusal thrown here
 * undoes what the message did.
 */
export type Rewrite = (reply: Wire, answered: AnsweredCall) => Wire;

/** A running sandbox: enough for addresses. Has a clock and no instant: {@link carrierNow} makes a Carrier for each call. */
export interface SandboxContext extends Pick<Carrier, 'state' | 'timetable' | 'dialect'> {
  readonly clock: Clock;
  readonly credentials: Credentials;
  /** Which credentials a call must carry. */
  readonly accepts: 'both' | 'key' | 'token';
  readonly rewrite: Rewrite;
  /** Returns the origin of the sandbox's address: `http://127.0.0.1:8770`. Empty until the sandbox listens. */
  origin(): string;
}

/** Returns the airline at this instant. */
export function carrierNow(context: SandboxContext): Carrier {
  const { state, timetable, clock, dialect, credentials } = context;
  return {
    state,
    timetable,
    network: timetable.network,
    now: clock.now(),
    restUrl: context.origin(),
    tenant: credentials.tenant,
    dialect,
  };
}

/** A hold lasts thirty minutes (docs/wire/notes.md, Money and rules). */
export const HOLD_MS = 30 * MINUTE_MS;
/** Names and seats are fixed 72 hours before the first departure. */
export const NAMES_FIXED_MS = 72 * HOUR_MS;
/** Most travellers in one booking. */
export const MOST_TRAVELERS = 9;

/** Finds a booking by its own locator or one of the operating airline's. Throws 97 if there is none. */
export function requireBooking(carrier: Carrier, locator: string): CarrierBooking {
  const booking = findBooking(carrier.state, locator.trim().toUpperCase());
  if (booking === undefined) throw new Refusal('97', `no booking ${locator}`);
  return booking;
}

/** Throws unless the booking is paid and not wholly cancelled. */
export function requireTicketed(booking: CarrierBooking): void {
  if (booking.state === 'held') throw new Refusal('118', 'the booking is not paid');
  if (booking.state === 'cancelled') throw new Refusal('95', 'the whole booking is cancelled');
}

/** Throws if the booking is cancelled or lapsed. */
export function requireOpen(carrier: Carrier, booking: CarrierBooking): void {
  if (booking.state === 'cancelled') throw new Refusal('95', 'the whole booking is cancelled');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');
}

/** Finds the traveller of a pointer. Throws 83 if there is none. */
export function requireTraveler(booking: CarrierBooking, ref: string): Traveler {
  const traveler = booking.travelers.find((traveler) => traveler.ref === ref);
  if (traveler === undefined) throw new Refusal('83', `the booking has no traveler ${ref}`);
  return traveler;
}

export function findDeparture({ timetable }: AirlineNow, segment: HeldSegment): Departure {
  const departure = timetable.findByKey(segment.departure);
  if (departure === undefined) throw new Refusal('448', `the timetable lost departure ${segment.departure.number}`);
  return departure;
}

/** Makes the refusal for a departure that the airline cancelled, with a code of rail or of OpenTravel. */
export function cancelledServiceRefusal(carrier: Carrier, { shownNumber }: Departure): Refusal {
  return new Refusal(carrier.dialect === 'rail' ? '3509' : '16', `departure ${shownNumber} is cancelled`);
}

/** Throws if it is too late to cancel or rebook a segment. It never is if the airline cancelled the departure. */
export function requireInTime(carrier: Carrier, segment: HeldSegment): void {
  const { cancelled, departsAt } = findDeparture(carrier, segment);
  if (!cancelled && carrier.now >= cancelLimit(carrier.network, departsAt))
    throw new Refusal('150', `the time limit of segment ${segment.ref} has passed`);
}

function findFare({ network }: AirlineNow, segment: HeldSegment): Fare {
  const fare = network.fares.find((fare) => fare.basis === segment.basis);
  if (fare === undefined) throw new Refusal('448', `the tariff lost fare ${segment.basis}`);
  return fare;
}

/** Finds the rule of a segment that is in force now. Undefined after departure. */
export function ruleNow(carrier: Carrier, kind: RuleKind, segment: HeldSegment, type: string): Rule | undefined {
  const { departsAt } = findDeparture(carrier, segment);
  const rules = fareRules(carrier.network, kind, { fare: findFare(carrier, segment), departsAt }, type);
  return rules.find((rule) => carrier.now < rule.until);
}

/** Adds fares and departures to the options of a booking. */
export function pricedOptions(airline: AirlineNow, options: readonly HeldOption[]): readonly PricedOption[] {
  return options.map(({ ref, segments }) => ({
    ref,
    segments: segments.map((segment) => {
      const { ref, prices, cancelled, status } = segment;
      const fare = findFare(airline, segment);
      return { ref, fare, departure: findDeparture(airline, segment), prices, cancelled, status };
    }),
  }));
}

/** Sums what the travellers of a booking pay for all of its segments. */
export function bookingTotal(airline: AirlineNow, { options, travelers }: CarrierBooking): Money {
  return totalPrice(airline.network, segmentsIn(pricedOptions(airline, options)), countTypes(travelers)).total;
}
