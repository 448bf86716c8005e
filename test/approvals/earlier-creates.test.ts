/**
 * The same trip for the same travellers is made once, unless a person said yes to another.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookingAfter } from '../../src/approvals/booking-after.ts';
import type { Terms } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { ChosenOffer } from '../../src/domain/pricing/fare-codes.ts';
import { ClerkError } from '../../src/errors.ts';
import type { Operation } from '../../src/journal/operation.ts';
import { error, option } from '../journal/harness.ts';
import { ANN, booking, CallHarness, refusal, replacing, SAR, statusOf } from './harness.ts';

const OFFER: ChosenOffer = { segments: [{ ref: '1', fare: 'SAVER' }], total: SAR(17250) };
const OTHER: ChosenOffer = { segments: [{ ref: '1', fare: 'FLEX' }], total: SAR(30000) };

function create(offer: ChosenOffer | undefined = OFFER, over: Partial<Terms> = {}): Terms {
  return {
    lines: ['Hold RUH-JED'],
    act: 'Hold',
    ask: true,
    subject: { kind: 'create', ...(offer && { offer }) },
    fingerprint: 'trip',
    send: {},
    ...over,
  };
}

const held = (changes: Partial<Booking> = {}): Booking =>
  booking({ orders: [{ status: 'PENDING' }], travelers: [], ...changes });

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
  desk.tool = { tool: 'create_booking', effect: 'hold', args: { offer_ids: ['o1'] } };
  desk.terms = create();
  desk.shown = async () => held();
});
afterEach(() => desk.state.close());

/** An earlier create of the same trip. */
function earlier(to: Operation['state'], over: Partial<Operation> = {}, patch = {}): Promise<Operation> {
  const bare = { locator: undefined, amount: undefined, direction: undefined } as never as Partial<Operation>;
  const made = { tool: 'create_booking', caller: ANN.id, fingerprint: 'trip', subject: create().subject };
  const id = over.id ?? 'first';
  return desk.operation(id, to, { ...bare, ...made, ...over }, patch);
}

const MADE = { outcome: { locator: 'MADE01' } };
const asks = { canElicit: true };

describe('an earlier create', () => {
  test('that is still held is presented, and nothing is sent', async () => {
    await earlier('succeeded', {}, MADE);
    const again = await desk.call(asks);
    expect(again).toMatchObject({ structured: { status: 'already_done', operation_id: 'first' } });
    expect(again).not.toHaveProperty('structured.approval');
    expect(desk.sends).toBe(0);
  });

  test('that is open is followed, and says how to ask again', async () => {
    await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    const pending = await desk.during(2_000, desk.call(asks));
    expect(statusOf(pending)).toBe('pending');
    expect(pending).toMatchObject({ text: expect.stringContaining('with the same arguments; it will not be sent') });
    expect(pending).toMatchObject({ text: expect.stringMatching(/\nOperation first\.$/) });
    expect(pending).not.toHaveProperty('structured.booking');
  });

  test('whose locator nobody knows counts as held, and is named by its operation alone', async () => {
    await earlier('succeeded');
    const again = await desk.call(asks);
    expect(again).toMatchObject({ text: 'Already done before; nothing was sent now.\nPaid.' });
    expect(again).not.toHaveProperty('structured.booking');
  });

  test('that was closed by a person is told so without an approval', async () => {
    await earlier('resolved');
    expect(await refusal(desk.call(asks))).toMatchObject({
      code: 'E_ALREADY_DONE',
      next: expect.stringContaining('first'),
    });
  });

  test.each([
    ['was refused', 'refused', {}],
    ['was not carried out', 'not_executed', {}],
  ] as const)('that %s is none', async (_, state, patch) => {
    await earlier(state, {}, patch);
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test.each<[string, Partial<Booking>]>([
    ['cancelled', { cancelled: true }],
    [
      'expired',
      {
        orders: [],
        tickets: [
          { number: '', travelerRefs: [], segmentRefs: [], coupons: [], links: [], timeLimit: '1970-01-01T00:00:00Z' },
        ],
      },
    ],
  ])('whose booking is %s is none', async (_, changes) => {
    await earlier('succeeded', {}, MADE);
    desk.shown = async () => held(changes);
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test('of which the airline shows nothing is none once it was released here', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = async () => booking({ options: [] });
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('paid', 'succeeded', { locator: 'MADE01', tool: 'pay_booking' });
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    await desk.operation('released', 'succeeded', { locator: 'MADE01', tool: 'cancel_booking' });
    expect((await desk.call(asks)).kind).toBe('ask');
  });

  test('that the airline does not know is none; one out of reach may be held; a failed reading is no answer', async () => {
    await earlier('succeeded', {}, MADE);
    desk.shown = () => Promise.reject(new ClerkError('E_NOT_FOUND', 'x', { next: 'x', noSuchBooking: true }));
    expect((await desk.call(asks)).kind).toBe('ask');
    desk.shown = () => Promise.reject(error('E_NOT_FOUND'));
    expect(statusOf(await desk.call(asks))).toBe('already_done');
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    expect(await refusal(desk.call(asks))).toMatchObject({ code: 'E_AIRLINE_DOWN' });
  });

  test('of another caller reveals only that it exists', async () => {
    await earlier('succeeded', { caller: 'bob' }, MADE);
    const foreign = await refusal(desk.call(asks));
    expect(foreign).toMatchObject({
      code: 'E_ALREADY_DONE',
      message: expect.stringContaining('by somebody else of this desk'),
    });
    expect(JSON.stringify(foreign)).not.toContain('MADE01');
  });

  test('that these terms come after is none, and neither is what came before it', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { id: 'second' }, MADE);
    desk.terms = create(OFFER, { supersedes: 'second' });
    expect((await desk.call(asks)).kind).toBe('ask');
    desk.terms = create(OFFER, { supersedes: 'first' });
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'second' } });
  });
});

describe("the airline's word that it has such a booking", () => {
  const duplicate = {
    outcome: {
      error: {
        ...{ code: 'E_ALREADY_DONE', message: 'm', next: 'n', effect: 'none', retry: 'never' },
        airline: { status: 422, code: '322' },
      },
    },
  } as const;

  test('is an answer, with its reference', async () => {
    await earlier('refused', {}, duplicate);
    const told = await refusal(desk.call(asks));
    expect(told).toMatchObject({ code: 'E_ALREADY_DONE', airline: { code: '322' } });
    expect(told.next).toContain('pass again_after: "first"');
  });

  test('may come without one', async () => {
    const { airline: _, ...bare } = duplicate.outcome.error;
    await earlier('refused', {}, { outcome: { error: bare } });
    expect((await refusal(desk.call(asks))).airline).toBeUndefined();
  });

  test('says less than a booking of this journal', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('refused', { id: 'second' }, duplicate);
    desk.clock.jump(1);
    await earlier('refused', { id: 'third' }, duplicate);
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'first' } });
  });
});

describe('an earlier create of another fare or price', () => {
  const other = { subject: create(OTHER).subject };

  test('that is open says so', async () => {
    await earlier('in_doubt', other, { dispatchedAt: desk.clock.now() });
    const told = await refusal(desk.call(asks));
    expect(told.message).toMatch(/^The same trip in another fare .* is not known yet\. Nothing was sent\.$/);
    expect(told.next).toBe('Wait and call create_booking again, or pass again_after: "first" to hold both.');
  });

  test('that was made without a locator says so too', async () => {
    await earlier('succeeded', other);
    expect((await refusal(desk.call(asks))).message).toMatch(/outcome is not known yet/);
  });

  const rule = (refundable: boolean) => ({
    passengerType: '',
    refundable,
    base: SAR(0),
    tax: SAR(0),
    total: SAR(0),
    vatHundredths: 0,
    texts: [],
  });
  const fare = (refundable: boolean) => ({ references: [], refundRules: [rule(refundable)], changeRules: [] });
  const priced = (...fares: readonly boolean[]) => ({
    total: { total: SAR(30000) },
    refunds: [],
    fares: fares.map(fare),
    perType: [],
  });

  test.each<[string, Partial<Booking>, string]>([
    ['held', {}, 'hold MADE01 on 101+102.'],
    ['held, and refundable', { pricing: priced(true) as never }, 'hold MADE01 on 101+102 at SAR 300.00 (refundable).'],
    [
      'held, and not refundable',
      { pricing: priced(false) as never },
      'hold MADE01 on 101+102 at SAR 300.00 (not refundable).',
    ],
    ['held, of several rules', { pricing: priced(true, false) as never }, 'hold MADE01 on 101+102 at SAR 300.00.'],
    ['of an unknown state', { orders: [] }, 'hold MADE01 on 101+102.'],
    ['without a segment', { options: [] }, 'hold MADE01.'],
    ['partly cancelled', { options: [option('1'), option('2', '16')] }, 'have MADE01 (partly cancelled) on 101.'],
  ])('%s is described', async (_, changes, words) => {
    await earlier('succeeded', other, MADE);
    desk.shown = async () => held(changes);
    const told = await refusal(desk.call(asks));
    const text = told.message.replace(/ on [A-Z]{2} ?/, ' on ');
    expect(text).toBe(`You already ${words} This offer is another fare or price. Nothing was sent.`);
    expect(told.next).toContain('release MADE01 with cancel_booking');
  });

  test('that cannot be read is named', async () => {
    await earlier('succeeded', other, MADE);
    let reads = 0;
    desk.shown = () => (reads++ === 0 ? Promise.resolve(held()) : Promise.reject(error('E_AIRLINE_DOWN')));
    expect((await refusal(desk.call(asks))).message).toMatch(/^You already made MADE01 for this trip; it could not be/);
  });

  test('gives way to one of the same fare, and only the newest counts', async () => {
    await earlier('succeeded', {}, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { ...other, id: 'second' }, MADE);
    desk.clock.jump(1);
    await earlier('succeeded', { ...other, id: 'third' }, MADE);
    expect(await desk.call(asks)).toMatchObject({ structured: { operation_id: 'first' } });
    desk.terms = create({ segments: [], total: SAR(1) });
    expect((await refusal(desk.call(asks))).next).toContain('"third"');
  });

  test.each([
    ['an older journal kept none', { subject: { kind: 'create' } }, create()],
    ['these terms have none', {}, create(undefined, { subject: { kind: 'create' } })],
    ['these terms are no create', {}, create(undefined, { subject: { kind: 'cancel_booking' } })],
    ['it is no create', { subject: { kind: 'cancel_booking' } }, create()],
  ] as const)('is not told apart where %s', async (_, over, terms) => {
    await earlier('succeeded', over as Partial<Operation>, MADE);
    desk.terms = terms;
    expect(statusOf(await desk.call(asks))).toBe('already_done');
  });
});

describe('a create that was entered while this one was asked', () => {
  async function yes() {
    const asked = await desk.ask();
    return {
      handle: asked.handle,
      answer: () => desk.answer(asked.handle, { action: 'accept', content: { decision: 'Hold' } }),
    };
  }

  test('and is open is followed', async () => {
    const { answer } = await yes();
    await earlier('dispatched', {}, { dispatchedAt: desk.clock.now() });
    expect(statusOf(await desk.during(2_000, answer()))).toBe('pending');
    expect(desk.sends).toBe(0);
  });

  test.each([
    [MADE, 'The same booking was made a moment ago (MADE01). Nothing was sent now.'],
    [{}, 'The same booking was made a moment ago. Nothing was sent now.'],
  ])('and settled is told: %j', async (patch, message) => {
    const { answer } = await yes();
    await earlier('succeeded', {}, patch);
    expect(await refusal(answer())).toMatchObject({ code: 'E_ALREADY_DONE', message });
    expect(desk.sends).toBe(0);
  });

  test('in another fare is told as such', async () => {
    const { answer } = await yes();
    await earlier('succeeded', { subject: create(OTHER).subject }, MADE);
    expect((await refusal(answer())).message).toContain('This offer is another fare or price.');
  });
});

describe('a hold that was made', () => {
  async function made(answer: Booking) {
    desk.tool = { ...desk.tool, wholeBooking: true };
    desk.terms = create({ segments: [{ ref: '1' }, { ref: '2' }] }, { ask: false });
    desk.reply = async () => ({ booking: answer });
    await desk.call();
    return desk.done[0]?.booking;
  }
  const traveler = { ref: '1', type: 'ADT', emails: [], phones: [], addresses: [], segmentRefs: [], comments: [] };
  const total = { total: { total: SAR(17250) }, refunds: [], fares: [], perType: [] } as never;

  test('is shown as the airline answered where the answer lists all of it', async () => {
    const answer = held({ travelers: [traveler], pricing: total });
    expect(await made(answer)).toEqual(answer);
  });

  test('is read where the answer lists nobody, and keeps the quote of the answer', async () => {
    desk.shown = async () => held({ travelers: [traveler], pricing: total });
    const quoted = { ...(total as object), quoteId: 'q1' } as never;
    expect(await made(held({ pricing: quoted }))).toMatchObject({
      travelers: [{ ref: '1' }],
      pricing: { quoteId: 'q1' },
    });
  });

  test('is shown without the total of a part, where it cannot be read', async () => {
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    const part = await made(held({ options: [option('1')], travelers: [traveler], pricing: total }));
    expect(part?.pricing).toEqual({ refunds: [], fares: [], perType: [] });
  });

  test('is shown as answered where it cannot be read and has no price', async () => {
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    const part = held({ options: [option('1')], travelers: [traveler] });
    expect(await made(part)).toEqual(part);
  });

  test('of an offer that was not kept lists all of it', async () => {
    desk.tool = { ...desk.tool, wholeBooking: true };
    desk.terms = create(undefined, { ask: false, subject: { kind: 'create' } });
    const answer = held({ travelers: [traveler] });
    desk.reply = async () => ({ booking: answer });
    await desk.call();
    expect(desk.done[0]?.booking).toEqual(answer);
  });
});

test('a change of details is read again, since the answer lists no price', async () => {
  const operation = await desk.operation('op', 'succeeded', { subject: { kind: 'update_contact', changes: [] } });
  const { runtime, settings } = desk;
  const call = { act: desk.act(), how: { caller: ANN }, runtime, settings, trail: {} };
  const read = held({ travelers: [] });
  desk.shown = async () => read;
  expect(await bookingAfter(call, operation, booking())).toBe(read);
});

test('the ledger notes nothing of a changed booking that is shown without its price', async () => {
  const change = { kind: 'update_contact', changes: [] } as const;
  desk.tool = { tool: 'update_contact', effect: 'commit', args: {} };
  for (const [kind, noted] of [
    ['update_contact', 0],
    ['pay', 1],
  ] as const) {
    desk.remembered.length = 0;
    const subject = kind === 'pay' ? ({ kind, amount: SAR(1), coupons: 0 } as const) : change;
    const operation = await desk.operation(kind, 'succeeded', { subject });
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(operation);
    desk.terms = create(undefined, { locator: 'ABC123', fingerprint: undefined, ask: true, subject } as never);
    const asked = await desk.ask();
    await desk.call({}, asked.handle);
    expect(desk.remembered).toHaveLength(noted);
  }
});
