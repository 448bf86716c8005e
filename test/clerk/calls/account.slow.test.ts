/** What a question about a payment by account says of the account, at the sandbox airline, in both dialects. */
import { afterEach, describe, expect, it } from 'vitest';
import { limitsAccounts } from '../../../src/clerk/airline-cache.ts';
import { behind } from '../../../src/core/layers.ts';
import { createBulkheads, withBulkheads } from '../../../src/ota/transport/bulkhead.ts';
import { heldBooking } from './bookings.ts';
import { type Desk, openDesk } from './desk.ts';

type AgencyAccount = Awaited<ReturnType<Desk['parts']['airline']['accounts']>>[number];

const payment = { type: 'debit_credit_account', holder_name: 'sandbox-account' };

/** As long as it takes, so that no list is late. */
const LONGEST_WAIT_MS = 60_000;

let desk: Desk;
afterEach(() => desk.close());

const opened = async (
  dialect: 'rail' | 'airline',
  waitMs = LONGEST_WAIT_MS,
  settings: object = { account: payment.holder_name },
) => {
  let adapter: Desk['parts']['airline'] | undefined;
  /** What the airline would list, changed; and how often it was asked. */
  const list = { change: (account: AgencyAccount): readonly AgencyAccount[] => [account], requests: 0 };
  desk = await openDesk({
    sandbox: { dialect },
    page: { canOpen: () => true, open: async () => ({ opened: true }) },
    settings,
    before: (airline) => {
      adapter = airline;
      const counting: typeof airline = {
        ...airline,
        async accounts(call) {
          list.requests++;
          return (await airline.accounts(call)).flatMap((account) => list.change(account));
        },
      };
      return behind([limitsAccounts(waitMs)], withBulkheads(counting, createBulkheads()));
    },
  });
  const askFor = (locator: string) => desk.ask('pay_booking', { locator, payment });
  return { adapter, list, askFor, ask: async () => askFor(await heldBooking(desk)) };
};

const amountIn = (text: string) =>
  Number(/([\d,]+\.\d\d) available/.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN);
const priceIn = (act: string) => Number(/([\d,]+\.\d\d)$/.exec(act)?.[1]?.replaceAll(',', '') ?? Number.NaN);

describe.each(['rail', 'airline'] as const)('in the %s dialect', (dialect) => {
  it('shows what is left as the airline says it at each question, and a yes holds though it is less', async () => {
    const { adapter, ask, list } = await opened(dialect);
    const [first, second] = [await ask(), await ask()];
    expect(first.message).toMatch(
      /^Account “sandbox-account” pays [A-Z]{3} [\d,.]+: [A-Z]{3} 1,000,000\.00 available\.$/m,
    );
    expect(amountIn(first.message)).toBe(1_000_000);
    expect(amountIn(second.message)).toBe(1_000_000);
    expect(list.requests).toBe(2);
    for (const { yes } of [second, first]) expect((await yes()).structured.status).toBe('done');
    // Before each send it is read again: it must still suffice.
    expect(list.requests).toBe(4);
    const [listed] = (await adapter?.accounts()) ?? [];
    const paid = priceIn(first.act) + priceIn(second.act);
    expect(listed?.available?.minor).toBe(Math.round((1_000_000 - paid) * 100));
    expect(amountIn((await ask()).message)).toBe(1_000_000 - paid);
    expect(list.requests).toBe(5);
  });

  it('names the account that the airline lists where nothing else names one', async () => {
    await opened(dialect, LONGEST_WAIT_MS, {});
    const locator = await heldBooking(desk);
    const { message } = await desk.ask('pay_booking', { locator, payment: { type: payment.type } });
    expect(message).toMatch(/^Account “sandbox-account” pays [A-Z]{3} [\d,.]+: [A-Z]{3} 1,000,000\.00 available\.$/m);
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
