/**
 * What refuses an act before a person is asked, and what warns the person who is asked.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { ANN, CallHarness, payTerms, refusal, SAR } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

describe('before a person is asked', () => {
  test('refuses an amount over the limit before asking', async () => {
    desk.settings = { ...desk.settings, limits: { perAction: SAR(100) } };
    expect(await refusal(desk.call({ canElicit: true }))).toMatchObject({ code: 'E_LIMIT' });
    expect(await desk.waiting()).toBeUndefined();
  });

  test('refuses what exceeds the daily limit and accepts the rest', async () => {
    desk.settings = { ...desk.settings, limits: { perDay: SAR(20000) } };
    const spent = { locator: 'OTHER1', caller: ANN.id, amount: SAR(2751) };
    const now = desk.clock.now();
    await desk.operation('earlier', 'succeeded', spent);
    const over = await refusal(desk.call({ canElicit: true }));
    expect(over.message).toMatch(/^SAR 27\.51 was moved in the last 24 hours; .* SAR 0\.01 over the limit/);
    desk.clock.time = now + 24 * 3_600_000 + 1;
    expect((await desk.ask()).kind).toBe('ask');
  });

  test('accepts an amount that reaches the daily limit exactly', async () => {
    desk.settings = { ...desk.settings, limits: { perDay: SAR(20000) } };
    await desk.operation('earlier', 'succeeded', { locator: 'OTHER1', caller: ANN.id, amount: SAR(2750) });
    expect((await desk.ask()).kind).toBe('ask');
  });

  test.each([
    ['the amount is zero', { money: { direction: 'payment', amount: SAR(0) } }],
    ['no money moves', { money: undefined }],
  ] as const)('ignores the daily limit where %s', async (_, over) => {
    desk.settings = { ...desk.settings, limits: { perDay: SAR(1) } };
    await desk.operation('earlier', 'succeeded', { locator: 'OTHER1', caller: ANN.id, amount: SAR(2) });
    const { money: __, ...terms } = payTerms();
    desk.terms = over.money === undefined ? terms : { ...terms, money: over.money };
    expect((await desk.ask()).kind).toBe('ask');
  });

  test('refuses before asking while sending is paused', async () => {
    await desk.state.chain.pause('audit', 'ops', desk.clock.now());
    expect(await refusal(desk.call({ canElicit: true }))).toMatchObject({ code: 'E_NOT_PERMITTED' });
  });

  test('refuses a caller whose questions nobody answers, until they expire', async () => {
    const now = desk.clock.now();
    for (let i = 0; i < 300; i++)
      await desk.state.approvals.put(
        pendingApproval({
          ...{ handleHash: `h${i}`, operationId: `o${i}`, tenant: ANN.tenant, caller: ANN.id },
          ...{ createdAt: now, expiresAt: now + 600_000 },
        }),
      );
    const full = await refusal(desk.call({ canElicit: true }));
    expect(full).toMatchObject({ code: 'E_LIMIT', effect: 'none', retry: 'after_s:600' });
    expect(full.next).toContain('fareclerk approve');
    desk.clock.time = now + 600_000;
    expect((await desk.ask()).kind).toBe('ask');
  });

  test('refuses if another tenant has an open operation on the booking, and reveals nothing more', async () => {
    await desk.operation('theirs', 'dispatched', { tenant: 'other', tool: 'cancel_booking' });
    const busy = await refusal(desk.call({ canElicit: true }));
    expect(busy).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'after_s:30' });
    expect(busy.message).toBe('Another operation on ABC123 is under way. Nothing was sent.');
  });

  test('refuses if the caller has an open operation on the booking', async () => {
    desk.settings = { ...desk.settings, waitMs: 60_000 };
    await desk.operation('open', 'dispatched', {}, { dispatchedAt: desk.clock.now() });
    const busy = await refusal(desk.during(2_100, desk.call({ canElicit: true })));
    expect(busy).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'after_s:30' });
    expect(busy.next).toBe('Wait, then call read_booking; it shows the open operation.');
    expect(busy.message).toBe(
      'ABC123 has an operation whose outcome is not known yet (pay_booking). Nothing else is sent meanwhile.',
    );
  });

  test('refuses after settling an earlier operation, so that the person decides again', async () => {
    const now = desk.clock.now();
    await desk.operation('open', 'in_doubt', {}, { dispatchedAt: now, leaseUntil: now });
    const settled = await refusal(desk.during(3_000, desk.call({ canElicit: true })));
    expect(settled).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'same_call' });
    expect(settled.next).toMatch(/^Call read_booking to see/);
    expect(settled.message).toMatch(/^An earlier pay_booking of ABC123 has just been settled \(succeeded\)\./);
  });

  test('asks for a create regardless of operations on other bookings', async () => {
    await desk.operation('open', 'dispatched');
    await desk.operation('left', 'needs_person', { locator: 'OTHER1' });
    const { locator: _, ...create } = payTerms();
    desk.terms = create;
    expect((await desk.ask()).message).toBe('Pay SAR 172.50 for booking ABC123\nRUH-JED');
  });
});

describe('fresh terms', () => {
  test('warns of an earlier operation that was never settled', async () => {
    await desk.operation('left', 'needs_person');
    const asked = await desk.ask();
    expect(asked.message.split('\n')[1]).toMatch(
      /^Caution: an earlier payment of this booking \(.*\) was never settled\. It may have been done: ask the airline/,
    );
  });

  test('warns with the receipt that contradicted the earlier operation, and when it was sent', async () => {
    const outcome = { receipt: { stated: SAR(20000) } };
    await desk.operation('left', 'needs_person', {}, { outcome, dispatchedAt: 0 });
    const line = (await desk.ask()).message.split('\n')[1];
    expect(line).toContain('(Thu 1 Jan 1970 00:00 (UTC))');
    expect(line).toContain("was handed to a person. The airline's receipt names SAR 200.00; SAR 172.50 was approved:");
  });

  test('warns of an earlier operation for thirty days only', async () => {
    await desk.operation('left', 'needs_person');
    desk.clock.jump(30 * 24 * 3_600_000 + 1);
    expect((await desk.ask()).message).not.toContain('Caution');
  });

  test('shows the warning even if the terms have no lines', async () => {
    await desk.operation('left', 'needs_person');
    desk.terms = payTerms({ sections: [] });
    expect((await desk.ask()).message).toMatch(/^Caution/);
  });
});
