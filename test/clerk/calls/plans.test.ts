/** A plan from the proposal to the end, against the sandbox airline: what is ticked is done, each line once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showMoney } from '../../../src/core/money.ts';
import { preparedFor, rebookableBooking, ticketedBooking } from './bookings.ts';
import { type Desk, failures, handleOf, openDesk } from './desk.ts';

let desk: Desk;

const NO_BROWSER = { canOpen: () => true, open: async () => ({ opened: true }) };

async function propose(...steps: readonly { readonly tool: string; readonly arguments: object }[]) {
  const { structured, text, isError } = await desk.result('propose_plan', { steps });
  return { id: structured.plan_id as string, text, isError, structured };
}

/** The plan once it is over. */
async function ended(id: string) {
  for (;;) {
    const view = await desk.clerk.plan(id);
    if (view?.state === 'over') return view;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const sentSince = (before: number) =>
  desk
    .acts()
    .slice(before)
    .filter((event) => event !== 'refunded');

describe.each(['rail', 'airline'] as const)('a plan in the %s dialect', (dialect) => {
  beforeAll(async () => {
    desk = await openDesk({ page: NO_BROWSER, sandbox: { dialect } });
  });

  afterAll(() => desk.close());

  test('is asked once, and its ticked lines are done, each once', async () => {
    const booked: string[] = [];
    for (let i = 0; i < 3; i++) booked.push(await ticketedBooking(desk));
    const before = desk.acts().length;
    const { id, text } = await propose({ tool: 'cancel_bookings', arguments: { locators: [...booked, 'XXXX99'] } });
    expect(text).toMatch(/A plan of 3 lines: costs nothing; .* Nothing was sent, and nobody was asked yet\.\n/);
    expect(text).toContain(`\nPlan ${id}, good until `);
    expect(text).toMatch(/Left out:\n {5}Cancel booking: XXXX99: /);
    const asked = await desk.result('run_plan', { plan_id: id });
    expect(asked.structured.status).toBe('approval_required');
    const [question] = await desk.clerk.waiting();
    expect(question?.part?.line).toBe(0);
    expect(await desk.clerk.waiting()).toHaveLength(1);
    await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' }, [1, 3]);
    const view = await ended(id);
    expect(view.lines.map(({ state }) => state)).toEqual(['done', 'not_ticked', 'done']);
    expect(sentSince(before)).toEqual(['segments_cancelled', 'segments_cancelled']);
    const told = await desk.result('run_plan', { plan_id: id, approval_id: handleOf(asked) });
    expect(told.text).toContain('Cancel booking');
    // Asking how it went asks nobody, and says of each line what the airline stated.
    const state = await desk.result('run_plan', { plan_id: id });
    expect([state.structured.status, await desk.clerk.waiting()]).toEqual(['done', []]);
    const refunds = desk.sandbox.ledger().filter(({ event }) => event === 'refunded');
    const back = refunds
      .slice(-2)
      .flatMap(({ amount }) => (amount === undefined ? [] : [`${showMoney(amount)} came back`]));
    const { lines } = state.structured.plan as { lines: readonly { sums?: string[] }[] };
    expect(lines.map(({ sums }) => sums)).toEqual([[back[0]], undefined, [back[1]]]);
    expect(state.text).toContain(`1. Cancel booking: ${booked[0]}: done, ${back[0]}`);
    expect(state.text).not.toContain('stimated');
    expect(failures).toEqual([]);
  });

  test('is withdrawn by stop before an answer, and asked once more by again', async () => {
    const before = desk.acts().length;
    const { id } = await propose({ tool: 'cancel_bookings', arguments: { locators: [await ticketedBooking(desk)] } });
    await desk.result('run_plan', { plan_id: id });
    const stopped = await desk.result('run_plan', { plan_id: id, stop: true });
    expect(stopped.structured.plan).toMatchObject({ state: 'withdrawn' });
    expect(await desk.clerk.waiting()).toEqual([]);
    const asked = await desk.result('run_plan', { plan_id: id, again: true });
    expect(asked.structured.status).toBe('approval_required');
    const [question] = await desk.clerk.waiting();
    await desk.clerk.decide(question?.operationId ?? '', false, { assurance: 'page' });
    expect(await desk.clerk.waiting()).toEqual([]);
    expect(sentSince(before).filter((event) => event === 'segments_cancelled')).toEqual([]);
  });

  test('moves a party: the new train is paid before the old one is cancelled, with the passengers as the airline gives them', async () => {
    const locator = await rebookableBooking(desk);
    const { offer_id: offer } = preparedFor('rebook_segment', locator).args as { offer_id: string };
    const { id, text } = await propose({
      tool: 'move_party',
      arguments: { locator, segment_refs: ['1'], offer_ids: [offer], payment: { type: 'invoice' } },
    });
    expect(text).toMatch(new RegExp(`1 {2}Move booking ${locator} to .+; pays [A-Z]{3} .+ comes back`));
    const before = desk.acts().length;
    await desk.result('run_plan', { plan_id: id });
    const [question] = await desk.clerk.waiting();
    await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' }, [1]);
    const view = await ended(id);
    expect(view.lines[0]?.why).toMatch(/^Booked as [A-Z0-9]{6}\.$/);
    expect(view.lines.map(({ state }) => state)).toEqual(['done']);
    expect(sentSince(before)).toEqual(['paid', 'segments_cancelled']);
    expect(failures).toEqual([]);
  });
});
