/**
 * Somebody changes their mind while a question about a booking is open: with the real page and its form, the inbox, the
 * dialog, a real airline and each database; on PostgreSQL every act in the night alone. A yes to the older question does nothing, and
 * its page says so.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACTS } from '../../campaigns/support/acts.ts';
import { heldBooking, ticketedBooking } from '../../clerk/calls/bookings.ts';
import { codeOf, failures, handleOf, openDesk, type Result } from '../../clerk/calls/desk.ts';
import { suiteDatabase } from '../../store/support/suite-database.ts';
import { atNight } from '../../support/whole.ts';
import { headingOf, visible } from './support/page-client.ts';
import type { PersonAt, Seen } from './support/person.ts';
import { openSignedInPage } from './support/public-desk.ts';

const REPLACED = 'A newer question replaced this one';
const WITHDRAWN = 'This question was withdrawn';
const DECIDING = ACTS.filter(({ name }) => /^(?:pay|cancel|rebook|split)/.test(name));
const BESIDE = ACTS.filter((act) => !DECIDING.includes(act));

const database = suiteDatabase();

describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  const some = <T>(acts: readonly T[]) => (kind === 'SQLite' ? acts : atNight(acts, acts.slice(0, 2)));
  let at: Awaited<ReturnType<typeof openAt>>;
  let ann: PersonAt;
  let before: number;
  const openAt = () =>
    openSignedInPage({}, async ({ caller, page }) => {
      const desk = await openDesk({ page, environment: 'sandbox', ...(kind === 'PostgreSQL' && database.ofDesk()) });
      return { ...desk, caller, state: desk.parts.state };
    });
  beforeAll(async () => {
    at = await openAt();
  });
  afterAll(() => at.close());
  beforeEach(async () => {
    // Each test has its own questions: the inbox shows no others.
    const { approvals } = at.desk.state;
    for (const { handleHash } of await approvals.waiting(at.desk.sandbox.now()))
      await approvals.decide(handleHash, { decision: 'declined', assurance: 'page' }, at.desk.sandbox.now());
    ann = at.person('ann');
  });
  afterEach(() => expect(failures).toEqual([]));

  const call = (tool: string, args: object, how = {}) => at.desk.result(tool, args, { caller: at.caller, ...how });
  const look = async (tool: string, args: object) => (await call(tool, args)).structured;
  const operationOf = ({ structured, meta }: Result) => ({
    operationId: String(structured.operation_id ?? meta?.operation_id),
  });
  /** Opens a question, with the sign-in that its yes needs. */
  const openById = (operationId: unknown) => ann.open(`${at.address({ operationId: String(operationId) })}?to=approve`);
  const open = (asked: Result) => openById(operationOf(asked).operationId);
  const ticks = ({ body }: Seen) =>
    [...body.matchAll(/name="line" value="(\d+)"/g)].map(([, n = '']): [string, string] => ['line', n]);
  /** Presses yes on a page as it was when it was opened, with every line of a plan ticked. */
  const yes = (page: Seen) => {
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    expect([token === '', page.body.includes('value="yes"')]).toEqual([false, true]);
    return ann.open(page.url, {
      method: 'POST',
      headers: { origin: page.url.origin, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams([['token', token], ['decision', 'yes'], ...ticks(page)]),
    });
  };
  const inbox = async () => {
    const { body } = await ann.open(`${at.publicUrl}/approve/`);
    return [...body.matchAll(/href="\/approve\/([\w-]{36})"/g)].map(([, operationId]) => operationId);
  };
  const acts = () => at.desk.acts().slice(before);
  const booking = async (on: 'held' | 'ticketed') => {
    const locator = await (on === 'held' ? heldBooking : ticketedBooking)(at.desk);
    before = at.desk.acts().length;
    return locator;
  };
  const propose = async (locators: readonly string[]) => {
    const { structured } = await call('propose_plan', {
      steps: [{ tool: 'cancel_bookings', arguments: { locators } }],
    });
    return String(structured.plan_id);
  };
  const askPlan = async (...locators: string[]) => {
    const plan = await propose(locators);
    return { plan, asked: await call('run_plan', { plan_id: plan }) };
  };
  const ended = async (plan: string) => {
    await expect.poll(async () => (await at.desk.clerk.plan(plan))?.state, { timeout: 20_000 }).toBe('over');
    return (await at.desk.clerk.plan(plan))?.lines.map(({ state }) => state);
  };

  /** The older page, with its form open since before; the newer question; and nothing but that one is open. */
  async function replaced(olderPage: Seen, older: Result, newer: Result) {
    expect(newer.text).toContain(`operation ${operationOf(older).operationId}), so approving that one does nothing.`);
    expect(await inbox()).toEqual([operationOf(newer).operationId]);
    const answered = await yes(olderPage);
    expect([answered.status, headingOf(answered)]).toEqual([200, REPLACED]);
    expect(visible(answered)).toContain('Nothing was sent for this question, and nothing will be.');
    expect(answered.body).not.toMatch(/<form|<button/);
    expect(answered.body).toContain(`/approve/${operationOf(newer).operationId}`);
    expect(acts()).toEqual([]);
    expect((await at.desk.state.approvals.byOperation(operationOf(older).operationId))?.decision).toBe('replaced');
  }

  test.each(some(DECIDING))(
    '$name replaces the plan that was to cancel its booking',
    async ({ tool, on, args, event }) => {
      const [locator, other] = [await booking(on), await booking('ticketed')];
      const { plan, asked } = await askPlan(locator, other);
      const page = await open(asked);
      const newer = await call(tool, await args(locator, look));
      expect(newer.text).toContain(`What that one asked about ${other} is no longer asked.`);
      await replaced(page, asked, newer);
      const told = await call('run_plan', { plan_id: plan, approval_id: handleOf(asked) });
      expect([codeOf(told), acts()]).toEqual(['E_APPROVAL_EXPIRED', []]);
      // The newer one is what the person wants, and is done once.
      await yes(await open(newer));
      await expect.poll(acts, { timeout: 20_000 }).toContain(event);
    },
  );

  test('a plan replaces the act, and another plan the plan', async () => {
    const [locator, other] = [await booking('ticketed'), await booking('ticketed')];
    const act = await call('cancel_segment', { locator, segment_refs: ['1'] });
    const actPage = await open(act);
    const first = await askPlan(locator, other);
    await replaced(actPage, act, first.asked);
    const planPage = await open(first.asked);
    const second = await askPlan(locator);
    expect(second.asked.text).toContain(`What that one asked about ${other} is no longer asked.`);
    await replaced(planPage, first.asked, second.asked);
    await yes(await open(second.asked));
    expect(await ended(second.plan)).toEqual(['done']);
    expect(acts().filter((event) => event === 'segments_cancelled')).toHaveLength(1);
  });

  test('a stop withdraws the plan: its page says so, and the inbox is empty', async () => {
    const { plan, asked } = await askPlan(await booking('ticketed'), await booking('ticketed'));
    const page = await open(asked);
    expect((await call('run_plan', { plan_id: plan, stop: true })).text).toContain('withdrawn, nothing was done');
    expect(await inbox()).toEqual([]);
    const answered = await yes(page);
    expect([answered.status, headingOf(answered)]).toEqual([200, WITHDRAWN]);
    expect(visible(answered)).toContain('Nothing was done, and nothing will be.');
    expect(answered.body).not.toMatch(/<form|<button/);
    const told = await call('run_plan', { plan_id: plan, approval_id: handleOf(asked) });
    expect([codeOf(told), acts()]).toEqual(['E_APPROVAL_EXPIRED', []]);
  });

  test.each(some(BESIDE))('$name stands beside a plan, and both are done', async ({ tool, on, args, event }) => {
    const [locator, other] = [await booking(on), await booking('ticketed')];
    const { plan, asked } = await askPlan(other, locator);
    const page = await open(asked);
    const beside = await call(tool, await args(locator, look));
    expect(beside.text).not.toContain('replaces');
    expect((await inbox()).toSorted()).toEqual([asked, beside].map((one) => operationOf(one).operationId).toSorted());
    await yes(await open(beside));
    await expect.poll(acts, { timeout: 20_000 }).toContain(event);
    // The line of the booking that was changed is left out if its terms are others now; the plan itself counts.
    await yes(page);
    expect((await ended(plan))?.[0]).toBe('done');
  });

  test('of twenty acts and plans that are asked at once one is open, and no yes to an older one does anything', async () => {
    const locator = await booking('ticketed');
    const plans: string[] = [];
    for (let i = 0; i < 5; i++) plans.push(await propose([locator]));
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const plan = i % 4 === 0 ? plans[i / 4] : undefined;
        if (plan !== undefined) return call('run_plan', { plan_id: plan });
        if (i % 4 === 1) return call('cancel_booking', { locator });
        return call('cancel_segment', { locator, segment_refs: [String((i % 2) + 1)] });
      }),
    );
    const [newest, ...others] = await inbox();
    expect([newest, others]).toEqual([expect.any(String), []]);
    const ids = new Set(asked.filter(({ isError }) => !isError).map((one) => operationOf(one).operationId));
    expect(ids.size).toBeGreaterThan(5);
    for (const operationId of ids) {
      if (operationId === newest) continue;
      const page = await openById(operationId);
      expect([headingOf(page), page.body.includes('<form')]).toEqual([REPLACED, false]);
    }
    expect(acts()).toEqual([]);
    await yes(await openById(newest));
    await expect.poll(acts, { timeout: 20_000 }).toContain('segments_cancelled');
    expect(acts().filter((event) => event === 'segments_cancelled')).toHaveLength(1);
  });
});
