/**
 * What refuses an act before anybody is asked, and what cautions the person who is.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANN, CallHarness, payTerms, refusal, SAR } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

describe('before anybody is asked', () => {
  test('a limit refuses', async () => {
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

  test('the day takes an amount that fills it exactly', async () => {
    desk.settings = { ...desk.settings, limits: { perDay: SAR(20000) } };
    await desk.operation('earlier', 'succeeded', { locator: 'OTHER1', caller: ANN.id, amount: SAR(2750) });
    expect((await desk.ask()).kind).toBe('ask');
  });

  test.each([
    ['nothing moves', { money: { direction: 'payment', amount: SAR(0) } }],
    ['no money is at stake', { money: undefined }],
  ] as const)('the day does not matter where %s', async (_, over) => {
    desk.settings = { ...desk.settings, limits: { perDay: SAR(1) } };
    await desk.operation('earlier', 'succeeded', { locator: 'OTHER1', caller: ANN.id, amount: SAR(2) });
    const { money: __, ...terms } = payTerms();
    desk.terms = over.money === undefined ? terms : { ...terms, money: over.money };
    expect((await desk.ask()).kind).toBe('ask');
  });

  test('a pause refuses', async () => {
    await desk.state.chain.pause('audit', 'ops', desk.clock.now());
    expect(await refusal(desk.call({ canElicit: true }))).toMatchObject({ code: 'E_NOT_PERMITTED' });
  });

  test("another tenant's operation on the booking refuses, and only says that it exists", async () => {
    await desk.operation('theirs', 'dispatched', { tenant: 'other', tool: 'cancel_booking' });
    const busy = await refusal(desk.call({ canElicit: true }));
    expect(busy).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'after_s:30' });
    expect(busy.message).toBe('Another operation on ABC123 is under way. Nothing was sent.');
  });

  test('an own open operation on the booking refuses', async () => {
    desk.settings = { ...desk.settings, waitMs: 60_000 };
    await desk.operation('open', 'dispatched', {}, { dispatchedAt: desk.clock.now() });
    const busy = await refusal(desk.during(2_100, desk.call({ canElicit: true })));
    expect(busy).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'after_s:30' });
    expect(busy.next).toBe('Wait, then call read_booking; it shows the open operation.');
    expect(busy.message).toBe(
      'ABC123 has an operation whose outcome is not known yet (pay_booking). Nothing else is sent meanwhile.',
    );
  });

  test('an own operation that a reading settles refuses, so that the person decides again', async () => {
    const now = desk.clock.now();
    await desk.operation('open', 'in_doubt', {}, { dispatchedAt: now, leaseUntil: now });
    const settled = await refusal(desk.during(3_000, desk.call({ canElicit: true })));
    expect(settled).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'same_call' });
    expect(settled.next).toMatch(/^Call read_booking to see/);
    expect(settled.message).toMatch(/^An earlier pay_booking of ABC123 has just been settled \(succeeded\)\./);
  });

  test('operations of other bookings do not matter to a create', async () => {
    await desk.operation('open', 'dispatched');
    await desk.operation('left', 'needs_person', { locator: 'OTHER1' });
    const { locator: _, ...create } = payTerms();
    desk.terms = create;
    expect((await desk.ask()).message).toBe('Pay SAR 172.50 for booking ABC123\nRUH-JED');
  });
});

describe('fresh terms', () => {
  test('caution of an earlier operation that was never settled', async () => {
    await desk.operation('left', 'needs_person');
    const asked = await desk.ask();
    expect(asked.message.split('\n')[1]).toMatch(
      /^Caution: an earlier pay_booking of this booking \(.*\) was never settled\. It may have been done: ask the airline/,
    );
  });

  test('name the receipt that contradicted it, and when it was sent', async () => {
    const outcome = { receipt: { stated: SAR(20000) } };
    await desk.operation('left', 'needs_person', {}, { outcome, dispatchedAt: 0 });
    const line = (await desk.ask()).message.split('\n')[1];
    expect(line).toContain('(1970-01-01');
    expect(line).toContain("was handed to a person. The airline's receipt names SAR 200.00; SAR 172.50 was approved:");
  });

  test('forget it after thirty days', async () => {
    await desk.operation('left', 'needs_person');
    desk.clock.jump(30 * 24 * 3_600_000 + 1);
    expect((await desk.ask()).message).not.toContain('Caution');
  });

  test('need no first line', async () => {
    await desk.operation('left', 'needs_person');
    desk.terms = payTerms({ lines: [] });
    expect((await desk.ask()).message).toMatch(/^\nCaution/);
  });
});
