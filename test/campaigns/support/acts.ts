/** The acts of the catalog that a person approves, what they are tried on, and their arguments. */
import type { LedgerEntry } from '../../../src/sandbox/addresses/start.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { draw } from './chance.ts';
import { freshSurname } from './stock.ts';

type Args = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
export type Look = (tool: string, args: object) => Promise<any>;

export interface Act {
  readonly name: string;
  readonly tool: string;
  /** What booking it is tried on. */
  readonly on: 'held' | 'ticketed';
  /** `look` calls a reading tool and gives its structured content. */
  readonly args: (locator: string, look: Look) => Args | Promise<Args>;
  /** The message that moves money or undoes something. */
  readonly message: string;
  /** What the airline enters in its own ledger when it does it: once, and no more. */
  readonly event: LedgerEntry['event'];
  /** What it makes has a name that the answer alone tells: where that is lost, a person is called. */
  readonly named?: true;
  /** A reading that shows none of it proves nothing: where the answer is lost and it was not done, it stays open. */
  readonly unshown?: true;
}

/** Messages that move money or undo something. */
export const SENDING: readonly string[] = [
  ...['OTA_AirBookRQ', 'OTA_AirPriceRQ', 'OTA_AirDemandTicketRQ', 'OTA_AirBookModifyRQ', 'OTA_CancelRQ'],
];
export const PAY = 'OTA_AirDemandTicketRQ';
export const READ = 'OTA_ReadRQ';
export const MODIFY = 'OTA_AirBookModifyRQ';

/** Of an operation: nothing has settled it. */
export const isOpen = (state: string): boolean => ['intent', 'dispatched', 'in_doubt'].includes(state);

export const payArgs = (locator: string, approvalId?: string) => ({
  locator,
  payment: { type: 'invoice' },
  ...(approvalId !== undefined && { approval_id: approvalId }),
});

/** A booking for one adult whom nobody booked before. `now`: ms epoch. */
export function createArgs(offerId: string, now: number): Args {
  const surname = freshSurname();
  return { offer_ids: [offerId], contact: CONTACT, passengers: [passenger(`P${surname.slice(-5)}`, { surname }, now)] };
}

const change = (tool: string, event: Act['event'], args: Act['args']): Act => ({
  ...{ name: tool, tool, on: 'ticketed', message: MODIFY, event, args },
});
const ofBooking =
  (more: Args): Act['args'] =>
  (locator) => ({ locator, ...more });

export const ACTS: readonly Act[] = [
  { ...change('pay_booking', 'paid', (locator) => payArgs(locator)), on: 'held', message: PAY },
  change('cancel_segment', 'segments_cancelled', ofBooking({ segment_refs: ['1'] })),
  change('cancel_passenger', 'passengers_cancelled', ofBooking({ passenger_refs: ['1'] })),
  change('change_names', 'renamed', ofBooking({ changes: [{ passenger_ref: '1', given_name: 'AMINA' }] })),
  { ...change('cancel_booking', 'segments_cancelled', ofBooking({})), name: 'cancel_booking (paid)' },
  {
    ...change('cancel_booking', 'cancelled', ofBooking({})),
    ...{ name: 'cancel_booking (hold)', on: 'held', message: 'OTA_CancelRQ' },
  },
  change('assign_seats', 'seats_changed', aFreeSeat),
  change('update_contact', 'contact_updated', ofBooking({ email: 'amal.haddad@example.com' })),
  change('update_passenger', 'passenger_updated', ofBooking({ changes: [{ passenger_ref: '1', gender: 'Male' }] })),
  change('rebook_segment', 'rebooked', anotherFlight),
  { ...change('split_booking', 'split', ofBooking({ passenger_refs: ['1'] })), named: true },
  {
    ...change('request_service', 'services_added', ofBooking({ passenger_ref: '1', service: { code: 'WCHR' } })),
    unshown: true,
  },
];

/** Seats that this process has named: others may be about to take what the map still shows as free. */
const named = new Set<string>();

async function aFreeSeat(locator: string, look: Look): Promise<Args> {
  const map = await look('get_seat_map', { locator, segment_refs: ['1'], detail: 'full' });
  type Cabin = { zone?: { code?: string }; seats: { seat: string; status: string }[] };
  const [{ flight, cabins }] = map.segments;
  const free: string[] = cabins.flatMap(({ zone, seats }: Cabin) =>
    seats
      .filter(({ status }) => status === 'free')
      .map(({ seat }) => (zone?.code === undefined ? seat : `${zone.code}-${seat}`)),
  );
  if (free.length === 0) throw new Error(`no free seat on the flight of ${locator}`);
  // The airline gives seats from the front: one of the others, and not the same for everybody.
  const back = free.slice(Math.floor(free.length / 2));
  const fresh = back.filter((seat) => !named.has(`${flight} ${seat}`));
  const some = fresh.length > 0 ? fresh : back;
  const seat = some[Math.floor(draw(locator) * some.length)];
  named.add(`${flight} ${seat}`);
  return { locator, seats: [{ segment_ref: '1', passenger_ref: '1', seat }] };
}

async function anotherFlight(locator: string, look: Look): Promise<Args> {
  const { booking } = await look('read_booking', { locator });
  const [{ from, to, departs, flight }] = booking.segments;
  const { offers } = await look('search_fares', {
    ...{ legs: [{ from, to, date: departs.slice(0, 10) }], max_results: 50 },
    passengers: { adults: booking.passengers.length },
  });
  type Offer = { legs: { flight?: string }[] };
  const other = offers.find((offer: Offer) => offer.legs[0]?.flight !== flight);
  return { locator, segment_ref: '1', offer_id: (other ?? offers[0]).offer_id };
}
