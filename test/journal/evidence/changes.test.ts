/** What a reading or a reply proves about a change of details, contact, seats or segments, or about a split. */
import { describe, expect, test } from 'vitest';
import { expectAssignedSeats } from '../../../src/tools/acts/assign-seats.ts';
import { expectUpdatedContact, expectUpdatedPassengers } from '../../../src/tools/acts/people-evidence.ts';
import { expectRebookedSegment, overcharge } from '../../../src/tools/acts/rebook-segment.ts';
import { expectSplitBooking } from '../../../src/tools/acts/split-booking.ts';
import { RULES } from '../../support/rules.ts';
import { type Booking, booking, operation, option, receipt, ticket, traveler } from '../answers.ts';

type Person = ReturnType<typeof traveler>;
const digest = (text: string) => `#${text}`;
const judged = (subject: Parameters<typeof operation>[0], read: Booking) =>
  RULES.reading(operation(subject), read, digest);
const people = (...travelers: Person[]) => booking({ travelers });
const NOBODY = { emails: [], phones: [], addresses: [], comments: [] };
const phone = (number: string) => ({ countryCode: '966', number });

describe("passengers' information", () => {
  const ann = traveler('1', 'ANN', { gender: 'Female' });
  const wanted = { ...ann, gender: 'Male', emails: ['ann@example.com'] };
  const subject = expectUpdatedPassengers(people(ann), [wanted], digest);

  test.each<[string, Person[], string]>([
    ['as wanted', [wanted], 'done'],
    ['as wanted, in what is shown', [{ ...wanted, emails: [] }], 'done'],
    ['as wanted, without a name', [{ ...wanted, name: undefined }], 'done'],
    ['as before', [ann], 'not_done'],
    ['only what was not shown before', [{ ...ann, emails: wanted.emails }], 'partial'],
    ['something else', [{ ...ann, gender: 'Unknown' }], 'contradicted'],
    ['somebody else', [traveler('2', 'BOB')], 'contradicted'],
    ['nobody', [], 'void'],
  ])('judges passengers read %s: %s', (_what, travelers, verdict) => {
    expect(judged(subject, people(...travelers))).toBe(verdict);
  });

  test('proves nothing about passenger details that the airline never shows', () => {
    const mail = expectUpdatedPassengers(people(ann), [{ ...ann, emails: ['a@b.cd'] }], digest);
    expect(judged(mail, people(ann))).toBe('void');
  });
});

describe('the contact', () => {
  type Contact = Booking['contact'];
  const read = (contact: Contact) => booking({ ...(contact && { contact }) });
  const before = { ...NOBODY, emails: ['old@example.com'] };
  const after = { ...NOBODY, emails: ['new@example.com'], phones: [phone('5512')] };
  const subject = expectUpdatedContact(read(before), after, digest);

  test.each<[string, Contact, string]>([
    ['as wanted', after, 'done'],
    ['as wanted, in what is shown', { ...after, phones: [] }, 'done'],
    ['as before', before, 'not_done'],
    ['a part', { ...after, emails: before.emails }, 'partial'],
    ['something else', { ...after, emails: ['x@example.com'] }, 'contradicted'],
    ['none in the reply', undefined, 'void'],
  ])('judges a contact read %s: %s', (_what, contact, verdict) => {
    expect(judged(subject, read(contact))).toBe(verdict);
  });

  const points = (emails: string[], numbers: string[]) => ({ emails, phones: numbers.map(phone) });
  const [was, now] = [points(['a@x.com', 'b@x.com'], ['551', '552']), points(['new@x.com', 'b@x.com'], ['559', '552'])];

  test.each<[string, ReturnType<typeof points>, string]>([
    ['as sent', now, 'done'],
    ['in another order', points(['b@x.com', 'new@x.com'], ['552', '559']), 'done'],
    ['one of them twice', points(['b@x.com', 'new@x.com', 'New@x.com'], ['552', '559', '559']), 'done'],
    ['as before', was, 'not_done'],
    ['as before, in another order', points(['B@x.com', 'a@x.com'], ['552', '551']), 'not_done'],
    ['one done, the other not', { ...was, emails: now.emails }, 'partial'],
    ['the old one still there', points(['new@x.com', 'a@x.com', 'b@x.com'], ['559', '551', '552']), 'contradicted'],
    // A point that should have stayed is gone, so a person must check.
    ['the new one alone', points(['new@x.com'], ['559']), 'contradicted'],
    ['another', points(['x@x.com', 'b@x.com'], ['550', '552']), 'contradicted'],
  ])('judges one of several e-mails and phones, of the contact and of a passenger: %s: %s', (_what, seen, verdict) => {
    const contact = expectUpdatedContact(read({ ...NOBODY, ...was }), { ...NOBODY, ...now }, digest);
    expect(judged(contact, read({ ...NOBODY, ...seen }))).toBe(verdict);
    const passenger = expectUpdatedPassengers(people(traveler('1', 'ANN', was)), [traveler('1', 'ANN', now)], digest);
    expect(judged(passenger, people(traveler('1', 'ANN', seen)))).toBe(verdict);
  });
});

describe('seats', () => {
  const [ann, bob] = [traveler('1', 'ANN'), traveler('2', 'BOB')];
  const seated = (...seats: (string | undefined)[]) =>
    booking({
      travelers: [ann, bob],
      tickets: seats.map((seat, i) => {
        const issued = ticket(`9${i}`);
        const coupons = issued.coupons.map((coupon) => ({ ...coupon, ...(seat && { seat, coach: '4' }) }));
        return { ...issued, travelerRefs: [String(i + 1)], coupons };
      }),
    });
  const choices = [
    { segmentRef: '1', travelerRef: '1', seat: '5A' },
    { segmentRef: '1', travelerRef: '2', seat: '5B' },
  ];
  const subject = expectAssignedSeats(seated('1A', '1B'), choices, digest);
  const unseen = expectAssignedSeats(seated(undefined, undefined), choices, digest);
  const group = (seats: [string, string], ...refs: string[]) =>
    booking({ ...seated(...seats).reading, travelers: refs.map((ref) => traveler(ref)) });
  const unnamed = expectAssignedSeats(group(['1A', '1B'], '1', '2'), choices, digest);
  const single = expectAssignedSeats(group(['1A', '1B'], '1', '2'), choices.slice(0, 1), digest);
  const swapped = [
    { ...ann, ref: '2' },
    { ...bob, ref: '1' },
  ];

  test.each<[string, typeof subject, Booking, string]>([
    ['as wanted', subject, seated('5A', '5B'), 'done'],
    ['as wanted, in another spelling', subject, seated('05a', '5b'), 'done'],
    ['as wanted, without the flights', subject, booking({ ...seated('5A', '5B').reading, options: [] }), 'done'],
    ['as before', subject, seated('1A', '1B'), 'not_done'],
    ['one of two', subject, seated('5A', '1B'), 'partial'],
    ['other seats', subject, seated('7A', '7B'), 'contradicted'],
    ['no seats shown any more', subject, seated(undefined, undefined), 'contradicted'],
    ['no travellers in the reply', subject, booking(), 'void'],
    [
      'as wanted, of passengers with new pointers',
      subject,
      booking({ ...seated('5B', '5A').reading, travelers: swapped }),
      'done',
    ],
    [
      'as wanted, of one of two passengers',
      subject,
      booking({ ...seated('5A', '5B').reading, travelers: [ann] }),
      'contradicted',
    ],
    ['of two without a name', unnamed, group(['5A', '5B'], '1', '2'), 'done'],
    ['of two without a name under other pointers', unnamed, group(['5A', '5B'], '10', '20'), 'contradicted'],
    ['of one without a name, now of one of two others', single, group(['9Z', '5A'], '2', '3'), 'contradicted'],
    ['none before and after', unseen, seated(undefined, undefined), 'void'],
    ['as wanted, none before', unseen, seated('5A', '5B'), 'done'],
    ['others, none before', unseen, seated('6A', '6B'), 'contradicted'],
  ])('judges seats read: %s: %s', (_what, aim, read, verdict) => {
    expect(judged(aim, read)).toBe(verdict);
  });
});

describe('a rebooking', () => {
  type Segment = ReturnType<typeof option>['segments'][number];
  const flight = (ref: string, over: Partial<Segment> = {}): Segment => {
    const [segment] = option(ref).segments;
    if (segment === undefined) throw new Error('no segment');
    return { ...segment, bookingClass: 'Y', ...over };
  };
  const [old, back] = [flight('1'), flight('2', { from: 'JED', to: 'RUH' })];
  const fresh = flight('3', { bookingClass: 'C' });
  const read = (...segments: Segment[]) =>
    booking({ options: segments.map((one) => ({ ref: one.ref, segments: [one] })) });
  const subject = expectRebookedSegment(read(old, back), old, fresh);
  const upgrade = expectRebookedSegment(read(old, back), old, { ...old, ref: '3', bookingClass: 'C' });
  const unsold = ({ bookingClass: _, ...rest }: Segment): Segment => rest;
  const cancelled = (one: Segment) => ({ ...one, statusCode: '16' });

  test.each<[string, number | undefined, string | undefined, number | undefined]>([
    ['a charge above what was approved', undefined, 'SAR', 600],
    ['less what came back', 40, 'SAR', 560],
    ['no more than was approved', 100, 'SAR', undefined],
    ['another currency comes back', 100, 'EUR', 600],
  ])('knows a charge that was not approved: %s', (_what, back, currency = '', expected) => {
    const sar = (minor: number) => ({ minor, currency: 'SAR' });
    const charge = { amount: sar(600) };
    const refund = back === undefined ? undefined : { amount: { minor: back, currency } };
    const found = overcharge({ atMost: sar(500) }, { charge, ...(refund && { refund }) });
    expect(found?.charged.minor).toBe(expected);
    expect(found?.approved).toEqual(found && sar(500));
    expect([
      overcharge({}, { charge }),
      overcharge({ atMost: sar(500) }),
      overcharge({ atMost: sar(500) }, {}),
    ]).toEqual([undefined, undefined, undefined]);
  });

  test('knows a charge in another currency than approved as not approved, unless as much came back', () => {
    const [approved, usd] = [{ minor: 920, currency: 'EUR' }, (minor: number) => ({ minor, currency: 'USD' })];
    const found = (back: number, currency = 'USD') =>
      overcharge({ atMost: approved }, { charge: { amount: usd(800) }, refund: { amount: { minor: back, currency } } });
    expect([found(0), found(300), found(800), found(800, 'EUR')]).toEqual([
      { approved, charged: usd(800) },
      { approved, charged: usd(500) },
      undefined,
      { approved, charged: usd(800) },
    ]);
  });

  test.each<[string, typeof subject, Booking, string]>([
    ['the new flight in place of the old one', subject, read(fresh, back), 'done'],
    ['under the old pointer', subject, read({ ...fresh, ref: '1' }, back), 'done'],
    ['beside the old one, cancelled', subject, read(cancelled(old), back, fresh), 'done'],
    ['as before', subject, read(old, back), 'not_done'],
    ['both', subject, read(old, back, fresh), 'partial'],
    ['neither yet', subject, read(cancelled(old), back), 'partial'],
    ['twice', subject, read(fresh, back, { ...fresh, ref: '4' }), 'partial'],
    ['a flight nobody asked for', subject, read(back, flight('4', { flightNumber: '999' })), 'contradicted'],
    ['the other one gone too', subject, read(fresh, cancelled(back)), 'contradicted'],
    ['in a class nobody asked for', subject, read({ ...fresh, bookingClass: 'L' }, back), 'done'],
    ['beside the old one in such a class', subject, read(old, back, { ...fresh, bookingClass: 'L' }), 'partial'],
    ['no itinerary', subject, read(), 'void'],
    ['without a class', subject, read(unsold(fresh), back), 'done'],
    ['of a change of class, none', upgrade, read(unsold(old), back), 'void'],
    ['of a change of class, the new one', upgrade, read({ ...old, bookingClass: 'C' }, back), 'done'],
    ['of a change of class, the old one', upgrade, read(old, back), 'not_done'],
    ['of a change of class, another', upgrade, read({ ...old, bookingClass: 'L' }, back), 'done'],
  ])('judges a rebooking read: %s: %s', (_what, aim, seen, verdict) => {
    expect(judged(aim, seen)).toBe(verdict);
  });
});

describe('a split', () => {
  const [ann, bob, cid] = [traveler('1', 'ANN'), traveler('2', 'BOB'), traveler('3', 'CID')] as const;
  const party = people(ann, bob, cid);
  const renumbered = people({ ...cid, ref: '1' }, { ...ann, ref: '2' });
  const subject = expectSplitBooking(party, ['2'], digest);
  const moved = (changes: Partial<Booking> = {}) =>
    booking({ locator: 'NEW456', references: [{ id: 'NEW456', segmentRefs: [] }], travelers: [bob], ...changes });

  test.each<[string, Booking, string]>([
    ['all still there', party, 'not_done'],
    ['they have left, but where to is not shown', people(ann, cid), 'partial'],
    ['renumbered', renumbered, 'partial'],
    ['another one gone', people(ann, bob), 'contradicted'],
    ['nobody', booking(), 'void'],
  ])('judges a split by a reading: %s: %s', (_what, read, verdict) => expect(judged(subject, read)).toBe(verdict));

  test.each<[string, Parameters<typeof RULES.reply>[1], string]>([
    ['the new booking', { booking: moved() }, 'done'],
    ['the old one, without them', { booking: people(ann, cid) }, 'partial'],
    ['the old one, unchanged', { booking: party }, 'not_done'],
    ["somebody else's", { booking: moved({ travelers: [cid] }) }, 'void'],
    ['one with more people', { booking: moved({ travelers: [bob, cid] }) }, 'void'],
    ['one of other flights', { booking: moved({ options: [option('1')] }) }, 'void'],
    ['one of more flights', { booking: moved({ options: [option('1'), option('2'), option('3')] }) }, 'void'],
    ['nobody', { booking: moved({ travelers: [] }) }, 'void'],
    ['a receipt', receipt(), 'void'],
    ['nothing', {}, 'void'],
  ])('judges a split by a reply: %s: %s', (_what, evidence, verdict) => {
    expect(RULES.reply(operation(subject), evidence, digest)).toBe(verdict);
  });
});
