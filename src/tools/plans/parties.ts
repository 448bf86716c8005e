/** Which bookings a call of move_party is about: one, or those of a train, by what the airline changed on it. */
import { type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import type { Segment } from '../../domain/booking/itinerary.ts';
import { standing } from '../../domain/booking/status-codes.ts';
import { cleanCode } from '../../domain/time-and-text/clean-text.ts';
import { showDay } from '../../domain/time-and-text/local-times.ts';
import { dateOf } from '../../domain/time-and-text/times.ts';
import { inputError } from '../../errors.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { ownFindings } from '../rules/attention.ts';
import { manyByRef } from '../rules/find-by-ref.ts';
import { notSent } from '../rules/permissions.ts';
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
    locators: locators ?? (await onTrain(train, date, ctx)),
    replaced: (booking) => segmentsOn(booking, train, date, ctx),
  };
}

export const isGone = (segment: Segment) => standing(segment) === 'cancelled';

/** The named segments, also those that the airline cancelled; by default every one that is not cancelled, or else all. */
function replacedSegments(booking: Booking, refs: readonly string[] | undefined, at: string): readonly Segment[] {
  const all = segmentsOf(booking);
  if (refs !== undefined) return manyByRef(all, refs, at, 'this booking');
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
async function onTrain(train: string, date: string, ctx: ToolContext): Promise<readonly string[]> {
  const open = await ownFindings(ctx);
  const about = open.filter(
    ({ segment }) =>
      segment !== undefined && digitsOf(segment.number) === digitsOf(train) && dateOf(segment.departs) === date,
  );
  if (about.length > 0) return [...new Set(about.map(({ locator }) => locator))].toSorted();
  const what = `No booking of yours has an open finding about ${trainText(train, date, ctx)}.`;
  throw notSent('E_NOT_FOUND', what, 'Call list_bookings with needs_attention, or name the bookings in locators.');
}

function segmentsOn(booking: Booking, train: string, date: string, ctx: ToolContext): readonly Segment[] {
  const found = segmentsOf(booking).filter(
    ({ flightNumber, departs }) => digitsOf(flightNumber) === digitsOf(train) && dateOf(departs) === date,
  );
  if (found.length > 0) return found;
  const what = `Booking ${booking.locator} has no segment of ${trainText(train, date, ctx)}.`;
  throw notSent('E_NOT_PERMITTED', what, 'Call read_booking to see its trip.');
}
