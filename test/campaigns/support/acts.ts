/**
 * The acts of the catalog that a person approves, what they are tried on, and their arguments.
 */

import type { LedgerEvent } from '../../../src/sandbox/ledger.ts';
import { hash53 } from '../../../src/sandbox/seeded-random.ts';
import { CONTACT, passenger } from '../../support/people.ts';
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
  readonly message: 'OTA_AirDemandTicketRQ' | 'OTA_AirBookModifyRQ' | 'OTA_CancelRQ';
  /** What the airline enters in its own ledger when it does it: once, and no more. */
  readonly event: LedgerEvent;
  /** What it makes has a name that the answer alone tells: where that is lost, a person is called. */
  readonly named?: true;
}

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

export const ACTS: readonly Act[] = [
  {
    name: 'pay_booking',
    tool: 'pay_booking',
    on: 'held',
    args: (locator) => payArgs(locator),
    message: 'OTA_AirDemandTicketRQ',
    event: 'paid',
  },
  {
    name: 'cancel_segment',
    tool: 'cancel_segment',
    on: 'ticketed',
    args: (locator) => ({ locator, segment_refs: ['1'] }),
    message: 'OTA_AirBookModifyRQ',
    event: 'segments_cancelled',
  },
  {
    name: 'cancel_passenger',
    tool: 'cancel_passenger',
    on: 'ticketed',
    args: (locator) => ({ locator, passenger_refs: ['1'] }),
    message: 'OTA_AirBookModifyRQ',
    event: 'passengers_cancelled',
  },
  {
    name: 'change_names',
    tool: 'change_names',
    on: 'ticketed',
    args: (locator) => ({ locator, changes: [{ passenger_ref: '1', given_name: 'AMINA' }] }),
    message: 'OTA_AirBookModifyRQ',
    event: 'renamed',
  },
  {
    name: 'cancel_booking (paid)',
    tool: 'cancel_booking',
    on: 'ticketed',
    args: (locator) => ({ locator }),
    message: 'OTA_AirBookModifyRQ',
    event: 'segments_cancelled',
  },
  {
    name: 'cancel_booking (hold)',
    tool: 'cancel_booking',
    on: 'held',
    args: (locator) => ({ locator }),
    message: 'OTA_CancelRQ',
    event: 'cancelled',
  },
  {
    name: 'assign_seats',
    tool: 'assign_seats',
    on: 'ticketed',
    args: async (locator, look) => {
      const map = await look('get_seat_map', { locator, segment_refs: ['1'], detail: 'full' });
      const seats = map.segments[0].cabins.flatMap((cabin: Cabin) =>
        cabin.seats.map(({ seat, status }) => ({
          status,
          name: [...(cabin.zone?.code ? [cabin.zone.code] : []), seat].join('-'),
        })),
      );
      const free = seats.filter(({ status }: { status: string }) => status === 'free');
      if (free.length === 0) throw new Error(`no free seat on the flight of ${locator}`);
      // The airline gives seats from the front: one of the others, and not the same for everybody.
      const seat = free[free.length - 1 - (hash53(1, locator) % Math.ceil(free.length / 2))].name;
      return { locator, seats: [{ segment_ref: '1', passenger_ref: '1', seat }] };
    },
    message: 'OTA_AirBookModifyRQ',
    event: 'seats_changed',
  },
  {
    name: 'update_contact',
    tool: 'update_contact',
    on: 'ticketed',
    args: (locator) => ({ locator, email: 'amal.haddad@example.com' }),
    message: 'OTA_AirBookModifyRQ',
    event: 'contact_updated',
  },
  {
    name: 'update_passenger',
    tool: 'update_passenger',
    on: 'ticketed',
    args: (locator) => ({ locator, changes: [{ passenger_ref: '1', gender: 'Male' }] }),
    message: 'OTA_AirBookModifyRQ',
    event: 'passenger_updated',
  },
  {
    name: 'rebook_segment',
    tool: 'rebook_segment',
    on: 'ticketed',
    args: async (locator, look) => {
      const { booking } = await look('read_booking', { locator });
      const [flight] = booking.segments;
      const date = flight.departs.slice(0, 10);
      const legs = [{ from: flight.from, to: flight.to, date }];
      const passengers = { adults: booking.passengers.length };
      const { offers } = await look('search_fares', { legs, passengers, max_results: 50 });
      const other = offers.find((offer: Offer) => offer.legs[0]?.segments[0]?.flight !== flight.flight);
      return { locator, segment_ref: '1', offer_id: (other ?? offers[0]).offer_id };
    },
    message: 'OTA_AirBookModifyRQ',
    event: 'rebooked',
  },
  {
    name: 'split_booking',
    tool: 'split_booking',
    on: 'ticketed',
    args: (locator) => ({ locator, passenger_refs: ['1'] }),
    message: 'OTA_AirBookModifyRQ',
    event: 'split',
    named: true,
  },
];

interface Cabin {
  readonly zone?: { readonly code?: string };
  readonly seats: readonly { readonly seat: string; readonly status: string }[];
}

interface Offer {
  readonly offer_id: string;
  readonly legs: readonly { readonly segments: readonly { readonly flight: string }[] }[];
}
