/**
 * decode(encode(x)) = x for every message, through JSON text as it crosses the wire; and nothing undocumented is
 * written.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Offer } from '../../src/domain/offer.ts';
import { bookRequest } from '../../src/ota/messages/book.ts';
import { calendarReply, calendarRequest } from '../../src/ota/messages/calendar.ts';
import { cancelReply, cancelRequest } from '../../src/ota/messages/cancel.ts';
import { fareSearchReply, fareSearchRequest } from '../../src/ota/messages/fare-search.ts';
import { groupBookReply, groupBookRequest, groupPriceReply } from '../../src/ota/messages/group-book.ts';
import { modifyRequest } from '../../src/ota/messages/modify.ts';
import { readReply, readRequest } from '../../src/ota/messages/read.ts';
import { routesReply } from '../../src/ota/messages/routes.ts';
import { seatMapReply, seatMapRequest } from '../../src/ota/messages/seat-map.ts';
import { ticketReply, ticketRequest } from '../../src/ota/messages/ticket.ts';
import * as any from './arbitraries.ts';
import { availability } from './availability-arbitrary.ts';
import { fixture } from './fixture.ts';
import { isObject } from './rewrite.ts';

/** The same values every time; FUZZ_SEED gives others. */
const RUNS = { numRuns: 60, seed: Number(process.env.FUZZ_SEED ?? 1) };

function crossed(wire: unknown): unknown {
  return JSON.parse(JSON.stringify(wire));
}

function wired(codec: z.ZodType, value: unknown): unknown {
  return crossed(z.encode(codec, value));
}

function withoutSource(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { source: _, ...rest } = value;
  return rest;
}

/** Without what decides fares and rows: a reply is read for more than it is written with. */
const unpriced = <T extends Pick<Offer, 'pricing'>>(one: T): T => ({
  ...one,
  pricing: { ...one.pricing, fares: [], perType: [] },
});
const offer = any.offer.map(unpriced);
const itineraries = any.itineraries.map((found) => ({ ...found, offers: found.offers.map(unpriced) }));
const groupBooking = any.groupBooking.map((booking) => ({
  ...booking,
  ...(booking.pricing && unpriced({ pricing: booking.pricing })),
}));

const MESSAGES: [string, z.ZodType, fc.Arbitrary<unknown>][] = [
  ['fare search request', fareSearchRequest, any.fareQuery],
  ['fare search reply, itineraries', fareSearchReply, itineraries],
  ['fare search reply, availability', fareSearchReply, availability],
  ['booking request', bookRequest, any.newBooking],
  ['booking from counts, request', groupBookRequest, any.newGroupBooking],
  ['booking from counts, reply', groupBookReply, groupBooking],
  ['price check, reply', groupPriceReply, fc.array(offer, { maxLength: 2 })],
  ['payment request', ticketRequest, any.paymentOrder],
  ['payment reply', ticketReply, any.receipt],
  ['read request', readRequest, any.bookingKey],
  ['cancel request', cancelRequest, any.bookingKey],
  ['cancel reply', cancelReply, any.cancelReceipt],
  ['seat map request', seatMapRequest, any.seatMapQuery],
  ['seat map reply', seatMapReply, any.seatMaps],
  [
    'routes reply',
    routesReply,
    fc.array(fc.record({ from: any.station, to: fc.array(any.station) }), { maxLength: 3 }),
  ],
  ['calendar request', calendarRequest, any.calendarQuery],
  ['calendar reply', calendarReply, any.calendarDates],
];

describe('what is encoded decodes to the same', () => {
  test.each(MESSAGES)('%s', (_, codec, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(withoutSource(codec.parse(wired(codec, value)))).toEqual(value);
      }),
      RUNS,
    );
  });

  test('modify request', () => {
    const changes = any.booking
      .filter((booking) => booking.travelers.length > 0)
      .map((booking) => readReply.parse(wired(readReply, booking)))
      .chain(any.modification);
    fc.assert(
      fc.property(changes, (change) => {
        expect(modifyRequest.parse(wired(modifyRequest, change))).toEqual(change);
      }),
      RUNS,
    );
  });
});

/** Names of all fields of a tree, lists left away. */
function fieldsOf(tree: unknown, path = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(tree)) for (const item of tree) fieldsOf(item, path, found);
  if (!isObject(tree)) return found;
  for (const [key, value] of Object.entries(tree)) {
    const name = `${path}.${key}`;
    found.add(name);
    fieldsOf(value, name, found);
  }
  return found;
}

const DOCUMENTED: [string, z.ZodType, fc.Arbitrary<unknown>, string][] = [
  ['read reply', readReply, any.booking, 'read-reply'],
  ['search, itineraries', fareSearchReply, any.itineraries, 'fare-search-reply'],
  ['search, availability', fareSearchReply, availability, 'availability-reply'],
  ['payment reply', ticketReply, any.receipt, 'ticket-reply'],
  ['seat map reply', seatMapReply, any.seatMaps, 'seat-map-reply'],
];

/** Pricing, segments and references are those of a reservation wherever they stand. */
function asReservation(field: string): string {
  return field
    .replace(/^\.bookingReferenceID/, '.airReservation.bookingReferenceID')
    .replace('.pricedItineraries.pricedItinerary.airItinerary.', '.airReservation.airItinerary.')
    .replace('.pricedItineraries.pricedItinerary.airItineraryPricingInfo.', '.airReservation.priceInfo.');
}

describe('nothing undocumented is written', () => {
  test.each(DOCUMENTED)('%s', (name, codec, values, full) => {
    const documented = fieldsOf(fixture(full));
    for (const field of fieldsOf(fixture('read-reply'))) documented.add(field);
    fc.assert(
      fc.property(values, (value) => {
        const written = [...fieldsOf(wired(codec, value))].map(asReservation);
        expect(written.filter((field) => !documented.has(field)).map((field) => `${name}${field}`)).toEqual([]);
      }),
      RUNS,
    );
  });
});
