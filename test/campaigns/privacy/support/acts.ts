/**
 * One call of every tool, with people who are canaries, and what it needs before it.
 */
import { setTimeout } from 'node:timers/promises';
import { inDays } from '../../../e2e/trip.ts';
import { PLANTED } from './canaries.ts';
import type { Clerk } from './clerk.ts';

// biome-ignore lint/suspicious/noExplicitAny: structured content as it comes
type Json = any;

/** What a tool can act on. */
export interface Ground {
  readonly from: string;
  readonly to: string;
  readonly day: string;
  readonly offerId: string;
  readonly locator: string;
  readonly booking: Json;
}

export interface Act {
  readonly tool: string;
  /** The airline's message that does it. */
  readonly message: string;
  readonly needs: 'nothing' | 'held' | 'paid';
  args(ground: Ground): Json;
}

let people = 0;

/** Nobody twice: the same travellers on the same flights are one booking. */
function letters(): string {
  people += 1;
  return [...String(people)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

const PHONE = { country_code: '966', number: PLANTED.phone };

export function passenger(): Json {
  const mark = letters();
  return {
    type: 'ADT',
    given_name: `${PLANTED['given name']}${mark}`,
    surname: `${PLANTED.surname}${mark}`,
    gender: 'Female',
    birth_date: PLANTED['birth date'],
    document: {
      type: 'passport',
      number: `${PLANTED['document number']}${people}`,
      nationality: 'SA',
      expires: inDays(3000),
    },
    email: PLANTED['e-mail'],
    phone: PHONE,
  };
}

export const CONTACT = {
  given_name: PLANTED['contact given name'],
  surname: PLANTED['contact surname'],
  email: PLANTED['e-mail'],
  phone: PHONE,
};

const search = ({ from, to, day }: Ground) => ({
  legs: [{ from, to, date: day }],
  passengers: { adults: 2 },
});

const create = ({ offerId }: Ground) => ({
  offer_ids: [offerId],
  contact: CONTACT,
  passengers: [passenger(), passenger()],
});

/** The first option's flights: one option holds one segment here. */
const firstSegments = ({ booking }: Ground): string[] => {
  const [{ option_ref: option }] = booking.segments;
  return booking.segments.filter((s: Json) => s.option_ref === option).map((s: Json) => s.ref);
};

function planned({ locator }: Ground): Json {
  return { steps: [{ tool: 'cancel_bookings', arguments: { locators: [locator] } }] };
}

const MODIFY = 'OTA_AirBookModifyRQ';
const DETAILS = { email: `x.${PLANTED['e-mail']}`, birth_date: PLANTED['birth date'] };

export const ACTS: readonly Act[] = [
  { tool: 'search_fares', message: 'OTA_AirLowFareSearchRQ', needs: 'nothing', args: search },
  { tool: 'list_routes', message: 'routes', needs: 'nothing', args: () => ({}) },
  {
    tool: 'get_calendar_dates',
    message: 'calendar',
    needs: 'nothing',
    args: ({ from, to }) => ({ from, to, start_date: inDays(10), end_date: inDays(17) }),
  },
  {
    tool: 'find_cheapest_dates',
    message: 'calendar',
    needs: 'nothing',
    args: ({ from, to }) => ({ from, to, start_date: inDays(10), end_date: inDays(12), passengers: { adults: 1 } }),
  },
  { tool: 'report_activity', message: 'OTA_ReadRQ', needs: 'nothing', args: () => ({}) },
  { tool: 'create_booking', message: 'OTA_AirBookRQ', needs: 'nothing', args: create },
  { tool: 'read_booking', message: 'OTA_ReadRQ', needs: 'held', args: ({ locator }) => ({ locator, detail: 'full' }) },
  { tool: 'list_bookings', message: 'OTA_ReadRQ', needs: 'held', args: ({ locator }) => ({ locators: [locator] }) },
  {
    tool: 'pay_booking',
    message: 'OTA_AirDemandTicketRQ',
    needs: 'held',
    args: ({ locator }) => ({ locator, payment: { type: 'credit_card', holder_name: PLANTED['holder name'] } }),
  },
  { tool: 'cancel_booking', message: 'OTA_CancelRQ', needs: 'held', args: ({ locator }) => ({ locator }) },
  {
    tool: 'change_names',
    message: MODIFY,
    needs: 'paid',
    args: ({ locator }) => ({ locator, changes: [{ passenger_ref: '2', given_name: `${PLANTED['given name']}x` }] }),
  },
  {
    tool: 'get_seat_map',
    message: 'OTA_AirSeatMapRQ',
    needs: 'paid',
    args: ({ locator }) => ({ locator, detail: 'full' }),
  },
  { tool: 'get_tickets', message: 'download', needs: 'paid', args: ({ locator }) => ({ locator }) },
  { tool: 'quote_cancellation', message: 'OTA_ReadRQ', needs: 'paid', args: ({ locator }) => ({ locator }) },
  {
    tool: 'cancel_segment',
    message: MODIFY,
    needs: 'paid',
    args: (ground) => ({ locator: ground.locator, segment_refs: firstSegments(ground) }),
  },
  {
    tool: 'cancel_passenger',
    message: MODIFY,
    needs: 'paid',
    args: ({ locator }) => ({ locator, passenger_refs: ['2'] }),
  },
  {
    tool: 'assign_seats',
    message: MODIFY,
    needs: 'paid',
    args: ({ locator, booking }) => ({
      locator,
      seats: [{ segment_ref: booking.segments[0].ref, passenger_ref: '1', seat: booking.freeSeat ?? '1A' }],
    }),
  },
  { tool: 'close_findings', message: 'OTA_ReadRQ', needs: 'nothing', args: () => ({ finding_ids: ['00000000'] }) },
  {
    tool: 'send_tickets',
    message: 'email',
    needs: 'paid',
    args: ({ locator }) => ({ locator, what: 'tickets' }),
  },
  {
    tool: 'update_contact',
    message: MODIFY,
    needs: 'paid',
    args: ({ locator }) => ({ locator, given_name: `${PLANTED['contact given name']}x`, email: DETAILS.email }),
  },
  {
    tool: 'update_passenger',
    message: MODIFY,
    needs: 'paid',
    args: ({ locator }) => ({ locator, changes: [{ passenger_ref: '1', email: DETAILS.email }] }),
  },
  {
    tool: 'rebook_segment',
    message: MODIFY,
    needs: 'paid',
    args: ({ locator, booking, offerId }) => ({ locator, segment_ref: booking.segments[0].ref, offer_id: offerId }),
  },
  {
    tool: 'split_booking',
    message: MODIFY,
    needs: 'paid',
    args: ({ locator }) => ({ locator, passenger_refs: ['2'] }),
  },
  { tool: 'propose_plan', message: 'OTA_ReadRQ', needs: 'paid', args: planned },
  // The tour runs the plan that it proposed last.
  { tool: 'run_plan', message: 'OTA_ReadRQ', needs: 'nothing', args: () => ({ plan_id: 'pl_unknown' }) },
];

/** Where the airline sells, and an offer of it. */
export async function lookRound(clerk: Clerk): Promise<Ground> {
  const { structured } = await clerk.call('list_routes', { max_results: 200 });
  for (const { from, to } of structured.routes) {
    for (const target of to) {
      const [origin, end] = [from.code, target.code];
      const dates = { from: origin, to: end, start_date: inDays(10), end_date: inDays(17) };
      const day = (await clerk.call('get_calendar_dates', dates)).structured.dates?.[0];
      if (day === undefined) continue;
      const ground = { from: origin, to: end, day, offerId: '', locator: '', booking: {} };
      const offerId = await anOffer(clerk, ground);
      if (offerId !== undefined) return { ...ground, offerId };
    }
  }
  throw new Error('the airline sells nothing');
}

async function anOffer(clerk: Clerk, ground: Ground): Promise<string | undefined> {
  const { structured } = await clerk.call('search_fares', { ...search(ground), max_results: 50 });
  // Refundable, and one that still has seats for all that follows.
  const offers: Json[] = structured.offers ?? [];
  return (offers.find(({ refundable }) => refundable) ?? offers[0])?.offer_id;
}

/** An airline that has been failing is not asked for five seconds. */
const TRIES = 60;

/** What the act needs, made by the clerk itself; what is left of an earlier upset may cost a try. */
export async function prepared(clerk: Clerk, { needs }: Act, ground: Ground): Promise<Ground> {
  if (needs === 'nothing') return ground;
  const { person } = clerk;
  clerk.person = 'yes';
  try {
    let last = '';
    for (let tried = 0; tried < TRIES; tried++) {
      const made = await oneBooking(clerk, needs, ground);
      if (typeof made !== 'string') return made;
      last = made;
      await setTimeout(250);
    }
    throw new Error(last);
  } finally {
    clerk.person = person;
  }
}

async function oneBooking(clerk: Clerk, needs: 'held' | 'paid', ground: Ground): Promise<Ground | string> {
  const made = await clerk.call('create_booking', create(ground));
  const locator = made.structured.booking?.locator;
  if (made.structured.status !== 'done' || locator === undefined) return made.text;
  if (needs === 'paid') {
    const paid = await clerk.call('pay_booking', { locator, payment: { type: 'invoice' } });
    if (paid.structured.status !== 'done') return paid.text;
  }
  return { ...ground, locator, booking: made.structured.booking };
}
