/** A refusal that proves nothing: one reading settles it, and another one after the settle time. */
import { describe, expect } from 'vitest';
import { expectBooking } from '../../src/tools/acts/create-booking.ts';
import { expectChangedNames } from '../../src/tools/acts/people-evidence.ts';
import { SAR } from '../store/support/new-operation.ts';
import { booking, CREATE, error, order, paidBooking, traveler } from './answers.ts';
import { GAP, Harness, type NewOperation, SETTLE, test } from './harness.ts';

const unpaid = booking();
const words = (message: string) => ({ message, next: 'Ask.', retry: 'never' as const });
const unproven = (message = 'The payment was rejected.', named?: string) =>
  error('E_PAYMENT_DECLINED', {
    ...{ effect: 'unknown', airline: { status: 422, code: '167', title: 'No' }, refused: words(message) },
    ...(named !== undefined && { named }),
  });
const PAYMENT = { amount: SAR(17250), direction: 'payment' } as const;
const down = () => Promise.reject(error('E_AIRLINE_DOWN'));
const again = (h: Harness) => h.tend(SETTLE + 2 * GAP);

describe('a refusal that proves nothing', () => {
  test('is read at once, and says that the booking shows no change', async ({ h }) => {
    h.shown = unpaid;
    const ran = await h.send(unproven(), PAYMENT);
    expect([ran.operation.state, h.sends, h.reads]).toEqual(['refused', 1, 1]);
    expect(ran.error).toMatchObject({ code: 'E_PAYMENT_DECLINED', effect: 'none', airline: { title: 'No' } });
    expect(ran.error?.message).toBe(
      'The payment was rejected. The booking shows no change. Until another reading shows the same, limits count its amount.',
    );
    const { outcome } = await h.entry();
    expect(outcome).toMatchObject({ basis: 'read', provisional: true, error: { code: 'E_PAYMENT_DECLINED' } });
    expect(outcome?.refusal).toBeUndefined();
  });

  test('names no limits where no money moves', async () => {
    const h = await Harness.open();
    h.shown = unpaid;
    const nothingMoves = { amount: undefined, direction: undefined } as object;
    const { error: refused } = await h.send(unproven('The airline refused the change of name.'), nothingMoves);
    expect(refused?.message).toBe('The airline refused the change of name. The booking shows no change.');
  });

  test('is done if the booking shows it', async ({ h }) => {
    const ran = await h.send(unproven());
    expect([ran.operation.state, ran.error, h.reads]).toEqual(['succeeded', undefined, 1]);
    expect((await h.entry()).outcome).toMatchObject({
      basis: 'read',
      refusal: { message: 'The payment was rejected.' },
    });
  });

  test('stays in doubt while the booking cannot be read, and is settled by the first reading', async ({ h }) => {
    h.shown = down;
    const ran = await h.send(unproven());
    expect([ran.operation.state, ran.error?.effect]).toEqual(['in_doubt', 'unknown']);
    h.shown = unpaid;
    await h.clock.pass(GAP);
    await h.journal.reconcile();
    expect((await h.entry()).state).toBe('refused');
  });

  test('stays in doubt if the store fails while it is read back', async ({ h }) => {
    h.shown = async () => {
      h.faults.get = 99;
      return unpaid;
    };
    const ran = await h.send(unproven());
    expect(ran.operation.state).toBe('in_doubt');
  });

  test('is read for a person, with what the airline said, if the booking shows something else', async ({ h }) => {
    h.shown = paidBooking({ orders: [order(1)] });
    await h.send(unproven());
    await again(h);
    const { state, outcome } = await h.entry();
    expect(state).toBe('needs_person');
    expect(outcome?.check).toMatch(
      /^The payment was rejected\. The airline refused with this, which does not prove that nothing was done\. In the airline/,
    );
  });

  test('is settled by a second reading after the settle time, and not read again', async ({ h }) => {
    h.shown = unpaid;
    await h.send(unproven(), PAYMENT);
    await h.clock.pass(SETTLE - 1);
    await h.journal.reconcile();
    expect([h.reads, (await h.entry()).outcome?.provisional]).toEqual([1, true]);
    await h.clock.pass(1);
    await h.journal.reconcile();
    expect([h.reads, (await h.entry()).outcome?.provisional]).toEqual([2, undefined]);
    expect((await h.entry()).state).toBe('refused');
    await h.tend(SETTLE);
    expect(h.reads).toBe(2);
  });

  test('goes to a person if the second reading shows it', async ({ h }) => {
    h.shown = unpaid;
    await h.send(unproven(), PAYMENT);
    h.shown = paidBooking();
    await again(h);
    const { state, outcome } = await h.entry();
    expect([state, outcome?.provisional]).toEqual(['needs_person', undefined]);
  });

  test.each<[string, Partial<NewOperation>, string]>([
    ['another payment', { ...PAYMENT }, 'refused'],
    ['a change of seats', { tool: 'assign_seats', amount: undefined, direction: undefined } as object, 'needs_person'],
  ])('of a payment is explained by another payment alone: %s', async (_, other, state) => {
    const h = await Harness.open();
    h.shown = unpaid;
    await h.send(unproven(), PAYMENT);
    h.shown = paidBooking();
    const opened = await h.journal.open({ ...(await h.entry()), id: 'b', ...other } as NewOperation);
    if (opened.kind !== 'inserted') throw new Error(opened.kind);
    await h.journal.execute(opened.operation, h.act());
    await again(h);
    expect((await h.entry()).state).toBe(state);
  });
});

describe('a refusal of a change that proves nothing, with a later act on the booking', () => {
  const digest = (text: string) => `#${text}`;
  const [ada, bob] = [traveler('1', 'Ada'), traveler('2', 'Bob')];
  const before = paidBooking({ travelers: [ada, bob] });
  const renamed = paidBooking({ travelers: [traveler('1', 'Eve'), bob] });
  const NAMES = {
    subject: expectChangedNames(before, renamed.reading.travelers, digest),
    tool: 'change_names',
    ...({ amount: undefined, direction: undefined } as object),
  };

  test.each<[string, string, typeof before, string]>([
    ['done by another act, and the booking as before', 'assign_seats', before, 'refused'],
    ['done by another act, and the booking as it was to be', 'assign_seats', renamed, 'needs_person'],
    ['done by another act, and something else', 'assign_seats', paidBooking({ travelers: [bob] }), 'needs_person'],
  ])('is made final by a reading alone: %s', async (_, tool, shown, state) => {
    const h = await Harness.open();
    h.shown = before;
    await h.send(unproven('The airline refused the change of name.'), NAMES);
    expect((await h.entry()).state).toBe('refused');
    const opened = await h.journal.open({ ...(await h.entry()), id: 'b', tool } as NewOperation);
    if (opened.kind !== 'inserted') throw new Error(opened.kind);
    await h.move('intent', 'needs_person', { outcome: { check: 'x' } }, 'b');
    h.reads = 0;
    h.shown = shown;
    await again(h);
    const { state: now, outcome } = await h.entry();
    expect([now, outcome?.provisional]).toEqual([state, undefined]);
    expect(h.reads).toBe(1);
  });

  test.each([
    ['the same', NAMES.subject, 'refused'],
    ['the name of another', expectChangedNames(before, [ada, traveler('2', 'Rob')], digest), 'needs_person'],
  ] as const)('is final once a later change succeeded of %s: %#', async (_, subject, state) => {
    const h = await Harness.open();
    h.shown = before;
    await h.send(unproven('The airline refused the change of name.'), NAMES);
    const opened = await h.journal.open({ ...(await h.entry()), id: 'b', subject } as NewOperation);
    if (opened.kind !== 'inserted') throw new Error(opened.kind);
    await h.move('intent', 'succeeded', {}, 'b');
    h.shown = renamed;
    await again(h);
    expect((await h.entry()).state).toBe(state);
  });

  test('is not final because the same was entered again, and not sent', async () => {
    const h = await Harness.open();
    h.shown = before;
    await h.send(unproven('The airline refused the change of name.'), NAMES);
    const subject = expectChangedNames(before, [ada, traveler('2', 'Rob')], digest);
    await h.journal.open({ ...(await h.entry()), id: 'b', subject } as NewOperation);
    await h.move('intent', 'succeeded', {}, 'b');
    await h.journal.open({ ...(await h.entry()), id: 'c' } as NewOperation);
    h.shown = renamed;
    await again(h);
    expect((await h.entry()).state).toBe('needs_person');
  });

  test('is not final while a person must check one that does the same, and is judged by a reading afterwards', async () => {
    const h = await Harness.open();
    h.shown = before;
    await h.send(unproven('The airline refused the change of name.'), NAMES);
    const opened = await h.journal.open({ ...(await h.entry()), id: 'b' } as NewOperation);
    if (opened.kind !== 'inserted') throw new Error(opened.kind);
    await h.move('intent', 'needs_person', { outcome: { check: 'x' } }, 'b');
    h.shown = renamed;
    await again(h);
    expect(await h.entry()).toMatchObject({ state: 'refused', outcome: { provisional: true } });
    await h.move('needs_person', 'resolved', {}, 'b');
    await again(h);
    expect((await h.entry()).state).toBe('needs_person');
  });
});

describe('a create that is refused', () => {
  const people = [traveler('1', 'ADA')];
  const offer = {
    segments: booking().options.flatMap(({ segments }) =>
      segments.map(({ ref, from, to, departs }) => ({ ref, from, to, departs })),
    ),
  };
  const subject = expectBooking(people, (text) => `#${text}`, { offer });
  const create = { ...CREATE, subject };
  const made = booking({ locator: 'MADE01', references: [], travelers: people });

  test('goes to a person at once if no locator came', async ({ h }) => {
    const ran = await h.send(unproven(), create);
    expect([ran.operation.state, h.reads]).toEqual(['needs_person', 0]);
    expect(ran.operation.outcome?.check).toContain('The airline refused with this');
  });

  test('is done if the booking that the answer names is this one', async ({ h }) => {
    h.shown = made;
    const { operation } = await h.send(unproven('It exists.', 'MADE01'), create);
    expect([operation.state, operation.locator, operation.outcome?.locator]).toEqual(['succeeded', 'MADE01', 'MADE01']);
  });

  test.each([
    [
      'is of others',
      booking({
        ...made.reading,
        travelers: [traveler('1', 'EVE', { name: undefined } as object), traveler('2', 'BO')],
      }),
    ],
    ['has another flight', { ...made, options: booking().options.slice(1) }],
    [
      'leaves at another time',
      {
        ...made,
        options: booking().options.map((option) => ({
          ...option,
          segments: option.segments.map((segment) => ({ ...segment, departs: '2026-12-02T08:00:00.000+03:00' })),
        })),
      },
    ],
  ])('goes to a person if the booking that the answer names %s', async (_, shown) => {
    const h = await Harness.open();
    h.shown = shown;
    const { operation } = await h.send(unproven('It exists.', 'MADE01'), create);
    expect([operation.state, operation.locator]).toEqual(['needs_person', undefined]);
    expect(operation.outcome?.check).toContain('Its answer names booking MADE01.');
  });

  test('keeps the locator that a failure names, and is read by it', async ({ h }) => {
    h.shown = made;
    const failed = error('E_AIRLINE_DOWN', { effect: 'unknown', airline: { status: 500 }, named: 'MADE01' });
    expect((await h.send(failed, create)).operation.state).toBe('succeeded');
  });

  test('waits the settle time after a failure that names a booking of others', async ({ h }) => {
    h.shown = { ...made, options: [] };
    const failed = error('E_AIRLINE_DOWN', { effect: 'unknown', airline: { status: 500 }, named: 'MADE01' });
    expect((await h.send(failed, create)).operation.state).toBe('in_doubt');
    await again(h);
    expect([(await h.entry()).state, h.reads]).toEqual(['needs_person', 1]);
    expect((await h.entry()).outcome?.check).toMatch(/^Its answer names booking MADE01\./);
  });
});
