/** Which bookings a call of move_party is about: one, or those of a train, by what the airline changed on it. */

import { cleanCode } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { dateOf, daysBetween, showDay, showTrip } from '../../core/times.ts';
import { type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { segmentStatus, standing } from '../../domain/booking/status-codes.ts';
import { MOST_LINES } from '../../plans/plan.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { callerFindings } from '../rules/attention.ts';
import { manyByRef } from '../rules/find-by-ref.ts';
import { notSent } from '../rules/refusal.ts';
import type { RecipeCall } from './recipe.ts';
import type { RecipeArgs } from './recipe-inputs.ts';

export interface Parties {
  readonly locators: readonly string[];
  /** The segments of a booking that are replaced. @throws ClerkError if it has none */
  replaced(booking: Booking): readonly Segment[];
}

/** @throws ClerkError for arguments that do not fit together, and for a train that no finding is about */
export async function partiesOf({ args, at, ctx }: RecipeCall): Promise<Parties> {
  const { locator, segment_refs: refs, train, date, locators } = args as RecipeArgs<'move_party'>;
  const place = `${at}.arguments`;
  if (locator !== undefined && [train, date, locators].every((one) => one === undefined)) {
    return {
      locators: [locator],
      replaced: (booking) => replacedSegments(booking, refs, `${place}.segment_refs`),
    };
  }
  if (locator !== undefined || train === undefined || date === undefined || refs !== undefined) {
    throw inputError(place, 'expected either locator, or train and date.');
  }
  return {
    locators: locators ?? (await onTrain(train, date, place, ctx)),
    replaced: (booking) => segmentsOn(booking, train, date, ctx),
  };
}

export const isGone = (segment: Segment) => standing(segment) === 'cancelled';

export const nameAndTime = (segment: Segment) =>
  `${flightName(segment)}, ${showTrip(segment.departs, segment.arrives)}`;

/** Also where the airline owes a refund for the cancelled segment: a party on its replacement needs no second trip. */
export function assertNotReplaced(booking: Booking, old: readonly Segment[], { settings }: ToolContext): void {
  const others = running(booking).filter((one) => !old.includes(one));
  for (const was of old.filter((one) => segmentStatus(one.statusCode) !== 'active')) {
    const instead = others.find(
      ({ from, to, departs }) =>
        from === was.from && to === was.to && Math.abs(daysBetween(dateOf(was.departs), dateOf(departs))) <= 1,
    );
    if (instead === undefined) continue;
    const has = `${vehicleOf(settings)} ${nameAndTime(instead)}, in place of ${flightName(was)}`;
    throw notSent('E_NOT_PERMITTED', `Booking ${booking.locator} has ${has}.`, 'Call read_booking to see its trip.');
  }
}

const running = (booking: Booking) =>
  segmentsOf(booking).filter((segment) => segmentStatus(segment.statusCode) === 'active');

/** The named segments, also those that the airline cancelled; by default every one that is not cancelled, or else all. */
function replacedSegments(booking: Booking, refs: readonly string[] | undefined, at: string): readonly Segment[] {
  const all = segmentsOf(booking);
  if (refs !== undefined) return manyByRef(all, refs, at, 'the booking has');
  const left = all.filter((segment) => !isGone(segment));
  return left.length > 0 ? left : all;
}

/** `101` for `HHR101` and `0101`: a carrier may stand before it. */
function digitsOf(number: string): string {
  return (/\d+$/.exec(number.trim())?.[0] ?? number.trim()).replace(/^0+(?=\d)/, '');
}

function trainText(train: string, date: string, { settings }: ToolContext): string {
  return `${vehicleOf(settings)} ${cleanCode(train, 12)} on ${showDay(`${date}T00:00`)}`;
}

/** Bookings with an open finding about the train that day. */
async function onTrain(train: string, date: string, place: string, ctx: ToolContext): Promise<readonly string[]> {
  const open = await callerFindings(ctx);
  const about = open.filter(
    ({ segment }) =>
      segment !== undefined && digitsOf(segment.number) === digitsOf(train) && dateOf(segment.departs) === date,
  );
  const locators = [...new Set(about.map(({ locator }) => locator))].toSorted();
  const finding = `an open finding about ${trainText(train, date, ctx)}`;
  if (locators.length > MOST_LINES) {
    const next = `Name at most ${MOST_LINES} of them in locators, and the others in further plans.`;
    throw inputError(place, `${locators.length} bookings have ${finding}.`, next);
  }
  if (locators.length > 0) return locators;
  const what = `No booking of yours has ${finding}.`;
  throw notSent('E_NOT_FOUND', what, 'Call list_bookings with needs_attention, or name the bookings in locators.');
}

function segmentsOn(booking: Booking, train: string, date: string, ctx: ToolContext): readonly Segment[] {
  const found = segmentsOf(booking).filter(
    ({ flightNumber, departs }) => digitsOf(flightNumber) === digitsOf(train) && dateOf(departs) === date,
  );
  if (found.length > 0) return found;
  const what = `Booking ${booking.locator} has no segment of ${trainText(train, date, ctx)}.`;
  const has = running(booking).map(nameAndTime);
  const trip = has.length === 0 ? 'No segment of it is active.' : `It has ${has.join('; ')}.`;
  throw notSent('E_NOT_PERMITTED', `${what} ${trip}`, 'Call read_booking to see its trip.');
}
