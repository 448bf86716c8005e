/**
 * Any request has only documented paths and survives JSON without loss.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBookRequest } from '../../../src/ota/messages/book.ts';
import { encodeFareSearchRequest } from '../../../src/ota/messages/fare-search.ts';
import { encodeGroupBookRequest } from '../../../src/ota/messages/group-book.ts';
import { encodeModifyRequest } from '../../../src/ota/messages/modify.ts';
import { encodePriceCheckRequest } from '../../../src/ota/messages/price-check.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { encodeTicketRequest } from '../../../src/ota/messages/ticket.ts';
import * as any from './arbitraries.ts';
import { REQUESTS } from './documented.ts';
import { golden, leaves } from './golden.ts';
import { expand } from './paths.ts';

/** The same values every time; FUZZ_SEED gives others. */
const RUNS = { numRuns: 60, seed: Number(process.env.FUZZ_SEED ?? 1) };

const RAIL = { dialect: 'rail', sendFare: true } as const;
const AIRLINE = { dialect: 'airline', sendFare: true } as const;
const booking = decodeReadReply(golden('replies', 'read-rail-paid'));

const encoded = <T>(values: fc.Arbitrary<T>, encode: (value: T) => object) =>
  values.map((value) => () => encode(value));

/** By a golden request of the same message. */
const MESSAGES: [string, fc.Arbitrary<() => object>][] = [
  ['search-rail', encoded(any.fareQuery, encodeFareSearchRequest)],
  ['book-rail', encoded(any.newBooking, (one) => encodeBookRequest(one, RAIL))],
  ['book-airline', encoded(any.newBooking, (one) => encodeBookRequest(one, AIRLINE))],
  ['counts-rail', encoded(any.newGroupBooking, (one) => encodeGroupBookRequest(one, RAIL))],
  ['counts-airline', encoded(any.newGroupBooking, (one) => encodeGroupBookRequest(one, AIRLINE))],
  ['price-check-airline', encoded(any.newGroupBooking, encodePriceCheckRequest)],
  ['pay-rail-account', encoded(any.ticketOrder, encodeTicketRequest)],
  [
    'modify-3-rail',
    encoded(any.travelers, (travelers) => encodeModifyRequest({ kind: 'change_names', booking, travelers }, 'rail')),
  ],
  [
    'modify-3-rail',
    encoded(any.contact, (contact) => encodeModifyRequest({ kind: 'update_contact', booking, contact }, 'rail')),
  ],
  [
    'modify-5-rail-seat',
    encoded(any.seats, (seats) => encodeModifyRequest({ kind: 'assign_seats', booking, seats }, 'rail')),
  ],
];

describe('any request of the message', () => {
  test.each(MESSAGES)('writes only documented paths into any %s message', (name, requests) => {
    const documented = expand(REQUESTS.find(({ goldens }) => goldens.includes(name))?.paths ?? '');
    const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}.`);
    const isDocumented = (path: string) => documented.some((one) => isBelow(path, one) || isBelow(one, path));
    fc.assert(
      fc.property(requests, (encode) => {
        const wire = encode();
        const paths = leaves(wire).map(([path]) => path.filter((key) => typeof key === 'string').join('.'));
        expect(paths.filter((path) => !isDocumented(path))).toEqual([]);
        expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
      }),
      RUNS,
    );
  });
});
