/** What a question about a payment by account says of the account, at the sandbox airline, in both dialects. */
import { afterEach, describe, expect, it } from 'vitest';
import { rememberAccounts } from '../../../src/server/airline-cache.ts';
import { heldBooking } from './bookings.ts';
import { type Desk, openDesk } from './desk.ts';

const payment = { type: 'debit_credit_account', holder_name: 'sandbox-account' };
/** The settings wait a second for the accounts; a busy machine some more. */
const SLOW_MS = 5_000;

let desk: Desk;
afterEach(() => desk.close());

const opened = async (dialect: 'rail' | 'airline') => {
  let adapter: Desk['parts']['airline'] | undefined;
  desk = await openDesk({
    sandbox: { dialect },
    before: (airline) => {
      adapter = airline;
      return rememberAccounts(airline);
    },
  });
  const askFor = (locator: string) => desk.ask('pay_booking', { locator, payment });
  return { adapter, askFor, ask: async () => askFor(await heldBooking(desk)) };
};

const amountIn = (text: string) =>
  Number(/([\d,]+\.\d\d) available/.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN);
const priceIn = (act: string) => Number(/([\d,]+\.\d\d)$/.exec(act)?.[1]?.replaceAll(',', '') ?? Number.NaN);

describe.each(['rail', 'airline'] as const)('in the %s dialect', (dialect) => {
  it('shows the credit that is left, read once for both, and a yes holds though another payment lowered it', async () => {
    const { adapter, ask } = await opened(dialect);
    const [first, second] = [await ask(), await ask()];
    expect(first.message).toContain('Account “sandbox-account” at the airline, as of this question: ');
    expect(amountIn(first.message)).toBe(1_000_000);
    expect(amountIn(second.message)).toBe(1_000_000);
    for (const { yes } of [second, first]) expect((await yes()).structured.status).toBe('done');
    const [listed] = (await adapter?.accounts()) ?? [];
    const paid = priceIn(first.act) + priceIn(second.act);
    expect(listed?.available?.minor).toBe(Math.round((1_000_000 - paid) * 100));
  });

  it.each(['5xx-before', 'hang-before'] as const)(
    'says that it is not known where the list fails with %s, and the payment goes on',
    async (kind) => {
      const { askFor } = await opened(dialect);
      const [first, second] = [await heldBooking(desk), await heldBooking(desk)];
      desk.sandbox.order({ message: 'accounts', kind, times: 100 });
      const began = performance.now();
      const asked = await askFor(first);
      expect(asked.message).toContain('What the airline says of account “sandbox-account” is not known now.');
      const again = await askFor(second);
      expect(performance.now() - began).toBeLessThan(SLOW_MS);
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
