/** Whatever settles an operation, the list of bookings shows what it did, before anybody reads the booking again. */
import { afterEach, describe, expect, test } from 'vitest';
import { offices } from '../../store/support/offices.ts';
import { heldBooking, ticketedBooking } from './bookings.ts';
import { accept, type Desk, type DeskOptions, failures, openDesk, PAY } from './desk.ts';

const NO_BROWSER = { canOpen: () => true, open: async () => ({ opened: true }) };
const { both } = offices(() => Date.now());
const opened: Desk[] = [];
afterEach(async () => {
  for (const desk of opened.splice(0)) await desk.close();
  expect(failures).toEqual([]);
});
/** The journal reads again every 20 ms. */
const BRIEF = { settleMs: 240, page: NO_BROWSER } as const;

interface Listed {
  readonly state: string;
  readonly names_until?: string;
}

async function listed(desk: Desk, locator: string): Promise<Listed | undefined> {
  const { structured } = await desk.result('list_bookings', { query: locator });
  return (structured.bookings as Listed[])[0];
}

/** Settled by what is due by itself: nobody calls, and nobody reads the booking. */
async function settled(desk: Desk, locator: string, tool: string): Promise<void> {
  await expect
    .poll(async () => {
      await desk.parts.journal.reconcile();
      const [last] = await desk.parts.state.operations.list({ locator, limit: 1 });
      return [last?.tool, last?.state];
    })
    .toEqual([tool, 'succeeded']);
}

describe.each(both)('on $name', ({ office }) => {
  async function open(options: DeskOptions = {}): Promise<Desk> {
    // The office closes it.
    const state = { ...(await office().open()), close: async () => undefined };
    const desk = await openDesk({ ...BRIEF, ...options, openState: async () => state as never });
    opened.push(desk);
    return desk;
  }

  test('a cancellation in a plan whose answer was lost', async () => {
    const desk = await open();
    const locator = await ticketedBooking(desk);
    expect(await listed(desk, locator)).toMatchObject({ state: 'ticketed', names_until: expect.any(String) });
    const steps = [{ tool: 'cancel_bookings', arguments: { locators: [locator] } }];
    const { structured } = await desk.result('propose_plan', { steps });
    await desk.result('run_plan', { plan_id: structured.plan_id });
    const [question] = await desk.clerk.waiting();
    desk.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' });
    await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' }, [1]);
    await settled(desk, locator, 'cancel_booking');
    const now = await listed(desk, locator);
    expect(now?.state).toBe('cancelled');
    expect(now?.names_until).toBeUndefined();
  });

  test('a cancellation that nobody waited for', async () => {
    const desk = await open({ answerMs: 3_000 });
    const locator = await heldBooking(desk);
    desk.sandbox.order({ message: 'OTA_CancelRQ', kind: 'commit-then-lose' });
    const asked = await desk.say('cancel_booking', { locator }, accept);
    expect(asked.structured.status).toBe('pending');
    await settled(desk, locator, 'cancel_booking');
    expect((await listed(desk, locator))?.state).toBe('cancelled');
  });

  test('a payment whose answer came after the call had been answered', async () => {
    const desk = await open({ answerMs: 3_000, settleMs: 240_000 });
    const locator = await heldBooking(desk);
    desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-late', ms: 3_500 });
    const paid = await desk.say('pay_booking', { locator, ...PAY }, accept);
    expect(paid.structured.status).toBe('pending');
    await expect.poll(async () => (await listed(desk, locator))?.state).toBe('ticketed');
    const [operation] = await desk.parts.state.operations.list({ locator, limit: 1 });
    expect(operation).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });
});
