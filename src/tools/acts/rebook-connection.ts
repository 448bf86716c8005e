/**
 * Changes a connection, or a whole trip, flight by flight: the message of the airline changes one segment, which it names by its
 * stations. The flights that differ from the offer become the steps of one line of a plan. In this order: whether an offer fits, the line,
 * one flight of it.
 */

import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { notSent } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import { instantOf } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import {
  activeSegments,
  type Booking,
  type Segment,
  type SegmentOption,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { namesShown } from '../../domain/booking/name-keys.ts';
import { type FlightKey, flightKey, sameFlight } from '../../domain/facts/pair.ts';
import type { PlanLine } from '../../plans/plan.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import type { InputProblems } from '../rules/input-problems.ts';
import { SEE_ALLOWED } from '../rules/why-not.ts';
import { type Trip, tripFromOffers } from '../steps/offers.ts';
import { readNow } from '../steps/record-booking.ts';
import {
  bookedAlready,
  fitOffer,
  replacedSegment,
  replacementFlight,
  type UnfitOffer,
  whyNotRebookAny,
  whyNotRebookOne,
} from './replacement-flight.ts';

/** The arguments of rebook_segment. */
export interface RebookArgs {
  readonly locator: string;
  readonly segment_ref: string;
  readonly offer_id: string;
}

/** A flight of the connection that the offer replaces. */
export interface FlightChange {
  readonly old: Segment;
  readonly fresh: Segment;
  /** Its place in the offer, from 0. */
  readonly place: number;
}

/** Which flight of a connection one step changes. Only lines of our own have it: no input has such a field. */
interface ConnectionPart {
  /** All flights that the line changes, in the order in which it does. */
  readonly flights: readonly { readonly old: FlightKey; readonly place: number }[];
  /** Which of them, from 0. */
  readonly at: number;
}

/** `approved`: the most that was approved for the step, once an earlier one has changed the booking. */
interface PartArgs extends RebookArgs {
  readonly part: ConnectionPart;
  readonly approved?: Money;
}

export function isPart(args: RebookArgs): args is PartArgs {
  return 'part' in args;
}

/** The active flights in whose places those of the offer come: of the segment's option, or, of an offer of the whole trip, all. */
function flightsFor({ options: offered }: Pick<Trip, 'options'>, option: SegmentOption, booking: Booking) {
  const active = activeSegments(booking);
  const parts = booking.options.filter(({ segments }) => segments.some((segment) => active.includes(segment)));
  const replaced = offered.length > 1 && offered.length === parts.length ? parts : [option];
  return segmentsOf({ options: replaced }).filter((segment) => active.includes(segment));
}

/** `other`: an offer of other stations, or of fewer or more flights, which replaces no connection. */
type FittedConnection =
  | UnfitOffer
  | { readonly kind: 'other' }
  | { readonly kind: 'fits'; readonly changes: readonly FlightChange[] };

/** Whether the flights of an offer can take the places of a connection's, one after the other: after each, the trip must be in order. */
export function fitConnection(booking: Booking, option: SegmentOption, trip: Pick<Trip, 'options'>): FittedConnection {
  const olds = flightsFor(trip, option, booking);
  const offered = segmentsOf(trip);
  if (olds.length < 2 || !areSameStations(olds, offered)) return { kind: 'other' };

  const pairs = olds.flatMap((old, place): FlightChange[] => {
    const fresh = offered[place];
    return fresh === undefined ? [] : [{ old, fresh, place }];
  });
  const changes = inOrder(pairs.filter(({ old, fresh }) => !sameFlight(flightKey(old), flightKey(fresh))));

  let changed = booking;
  for (const { old, fresh } of changes) {
    const fit = fitOffer(changed, old, { options: [oneFlight(fresh)] });
    if (fit.kind === 'unfit') return { ...fit, why: `changed flight by flight, ${fit.why}` };
    changed = withFlight(changed, old, fresh);
  }

  if (changes.length > 0) return { kind: 'fits', changes };

  const refs = olds.map(({ ref }) => cleanRef(ref));
  return bookedAlready(`segments ${listed(refs)} have these numbers, days and classes already`);
}

/** In the order of travel. Where the last flight moves later it is changed first: else an earlier one would arrive after it departs. */
function inOrder(changes: readonly FlightChange[]): readonly FlightChange[] {
  const last = changes.at(-1);
  const [before, after] = [instantOf(last?.old.departs), instantOf(last?.fresh.departs)];
  const movesLater = before !== undefined && after !== undefined && after > before;
  return movesLater ? changes.toReversed() : changes;
}

function areSameStations(olds: readonly Segment[], offered: readonly Segment[]): boolean {
  if (olds.length !== offered.length) return false;
  return olds.every(({ from, to }, i) => from === offered[i]?.from && to === offered[i]?.to);
}

/** The booking as it is once the airline has changed this flight. */
function withFlight(booking: Booking, old: Segment, fresh: Segment): Booking {
  const { ref, optionRef, statusCode } = old;
  const changed = { ...fresh, ref, optionRef, statusCode };
  const options = booking.options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) => (segment === old ? changed : segment)),
  }));
  return { ...booking, options };
}

/**
 * The line that changes a whole connection, one message for each flight. Undefined for any other call: the act then makes it, or says why
 * not. Throws ClerkError if the offer does not fit.
 */
export async function connectionLine(args: RebookArgs, ctx: ToolContext): Promise<PlanLine | undefined> {
  const shelved = await ctx.state.offers.get(ctx.caller, args.offer_id);
  if (shelved === undefined || segmentsOf(shelved.offer).length < 2) return undefined;

  const booking = await readNow(args.locator, ctx);
  const now = ctx.now();
  if (whyNotRebookAny(booking, now) !== undefined) return undefined;

  const replaced = replacedSegment(booking, args.segment_ref);
  if (whyNotRebookOne(booking, replaced.segment, now) !== undefined) return undefined;

  const trip = await tripFromOffers([args.offer_id], ctx);
  const fit = fitConnection(booking, replaced, trip);
  if (fit.kind === 'other') return undefined;
  if (fit.kind === 'unfit') throw fit.error;

  const flights = fit.changes.map(({ old, place }) => ({ old: flightKey(old), place }));
  const { locator } = booking;

  return {
    title: `Rebook ${trip.options.length > 1 ? 'trip' : 'connection'}: ${locator}`,
    locator,
    steps: fit.changes.map(({ old }, at) => ({
      tool: 'rebook_segment',
      args: { locator, segment_ref: old.ref, offer_id: args.offer_id, part: { flights, at } },
      ...(at > 0 && { after: [at - 1], changedBefore: true as const }),
    })),
  };
}

/** The flight of a step, as the booking has it now, with what the terms of the step need. */
export function partNow({ part, approved }: PartArgs, booking: Booking, trip: Trip) {
  const flight = part.flights[part.at];
  const offered = segmentsOf(trip);
  const segment = flight && activeSegments(booking).find((one) => sameFlight(flightKey(one), flight.old));
  const fresh = flight && offered[flight.place];
  if (flight === undefined || segment === undefined || fresh === undefined) {
    throw notSent('E_NOT_PERMITTED', 'The flight to be changed is no longer in the booking as it was.', SEE_ALLOWED);
  }

  const before = part.flights.slice(0, part.at).reduce((changed, { old, place }) => {
    const earlier = activeSegments(changed).find((one) => sameFlight(flightKey(one), old));
    const offeredThen = offered[place];
    return earlier === undefined || offeredThen === undefined ? changed : withFlight(changed, earlier, offeredThen);
  }, booking);

  return {
    part,
    approved,
    place: flight.place,
    segment,
    fresh,
    before,
    trip: { ...trip, options: [oneFlight(fresh)] },
  };
}

export type PartNow = ReturnType<typeof partNow>;

export function oneFlight(segment: Segment): SegmentOption {
  return { ref: segment.optionRef, segments: [segment] };
}

/** Gives the flight of a step with a ref that is new to the booking. Throws E_INPUT, E_ALREADY_DONE. */
export function partFlight({ segment, before, trip }: PartNow, problems: InputProblems): SegmentOption {
  const current = activeSegments(before).find(({ ref }) => ref === segment.ref) ?? segment;
  return replacementFlight(before, current, trip, problems);
}

/** What a yes to a step binds of the booking: its flights, those before as they were to be changed, and its people. */
export function boundOfPart({ segment, fresh, before }: PartNow) {
  const others = activeSegments(before).filter(({ ref }) => ref !== segment.ref);
  return {
    old: flightKey(segment),
    fresh: flightKey(fresh),
    others: others.map((one) => JSON.stringify(flightKey(one))).toSorted(),
    names: [...namesShown(before.reading.travelers)].toSorted(),
  };
}

/** `ZQ284 in class Y`. */
export function flightInClass(segment: Segment): string {
  const { bookingClass } = segment;
  return bookingClass === undefined
    ? flightName(segment)
    : `${flightName(segment)} in class ${cleanCode(bookingClass)}`;
}

/** Says, on the first step, in which order the flights are changed, and what stays if it stops half-way. */
export function halfwayNote({ part }: PartNow, trip: Trip, ctx: ToolContext): string | undefined {
  if (part.at > 0 || part.flights.length < 2) return undefined;
  const names = part.flights.flatMap(({ place }) => segmentsOf(trip)[place] ?? []).map((one) => stationsText(one));
  const vehicle = vehicleOf(ctx.settings);
  const [first = '', ...others] = names;
  return `The airline changes one ${vehicle} at a time: ${listed(names)}. If it stops after one, what was changed stays so: ${first} as changed, and ${listed(others)} as it was. No ${vehicle} is changed after one that was not, or that cost more than approved; the sum of all covers what was changed.`;
}

/** `BOM-DXB`. */
export function stationsText({ from, to }: Pick<Segment, 'from' | 'to'>): string {
  return `${cleanCode(from)}-${cleanCode(to)}`;
}
