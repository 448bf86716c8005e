import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Modification } from '../../src/domain/requests.ts';
import { ClerkError } from '../../src/errors.ts';
import { MODIFY, modifyReply, modifyRequest } from '../../src/ota/messages/modify.ts';
import type { Wire } from '../../src/ota/messages/parts/reader.ts';
import { readReply } from '../../src/ota/messages/read.ts';
import { fixture } from './fixture.ts';
import { named, SARA } from './values.ts';

const SOURCE = fixture('modify-source');
const BOOKING = readReply.parse({ success: {}, airReservation: SOURCE });

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
    const wire = z.encode(modifyRequest, CANCEL_SEGMENT);
    expect(wire).toEqual(message('modify-cancel-segment'));
    expect(wire.airReservation).toBe(SOURCE);
    expect(JSON.stringify(wire.airReservation)).toBe(JSON.stringify(fixture('modify-source')));
  });

  test('decodes', () => {
    const read = modifyRequest.parse(message('modify-cancel-segment'));
    expect(read.kind).toBe('cancel_segments');
    expect(read.booking).toEqual(BOOKING);
    expect(read).toMatchObject({ options: [{ ref: '1', segments: [{ ref: '1', flightNumber: '0120' }] }] });
  });

  test('an option that the booking does not hold is refused', () => {
    const options = [{ ref: '9', segments: [] }];
    expect(() => z.encode(modifyRequest, { ...CANCEL_SEGMENT, options })).toThrow(ClerkError);
  });

  test('a segment without a required field is refused', () => {
    const wire = structuredClone(message('modify-cancel-segment')) as z.input<typeof modifyRequest>;
    if (wire.airBookModifyRQ.modificationType !== '10') throw new Error('fixture');
    for (const option of wire.airBookModifyRQ.airItinerary.originDestinationOptions.originDestinationOption) {
      for (const segment of option.flightSegment) Reflect.deleteProperty(segment, 'marketingAirline');
    }
    expect(modifyRequest.safeParse(wire).success).toBe(false);
  });
});

describe('cancelling a passenger', () => {
  const change: Modification = { kind: 'cancel_passengers', booking: BOOKING, travelers: BOOKING.travelers };

  test('encodes', () => expect(z.encode(modifyRequest, change)).toEqual(message('modify-cancel-passenger')));

  test('decodes', () => {
    const read = modifyRequest.parse(message('modify-cancel-passenger'));
    expect(read.kind).toBe('cancel_passengers');
    expect(read).toMatchObject({ travelers: [{ ref: '1', name: { surname: 'HADDAD' } }, { ref: '2' }] });
  });

  test('decodes with the travellers as the read reply gave them, contact and all', () => {
    const airTraveler = [
      { passengerTypeCode: 'CTC', personName: { namePrefix: [null], givenName: ['LINA'], surname: 'HADDAD' } },
      {
        personName: { namePrefix: [null], givenName: ['SARA'], surname: 'HADDAD' },
        document: [{ docLimitations: [], docID: 'A1' }],
        travelerRefNumber: { rph: '1' },
        passengerTypeCode: 'ADT',
      },
    ];
    const airBookModifyRQ = { modificationType: '2', travelerInfo: { airTraveler } };
    const read = modifyRequest.parse({ airReservation: SOURCE, airBookModifyRQ });
    expect(read).toMatchObject({ travelers: [{ ref: '1', document: { number: 'A1' } }] });
  });

  test('names each by its pointer', () => {
    const airTraveler = [{ passengerTypeCode: 'ADT', personName: { givenName: ['SARA'], surname: 'HADDAD' } }];
    const airBookModifyRQ = { modificationType: '2', travelerInfo: { airTraveler } };
    expect(modifyRequest.safeParse({ airReservation: SOURCE, airBookModifyRQ }).success).toBe(false);
  });
});

describe('changing a name', () => {
  const renamed = { ...SARA, name: named(['SARA'], 'HADAD', { middle: ['ANNE'] }) };
  const change: Modification = { kind: 'change_names', booking: BOOKING, travelers: [renamed] };

  test('encodes', () => expect(z.encode(modifyRequest, change)).toEqual(message('modify-change-name')));

  test('decodes', () => expect(modifyRequest.parse(message('modify-change-name'))).toEqual(change));

  test('needs a name', () => {
    const { name: _, ...nameless } = SARA;
    expect(() => z.encode(modifyRequest, { ...change, travelers: [nameless] })).toThrow(ClerkError);
  });
});

describe('a change request', () => {
  test('needs a booking that was read', () => {
    const { source: _, ...unread } = BOOKING;
    expect(() => z.encode(modifyRequest, { ...CANCEL_SEGMENT, booking: unread })).toThrow(ClerkError);
  });

  test('needs the itinerary and the travellers in the reservation', () => {
    const { airItinerary: _, ...bare } = SOURCE;
    const wire = { ...message('modify-cancel-passenger'), airReservation: bare };
    expect(modifyRequest.safeParse(wire).success).toBe(false);
  });

  test('has one documented type', () => {
    const wire = { ...message('modify-cancel-passenger'), airBookModifyRQ: { modificationType: '99' } };
    expect(modifyRequest.safeParse(wire).success).toBe(false);
  });
});

describe('modify reply', () => {
  test('decodes: a middle name comes back merged into the given name', () => {
    const booking = modifyReply.parse(fixture('modify-reply'));
    expect(booking.locator).toBe('K7M4QX');
    expect(booking.travelers[0]?.name).toEqual(named(['SARA ANNE'], 'HADDAD'));
    expect(booking).toMatchObject({ options: [], tickets: [], orders: [] });
    expect('source' in booking).toBe(false);
  });

  test('is written with success and the version as a number', () => {
    const { source: _, ...booking } = BOOKING;
    const wire = z.encode(modifyReply, booking);
    expect(wire).toMatchObject({ success: {}, version: 2.001 });
    expect(z.decode(modifyReply, wire)).toEqual(booking);
  });
});
