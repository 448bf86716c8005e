/**
 * A pause that the airline asks for: nothing begins into it, and it uses up no yes.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { approvalStatus } from '../../src/approvals/approval-status.ts';
import { handleHash } from '../../src/approvals/digest.ts';
import { ClerkError } from '../../src/core/errors.ts';
import { ACTS } from '../support/rules.ts';
import { CallHarness, errorText, PAGE, payTerms, quiet, refusal, statusOf, YES } from './harness.ts';

const MINUTE = 60_000;

let desk: CallHarness;
/** When the airline's pause ends, by the clock of the desk. */
let pausedUntil: number;
beforeEach(async () => {
  desk = await CallHarness.open();
  pausedUntil = 0;
  desk.tool = { pausedMs: async () => Math.max(0, pausedUntil - desk.clock.now()) };
});

const pause = (ms: number) => {
  pausedUntil = desk.clock.now() + ms;
};
const BUSY = new ClerkError('E_AIRLINE_BUSY', 'Too many requests.', { next: 'Wait.', retry: 'after_s:1' });

test('asks nobody into it, says until when, and asks afterwards', async () => {
  pause(40_000);
  const told = await refusal(desk.call({ canElicit: true }));
  expect(errorText(told)).toBe(
    [
      'E_AIRLINE_BUSY, retry after_s:40',
      'The airline asked for a pause of requests of this kind until 00:18 (UTC). Nobody was asked, and nothing was sent.',
      'Call the tool again in 40 seconds.',
    ].join('\n'),
  );
  expect(await desk.waiting()).toBeUndefined();
  // Its rest is shorter than a person needs to answer.
  await desk.clock.pass(38_000);
  expect((await desk.ask()).handle).toMatch(/^ap_/);
});

describe('before anything is entered', () => {
  test('is named in an error, and the same yes is carried out afterwards, once', async () => {
    const { handle } = await desk.ask();
    pause(40_000);
    const told = await refusal(desk.answer(handle, YES));
    expect(errorText(told)).toBe(
      [
        'E_AIRLINE_BUSY, retry after_s:40',
        'The airline asked for a pause of requests of this kind until 00:18 (UTC). Nothing was sent.',
        `In 40 seconds call pay_booking with the same arguments and approval_id ${handle}, and nobody is asked again. The approval counts until 00:26 (UTC).`,
      ].join('\n'),
    );
    expect(await desk.newest()).toBeUndefined();
    // Called too soon, it says so again.
    await desk.clock.pass(30_000);
    expect((await refusal(desk.call({}, handle))).retry).toBe('after_s:10');
    await desk.clock.pass(10_000);
    expect(statusOf(await desk.call({}, handle))).toBe('done');
    expect(statusOf(await desk.call({}, handle))).toBe('already_done');
    expect(desk.sends).toBe(1);
  });

  test('needs a new question if it outlasts the yes', async () => {
    const { handle } = await desk.ask();
    await desk.clock.pass(9 * MINUTE);
    pause(2 * MINUTE);
    const told = await refusal(desk.answer(handle, YES));
    expect(told.next).toBe('In 120 seconds call pay_booking without approval_id to ask again.');
    await desk.clock.pass(2 * MINUTE);
    expect((await refusal(desk.call({}, handle))).code).toBe('E_APPROVAL_EXPIRED');
    expect(desk.sends).toBe(0);
  });

  test('is waited for if it is short, and not if it grows', async () => {
    const { handle } = await desk.ask();
    pause(2_000);
    expect(statusOf(await desk.during(2_000, desk.answer(handle, YES)))).toBe('done');
    const next = await desk.ask();
    pause(2_000);
    const told = refusal(desk.answer(next.handle, YES));
    await quiet();
    pausedUntil += 1_000;
    await desk.clock.pass(2_000);
    expect((await told).retry).toBe('after_s:1');
    expect(desk.sends).toBe(1);
  });

  test('keeps a yes of the page, and says so there', async () => {
    const { handle } = await desk.ask();
    pause(MINUTE);
    const decided = await desk.decide(true);
    expect(decided).toMatchObject({ kind: 'pending', title: 'Your approval is recorded' });
    expect(decided.lines).toEqual([
      'The airline asked for a pause of requests of this kind until 00:18 (UTC). Nothing was sent.',
      'Your approval counts until 00:26 (UTC), and is carried out when the assistant calls again after the pause.',
    ]);
    const approval = await desk.state.approvals.get(handleHash(handle));
    expect(approval && approvalStatus(ACTS, approval, undefined, desk.clock.now())).toMatchObject({
      lines: [
        'Nothing was sent so far. It is carried out once, when the assistant calls again.',
        'Your approval counts until 00:26 (UTC).',
      ],
    });
    await desk.clock.pass(MINUTE);
    expect(statusOf(await desk.call({}, handle))).toBe('done');
  });
});

test('spreads the first sends after it: each waits for its own turn', async () => {
  const { handle } = await desk.ask();
  const turnMs = 4_000;
  desk.tool = {
    pausedMs: async (sender) => Math.max(0, pausedUntil + (sender === undefined ? 0 : turnMs) - desk.clock.now()),
  };
  pause(MINUTE);
  await refusal(desk.answer(handle, YES));
  await desk.clock.pass(MINUTE);
  const paying = desk.call({}, handle);
  await desk.during(turnMs - 1, Promise.resolve());
  expect(desk.sends).toBe(0);
  expect(statusOf(await desk.during(1, paying))).toBe('done');
  expect(desk.sends).toBe(1);
});

describe('once the operation is entered', () => {
  /** The airline asks for a pause of so many milliseconds when the terms are read again. */
  async function pausedWhileReading(ms: number, how: 'reading' | 'sending') {
    const { handle } = await desk.ask();
    let isFirst = true;
    desk.terms = async () => {
      if (!isFirst) return payTerms();
      isFirst = false;
      pause(ms);
      if (how === 'reading') throw BUSY;
      return payTerms();
    };
    return { handle, paying: desk.answer(handle, YES) };
  }

  test.each(['reading', 'sending'] as const)(
    'waits for the end, reads again and sends once: a pause of %s',
    async (how) => {
      const { handle, paying } = await pausedWhileReading(2 * MINUTE, how);
      const pending = await desk.during(30_000, paying);
      expect(statusOf(pending)).toBe('pending');
      expect(await desk.newest()).toMatchObject({ state: 'intent' });
      await desk.clock.pass(89_999);
      expect(desk.sends).toBe(0);
      await desk.clock.pass(1);
      expect(statusOf(await desk.call({}, handle))).toBe('done');
      expect(desk.sends).toBe(1);
    },
  );

  test('sends nothing afterwards without the yes, or on other terms', async () => {
    const { handle, paying } = await pausedWhileReading(MINUTE, 'reading');
    await desk.during(30_000, paying);
    desk.terms = payTerms({ act: { verb: 'Pay SAR 180.00' } });
    await desk.clock.pass(30_000);
    expect((await refusal(desk.call({}, handle))).code).toBe('E_APPROVAL_STALE');
    expect(desk.sends).toBe(0);
  });

  test('spends a yes that only our own full queue refuses', async () => {
    const { handle } = await desk.ask();
    desk.terms = () => Promise.reject(BUSY);
    expect((await refusal(desk.answer(handle, YES))).code).toBe('E_AIRLINE_BUSY');
    expect(await desk.newest()).toMatchObject({ state: 'not_executed' });
  });

  test('gives up if the pause outlasts the yes', async () => {
    const { handle, paying } = await pausedWhileReading(10 * MINUTE, 'reading');
    expect((await refusal(desk.during(10, paying))).code).toBe('E_AIRLINE_BUSY');
    expect(await desk.newest()).toMatchObject({ state: 'not_executed' });
    expect((await refusal(desk.call({}, handle))).code).toBe('E_AIRLINE_BUSY');
    // On the page, too, nothing more comes of it.
    const operationId = (await desk.newest())?.id ?? '';
    expect(await desk.decide(true, { operationId }, PAGE)).toMatchObject({ kind: 'failed' });
    expect(desk.sends).toBe(0);
  });
});
