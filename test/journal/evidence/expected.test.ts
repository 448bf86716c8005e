/** What each act expects of the booking afterwards: only what differs, and no names of people. */
import { expect, test } from 'vitest';
import { flightKey, sameFlight } from '../../../src/domain/facts/pair.ts';
import { contactText, identityText, isBlank } from '../../../src/domain/people/identity-text.ts';
import { expectAssignedSeats } from '../../../src/tools/acts/assign-seats.ts';
import { expectBooking } from '../../../src/tools/acts/create-booking.ts';
import {
  expectChangedNames,
  expectUpdatedContact,
  expectUpdatedPassengers,
} from '../../../src/tools/acts/people-evidence.ts';
import { expectRebookedSegment } from '../../../src/tools/acts/rebook-segment.ts';
import { expectSplitBooking } from '../../../src/tools/acts/split-booking.ts';
import {
  BACK,
  held,
  OUT,
  option,
  partlyCancelled,
  reread,
  type Segment,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { bareTraveler, traveler } from '../../support/people.ts';

const digest = (text: string) => `#${text}`;
const contact = held().contact as NonNullable<ReturnType<typeof held>['contact']>;

test('writes each contact detail as a canonical text, and knows one without content', () => {
  for (const [countryCode, number] of Object.entries({
    966: '551234567',
    '+966': '55 123 45 67',
    '00966': '551234567',
  }))
    expect(contactText({ ...contact, phones: [{ countryCode, number }] }, 'phone')).toBe('966551234567');
  const addresses = [{ city: 'Jiddah', countryCode: 'SA' }, {}];
  expect(contactText({ ...contact, addresses }, 'address')).toBe('JIDDAH/SA,/');
  expect(['', '/', '///', ',/', 'A/'].map(isBlank)).toEqual([true, true, true, true, false]);
  const wanted = { ...contact, emails: ['new@example.com'], addresses: [{ city: 'Riyadh' }] };
  expect(expectUpdatedContact(held(), wanted, digest)).toMatchObject({
    changes: [
      { detail: 'email', was: '#amal@example.com', wanted: '#new@example.com' },
      { detail: 'address', was: '#', wanted: '#RIYADH/', unseen: true },
    ],
  });
});

test('identifies a flight by stations, instant, number and class; an unnamed class matches any', () => {
  const key = flightKey(segment('1', { flightNumber: 'HHR0101' }));
  expect(key).toEqual({
    ...{ from: 'MED', to: 'JED', departs: '2026-12-01T05:00:00Z', clock: '2026-12-01T08:00' },
    ...{ number: '101', bookingClass: 'Y' },
  });
  const { bookingClass: _, ...classless } = key;
  expect([sameFlight(key, classless), sameFlight(classless, key)]).toEqual([true, true]);
  const others = {
    from: 'RUH',
    to: 'RUH',
    departs: '2026-12-01T05:00:00+02:00',
    flightNumber: '103',
    bookingClass: 'C',
  };
  const inAnotherZone = flightKey(segment('1', { departs: '2026-12-01T08:00:00.000Z' }));
  const { clock: _clock, ...ofEarlierVersion } = key;
  expect([sameFlight(key, inAnotherZone), sameFlight(ofEarlierVersion, inAnotherZone)]).toEqual([true, false]);
  expect(sameFlight(key, ofEarlierVersion)).toBe(true);
  for (const [field, value] of Object.entries(others))
    expect([field, sameFlight(key, flightKey(segment('1', { [field]: value })))]).toEqual([field, false]);
});

test('expects a rebooking or a split to keep active flights, and counts payments and refunds', () => {
  const [old] = OUT.segments as [Segment];
  const fresh = segment('3', { flightNumber: '109' });
  expect(expectRebookedSegment(ticketed(), old, fresh)).toEqual({
    ...{
      kind: 'rebook_segment',
      replaced: flightKey(old),
      wanted: flightKey(fresh),
      kept: BACK.segments.map(flightKey),
    },
    earlierPayments: [{ amount: sar(69000) }],
    ...{ refundsBefore: 0, earlierRefunds: { entries: [], orders: [] } },
  });
  expect(expectRebookedSegment(ticketed(), old, fresh, { atMost: sar(5) }).atMost).toEqual(sar(5));
  const flight = { carrier: 'HHR', number: '109' };
  const offered = { ...fresh, operating: flight, marketing: flight, fareBasis: 'YSAVE' };
  expect(expectRebookedSegment(ticketed(), old, fresh, { atMost: sar(5), offered }).offered).toEqual({
    ...{
      arrives: fresh.arrives,
      operatingCarrier: 'HHR',
      operatingNumber: '109',
      marketingCarrier: 'HHR',
      marketingNumber: '109',
      fare: 'YSAVE',
    },
  });
  const { fareBasis: _, ...unsaid } = { ...fresh, arrives: '', operating: undefined, marketing: undefined };
  expect(expectRebookedSegment(ticketed(), old, fresh, { atMost: sar(5), offered: unsaid }).offered).toEqual({});
  const byOffer = { least: sar(5) };
  expect(expectRebookedSegment(ticketed(), old, fresh, { atMost: sar(5), offered: unsaid, byOffer }).byOffer).toBe(
    byOffer,
  );
  const entries = [{ amount: sar(17250), penalty: sar(15000) }];
  expect(expectRebookedSegment(partlyCancelled(), old, fresh)).toMatchObject({
    ...{
      kept: [],
      earlierPayments: [{}],
      refundsBefore: 1,
      earlierRefunds: { entries, orders: [{ amount: sar(17250) }] },
    },
  });
  const people = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
  const [amal, noor] = people.map((person) => digest(identityText(person)));
  const booking = ticketed({ travelers: people, options: [option(segment('1', { statusCode: '16' })), BACK] });
  expect(expectSplitBooking(booking, ['2'], digest)).toEqual({
    ...{ kind: 'split_booking', moved: [noor], kept: [amal], flights: BACK.segments.map(flightKey), movedRefs: ['2'] },
  });
});

test('expects nothing of a passenger who is not on the booking, or of a detail that stays', () => {
  const amal = traveler('1', 'Amal', 'Haddad');
  const booking = held({ travelers: [amal] });
  const unknown = { ...amal, ref: '9', gender: 'Male' };
  expect(expectChangedNames(booking, [amal, unknown], digest).changes).toEqual([]);
  expect(expectUpdatedPassengers(booking, [amal, unknown], digest).changes).toEqual([]);
  const [aim] = expectAssignedSeats(booking, [{ segmentRef: '9', travelerRef: '9', seat: '52' }], digest).seats;
  expect(aim).toEqual({ segmentRef: '9', travelerRef: '9', who: '', wanted: { seat: '52' } });
});

test('takes a telephone that is left out for a change that no other telephone proves', () => {
  const phones = [
    { countryCode: '966', number: '551234567' },
    { countryCode: '966', number: '557654321' },
  ];
  const amal = bareTraveler('1', { phones });
  const [change] = expectUpdatedPassengers(
    held({ travelers: [amal] }),
    [{ ...amal, phones: phones.slice(0, 1) }],
    digest,
  ).changes;
  expect(change).toMatchObject({ details: ['phone'] });
  expect(change).not.toHaveProperty('or');
});

test('expects each detail of a contact where the booking showed none', () => {
  const { changes } = expectUpdatedContact(reread(held(), { contact: undefined }), contact, digest);
  expect(changes.map(({ was, unseen }) => [was, unseen])).toEqual(changes.map(() => ['#', true]));
  expect(changes.length).toBeGreaterThan(1);
});

test('keeps of a new booking its names as digests, the offer, the trip, and until when it can be booked twice', () => {
  expect(expectBooking([], digest)).toEqual({ kind: 'create' });
  const offer = { segments: [{ ref: '1', fare: 'SAVER' }], total: sar(17250) };
  const people = [traveler('1', 'Amal', 'Haddad')];
  expect(
    expectBooking(people, digest, { offer, lastDeparture: '2026-12-09T18:40:00+03:00', segmentTexts: ['HHR101'] }),
  ).toEqual({
    ...{ kind: 'create', offer, trip: ['HHR101'], until: '2026-12-09T15:40:00.000Z' },
    names: expect.arrayContaining([expect.stringMatching(/^#/)]),
  });
});
