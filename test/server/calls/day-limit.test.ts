/**
 * The daily limit of a caller: amounts above it are refused before the question, and again after an earlier question.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallHow } from '../../../src/server/clerk.ts';
import { heldBooking } from './bookings.ts';
import { accept, CALLER, type Desk, dialogHow, failures, openDesk } from './desk.ts';

const DAY = 24 * 60 * 60_000;
const PAY = { payment: { type: 'invoice' } };
/** Enough for one trip of two, but not for a second. */
const LIMITS = { perDay: { minor: 100_000, currency: 'SAR' } };

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ limits: LIMITS });
});
afterEach(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

const ask = (locator: string, how: Partial<CallHow> = {}) =>
  desk.call('pay_booking', { locator, ...PAY }, { ...dialogHow, ...how });

async function codeOf(answer: ReturnType<typeof ask>): Promise<unknown> {
  const told = await answer;
  if (told.kind !== 'result') return 'asked';
  return (told.structured.error as { code: string } | undefined)?.code ?? told.structured.status;
}

test('refuses a payment over the daily limit before a person is asked', async () => {
  const [one, other] = [await heldBooking(desk), await heldBooking(desk)];
  await desk.say('pay_booking', { locator: one, ...PAY }, accept);
  const refused = await desk.result('pay_booking', { locator: other, ...PAY }, dialogHow);
  expect(refused.text).toMatch(/^E_LIMIT: SAR [\d.,]+ was moved in the last 24 hours; with SAR/);
  expect(refused.text).toContain('Nothing was sent.');
  expect(await desk.clerk.waiting()).toEqual([]);
  expect((await desk.parts.state.operations.list({ locator: other })).map(({ tool }) => tool)).toEqual([
    'create_booking',
  ]);
  // Other callers and other tenants have their own daily limit.
  expect(await codeOf(ask(other, { caller: { ...CALLER, id: 'bob' } }))).toBe('asked');
  expect(await codeOf(ask(other, { caller: { ...CALLER, tenant: 'other' } }))).toBe('asked');
  // An act that moves no money does not count.
  expect((await desk.call('cancel_booking', { locator: other }, dialogHow)).kind).toBe('ask');
  expect(desk.acts()).toEqual(['paid']);
});

test('asks for a payment again a day later', async () => {
  await desk.say('pay_booking', { locator: await heldBooking(desk), ...PAY }, accept);
  desk.advance(DAY + 1);
  expect(await codeOf(ask(await heldBooking(desk)))).toBe('asked');
});

test('reports a booking with a pending payment as busy rather than over the daily limit', async () => {
  await desk.close();
  desk = await openDesk({ limits: LIMITS, answerMs: 1_000 });
  const locator = await heldBooking(desk);
  desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'lose-before' });
  const lost = await desk.say('pay_booking', { locator, ...PAY }, accept);
  expect(lost.structured.status).toBe('pending');
  expect(await codeOf(ask(locator))).toBe('E_BOOKING_BUSY');
});

test('sends nothing if the daily limit was used up after the question', async () => {
  const [one, other] = [await heldBooking(desk), await heldBooking(desk)];
  const asked = await ask(other);
  if (asked.kind !== 'ask') throw new Error('did not ask');
  await desk.say('pay_booking', { locator: one, ...PAY }, accept);
  const raw = accept(asked.form.properties.decision.enum[1] ?? '');
  expect(await codeOf(ask(other, { dialog: { handle: asked.handle, raw } }))).toBe('E_LIMIT');
  expect(desk.acts()).toEqual(['paid']);
});
