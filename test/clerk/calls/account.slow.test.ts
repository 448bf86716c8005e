/** What a question about a payment by account says of the account, at the sandbox airline, in both dialects. */
import { afterEach, describe, expect, it } from 'vitest';
import { limitsAccounts } from '../../../src/clerk/airline-cache.ts';
import { behind } from '../../../src/core/layers.ts';
import { createBulkheads, withBulkheads } from '../../../src/ota/transport/bulkhead.ts';
import { heldBooking, preparedFor, rebookableBooking } from './bookings.ts';
import { type Desk, errorOf, openDesk } from './desk.ts';

type AgencyAccount = Awaited<ReturnType<Desk['parts']['airline']['accounts']>>[number];

const payment = { type: 'debit_credit_account', holder_name: 'sandbox-account' };

/** As long as it takes, so that no list is late. */
const LONGEST_WAIT_MS = 60_000;

let desk: Desk;
afterEach(() => desk.close());

const opened = async (dialect: 'rail' | 'airline', waitMs = LONGEST_WAIT_MS) => {
  let adapter: Desk['parts']['airline'] | undefined;
  /** What the airline would list, changed; and how often it was asked. */
  const list = { change: (account: AgencyAccount): readonly AgencyAccount[] => [account], requests: 0 };
  desk = await openDesk({
    sandbox: { dialect },
    page: { canOpen: () => true, open: async () => ({ opened: true }) },
    settings: { account: payment.holder_name },
    before: (airline) => {
      adapter = airline;
      const counting: typeof airline = {
        ...airline,
        async accounts(call) {
          list.requests++;
          return (await airline.accounts(call)).flatMap((account) => list.change(account));
        },
      };
      return behind([limitsAccounts({ waitMs })], withBulkheads(counting, createBulkheads()));
    },
  });
  const askFor = (locator: string) => desk.ask('pay_booking', { locator, payment });
  return { adapter, list, askFor, ask: async () => askFor(await heldBooking(desk)) };
};

const leaving = (minor: number) => (account: AgencyAccount) => [
  { ...account, available: { minor, currency: account.available?.currency ?? '' } },
];

/** Proposes a plan, asks, lets something happen, says yes to all of it, and gives what became of its lines. */
async function runPlan(steps: readonly object[], meanwhile: () => unknown) {
  const { structured } = await desk.result('propose_plan', { steps });
  const id = structured.plan_id as string;
  await desk.result('run_plan', { plan_id: id });
  meanwhile();
  const [question] = await desk.clerk.waiting();
  await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' });
  for (;;) {
    const plan = await desk.clerk.plan(id);
    if (plan?.state === 'over') return { view: plan.lines, line: JSON.stringify(plan.lines[0]) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const amountIn = (text: string) =>
  Number(/([\d,]+\.\d\d) available/.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN);
const priceIn = (act: string) => Number(/([\d,]+\.\d\d)$/.exec(act)?.[1]?.replaceAll(',', '') ?? Number.NaN);

describe.each(['rail', 'airline'] as const)('in the %s dialect', (dialect) => {
  it('shows what is left as the airline says it at each question, reads it again before each payment, and a yes holds though it is less', async () => {
    const { adapter, ask, list } = await opened(dialect);
    const [first, second] = [await ask(), await ask()];
    expect(first.message).toMatch(
      /^Account “sandbox-account” pays [A-Z]{3} [\d,.]+: [A-Z]{3} 1,000,000\.00 available\.$/m,
    );
    expect(amountIn(first.message)).toBe(1_000_000);
    expect(amountIn(second.message)).toBe(1_000_000);
    expect(list.requests).toBe(2);
    for (const { yes } of [second, first]) expect((await yes()).structured.status).toBe('done');
    expect(list.requests).toBe(4);
    const [listed] = (await adapter?.accounts()) ?? [];
    const paid = priceIn(first.act) + priceIn(second.act);
    expect(listed?.available?.minor).toBe(Math.round((1_000_000 - paid) * 100));
    expect(amountIn((await ask()).message)).toBe(1_000_000 - paid);
    expect(list.requests).toBe(5);
  });

  it('is not charged if it has too little before the payment is sent: the answer says both values and what to do', async () => {
    const { ask, list } = await opened(dialect);
    const asked = await ask();
    list.change = leaving(10_00);
    const refused = await asked.yes();
    const { code, effect, message, next } = errorOf(refused);
    expect([code, effect]).toEqual(['E_PAYMENT_DECLINED', 'none']);
    expect(message).toMatch(
      /^Account “sandbox-account” can no longer pay this\. When the person was asked: \w{3} 1,000,000\.00 available\. Now: \w{3} 10\.00 available, less than the payment\. Nothing was paid or sent, and paying needs a new approval\.$/,
    );
    expect(next).toBe(
      'Tell the person both. Ask again once the account can pay, or for another payment.type if they choose one.',
    );
    expect(refused.text).toContain(message);
    expect([desk.acts(), list.requests]).toEqual([[], 2]);
  });

  it.each<[string, (account: AgencyAccount) => readonly AgencyAccount[], string]>([
    ['not active', (account) => [{ ...account, isActive: false }], '1,000,000.00 available, not active'],
    ['not listed', () => [], 'the airline lists no such account'],
  ])('is not charged once it is %s, unless the question said so', async (_, change, now) => {
    const { ask, list } = await opened(dialect);
    const asked = await ask();
    list.change = change;
    const warned = await ask();
    expect(errorOf(await asked.yes()).message).toContain(`Now: `);
    expect(errorOf(await asked.yes()).message).toContain(now);
    expect(desk.acts()).toEqual([]);
    expect(warned.message).toContain('WARNING: ');
    expect((await warned.yes()).structured.status).toBe('done');
  });

  it('is looked at before each payment of a plan, and what of the plan it does not cover is not paid', async () => {
    const { list } = await opened(dialect);
    const locators = [await heldBooking(desk), await heldBooking(desk)];
    const steps = locators.map((locator) => ({ tool: 'pay_booking', arguments: { locator, payment } }));
    const { view, line } = await runPlan(steps, () => (list.change = leaving(10_00)));
    expect(view.map(({ state }) => state)).toEqual(['skipped', 'skipped']);
    expect(line).toContain('When the person was asked: ');
    expect(line).toContain('10.00 available, less than the payment. Nothing was paid');
    expect(desk.acts()).toEqual([]);
  });

  it('is looked at before a plan pays for what it held', async () => {
    const { list } = await opened(dialect);
    const locator = await rebookableBooking(desk);
    const { offer_id: offer } = preparedFor('rebook_segment', locator).args as { offer_id: string };
    const move = { locator, segment_refs: ['1'], offer_ids: [offer], payment };
    const before = desk.acts().length;
    const { line } = await runPlan([{ tool: 'move_party', arguments: move }], () => (list.change = leaving(10_00)));
    expect(line).toContain('When the person was asked: ');
    expect(line).toContain('10.00 available, less than the payment. Nothing was paid');
    expect(desk.acts().slice(before)).toEqual([]);
  });

  it.each(['5xx-before', 'hang-before'] as const)(
    'says that it is not known where the list fails with %s, and the payment goes on',
    async (kind) => {
      const { askFor } = await opened(dialect, 200);
      const [first, second] = [await heldBooking(desk), await heldBooking(desk)];
      desk.sandbox.order({ message: 'accounts', kind, times: 100 });
      const asked = await askFor(first);
      expect(asked.message).toMatch(/^Account “sandbox-account” pays .*\. What it has is not known now\.$/m);
      const again = await askFor(second);
      for (const { yes } of [asked, again]) expect((await yes()).structured.status).toBe('done');
    },
  );
});

it('any number of failures stops no reading of a booking', async () => {
  desk = await openDesk();
  const locator = await heldBooking(desk);
  desk.sandbox.order({ message: 'accounts', kind: '5xx-before', times: 100 });
  for (let i = 0; i < 40; i += 1) await desk.parts.airline.accounts().catch(() => undefined);
  await expect(desk.parts.airline.read(locator)).resolves.toMatchObject({ locator });
});
