/** One call of every tool, with people who are canaries, and what it needs before it. */
import { setTimeout as wait } from 'node:timers/promises';
import { dateIn, inLetters } from '../../../support/people.ts';
import { MODIFY, PAY, payArgs, READ } from '../../support/acts.ts';
import type { Message as Json } from '../../support/stdio-client.ts';
import { PLANTED } from './canaries.ts';
import type { Clerk } from './clerk.ts';

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

const inDays = (days: number) => dateIn(Date.now(), days);
const PHONE = { country_code: '966', number: PLANTED.phone };

let people = 0;

/** Nobody twice: the same travellers on the same flights are one booking. */
export function passenger(): Json {
  people += 1;
  const mark = inLetters(people).toLowerCase();
  const number = `${PLANTED['document number']}${people}`;
  return {
    ...{ type: 'ADT', given_name: `${PLANTED['given name']}${mark}`, surname: `${PLANTED.surname}${mark}` },
    ...{ gender: 'Female', birth_date: PLANTED['birth date'], email: PLANTED['e-mail'], phone: PHONE },
    document: { type: 'passport', number, nationality: 'SA', expires: inDays(3000) },
  };
}

export const CONTACT = {
  ...{ given_name: PLANTED['contact given name'], surname: PLANTED['contact surname'] },
  ...{ email: PLANTED['e-mail'], phone: PHONE },
};

const search = ({ from, to, day }: Ground) => ({ legs: [{ from, to, date: day }], passengers: { adults: 2 } });

export const create = ({ offerId }: Ground) => ({
  ...{ offer_ids: [offerId], contact: CONTACT, passengers: [passenger(), passenger()] },
  customer: PLANTED['customer key'],
});

/** What it asks for is about health. */
export const SERVICE = { code: PLANTED['service code'], text: PLANTED['service text'] };

/** The first option's flights: one option holds one segment here. */
const firstSegments = ({ booking }: Ground) => {
  const [{ option_ref: option }] = booking.segments;
  return { segment_refs: booking.segments.filter((s: Json) => s.option_ref === option).map((s: Json) => s.ref) };
};

const REASON = { reason: PLANTED.reason };
const EMAIL = `x.${PLANTED['e-mail']}`;
const GIVEN = `${PLANTED['given name']}x`;
const act = (tool: string, message: string, needs: Act['needs'], args: Act['args']): Act => ({
  ...{ tool, message, needs, args },
});
const on =
  (more: object | ((ground: Ground) => object) = {}): Act['args'] =>
  (ground) => ({ locator: ground.locator, ...(typeof more === 'function' ? more(ground) : more) });

const firstSeat = ({ booking }: Ground) => {
  return { seats: [{ segment_ref: booking.segments[0].ref, passenger_ref: '1', seat: '1A' }] };
};
const rebooked = ({ booking, offerId }: Ground) => ({ segment_ref: booking.segments[0].ref, offer_id: offerId });
const HOLDER = { type: 'credit_card', holder_name: PLANTED['holder name'] };

export const ACTS: readonly Act[] = [
  act('search_fares', 'OTA_AirLowFareSearchRQ', 'nothing', search),
  act('list_routes', 'routes', 'nothing', () => ({})),
  act('get_calendar_dates', 'calendar', 'nothing', ({ from, to }) => {
    return { from, to, start_date: inDays(10), end_date: inDays(17) };
  }),
  act('find_cheapest_dates', 'calendar', 'nothing', ({ from, to }) => {
    return { from, to, start_date: inDays(10), end_date: inDays(12), passengers: { adults: 1 } };
  }),
  act('query_ledger', READ, 'nothing', () => ({ sql: 'select * from booking join passenger using (locator)' })),
  act('create_booking', 'OTA_AirBookRQ', 'nothing', create),
  act('read_booking', READ, 'held', on({ detail: 'full' })),
  act('list_bookings', READ, 'held', ({ locator }) => ({ locators: [locator] })),
  act('pay_booking', PAY, 'held', on({ payment: HOLDER })),
  act('cancel_booking', 'OTA_CancelRQ', 'held', on(REASON)),
  act('change_names', MODIFY, 'paid', on({ changes: [{ passenger_ref: '2', given_name: GIVEN }] })),
  act('get_seat_map', 'OTA_AirSeatMapRQ', 'paid', on({ detail: 'full' })),
  act('get_tickets', 'download', 'paid', on()),
  act('quote_cancellation', READ, 'paid', on()),
  act(
    ...(['cancel_segment', MODIFY, 'paid'] as const),
    on((ground) => ({ ...firstSegments(ground), ...REASON })),
  ),
  act('cancel_passenger', MODIFY, 'paid', on({ passenger_refs: ['2'], ...REASON })),
  act('assign_seats', MODIFY, 'paid', on(firstSeat)),
  act('close_findings', READ, 'nothing', () => ({ finding_ids: ['00000000'] })),
  act('send_tickets', 'email', 'paid', on({ what: 'tickets' })),
  act('update_contact', MODIFY, 'paid', on({ given_name: `${PLANTED['contact given name']}x`, email: EMAIL })),
  act('update_passenger', MODIFY, 'paid', on({ changes: [{ passenger_ref: '1', email: EMAIL }] })),
  act('rebook_segment', MODIFY, 'paid', on(rebooked)),
  act('split_booking', MODIFY, 'paid', on({ passenger_refs: ['2'] })),
  act('request_service', MODIFY, 'paid', on({ passenger_ref: '1', service: SERVICE })),
  act('propose_plan', READ, 'paid', ({ locator }) => {
    return { steps: [{ tool: 'cancel_bookings', arguments: { locators: [locator], ...REASON } }] };
  }),
  // The tour runs the plan that it proposed last.
  act('run_plan', READ, 'nothing', () => ({ plan_id: 'pl_unknown' })),
];

/** Where the airline sells, and an offer of it: a refundable one if there is. */
export async function lookRound(clerk: Clerk): Promise<Ground> {
  const { structured } = await clerk.call('list_routes', { max_results: 200 });
  for (const { from, to: targets } of structured.routes) {
    for (const to of targets) {
      const dates = { from, to, start_date: inDays(10), end_date: inDays(17) };
      const [span] = (await clerk.call('get_calendar_dates', dates)).structured.dates ?? [];
      if (span === undefined) continue;
      const day = span.slice(0, 10);
      const ground = { from, to, day, offerId: '', locator: '', booking: {} };
      const found = await clerk.call('search_fares', { ...search(ground), max_results: 50 });
      const offers: Json[] = found.structured.offers ?? [];
      const offer = offers.find(({ refund }) => Number(refund?.refund_now) > 0) ?? offers[0];
      if (offer !== undefined) return { ...ground, offerId: offer.offer_id };
    }
  }
  throw new Error('the airline sells nothing');
}

/** An airline that has been failing is not asked for five seconds. */
const TRIES = 60;

/** What the act needs, made by the clerk itself; what is left of an earlier upset may cost a try. */
export async function prepared(clerk: Clerk, needs: Act['needs'], ground: Ground): Promise<Ground> {
  if (needs === 'nothing') return ground;
  const { person } = clerk;
  clerk.person = 'yes';
  try {
    for (let tried = 1; ; tried++) {
      const made = await clerk.call('create_booking', create(ground));
      const { booking } = made.structured;
      const done = made.structured.status === 'done' && booking?.locator !== undefined ? made : undefined;
      const paid = done && needs === 'paid' ? await clerk.call('pay_booking', payArgs(booking.locator)) : done;
      if (paid?.structured.status === 'done') {
        const { locator } = booking;
        // Only a full reading names the option of a segment.
        const read = await clerk.call('read_booking', { locator, detail: 'full' });
        if (read.structured.booking !== undefined) return { ...ground, locator, booking: read.structured.booking };
      }
      if (tried === TRIES) throw new Error((paid ?? made).text);
      await wait(250);
    }
  } finally {
    clerk.person = person;
  }
}
