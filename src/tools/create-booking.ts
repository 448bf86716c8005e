import * as z from 'zod';
import type { Terms } from '../approvals/terms.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { NewBooking, NewGroupBooking } from '../domain/booking/booking-requests.ts';
import { type BookingState, bookingState } from '../domain/booking/booking-state.ts';
import { hasPassed } from '../domain/booking/deadlines.ts';
import { createSubject, segmentsOf } from '../domain/booking/expected-change.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import type { Segment } from '../domain/booking/itinerary.ts';
import { identityText } from '../domain/people/identity-text.ts';
import { fullName } from '../domain/people/traveler.ts';
import { chosenOffer, fareDifferences } from '../domain/pricing/fare-codes.ts';
import { formatMoney, type Money, sameMoney, showMoney } from '../domain/pricing/money.ts';
import { cleanCode, plainText, quoted } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { addDays, instantOf, utcToday } from '../domain/time-and-text/times.ts';
import { inputError } from '../errors.ts';
import { type Done, defineGuardedTool, once, type ToolContext } from './definition/define.ts';
import {
  approvalId,
  BIRTH,
  country,
  counts,
  countsOf,
  date,
  document,
  email,
  listOf,
  phone,
  text,
  whole,
} from './definition/input-fields.ts';
import { assertSendable, type Trip, tripOf } from './definition/trip-from-offers.ts';
import { holdsCardNumber } from './rules/card-numbers.ts';
import { assertParty, partyText } from './rules/party-size.ts';
import { checkCounts, contactOf, countTypes, Findings, travelersOf } from './rules/passenger-details.ts';
import { viewBooking } from './views/booking.ts';
import { bookingText } from './views/booking-text.ts';
import { heldRefund, type RefundNote, refundNoteSchema } from './views/refund-of-booking.ts';
import { flightLine, personLine } from './views/terms-lines.ts';

const passenger = () =>
  z.strictObject({
    type: z.enum(['ADT', 'CHD', 'INF']),
    given_name: text(),
    middle_name: text().optional(),
    surname: text(),
    suffix: text(20).optional(),
    title: text(20).optional(),
    gender: z.enum(['Male', 'Female', 'Unknown']),
    birth_date: date(BIRTH),
    document: document(),
    with_adult: whole(1, 99).optional().describe("place of a lap infant's adult"),
    email: email().optional(),
    phone: phone().optional(),
  });

const input = once(() =>
  z.strictObject({
    offer_ids: listOf(text(20), 1, 6),
    contact: z.strictObject({
      given_name: text(),
      surname: text(),
      email: email(),
      phone: phone().optional(),
      city: text().optional(),
      country: country().optional(),
      document: document().optional(),
    }),
    passengers: listOf(passenger(), 1, 99).optional(),
    passenger_counts: counts().optional(),
    group_name: text(40).optional(),
    again_after: text(60).optional().describe('operation_id of the same booking, to make another'),
    approval_id: approvalId(),
  }),
);

const output = once(() =>
  z.object({
    price_changed: z.object({ was: z.string(), now: z.string() }).optional(),
    refund: refundNoteSchema().optional(),
    warnings: z.array(z.string()),
  }),
);

type Args = z.output<ReturnType<typeof input>>;
type Send =
  | { readonly kind: 'named'; readonly booking: NewBooking }
  | { readonly kind: 'group'; readonly booking: NewGroupBooking };

/** What another try is "the same" by, and what the terms bind. */
interface Facts {
  readonly flights: readonly (readonly [string, string, string])[];
  readonly people: readonly string[];
  readonly total: Money | undefined;
  /** What the one offer said of the refund. */
  readonly refund?: string | undefined;
}

export const createBooking = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, Send>({
  name: 'create_booking',
  title: 'Create booking',
  description:
    'Hold offers of search_fares, unpaid, until pay_by. Give passengers, or passenger_counts for a group named later. Ask the person for names and documents; never invent them.',
  toolset: 'core',
  effect: 'hold',
  input,
  output,
  wholeBooking: true,

  async preview(args, ctx) {
    const trip = await tripOf(args.offer_ids, ctx);
    assertSendable(trip, ctx);
    const findings = new Findings();
    const send = request(args, trip, ctx, findings);
    const refund = args.offer_ids.length === 1 ? trip.refundNote : undefined;
    const facts: Facts = {
      flights: flightsOf(trip),
      people: peopleOf(send),
      total: trip.total,
      ...omitUndefined({ refund }),
    };
    const fingerprint = ctx.identity(JSON.stringify(['create', ctx.caller.tenant, facts.flights, facts.people]));
    await assertSupersedes(args.again_after, fingerprint, ctx);
    return {
      facts,
      lines: lines(args, trip, send, findings.warnings),
      act: 'Make another booking of the same trip',
      ask: args.again_after !== undefined,
      subject: createSubject(
        send.kind === 'named' ? send.booking.travelers : [],
        ctx.identity,
        chosenOffer(trip.options, trip.total),
      ),
      fingerprint,
      ...(args.again_after !== undefined && { supersedes: args.again_after }),
      warnings: findings.warnings,
      send,
    } satisfies Terms<Send>;
  },

  async commit(confirmed, ctx) {
    const { terms, dispatch } = confirmed;
    const booking =
      terms.kind === 'named'
        ? await ctx.airline.create(terms.booking, dispatch)
        : await ctx.airline.createFromCounts(terms.booking, dispatch);
    return { booking };
  },

  report(done) {
    const price = priceChange(done);
    const fares = fareWarnings(done);
    return {
      added: {
        ...(price && { price_changed: { was: formatMoney(price.was), now: formatMoney(price.now) } }),
        ...omitUndefined({ refund: refundOf(done) }),
        warnings: [...fares, ...(done.terms?.warnings ?? [])],
      },
      changed: ['the booking was made'],
    };
  },

  text({ warnings = [], refund }, done) {
    const { booking, operation } = done;
    const price = priceChange(done);
    const fares = fareWarnings(done);
    // A repeat is told long after: what has lapsed since is not held.
    const now = done.now ?? operation.updatedAt;
    const view = booking && viewBooking(booking, { now }, { detail: 'concise', reveal: false });
    return [
      madeText(booking && bookingState(booking, now).state, done),
      ...fares.map((warning) => `ANOTHER FARE: ${warning}`),
      ...(price
        ? [
            `THE PRICE CHANGED: it was ${showMoney(price.was)}, it is now ${showMoney(price.now)}. Tell the person before paying.`,
          ]
        : []),
      ...(refund ? [`Refund if cancelled after payment: ${refund.text}`, NOT_WANTED] : []),
      ...warnings.filter((warning) => !fares.includes(warning)).map((warning) => `Note: ${warning}`),
      view ? bookingText(view) : `Booking ${operation.outcome?.locator ?? ''}: call read_booking to see it.`,
    ].join('\n');
  },
});

function unread(id: string): string {
  return `It was made; whether it is still held, paid or gone is not known. If that booking no longer exists, pass again_after: "${id}" to make another.`;
}

/** `evidence`: the airline has just said so. */
function madeText(state: BookingState | undefined, { evidence, operation }: Done<Args>): string {
  if (state === undefined || (state === 'unknown' && evidence === undefined)) return unread(operation.id);
  if (state === 'held' || state === 'unknown')
    return 'Held, not paid. Pay with pay_booking before pay_by, or it lapses by itself.';
  return `This booking was made before, and is ${state.replace('_', ' ')} now.`;
}

const NOT_WANTED = 'If this is not wanted, release the hold with cancel_booking and book the next fare.';

/** Of a hold that shows every flight asked for: a reply can list a part of it. */
function refundOf({ booking, terms, now, operation }: Done<Args>): RefundNote | undefined {
  const facts = terms?.facts as Facts | undefined;
  const at = now ?? operation.updatedAt;
  if (booking === undefined || !['held', 'unknown'].includes(bookingState(booking, at).state)) return undefined;
  if (listsFewer(booking, facts)) return undefined;
  return heldRefund(booking, at, facts?.refund);
}

/** A hold can list a part of what was asked for, with the price of that part (docs/wire/notes.md, Replies). */
function listsFewer(booking: Booking, facts: Facts | undefined): boolean {
  return facts !== undefined && segmentsOf(booking).length < facts.flights.length;
}

/** The price of the booking, where it is not that of the offer. */
function priceChange({
  booking,
  terms,
}: Pick<Done<Args>, 'booking' | 'terms'>): { was: Money; now: Money } | undefined {
  const facts = terms?.facts as Facts | undefined;
  if (booking !== undefined && listsFewer(booking, facts)) return undefined;
  const was = facts?.total;
  const now = booking?.pricing?.total?.total;
  return was === undefined || now === undefined || sameMoney(was, now) ? undefined : { was, now };
}

/** Segments that the airline holds in another fare than was chosen: worth knowing before any money. */
function fareWarnings({
  booking,
  operation: { subject },
}: Pick<Done<Args>, 'booking' | 'operation'>): readonly string[] {
  if (booking === undefined || subject.kind !== 'create' || subject.offer === undefined) return [];
  return fareDifferences(subject.offer, booking).map(({ ref, chosen, held }) => {
    const [now, was] = [cleanCode(held, 30), cleanCode(chosen, 30)];
    return `segment ${ref} is held in fare ${now}, not in ${was} as chosen; its rules may differ. Tell the person before paying.`;
  });
}

function request(args: Args, trip: Trip, ctx: ToolContext, findings: Findings): Send {
  if ((args.passengers === undefined) === (args.passenger_counts === undefined)) {
    throw inputError('passengers', 'expected exactly one of passengers and passenger_counts.');
  }
  if (args.group_name !== undefined && args.passenger_counts === undefined) {
    throw inputError('group_name', 'expected only with passenger_counts.');
  }
  for (const [name, words] of Object.entries({ group_name: args.group_name, 'contact.city': args.contact.city })) {
    if (words !== undefined && holdsCardNumber(words)) throw inputError(name, 'expected a name, not a card number.');
  }
  const field = args.passengers ? 'passengers' : 'passenger_counts';
  const party = args.passenger_counts ? countsOf(args.passenger_counts) : countTypes(args.passengers ?? []);
  checkCounts(party, trip.passengers, field, findings);
  const contact = contactOf(args.contact, findings);
  const segments = trip.options.flatMap((option) => option.segments);
  const today = addDays(utcToday(ctx.now()), 1);
  const travelers = travelersOf(args.passengers ?? [], segments, findings, { today, emails: contact.emails });
  findings.assertNone();
  assertParty(party, ctx.settings.maxTravelers, field);
  if (args.passenger_counts === undefined) {
    return { kind: 'named', booking: { options: trip.options, contact, travelers } };
  }
  const late = namesTooLate(trip, ctx.now());
  if (late !== undefined) findings.warnings.push(late);
  const group = args.group_name === undefined ? {} : { groupName: plainText(args.group_name, 40) };
  return { kind: 'group', booking: { options: trip.options, contact, passengers: party, ...group } };
}

/** A group is named after it is held: that there is no time for it is worth knowing before. */
function namesTooLate({ limits: { namesUntil, payBy } }: Trip, now: number): string | undefined {
  if (namesUntil === undefined) return undefined;
  if (hasPassed(namesUntil, now))
    return `names could be given until ${namesUntil}: this group cannot be named any more.`;
  if (!hasPassed(namesUntil, instantOf(payBy) ?? Number.NEGATIVE_INFINITY)) return undefined;
  return `this group must be named by ${namesUntil}, before its payment is due at ${payBy}.`;
}

function flightsOf(trip: Trip): Facts['flights'] {
  return trip.options.flatMap((option) =>
    option.segments.map((each) => [flightName(each), each.departs, each.bookingClass ?? ''] as const),
  );
}

function peopleOf(send: Send): readonly string[] {
  if (send.kind === 'named') return send.booking.travelers.map(identityText).sort();
  const { passengers, contact, groupName = '' } = send.booking;
  return [partyText(passengers), groupName, fullName(contact.name), contact.emails.join()];
}

function fareText({ fareBasis, fareName }: Segment): string {
  const name = fareName === undefined ? '' : quoted(fareName, 40);
  const words = [cleanCode(fareBasis ?? '', 30), name].filter((word) => word !== '');
  return words.length === 0 ? '' : `, fare ${words.join(' ')}`;
}

function lines(args: Args, trip: Trip, send: Send, warnings: readonly string[]): readonly string[] {
  const price = trip.total === undefined ? '' : `, offered at ${showMoney(trip.total)}`;
  const { contact } = send.booking;
  return [
    `Hold seats, unpaid${price}. No money moves; an unpaid hold lapses by itself.`,
    ...(args.again_after === undefined
      ? []
      : ['An earlier booking of this trip exists or may exist: this is another.']),
    ...trip.options.flatMap((option) => option.segments.map((each) => `${flightLine(each)}${fareText(each)}`)),
    ...(send.kind === 'named'
      ? send.booking.travelers.map(personLine)
      : [`Passengers: ${partyText(send.booking.passengers)}, named later`]),
    `Contact: ${quoted(fullName(contact.name), 70)}`,
    ...warnings.map((warning) => `Note: ${warning}`),
  ];
}

/** `again_after` must be the earlier booking of this very trip. */
async function assertSupersedes(id: string | undefined, fingerprint: string, ctx: ToolContext): Promise<void> {
  if (id === undefined) return;
  const earlier = await ctx.state.operations.get(id);
  if (earlier?.tenant === ctx.caller.tenant && earlier.fingerprint === fingerprint) return;
  throw inputError('again_after', 'expected the operation_id of an earlier create_booking of this same trip.');
}
