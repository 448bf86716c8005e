/**
 * The input of create_booking, and the checks that make of it what is sent: the offers first, then the party, then each traveller.
 */

import * as z from 'zod';
import { plainText } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { addDays, utcDay } from '../../core/times.ts';
import type { NewBooking, NewGroupBooking } from '../../domain/airline.ts';
import { segmentsOf } from '../../domain/booking/booking.ts';
import type { PassengerCounts } from '../../domain/booking/offers.ts';
import type { ArgsOf, ToolContext } from '../definition/define.ts';
import { noted } from '../definition/field-notes.ts';
import {
  approvalId,
  contact,
  counts,
  countsOf,
  customer,
  details,
  type KnownPassenger,
  knownPassenger,
  listOf,
  type PassengerInput,
  text,
} from '../definition/input-fields.ts';
import { assertCustomerKey } from '../rules/customer-key.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { assertParty, checkAdult, countPassengers, partyProblem, partySize, typesIn } from '../rules/party-size.ts';
import {
  assertEntered,
  enteredPassenger,
  otherNames,
  pairAttendants,
  sentContact,
  sentServices,
  sentTravelers,
} from '../rules/passenger-details.ts';
import { assertSendable, type Trip, tripFromOffers } from '../steps/offers.ts';

/** How many characters of a group's name are sent. */
const GROUP_NAME_CHARS = 40;

/** The airline dialect describes the contact of a group in plain texts (docs/wire/notes.md, Shapes sent). */
const NO_DOCUMENT_OF_GROUP = 'this airline takes no document of the contact of a group: leave it out';

/** Makes the fields of the input. `passengerSchema` says which fields of a passenger are required. */
export const inputWith = <P extends z.ZodType>(passengerSchema: P) => ({
  offer_ids: noted(
    'The `offer_id` of each offer to book together, in the order of travel: {}.',
    listOf(text(20), 1, 6).describe('one for the trip, or one per leg'),
  ),
  contact: contact(),
  passengers: noted(
    'The travellers, as many and of the types that were searched. Ask the person; never invent them. Either this or `passenger_counts`. With `details` only `type` is required.',
    z.array(passengerSchema).optional(),
  ),
  passenger_counts: noted(
    'How many of each type, for a group whose names follow later, or with `details`: {}. Either this or `passengers`.',
    counts().optional(),
  ),
  details: details(),
  group_name: noted('Name of the group, with `passenger_counts` only.', text(GROUP_NAME_CHARS).optional()),
  again_after: noted(
    'Only on purpose, by its locator: {}.',
    text(60).optional().describe('earlier booking of this trip, to make another'),
    'a repeat books nothing',
  ),
  customer: customer("the desk's own key"),
  approval_id: approvalId(),
});

export const input = () => inputWith(knownPassenger());

export type NewBookingInput = ArgsOf<typeof input>;

/** What is sent: travellers with their details, or a group whose names follow later. */
export type NewBookingSend =
  | { readonly kind: 'named'; readonly booking: NewBooking }
  | { readonly kind: 'group'; readonly booking: NewGroupBooking };

/** Reads the trip of the offers. Throws ClerkError if it cannot be booked as it is. */
export async function sendableTrip({ offer_ids: offers }: NewBookingInput, ctx: ToolContext): Promise<Trip> {
  const trip = await tripFromOffers(offers, ctx);
  assertSendable(trip, ctx);
  return trip;
}

/**
 * Lists the passengers as far as the call describes them, at least by type. Check the party first: a count can be any number.
 */
function knownPassengers({
  passengers,
  passenger_counts: groupCounts = {},
}: NewBookingInput): readonly KnownPassenger[] {
  return passengers ?? typesIn(countsOf(groupCounts)).map((type) => ({ type }));
}

/**
 * Lists passengers with their details, from the details page or the arguments. Empty for a group, and if the page's details
 * were erased.
 */
function namedPassengers(args: NewBookingInput, { entered }: ToolContext): readonly PassengerInput[] {
  // The input for a call without details requires all of them (inputAlone).
  if (args.details === undefined) return (args.passengers ?? []) as readonly PassengerInput[];
  const passengers = knownPassengers(args);
  return (entered ?? []).map((card, i) => enteredPassenger(passengers[i] as KnownPassenger, card));
}

/** Counts the party by type. Notes a problem if it is not the party that was searched for. */
function checkParty(args: NewBookingInput, trip: Trip, ctx: ToolContext, problems: InputProblems): PassengerCounts {
  const { passengers = [], passenger_counts: groupCounts } = args;
  const field = args.passengers ? 'passengers' : 'passenger_counts';
  const party = groupCounts ? countsOf(groupCounts) : countPassengers(passengers);
  assertParty(party, ctx.settings.maxTravelers, field);
  const otherParty = partyProblem(party, trip.passengers);
  if (otherParty !== undefined) problems.add(field, otherParty);
  return party;
}

/**
 * Makes every check that needs no details of travellers, and lists the passengers whose details the page asks for. Throws E_INPUT
 * with all problems.
 */
export function passengersToEnter(args: NewBookingInput, trip: Trip, ctx: ToolContext): readonly KnownPassenger[] {
  assertForm(args);
  const problems = new InputProblems();
  checkParty(args, trip, ctx, problems);

  const passengers = knownPassengers(args);
  sentContact(args.contact, problems);
  pairAttendants(passengers, problems);
  problems.assertNone();

  return passengers;
}

/** What is sent, with warnings for the person. */
interface CheckedBooking {
  readonly send: NewBookingSend;
  readonly warnings: readonly string[];
}

/**
 * Checks the input and writes what is sent. A wrong party ends the checks; all other problems are collected. Throws E_INPUT.
 */
export function newBooking(args: NewBookingInput, trip: Trip, ctx: ToolContext): CheckedBooking {
  assertForm(args);
  const problems = new InputProblems({ hidesDetails: ctx.entered !== undefined });
  const party = checkParty(args, trip, ctx, problems);
  const isGroup = args.passenger_counts !== undefined && args.details === undefined;
  const input = { args, trip, party, problems };
  return isGroup ? groupBooking(input, ctx) : namedBooking(input, ctx);
}

/** An input whose party fits the trip, with the problems that were found so far. */
interface CheckedParty {
  readonly args: NewBookingInput;
  readonly trip: Trip;
  readonly party: PassengerCounts;
  readonly problems: InputProblems;
}

/** Checks the details of every traveller. */
function namedBooking({ args, trip, party, problems }: CheckedParty, ctx: ToolContext): CheckedBooking {
  if (args.details !== undefined) assertEntered(ctx.entered, partySize(party));
  problems.warnings.push(...otherNames(args.passengers ?? [], ctx.entered));

  const passengers = namedPassengers(args, ctx);
  const contactSent = sentContact(args.contact, problems);
  const segments = segmentsOf(trip);
  checkAdult(passengers, segments, problems);

  const latestToday = addDays(utcDay(ctx.now()), 1);
  const travelers = sentTravelers(passengers, segments, problems, { latestToday, emails: contactSent.emails });
  // What was entered on the details page is compared with no argument: a refusal would tell what it is.
  const written = ctx.entered === undefined ? travelers : [];
  const services = sentServices(passengers, written, ctx.settings.dialect, problems);

  problems.assertNone();
  assertCustomerKey(
    args.customer,
    [contactSent, ...written].map(({ document }) => document?.number),
  );

  const booking: NewBooking = { options: trip.options, contact: contactSent, travelers, services };
  return { send: { kind: 'named', booking }, warnings: problems.warnings };
}

/** Checks the contact only: the names of a group follow later. */
function groupBooking({ args, trip, party, problems }: CheckedParty, ctx: ToolContext): CheckedBooking {
  const contactSent = sentContact(args.contact, problems);
  if (contactSent.document !== undefined && ctx.settings.dialect === 'airline')
    problems.add('contact.document', NO_DOCUMENT_OF_GROUP);

  problems.assertNone();
  assertCustomerKey(args.customer, [contactSent.document?.number]);

  const groupName = args.group_name && plainText(args.group_name, GROUP_NAME_CHARS);
  const common = { options: trip.options, contact: contactSent, passengers: party };
  const booking: NewGroupBooking = groupName === undefined ? common : { ...common, groupName };
  return {
    send: { kind: 'group', booking },
    warnings: problems.warnings,
  };
}

/** Checks that the call gives either passengers or counts. Throws E_INPUT. */
function assertForm(args: NewBookingInput): void {
  assertCustomerKey(args.customer);
  const { passengers, passenger_counts: groupCounts, group_name: groupName } = args;
  if ((passengers === undefined) === (groupCounts === undefined)) {
    const byPage = 'Call create_booking again with passenger_counts: the page asks for the rest.';
    const next = args.details === undefined ? undefined : byPage;
    throw inputError('passengers', 'expected exactly one of passengers and passenger_counts.', next);
  }

  if (groupName !== undefined && (groupCounts === undefined || args.details !== undefined)) {
    const problem = 'expected only for a group that is named later: with passenger_counts, without details.';
    throw inputError('group_name', problem, 'Call create_booking again without group_name.');
  }
}
