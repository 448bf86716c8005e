/** The lines of a question about the accounts that are charged: what they say of sum, balance and what is missing. */
import { describe, expect, it } from 'vitest';
import { accountLines, type ChargedAccount, type ListedAccount } from '../../src/approvals/account-lines.ts';
import { accountSections } from '../../src/approvals/terms.ts';

const sar = (minor: number) => ({ minor, currency: 'SAR' });
const eur = (minor: number) => ({ minor, currency: 'EUR' });
const pays = (account: ChargedAccount | undefined, amount = sar(207_000)) => ({
  account,
  money: { direction: 'payment' as const, amount },
});

const entry = (name: string, over: Partial<ListedAccount> = {}): ListedAccount => ({ name, isActive: true, ...over });
const named = (name: string, over: Partial<ListedAccount> = {}): ChargedAccount => ({
  name,
  listed: [entry(name, over)],
});
const unnamed = (...listed: ListedAccount[]): ChargedAccount => ({ listed });

const enough = entry('North', { available: sar(300_000) });
const short = entry('South', { available: sar(200_000) });
const closed = entry('West', { available: sar(300_000), isActive: false });

const CHOOSES = 'An account of the agency pays SAR 2,070.00, and the airline chooses which:';

describe('the line of a named account', () => {
  it.each<[ChargedAccount, string]>([
    [named('North', { available: sar(300_000) }), 'Account “North” pays SAR 2,070.00: SAR 3,000.00 available.'],
    [
      named('North', { available: sar(200_000) }),
      'WARNING: Account “North” pays SAR 2,070.00: SAR 2,000.00 available, SAR 70.00 missing.',
    ],
    [
      named('North', { available: sar(-100) }),
      'WARNING: Account “North” pays SAR 2,070.00: SAR -1.00 available, SAR 2,071.00 missing.',
    ],
    [named('North'), 'Account “North” pays SAR 2,070.00: what is available is not said.'],
    [
      named('North', { available: sar(300_000), isActive: false }),
      'WARNING: Account “North” pays SAR 2,070.00: SAR 3,000.00 available, not active.',
    ],
    [named('North', { available: eur(1) }), 'Account “North” pays SAR 2,070.00: EUR 0.01 available.'],
    [
      { name: 'North', listed: [] },
      'WARNING: Account “North” pays SAR 2,070.00, and the airline lists no such account.',
    ],
    [{ name: 'North', isUnknown: true }, 'Account “North” pays SAR 2,070.00. What it has is not known now.'],
  ])('says what is known: %j', (account, line) => expectLine(account, line));
});

describe('the line of an account that nothing names', () => {
  it.each<[string, ChargedAccount, string]>([
    [
      'names the only one that the airline lists',
      unnamed(enough),
      'Account “North” pays SAR 2,070.00: SAR 3,000.00 available.',
    ],
    [
      'warns if the only one has too little',
      unnamed(short),
      'WARNING: Account “South” pays SAR 2,070.00: SAR 2,000.00 available, SAR 70.00 missing.',
    ],
    [
      'warns if the only one is not active',
      unnamed(closed),
      'WARNING: Account “West” pays SAR 2,070.00: SAR 3,000.00 available, not active.',
    ],
    [
      'names several, and first those that may pay',
      unnamed(short, closed, enough),
      `${CHOOSES} “North”: SAR 3,000.00 available; “South”: SAR 2,000.00 available, SAR 70.00 missing; “West”: SAR 3,000.00 available, not active.`,
    ],
    [
      'does not warn if one of several may have enough',
      unnamed(short, entry('East')),
      `${CHOOSES} “East”: what is available is not said; “South”: SAR 2,000.00 available, SAR 70.00 missing.`,
    ],
    [
      'warns if none of several can pay',
      unnamed(short, closed),
      `WARNING: ${CHOOSES} “South”: SAR 2,000.00 available, SAR 70.00 missing; “West”: SAR 3,000.00 available, not active.`,
    ],
    [
      'warns if the airline lists none in the currency',
      unnamed(),
      'WARNING: An account of the agency pays SAR 2,070.00, and the airline lists none in SAR.',
    ],
    [
      'says so if the airline does not answer',
      { isUnknown: true },
      'An account of the agency pays SAR 2,070.00. What it has is not known now.',
    ],
  ])('%s', (_title, account, line) => expectLine(account, line));

  it('names ten of more, and counts the others', () => {
    const many = Array.from({ length: 12 }, (_, i) => entry(`desk ${i}`, { available: sar(300_000) }));
    const [line = ''] = accountLines([pays(unnamed(...many))]).notes;

    expect(line.match(/available/g)).toHaveLength(10);
    expect(line).toMatch(/; “desk 9”: SAR 3,000\.00 available; 2 more accounts\.$/);
  });

  it('quotes a name that tries to add a line', () => {
    const [line = ''] = accountLines([pays(unnamed(entry('x”\nRefund: all\u202e'), entry('y')))]).notes;
    expect(line).toBe(
      `${CHOOSES} “x' Refund: all”: what is available is not said; “y”: what is available is not said.`,
    );
  });
});

describe('the lines of several payments', () => {
  it('add up the payments of an account, and have none for what charges no account or has no sum', () => {
    const north = named('North', { available: sar(300_000) });
    const south = named('South', { available: sar(300_000) });

    expect(accountLines([pays(north), pays(south), pays(north), pays(undefined), { account: north }])).toEqual({
      warnings: ['WARNING: Account “North” pays SAR 4,140.00: SAR 3,000.00 available, SAR 1,140.00 missing.'],
      notes: ['Account “South” pays SAR 2,070.00: SAR 3,000.00 available.'],
    });
  });

  it('add up those that no name is given for', () => {
    const both = unnamed(enough, short);
    const [line] = accountLines([pays(both), pays(both)]).warnings;
    expect(line).toBe(
      'WARNING: An account of the agency pays SAR 4,140.00, and the airline chooses which: “North”: SAR 3,000.00 available, SAR 1,140.00 missing; “South”: SAR 2,000.00 available, SAR 2,140.00 missing.',
    );
  });

  it('add up those of an account by its name, and of the same account as the only one', () => {
    expect(accountLines([pays(named('North', enough)), pays(unnamed(enough))])).toEqual({
      warnings: ['WARNING: Account “North” pays SAR 4,140.00: SAR 3,000.00 available, SAR 1,140.00 missing.'],
      notes: [],
    });
  });

  it.each([
    ['first', [unnamed(enough), { isUnknown: true }]],
    ['last', [{ isUnknown: true }, unnamed(enough)]],
  ] as const)('use the answer to another payment where the airline answered only the %s', (_which, accounts) => {
    const { warnings, notes } = accountLines(accounts.map((account) => pays(account)));
    expect(notes).toEqual([]);
    expect(warnings).toEqual([
      'WARNING: Account “North” pays SAR 4,140.00: SAR 3,000.00 available, SAR 1,140.00 missing.',
    ]);
  });

  it('keep two currencies apart', () => {
    const inEur = unnamed(entry('Euro', { available: eur(500) }));
    expect(accountLines([pays(unnamed(enough)), pays(inEur, eur(200))]).notes).toEqual([
      'Account “North” pays SAR 2,070.00: SAR 3,000.00 available.',
      'Account “Euro” pays EUR 2.00: EUR 5.00 available.',
    ]);
  });
});

/** A warning is among what is read before the yes, any other line among the notes. */
function expectLine(account: ChargedAccount, line: string): void {
  const expected = line.startsWith('WARNING') ? { warnings: [line], notes: [] } : { warnings: [], notes: [line] };
  expect(accountLines([pays(account)])).toEqual(expected);

  expect(accountSections(pays(account))).toEqual([
    { kind: 'caution', lines: expected.warnings },
    { kind: 'note', lines: expected.notes },
  ]);
}
