/** An act that the airline refused, and that a later reading of its booking shows as done, whoever reads it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { expectAssignedSeats } from '../../src/tools/acts/assign-seats.ts';
import { expectCancelledPassengers, expectCancelledSegments } from '../../src/tools/acts/cancellation-evidence.ts';
import { expectPayment } from '../../src/tools/acts/payment-evidence.ts';
import {
  expectChangedNames,
  expectUpdatedContact,
  expectUpdatedPassengers,
} from '../../src/tools/acts/people-evidence.ts';
import { expectRebookedSegment } from '../../src/tools/acts/rebook-segment.ts';
import { expectAddedService } from '../../src/tools/acts/service-evidence.ts';
import { expectSplitBooking } from '../../src/tools/acts/split-booking.ts';
import { compareReading } from '../../src/watching/store-findings.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { asRead, BACK, coupons, gone, held, NOW, OUT, option, sar, segment, ticketed } from '../support/bookings.ts';
import { contactNamed, traveler } from '../support/people.ts';
import { ACTS } from '../support/rules.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const digest = (text: string) => `#${text}`;
type State = Awaited<ReturnType<typeof openSqliteState>>;
type Booking = ReturnType<typeof ticketed>;
type Operation = Parameters<State['operations']['insert']>[0];
type Subject = Operation['subject'];
type Settled = 'refused' | 'not_executed' | 'succeeded' | 'needs_person';

let state: State;
beforeEach(async () => {
  state = await openSqliteState(':memory:', { now: () => NOW });
});
afterEach(() => state.close());

const read = (booking: Booking, at: number) =>
  compareReading({ acts: ACTS, state, digest }, { tenant: 't', id: 'ann' }, asRead(booking), {
    begunAt: at,
  });

const REFUSED = {
  code: 'E_PAYMENT_DECLINED',
  message: 'The payment was rejected. The booking shows no change.',
  next: 'Ask.',
  effect: 'none',
  retry: 'never',
} as const;

interface Sent extends Partial<Operation> {
  readonly to?: Settled;
  readonly isSent?: boolean;
  /** Readings settled it, without a word of the airline. */
  readonly isSilent?: boolean;
}

/** Enters an operation that ended a second after it was sent. */
async function entered(
  subject: Subject,
  at: number,
  { to = 'refused', isSent = true, isSilent = false, id = 'op', ...more }: Sent = {},
) {
  const tool = ACTS.of(subject).name;
  const { amount: _, direction: __, ...operation } = newOperation(id, { subject, tool, ...more });
  await state.operations.insert(operation, { now: at, owner: 'p', leaseUntil: at + MINUTE });
  const by = { now: at + 1_000, actor: 'p' };
  if (isSent)
    await state.operations.transition(id, { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at } }, by);
  await state.operations.transition(
    id,
    { from: ['intent', 'dispatched'], to, patch: { outcome: isSilent ? {} : { error: REFUSED } } },
    by,
  );
}
const ended = async (id = 'op') => {
  const operation = await state.operations.get(id);
  return [operation?.state, operation?.outcome] as const;
};

const PAIR = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const couple = (over: Partial<Booking> = {}) => asRead(ticketed({ travelers: PAIR, ...over }));
const seated = (seat: string) =>
  couple({ tickets: coupons(couple(), (_, ticket) => (ticket === 0 ? { coach: '4', seat } : {})) });
const SEAT = [{ segmentRef: '1', travelerRef: '1', seat: '14C' }];
const renamed = couple({ travelers: [traveler('1', 'Amal', 'Nasser'), ...PAIR.slice(1)] });
const detailed = couple({ travelers: [{ ...traveler('1', 'Amal', 'Haddad'), gender: 'Male' }, ...PAIR.slice(1)] });
const contacted = contactNamed('Amal', 'Haddad', { emails: ['new@example.com'] });
const later = segment('1', {
  ...{ flightNumber: '119', departs: '2026-12-01T10:00:00.000+03:00', arrives: '2026-12-01T12:10:00.000+03:00' },
});
const rebooked = couple({ options: [option(later), BACK] });
const WISH = { travelerRef: '1', segmentRefs: ['1'], code: 'WCHR' };
const served = couple({
  services: [{ code: 'WCHR', quantity: 1, status: '30', travelerRefs: ['1'], segmentRefs: ['1'] }],
});

const CASES: [string, Subject, Booking, Booking][] = [
  ['a payment', expectPayment(held(), sar(69000)), held(), ticketed()],
  ['a cancelled flight', expectCancelledSegments(couple(), ['1']), couple(), gone(couple(), ['1'])],
  [
    'a cancelled passenger',
    expectCancelledPassengers(couple(), ['2'], digest),
    couple(),
    couple({ travelers: PAIR.slice(0, 1), tickets: couple().tickets.slice(0, 1) }),
  ],
  ['a seat', expectAssignedSeats(seated('12A'), SEAT, digest), seated('12A'), seated('14C')],
  ['a name', expectChangedNames(couple(), renamed.reading.travelers, digest), couple(), renamed],
  ['details of a passenger', expectUpdatedPassengers(couple(), detailed.reading.travelers, digest), couple(), detailed],
  ['the contact', expectUpdatedContact(couple(), contacted, digest), couple(), couple({ contact: contacted })],
  ['another flight', expectRebookedSegment(couple(), OUT.segments[0] as never, later), couple(), rebooked],
  ['a service', { kind: 'request_service', ...expectAddedService(couple(), WISH, digest) }, couple(), served],
  [
    'a split',
    expectSplitBooking(couple(), ['2'], digest),
    couple(),
    couple({ travelers: PAIR.slice(0, 1), tickets: couple().tickets.slice(0, 1) }),
  ],
];

describe('a refusal that a later reading contradicts', () => {
  it.each(CASES)(
    'goes to a person, with what the airline said and what it shows: %s',
    async (_, subject, before, after) => {
      await read(before, NOW);
      await entered(subject, NOW + MINUTE);
      await read(before, NOW + 2 * MINUTE);
      expect((await ended())[0]).toBe('refused');
      await read(after, NOW + HOUR);
      const [now, outcome] = await ended();
      expect([now, outcome?.error]).toEqual(['needs_person', undefined]);
      expect(outcome?.check).toMatch(
        /^The payment was rejected\. The booking shows no change\. A later reading shows that it was done(?: in part)?\. In the airline's own desk, check for booking ABC123 /,
      );
      expect(await state.operations.verify()).toBeUndefined();
    },
  );

  const PAY = expectPayment(held(), sar(69000));
  it.each<[string, Sent, number]>([
    ['that was never sent', { to: 'not_executed', isSent: false }, HOUR],
    ['of the day before', {}, 12 * HOUR + MINUTE],
    ['that came after the reading began', {}, MINUTE + 1_000],
    ['of another tenant', { tenant: 'other' }, HOUR],
  ])('is not one %s', async (_, sent, at) => {
    await entered(PAY, NOW + MINUTE, sent);
    await read(ticketed(), NOW + at);
    expect((await ended())[0]).not.toBe('needs_person');
  });

  it('is one too where readings had settled it as not carried out', async () => {
    await entered(PAY, NOW, { to: 'not_executed' });
    await read(ticketed(), NOW + HOUR);
    expect((await ended())[0]).toBe('needs_person');
  });

  it.each<[string, Subject, Sent, number, Settled]>([
    ['the same act, done later', PAY, { to: 'succeeded' }, MINUTE, 'refused'],
    ['the same act, with a person since before', PAY, { to: 'needs_person' }, -MINUTE, 'refused'],
    ['the same act, done before', PAY, { to: 'succeeded' }, -MINUTE, 'needs_person'],
    ['the same act, refused later', PAY, { to: 'refused' }, MINUTE, 'needs_person'],
    [
      'another act, done later',
      expectAssignedSeats(couple(), SEAT, digest),
      { to: 'succeeded' },
      MINUTE,
      'needs_person',
    ],
  ])('is explained by no other operation than one that does the same: %s', async (_, subject, sent, at, due) => {
    await entered(PAY, NOW);
    await entered(subject, NOW + at, { ...sent, id: 'other' });
    await read(ticketed(), NOW + HOUR);
    expect((await ended())[0]).toBe(due);
  });

  it('is explained by another act that takes away what it was to take away', async () => {
    await entered(expectCancelledPassengers(couple(), ['2'], digest), NOW);
    await entered(expectSplitBooking(couple(), ['2'], digest), NOW + MINUTE, { to: 'succeeded', id: 'split' });
    await read(couple({ travelers: PAIR.slice(0, 1) }), NOW + HOUR);
    expect((await ended())[0]).toBe('refused');
  });

  it('in part is none after another act, which may have done it', async () => {
    await entered(expectSplitBooking(couple(), ['2'], digest), NOW);
    await entered(expectAssignedSeats(couple(), SEAT, digest), NOW + MINUTE, { to: 'succeeded', id: 'seats' });
    await read(couple({ travelers: PAIR.slice(0, 1) }), NOW + HOUR);
    expect((await ended())[0]).toBe('refused');
  });

  it('of a release is none once the hold has ended by itself', async () => {
    await entered({ kind: 'cancel_booking' }, NOW);
    await read(held({ cancelled: true }), NOW + HOUR);
    expect((await ended())[0]).toBe('refused');
  });
});

it('says of an act that readings had settled as not carried out what it had been', async () => {
  await read(held(), NOW);
  await entered(expectPayment(held(), sar(69000)), NOW + MINUTE, { to: 'not_executed', isSilent: true });
  await read(ticketed(), NOW + HOUR);
  const [became, outcome] = await ended();
  expect(became).toBe('needs_person');
  expect(outcome?.check).toContain('It had been settled as not carried out. A later reading shows that it was done.');
});
