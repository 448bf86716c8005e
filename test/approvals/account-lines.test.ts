/** The line of a question about an account that is charged: what it says of sum, balance and what is missing. */
import { describe, expect, it } from 'vitest';
import { accountLines, type ChargedAccount } from '../../src/approvals/account-lines.ts';
import { accountSections } from '../../src/approvals/terms.ts';

const sar = (minor: number) => ({ minor, currency: 'SAR' });
const pays = (account: ChargedAccount | undefined, minor = 207_000) => ({
  account,
  money: { direction: 'payment' as const, amount: sar(minor) },
});
const listed = (more: Partial<NonNullable<ChargedAccount['listed']>>): ChargedAccount => ({
  name: 'North',
  listed: { isActive: true, ...more },
});

describe('the line of an account', () => {
  it.each<[ChargedAccount, string]>([
    [listed({ available: sar(300_000) }), 'Account “North” pays SAR 2,070.00: SAR 3,000.00 available.'],
    [
      listed({ available: sar(200_000) }),
      'WARNING: Account “North” pays SAR 2,070.00: SAR 2,000.00 available, SAR 70.00 missing.',
    ],
    [listed({}), 'Account “North” pays SAR 2,070.00: what is available is not said.'],
    [
      listed({ available: sar(300_000), isActive: false }),
      'WARNING: Account “North” pays SAR 2,070.00: SAR 3,000.00 available, not active.',
    ],
    [listed({ available: { minor: 1, currency: 'EUR' } }), 'Account “North” pays SAR 2,070.00: EUR 0.01 available.'],
    [{ name: 'North' }, 'WARNING: Account “North” pays SAR 2,070.00, and the airline lists no such account.'],
    [{ name: 'North', isUnknown: true }, 'Account “North” pays SAR 2,070.00. What it has is not known now.'],
  ])('says what is known: %j', (account, line) => {
    const expected = line.startsWith('WARNING') ? { warnings: [line], notes: [] } : { warnings: [], notes: [line] };
    expect(accountLines([pays(account)])).toEqual(expected);
    expect(accountSections(pays(account))).toEqual([
      { kind: 'caution', lines: expected.warnings },
      { kind: 'note', lines: expected.notes },
    ]);
  });

  it('adds up the payments of an account, and has none for what charges no account or has no sum', () => {
    const north = listed({ available: sar(300_000) });
    const south = { ...north, name: 'South' };
    expect(accountLines([pays(north), pays(south), pays(north), pays(undefined), { account: north }])).toEqual({
      warnings: ['WARNING: Account “North” pays SAR 4,140.00: SAR 3,000.00 available, SAR 1,140.00 missing.'],
      notes: ['Account “South” pays SAR 2,070.00: SAR 3,000.00 available.'],
    });
  });
});
