import { expect, test } from 'vitest';
import { outcomeFacts } from '../../src/approvals/outcome-facts.ts';
import { doneLines, doneTitle, ticketLine, ticketsOf } from '../../src/approvals/outcome-words.ts';
import { actWord, forPerson } from '../../src/approvals/person-words.ts';
import type { Approval } from '../../src/approvals/ports.ts';
import { nearOf } from '../../src/approvals/terms.ts';
import { activeSegments, type Booking } from '../../src/domain/booking/booking.ts';
import type { Operation, Outcome } from '../../src/journal/operation.ts';
import { booking, SAR } from './harness.ts';

const operation = (subject: object, outcome?: Outcome): Operation =>
  ({ locator: 'ABC123', subject, ...(outcome && { outcome }) }) as unknown as Operation;
const approval = (after?: Approval['after']): Approval => ({ ...(after && { after }) }) as Approval;
const cancelled = { kind: 'cancel_segments', refundsBefore: 0 };
const rule = 'free';

test.each<[object, Outcome | undefined, string]>([
  [{ kind: 'pay', amount: SAR(142_300) }, undefined, 'Paid SAR 1,423.00'],
  [cancelled, { refund: { amount: SAR(56_200) } }, 'Cancelled; SAR 562.00 comes back'],
  [cancelled, { refund: { amount: SAR(0) } }, 'Cancelled; nothing comes back'],
  [cancelled, { estimate: { amount: SAR(56_200), rule } }, 'Cancelled; about SAR 562.00 comes back (estimate)'],
  [cancelled, { estimate: { amount: SAR(0), rule } }, 'Cancelled; nothing comes back (estimate)'],
  [cancelled, undefined, 'Cancelled; the refund is not known yet'],
  [
    { kind: 'cancel_passengers', gone: ['a'] },
    { refund: { amount: SAR(100) } },
    '1 passenger removed; SAR 1.00 comes back',
  ],
  [{ kind: 'cancel_booking' }, undefined, 'The hold is released; nothing was paid'],
  [{ kind: 'change_names', changes: [{ ref: '1' }] }, undefined, 'Name changed'],
  [{ kind: 'change_names', changes: [{ ref: '1' }, { details: ['name', 'document'] }] }, undefined, 'Names changed'],
  [{ kind: 'change_names', changes: [{ ref: '1', details: ['document'] }] }, undefined, 'Passenger details changed'],
  [{ kind: 'update_passengers' }, undefined, 'Passenger details changed'],
  [{ kind: 'update_contact' }, undefined, 'Contact changed'],
  [{ kind: 'assign_seats', seats: [1] }, undefined, 'Seat changed'],
  [{ kind: 'assign_seats', seats: [1, 2] }, undefined, 'Seats changed'],
  [{ kind: 'rebook_segment' }, undefined, 'Rebooked'],
  [{ kind: 'rebook_segment' }, { charge: { amount: SAR(500) } }, 'Rebooked; SAR 5.00 charged'],
  [{ kind: 'split_booking', moved: ['a', 'b'] }, undefined, '2 passengers moved to a booking of their own'],
  [{ kind: 'create' }, undefined, 'Held; nothing is paid yet'],
])('titles the outcome of %j (%j): %s', (subject, outcome, title) => {
  expect(doneTitle(operation(subject, outcome))).toBe(title);
});

test.each<[Outcome, readonly string[]]>([
  [{ refund: { amount: SAR(100) } }, ['The airline states a refund of SAR 1.00.']],
  [
    { refund: { amount: SAR(100), penalty: SAR(20), vat: SAR(3) }, estimate: { amount: SAR(100), rule } },
    ['The airline states a refund of SAR 1.00, as estimated. It keeps SAR 0.20 penalty and SAR 0.03 VAT.'],
  ],
  [
    { refund: { amount: SAR(100), penalty: SAR(20) }, estimate: { amount: SAR(90), rule } },
    ['The airline states a refund of SAR 1.00. It keeps SAR 0.20 penalty.', 'The estimate was SAR 0.90.'],
  ],
  [{ estimate: { amount: SAR(90), rule } }, ['The airline has not stated the refund.', 'The estimate was SAR 0.90.']],
  [
    { estimate: { bounds: { atLeast: SAR(10), atMost: SAR(90) }, rule } },
    ['The airline has not stated the refund.', 'It is between SAR 0.10 and SAR 0.90.'],
  ],
  [{}, ['The airline has not stated the refund.']],
])('keeps what the airline stated apart from the estimate: %j', (outcome, lines) => {
  expect(doneLines(approval(), operation(cancelled, outcome))).toEqual(['Booking ABC123', ...lines]);
});

test('names the new booking of a split and the changes, and no refund where none is due', () => {
  const split = { ...operation({ kind: 'split_booking', moved: [] }, { newLocator: 'NEW123' }) };
  expect(doneLines(approval({ tickets: [], changes: ['One.'] }), split)).toEqual([
    'Booking ABC123',
    'New booking NEW123',
    'One.',
  ]);
  const { locator: _, ...nameless } = operation({ kind: 'rebook_segment', refundsBefore: 0 });
  expect(doneLines(approval(), nameless as Operation)).toEqual([]);
});

test('lists tickets with names while they are kept, afterwards by number', () => {
  const paid = operation({ kind: 'pay', amount: SAR(1) }, { tickets: [{ number: '900' }] });
  const kept = { number: '900', passenger: 'Amal Haddad', rides: ['HHR1 MED → JED, seat 2'] };
  expect(ticketsOf(approval({ tickets: [kept], changes: [] }), paid)).toEqual([kept]);
  expect(ticketsOf(approval(), paid)).toEqual([{ number: '900', rides: [] }]);
  expect(ticketsOf(approval(), operation({ kind: 'create' }))).toEqual([]);
  expect(ticketLine(kept)).toBe('Ticket 900; Amal Haddad; HHR1 MED → JED, seat 2');
  expect(ticketLine({ number: '900', rides: [] })).toBe('Ticket 900');
});

const segment = (ref: string, number: string) => ({
  ref,
  flightNumber: number,
  from: 'MED',
  to: 'JED',
  departs: '2026-12-01T08:00:00+03:00',
  arrives: '2026-12-01T10:10:00+03:00',
  marketing: { carrier: 'HHR' },
  statusCode: '30',
});
const traveler = (ref: string, given: string) => ({
  ref,
  type: 'ADT',
  name: { prefix: [], given: [given], middle: [], surname: 'Haddad', suffix: [], title: [] },
  ...{ emails: [], phones: [], addresses: [], segmentRefs: [], comments: [] },
});
const RIDE = 'Tue 1 Dec 08:00-10:10 (UTC+3)';

function trip(): Booking {
  return {
    ...booking(),
    options: [{ ref: '1', segments: [segment('1', '0101'), segment('2', '0102')] }],
    travelers: [traveler('1', 'Amal'), { ...traveler('2', ''), name: undefined }],
    tickets: [
      {
        number: '900',
        travelerRefs: ['1'],
        segmentRefs: ['1'],
        coupons: [
          { segmentRef: '1', statusCode: 'O', seat: '12A', coach: '3' },
          { segmentRef: '2', statusCode: 'R', number: '2' },
        ],
        links: [],
      },
      { number: '901', travelerRefs: [], segmentRefs: [], coupons: [{ number: '7' }], links: [] },
    ],
  } as unknown as Booking;
}

test('knows whose ticket is for which train and seat', () => {
  const paid = operation(
    { kind: 'pay', amount: SAR(1) },
    { tickets: ['900', '901', '902'].map((number) => ({ number })) },
  );
  const { tickets, changes } = outcomeFacts(paid, trip());
  expect(changes).toEqual([]);
  expect(tickets).toEqual([
    {
      number: '900',
      passenger: 'Amal Haddad',
      rides: expect.arrayContaining([expect.stringMatching(/MED → JED, Tue 1 Dec .*, coach 3 seat 12A$/)]),
      coupons: [{ name: 's1', flight: 'HHR0101' }],
    },
    {
      number: '901',
      rides: [expect.stringContaining(RIDE), expect.stringContaining(RIDE)],
      coupons: [{ name: '7' }],
    },
    { number: '902', rides: [] },
  ]);
  expect(outcomeFacts(operation({ kind: 'pay', amount: SAR(1) }), trip()).tickets).toEqual([]);
});

test('tells new seats, new names and new trains', () => {
  const seats = [
    { segmentRef: '1', travelerRef: '1', wanted: { seat: '1' } },
    { segmentRef: '9', travelerRef: '2', wanted: { seat: '7B' } },
  ];
  expect(outcomeFacts(operation({ kind: 'assign_seats', seats }), trip()).changes).toEqual([
    expect.stringMatching(/^Amal Haddad: coach 3 seat 12A on \S+0?101$/),
    'passenger 2: seat 7B',
  ]);
  const names = operation({ kind: 'change_names', changes: [{ ref: '1' }] });
  const before = { ...trip(), travelers: [traveler('1', 'Amel')] } as unknown as Booking;
  expect(outcomeFacts(names, trip(), before).changes).toEqual(['Amel Haddad is now Amal Haddad']);
  expect(outcomeFacts(names, trip(), trip()).changes).toEqual(['Amal Haddad']);
  expect(outcomeFacts(names, trip()).changes).toEqual(['Amal Haddad']);
  const { changes } = outcomeFacts(operation({ kind: 'rebook_segment' }), trip());
  expect(changes).toEqual([expect.stringMatching(/^Now booked: .*MED → JED/), expect.stringContaining(RIDE)]);
});

test('shows times by the clock of the first departure that is left', () => {
  expect(nearOf({ booking: trip() })).toBe('2026-12-01T08:00:00+03:00');
  expect(nearOf({ booking: booking() })).toBe(activeSegments(booking())[0]?.departs);
  expect(nearOf({ booking: { ...trip(), options: [] } })).toBeUndefined();
  expect(nearOf({})).toBeUndefined();
});

test('takes the words of programs out of sentences for a person', () => {
  expect(forPerson('The cancel_segment of X is open (operation 1f2e-3d4c).')).toBe('The cancellation of X is open.');
  expect(actWord('read_booking')).toBe('read_booking');
});
