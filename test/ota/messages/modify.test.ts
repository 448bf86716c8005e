import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Modification } from '../../../src/domain/booking/airline-requests.ts';
import { ClerkError } from '../../../src/errors.ts';
import { decodeModifyReply, encodeModifyRequest, MODIFY } from '../../../src/ota/messages/modify.ts';
import type { Wire } from '../../../src/ota/messages/parts/reader.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { fixture } from './fixture.ts';
import { isObject, rewrite } from './rewrite.ts';
import { named, SARA } from './values.ts';

const SOURCE = fixture('modify-source');
const BOOKING = decodeReadReply({ success: {}, airReservation: SOURCE });

function message(change: string): Wire {
  return { airReservation: SOURCE, airBookModifyRQ: fixture(change) };
}

const CANCEL_SEGMENT: Modification = {
  kind: 'cancel_segments',
  booking: BOOKING,
  options: BOOKING.options.slice(0, 1),
};

describe('cancelling a segment', () => {
  test('is OTA_AirBookModifyRQ', () => expect(MODIFY).toBe('OTA_AirBookModifyRQ'));

  test('encodes: the reservation as it came, the option with its required fields filled in', () => {
    const wire = encodeModifyRequest(CANCEL_SEGMENT, 'rail');
    expect(wire).toEqual(message('modify-cancel-segment'));
    expect(wire.airReservation).toBe(SOURCE);
    expect(JSON.stringify(wire.airReservation)).toBe(JSON.stringify(fixture('modify-source')));
  });

  test('an option that the booking does not hold is refused', () => {
    const options = [{ ref: '9', segments: [] }];
    expect(() => encodeModifyRequest({ ...CANCEL_SEGMENT, options }, 'rail')).toThrow(ClerkError);
  });

  test('a segment of which the airline names no carrier is refused', () => {
    const bare = rewrite(SOURCE, (value) => {
      if (!isObject(value)) return value;
      const { operatingAirline: _, marketingAirline: __, ...rest } = value;
      return rest;
    });
    const booking = decodeReadReply({ success: {}, airReservation: bare });
    const change: Modification = { ...CANCEL_SEGMENT, booking, options: booking.options.slice(0, 1) };
    expect(() => encodeModifyRequest(change, 'rail')).toThrow(ClerkError);
  });
});

describe('cancelling a passenger', () => {
  const change: Modification = { kind: 'cancel_passengers', booking: BOOKING, travelers: BOOKING.travelers };

  test('encodes', () => expect(encodeModifyRequest(change, 'rail')).toEqual(message('modify-cancel-passenger')));

  test('names each by its pointer: one that the airline gave none is not sent', () => {
    const airTraveler = [{ passengerTypeCode: 'ADT', personName: { givenName: ['SARA'], surname: 'HADDAD' } }];
    const airReservation = { ...SOURCE, travelerInfo: { airTraveler } };
    const booking = decodeReadReply({ success: {}, airReservation });
    const { travelers } = booking;
    expect(() => encodeModifyRequest({ ...change, booking, travelers }, 'airline')).toThrow(z.ZodError);
  });
});

describe('changing a name', () => {
  const renamed = { ...SARA, name: named(['SARA'], 'HADAD', { middle: ['ANNE'] }) };
  const change: Modification = { kind: 'change_names', booking: BOOKING, travelers: [renamed] };

  test('encodes', () => expect(encodeModifyRequest(change, 'rail')).toEqual(message('modify-change-name')));

  test('needs a name', () => {
    const { name: _, ...nameless } = SARA;
    expect(() => encodeModifyRequest({ ...change, travelers: [nameless] }, 'rail')).toThrow(ClerkError);
  });
});

describe('a change request', () => {
  test('needs a booking that was read', () => {
    const { source: _, ...unread } = BOOKING;
    expect(() => encodeModifyRequest({ ...CANCEL_SEGMENT, booking: unread }, 'rail')).toThrow(ClerkError);
  });

  test('needs the itinerary and the travellers in the reservation', () => {
    const { airItinerary: _, ...bare } = SOURCE;
    const change: Modification = { kind: 'cancel_passengers', booking: { ...BOOKING, source: bare }, travelers: [] };
    expect(() => encodeModifyRequest({ ...change, travelers: BOOKING.travelers }, 'rail')).toThrow(z.ZodError);
  });
});

describe('modify reply', () => {
  test('decodes: a middle name comes back merged into the given name', () => {
    const booking = decodeModifyReply(fixture('modify-reply'));
    expect(booking.locator).toBe('K7M4QX');
    expect(booking.travelers[0]?.name).toEqual(named(['SARA ANNE'], 'HADDAD'));
    expect(booking).toMatchObject({ options: [], tickets: [], orders: [] });
    expect('source' in booking).toBe(false);
  });
});
