/**
 * What refuses an act before a person is asked, how a person is asked, and what warns them.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { withDoneHere } from '../../src/approvals/terms.ts';
import { peopleChanged } from '../../src/domain/booking/booking-identity.ts';
import { pendingApproval } from '../support/approvals.ts';
import { expectGolden } from '../support/golden.ts';
import { memoryClaims } from '../support/memory-claims.ts';
import {
  ANN,
  CallHarness,
  errorText,
  listed,
  page,
  payTerms,
  refusal,
  replacing,
  SAR,
  type Settings,
  type Terms,
} from './harness.ts';

const HOUR = 3_600_000;
const asks = { canElicit: true };
type Money = NonNullable<Terms['money']>;

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});

/** Money of an amount; none: unknown. */
const money = (minor?: number, over: Partial<Money> = {}): Money => ({
  ...{ direction: 'payment', ...(minor !== undefined && { amount: SAR(minor) }), ...over },
});
const LOST: Partial<Money> = { direction: 'refund', givenUp: SAR(17250) };
const EUROS = money(0, { amount: { minor: 1, currency: 'EUR' } });
const free = () => {
  const { money: _, ...terms } = payTerms();
  return terms;
};
const moving = (moved: Money | undefined) => (moved ? payTerms({ money: moved }) : free());

describe('the channel', () => {
  const OPENS: Partial<Settings> = { page: page() };
  const ABOVE: Partial<Settings> = { pageAbove: SAR(17249) };
  const SANDBOX: Partial<Settings> = { environment: 'sandbox' };
  const TERMINAL: Partial<Settings> = { canUseTerminal: true };

  test.each<[string, Partial<Settings>, boolean, string, (Money | undefined)?]>([
    ['the dialog first', OPENS, true, 'elicit'],
    ['then the page', OPENS, false, 'page'],
    ['then the terminal', TERMINAL, false, 'page'],
    ['no channel at all', {}, false, 'E_APPROVAL_UNAVAILABLE'],
    ['no page that nobody can open', { page: page({}, false) }, false, 'E_APPROVAL_UNAVAILABLE'],
    ["the model's confirmation last, in the sandbox", { ...SANDBOX, ...TERMINAL }, false, 'echo'],
    ["the page before the model's confirmation", { ...SANDBOX, ...OPENS }, false, 'page'],
    ['never that in elicit mode', { ...SANDBOX, approval: 'elicit' }, false, 'E_APPROVAL_UNAVAILABLE'],
    ['the page in elicit mode', { ...OPENS, approval: 'elicit' }, false, 'page'],
    ['never the dialog in page mode', { ...OPENS, approval: 'page' }, true, 'page'],
    ['page mode without a page', { ...SANDBOX, approval: 'page' }, true, 'E_APPROVAL_UNAVAILABLE'],
    ['the dialog in echo mode if there is one', { approval: 'echo' }, true, 'elicit'],
    ['two calls in echo mode without a dialog', { ...OPENS, approval: 'echo' }, false, 'echo'],
    ['only the page above the amount', { ...OPENS, ...ABOVE }, true, 'page'],
    ['the dialog at the amount', { ...OPENS, pageAbove: SAR(17250) }, true, 'elicit'],
    ['the page for another currency', { ...OPENS, ...ABOVE }, true, 'page', EUROS],
    ['the page for an unknown amount', { ...OPENS, ...ABOVE }, true, 'page', money()],
    ['only the page for more that is given up', { ...OPENS, ...ABOVE }, true, 'page', money(0, LOST)],
    [
      'the dialog for what is given up at the amount',
      { ...OPENS, pageAbove: SAR(17250) },
      true,
      'elicit',
      money(0, LOST),
    ],
    ['the dialog if no money moves', { ...OPENS, ...ABOVE }, true, 'elicit', undefined],
    ['no echo above the amount', { ...ABOVE, approval: 'echo' }, false, 'E_APPROVAL_UNAVAILABLE'],
    ["not the sandbox's echo above it", { ...ABOVE, ...SANDBOX }, false, 'E_APPROVAL_UNAVAILABLE'],
    ['the page above the amount of the sandbox', { ...ABOVE, ...SANDBOX, ...OPENS }, false, 'page'],
  ])('is %s', async (...[_name, settings, canElicit, expected, ...moved]) => {
    desk.set(settings);
    if (moved.length > 0) desk.terms = moving(moved[0]);
    const refused = await desk.call({ canElicit }).then(
      () => undefined,
      ({ code }) => code,
    );
    expect(refused ?? (await desk.waiting())?.askedBy).toBe(expected);
  });

  test("is never the model's confirmation on a live airline outside echo mode", async () => {
    const { settings } = desk;
    for (const approval of ['auto', 'elicit', 'page'] as const) {
      for (let bits = 0; bits < 8; bits++) {
        await desk.nextBooking();
        desk.settings = { ...settings, approval, canUseTerminal: !!(bits & 4), ...(bits & 2 && OPENS) };
        await desk.call({ canElicit: !!(bits & 1) }).catch(() => undefined);
      }
    }
    const asked = (await desk.state.approvals.waiting(desk.clock.now())).map(({ askedBy }) => askedBy);
    expect(new Set(asked)).toEqual(new Set(['elicit', 'page']));
  });
});

describe('limits', () => {
  const [ACTION, DAY] = [{ perAction: SAR(10_000) }, { perDay: SAR(10_000) }];
  const refused: [string, Settings['limits'], Money][] = [
    ['above the limit of an action', ACTION, money(10_001)],
    ['above the limit of a day', DAY, money(10_001)],
    ['the most that can come back', ACTION, money(66_400, { direction: 'refund', isUpperBound: true })],
    ['the most that can be paid', ACTION, money(66_400, { isUpperBound: true })],
    ['another currency', DAY, EUROS],
    ['an unknown amount, by action', ACTION, money()],
    ['an unknown amount, by day', DAY, money(undefined, { direction: 'refund' })],
  ];

  test.each<[string, Settings['limits'], Money | undefined]>([
    ['any amount without a limit', {}, money(1_000_000)],
    ['an unknown amount without a limit', {}, money()],
    ['an amount at the limit of an action', ACTION, money(10_000)],
    ['an amount at the limit of a day', DAY, money(10_000)],
    ['no money', ACTION, undefined],
    ['nothing, in another currency', ACTION, { ...EUROS, amount: { minor: 0, currency: 'EUR' } }],
    ['what is given up above the limit of an action', ACTION, money(0, { direction: 'refund', givenUp: SAR(10_001) })],
    ['what is given up above the limit of a day', DAY, money(10_000, { direction: 'refund', givenUp: SAR(10_001) })],
  ])('let a person be asked for %s', async (_, limits, moved) => {
    desk.set({ limits });
    desk.terms = moving(moved);
    expect((await desk.ask()).kind).toBe('ask');
  });

  const EARLIER = { locator: 'OTHER1', caller: ANN.id };
  test('count what was moved in the last 24 hours, to the halala', async () => {
    desk.set({ limits: { perDay: SAR(20000) } });
    await desk.operation('earlier', 'succeeded', { ...EARLIER, amount: SAR(2751) });
    const over = await refusal(desk.call(asks));
    expect(over.message).toMatch(/^SAR 27\.51 was moved in the last 24 hours, .* SAR 0\.01 over the limit/);
    desk.terms = moving(money(17249));
    expect((await desk.ask()).kind).toBe('ask');
    desk.terms = payTerms();
    desk.clock.jump(24 * HOUR);
    expect(await refusal(desk.call(asks))).toMatchObject({ code: 'E_LIMIT' });
    desk.clock.jump(1);
    expect((await desk.ask()).kind).toBe('ask');
  });

  test.each([undefined, money(0)])('of a day do not matter where no money moves: %j', async (moved) => {
    desk.set({ limits: { perDay: SAR(1) } });
    await desk.operation('earlier', 'succeeded', { ...EARLIER, amount: SAR(2) });
    desk.terms = moving(moved);
    expect((await desk.ask()).kind).toBe('ask');
  });

  test('and all other refusals say what happened, that nothing was sent, and who acts next', async () => {
    const scenes: Record<string, string> = {};
    const scene = async (title: string, prepare: (it: CallHarness) => unknown, how = asks) => {
      const it = await CallHarness.open();
      await prepare(it);
      scenes[title] = errorText(await refusal(it.during(2_100, it.call(how))));
      expect(await it.waiting()).toBeUndefined();
    };
    for (const [title, limits, moved] of refused)
      await scene(title, (it) => {
        it.set({ limits });
        it.terms = moving(moved);
      });
    await scene('limits: with what was moved before', (it) => {
      it.set({ limits: { perDay: SAR(20000) } });
      return it.operation('earlier', 'succeeded', { ...EARLIER, amount: SAR(2751) });
    });
    const nobody = { canElicit: false };
    await scene('nobody can be asked', () => undefined, nobody);
    await scene('nobody can be asked above an amount', (it) => it.set({ pageAbove: SAR(100) }), asks);
    await scene('nobody can be asked below that amount', (it) => it.set({ pageAbove: SAR(17250) }), nobody);
    await scene('neither page nor terminal can ask what may be done twice', (it) => {
      it.terms = withDoneHere(payTerms(), 'Paid here on Sun 29 Nov 08:00 (UTC+3).');
    });
    const head = { n: 5, hash: '0' };
    const hold = { since: 1_000, seen: { n: 9, hash: '0' }, head };
    const pause = { since: 2_000, by: 'os:ann', why: 'the airline asked' };
    for (const [title, status] of Object.entries({
      'sending is held': { head, hold },
      'sending is paused': { head, pause },
      'sending is held before it was paused': { head, hold, pause },
    }))
      await scene(title, (it) => replacing(it.state.chain, 'status').mockResolvedValue(status));
    await scene('another tenant has an open operation', (it) =>
      it.operation('theirs', 'dispatched', { tenant: 'other' }),
    );
    await scene('the caller has an open operation', (it) => {
      it.set({ waitMs: 60_000 });
      return it.operation('open', 'dispatched', {}, { dispatchedAt: it.clock.now() });
    });
    await scene('an earlier operation has just been settled', (it) => {
      const now = it.clock.now();
      return it.operation('open', 'in_doubt', {}, { dispatchedAt: now, leaseUntil: now });
    });
    await expectGolden('errors/before-asking', { 'by what refuses': listed(scenes) });
  });
});

test('asks for a create regardless of operations on other bookings', async () => {
  await desk.operation('open', 'dispatched');
  await desk.operation('left', 'needs_person', { locator: 'OTHER1' });
  const { locator: _, ...create } = payTerms();
  desk.terms = create;
  expect((await desk.ask()).message).toMatch(/^Pay SAR 172\.50 for booking ABC123\nRUH-JED\nAsked by /);
});

test('refuses a caller whose questions nobody answers, until they expire', async () => {
  const now = desk.clock.now();
  const kept = { tenant: ANN.tenant, caller: ANN.id, createdAt: now, expiresAt: now + 600_000 };
  for (let i = 0; i < 100; i++)
    await desk.state.approvals.put(pendingApproval({ ...kept, handleHash: `h${i}`, operationId: `o${i}` }));
  const full = await refusal(desk.call(asks));
  expect(full).toMatchObject({ code: 'E_LIMIT', effect: 'none', retry: 'after_s:600' });
  expect(full.message).toMatch(/^100 questions of this caller wait for an answer\. Nothing was asked or sent\.$/);
  expect(full.next).toContain('fareclerk approve');
  desk.clock.jump(600_000);
  expect((await desk.ask()).kind).toBe('ask');
});

describe('a caution', () => {
  test('warns of an earlier operation that was never settled, for thirty days', async () => {
    await desk.operation('left', 'needs_person');
    const CAUTION =
      /^Caution: an earlier payment of this booking \(Thu 1 Jan 1970 00:16 \(UTC\)\) was never settled\. It may have been done: ask the airline before saying yes\.$/m;
    expect((await desk.ask()).message.split('\n')[1]).toMatch(CAUTION);
    desk.clock.jump(HOUR);
    desk.terms = payTerms({ sections: [] });
    expect((await desk.ask()).message).toMatch(CAUTION);
    desk.clock.jump(30 * 24 * HOUR - HOUR);
    expect((await desk.ask()).message).toContain('Caution');
    desk.clock.jump(1);
    expect((await desk.ask()).message).not.toContain('Caution');
  });

  test('says that all travellers are others than when the caller claimed the booking', async () => {
    const CAUTION =
      'Caution: all travellers of this booking are others than when you first opened it: check that it is the one you mean.';
    const claims = memoryClaims();
    Object.assign(desk.state, { claims });
    await claims.add({ ...ANN, id: 'somebody' }, [peopleChanged('ABC123')], 0);
    expect((await desk.ask()).message).not.toContain('Caution');
    await claims.add(ANN, [peopleChanged('ABC123')], 0);
    expect((await desk.ask()).message.split('\n')[1]).toBe(CAUTION);
    // The terms that are read again after the yes have it too.
    expect(await desk.decide(true)).toMatchObject({ kind: 'done' });
  });

  test('names a tool that has no other word', async () => {
    await desk.operation('left', 'needs_person', { tool: 'sell_seat' });
    expect((await desk.ask()).message).toContain('an earlier sell_seat of this booking');
  });

  test('names the receipt that contradicted the earlier operation, and when it was sent', async () => {
    const outcome = { receipt: { stated: SAR(20000) } };
    await desk.operation('left', 'needs_person', {}, { outcome, dispatchedAt: 0 });
    const line = (await desk.ask()).message.split('\n')[1];
    expect(line).toContain('(Thu 1 Jan 1970 00:00 (UTC))');
    expect(line).toContain(
      "was handed to a person. The airline's receipt names SAR 200.00, and SAR 172.50 was approved:",
    );
  });
});
