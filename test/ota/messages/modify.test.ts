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
  test('uses OTA_AirBookModifyRQ for changes', () => expect(MODIFY).toBe('OTA_AirBookModifyRQ'));

  test('encodes the cancellation of a segment with the reservation as it was read and the option completed', () => {
    const wire = encodeModifyRequest(CANCEL_SEGMENT, 'rail');
    expect(wire).toEqual(message('modify-cancel-segment'));
    expect(wire.airReservation).toBe(SOURCE);
    expect(JSON.stringify(wire.airReservation)).toBe(JSON.stringify(fixture('modify-source')));
  });

  test('rejects an option that the booking does not have', () => {
    const options = [{ ref: '9', segments: [] }];
    expect(() => encodeModifyRequest({ ...CANCEL_SEGMENT, options }, 'rail')).toThrow(ClerkError);
  });

  test('rejects a segment whose carrier the airline does not name', () => {
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

  test('encodes the cancellation of a passenger as the published message', () =>
    expect(encodeModifyRequest(change, 'rail')).toEqual(message('modify-cancel-passenger')));

  test('rejects a passenger to whom the airline gave no pointer', () => {
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

  test('encodes a change of name as the published message', () =>
    expect(encodeModifyRequest(change, 'rail')).toEqual(message('modify-change-name')));

  test('rejects a change of name without a name', () => {
    const { name: _, ...nameless } = SARA;
    expect(() => encodeModifyRequest({ ...change, travelers: [nameless] }, 'rail')).toThrow(ClerkError);
  });
});

describe('a change request', () => {
  test('rejects a change of a booking that was not read', () => {
    const { source: _, ...unread } = BOOKING;
    expect(() => encodeModifyRequest({ ...CANCEL_SEGMENT, booking: unread }, 'rail')).toThrow(ClerkError);
  });

  test('rejects a change if the reservation lacks the itinerary', () => {
    const { airItinerary: _, ...bare } = SOURCE;
    const change: Modification = { kind: 'cancel_passengers', booking: { ...BOOKING, source: bare }, travelers: [] };
    expect(() => encodeModifyRequest({ ...change, travelers: BOOKING.travelers }, 'rail')).toThrow(z.ZodError);
  });
});

describe('modify reply', () => {
  test('decodes a reply to a change whose middle name is merged into the given name', () => {
    const booking = decodeModifyReply(fixture('modify-reply'));
    expect(booking.locator).toBe('K7M4QX');
    expect(booking.travelers[0]?.name).toEqual(named(['SARA ANNE'], 'HADDAD'));
    expect(booking).toMatchObject({ options: [], tickets: [], orders: [] });
    expect('source' in booking).toBe(false);
  });
});
