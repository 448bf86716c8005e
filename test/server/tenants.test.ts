/**
 * Two tenants of one server share the airline and the agency's login. A booking has one operation at a time from
 * either tenant, and neither learns anything about the other.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../src/approvals/answer.ts';
import { createClerk } from '../../src/server/clerk.ts';
import { heldBooking } from './calls/bookings.ts';
import { accept, type Desk, openDesk } from './calls/desk.ts';

const ANN = { tenant: 'north', id: 'caller-4711' };
const BOB = { tenant: 'south', id: 'caller-0815' };
const PAY = { payment: { type: 'invoice' } };

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ answerMs: 60_000 });
});
afterEach(() => desk.close());

/** The same clerk with an airline that finishes a payment only when the test releases it. */
function slowly() {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const sent: string[] = [];
  const { airline } = desk.parts;
  const slow: typeof airline = {
    ...airline,
    async pay(confirmed) {
      sent.push('pay');
      arrived.resolve();
      await released.promise;
      return airline.pay(confirmed);
    },
    async cancel(confirmed) {
      sent.push('cancel');
      return airline.cancel(confirmed);
    },
  };
  const clerk = createClerk({ ...desk.clerk.options, open: async () => ({ ...desk.parts, airline: slow }) });
  return { clerk, sent, arrived: arrived.promise, release: released.resolve };
}

type Clerk = ReturnType<typeof createClerk>;

async function ask(clerk: Clerk, caller: typeof ANN, tool: string, args: object) {
  const how = { caller, canElicit: true, canOpenUrls: false };
  const asked = await clerk.call(tool, args, how);
  if (asked.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(asked)}`);
  const raw = accept(asked.form.properties.decision.enum[1] ?? '');
  return { yes: () => clerk.call(tool, args, { ...how, dialog: { handle: asked.handle, raw } }) };
}

function told(answer: Answer) {
  if (answer.kind !== 'result') throw new Error('a question');
  const { status, error } = answer.structured as { status?: string; error?: { code: string; effect: string } };
  return { text: JSON.stringify(answer), status, code: error?.code, effect: error?.effect };
}

test('sends nothing for another tenant during a payment, and reveals nothing of it', async () => {
  const locator = await heldBooking(desk);
  const { clerk, sent, arrived, release } = slowly();
  const [ann, bob] = [
    await ask(clerk, ANN, 'pay_booking', { locator, ...PAY }),
    await ask(clerk, BOB, 'cancel_booking', { locator }),
  ];
  const paying = ann.yes();
  await arrived;
  const [operation] = await desk.parts.state.operations.list({ locator });
  const amount = (operation?.amount?.minor ?? 0) / 100;
  expect(amount).toBeGreaterThan(0);
  const after = told(await bob.yes());
  const before = told(
    await clerk.call('cancel_booking', { locator }, { caller: BOB, canElicit: true, canOpenUrls: false }),
  );
  const own = told(
    await clerk.call('cancel_booking', { locator }, { caller: ANN, canElicit: true, canOpenUrls: false }),
  );
  for (const { code, effect, text } of [after, before]) {
    expect({ code, effect }).toEqual({ code: 'E_BOOKING_BUSY', effect: 'none' });
    expect(text).toContain(`Another operation on ${locator} is under way. Nothing was sent.`);
    for (const secret of [operation?.id, ANN.id, ANN.tenant, 'pay_booking', 'pay', amount.toFixed(2)]) {
      expect(text).not.toContain(secret);
    }
  }
  expect(own).toMatchObject({ code: 'E_BOOKING_BUSY' });
  expect(own.text).toContain('pay_booking');
  expect(sent).toEqual(['pay']);
  release();
  expect(told(await paying).status).toBe('done');
  // The other tenant's yes is spent.
  expect(told(await bob.yes()).code).toBe('E_APPROVAL_EXPIRED');
  expect(sent).toEqual(['pay']);
});

test('makes one payment if two tenants pay at once', async () => {
  const locator = await heldBooking(desk);
  const { clerk, sent, release } = slowly();
  const args = { locator, ...PAY };
  const asked = await Promise.all([ANN, BOB].map((caller) => ask(clerk, caller, 'pay_booking', args)));
  const answers = asked.map(({ yes }) => yes().then(told));
  // The second caller gets its answer at once; then the first continues.
  expect((await Promise.race(answers)).code).toBe('E_BOOKING_BUSY');
  release();
  const ended = await Promise.all(answers);
  expect(ended.map(({ status, code }) => code ?? status).sort()).toEqual(['E_BOOKING_BUSY', 'done']);
  expect(sent).toEqual(['pay']);
  expect(desk.acts().filter((event) => event === 'paid')).toHaveLength(1);
});
