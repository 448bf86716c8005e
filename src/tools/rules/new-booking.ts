/** Checks the arguments of a new booking and turns them into what is sent. */

import { plainText } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { addDays, instantOf, showDeadline, utcToday } from '../../core/times.ts';
import type { NewBooking, NewGroupBooking } from '../../domain/airline.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import type { ToolContext } from '../definition/define.ts';
import { type ContactInput, type CountsInput, countsOf, type PassengerInput } from '../definition/input-fields.ts';
import type { Trip } from '../steps/offers.ts';
import { assertParty, checkAdult, checkCounts, countTypes } from './party-size.ts';
import { type InputProblems, sentContact, travelersOf } from './passenger-details.ts';

export type NewBookingSend =
  | { readonly kind: 'named'; readonly booking: NewBooking }
  | { readonly kind: 'group'; readonly booking: NewGroupBooking };

interface NewBookingInput {
  readonly contact: ContactInput;
  readonly passengers?: readonly PassengerInput[] | undefined;
  readonly passenger_counts?: CountsInput | undefined;
  readonly group_name?: string | undefined;
}

export function newBooking(
  args: NewBookingInput,
  trip: Trip,
  ctx: ToolContext,
  problems: InputProblems,
): NewBookingSend {
  assertForm(args);
  const { passengers = [], passenger_counts: groupCounts, group_name: groupName } = args;
  const field = args.passengers ? 'passengers' : 'passenger_counts';
  const party = groupCounts ? countsOf(groupCounts) : countTypes(passengers);
  assertParty(party, ctx.settings.maxTravelers, field);
  checkCounts(party, trip.passengers, field, problems);
  const { options } = trip;
  const contact = sentContact(args.contact, problems);
  const segments = options.flatMap((option) => option.segments);
  checkAdult(passengers, segments, problems);
  const latestToday = addDays(utcToday(ctx.now()), 1);
  const travelers = travelersOf(passengers, segments, problems, { latestToday, emails: contact.emails });
  problems.assertNone();
  if (groupCounts === undefined) return { kind: 'named', booking: { options, contact, travelers } };
  const late = namesTooLate(trip, ctx.now());
  if (late !== undefined) problems.warnings.push(late);
  const group = groupName === undefined ? {} : { groupName: plainText(groupName, 40) };
  return { kind: 'group', booking: { options, contact, passengers: party, ...group } };
}

function assertForm({ passengers, passenger_counts: groupCounts, group_name: groupName }: NewBookingInput): void {
  if ((passengers === undefined) === (groupCounts === undefined)) {
    throw inputError('passengers', 'expected exactly one of passengers and passenger_counts.');
  }
  if (groupName !== undefined && groupCounts === undefined) {
    throw inputError('group_name', 'expected only with passenger_counts.');
  }
}

/** Warns if the time limit for names is past or before the payment is due. */
function namesTooLate({ limits: { namesUntil, payBy }, options }: Trip, now: number): string | undefined {
  if (namesUntil === undefined) return undefined;
  const show = (limit: string) => showDeadline(limit, options[0]?.segments[0]?.departs);
  if (hasPassed(namesUntil, now)) {
    return `names could be given until ${show(namesUntil)}: this group cannot be named any more.`;
  }
  if (payBy === undefined || !hasPassed(namesUntil, instantOf(payBy) ?? Number.NEGATIVE_INFINITY)) return undefined;
  return `this group must be named by ${show(namesUntil)}, before its payment is due at ${show(payBy)}.`;
}
