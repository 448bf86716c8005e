/** What names people goes within minutes of its hour, asked for or not. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { offices } from './support/offices.ts';
import type { State } from './support/ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LAPSED = Date.UTC(2026, 10, 20, 9);
const NAMES = {
  sections: [{ kind: 'act' as const, lines: ['Amal Haddad P7000001'] }],
  carried: { args: { document: 'P7000001' } },
  voidLines: ['Amal Haddad P7000002'],
};
const BLANK = { carried: undefined, sections: [], voidLines: undefined };

let now: number;
const { both } = offices(() => now);

describe.each(both)('on $name', ({ office: openOffice }) => {
  beforeEach(() => {
    now = LAPSED - MINUTE;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const put = ({ approvals }: State) =>
    approvals.put(pendingApproval({ ...NAMES, createdAt: LAPSED - 10 * MINUTE, expiresAt: LAPSED }));
  const kept = async ({ approvals }: State) => {
    const { carried, sections, voidLines } = (await approvals.get('h1')) ?? {};
    return { carried, sections, voidLines };
  };

  test('blanks names when the state is opened after their hour, and not before', async () => {
    const office = openOffice();
    const first = await office.open();
    await put(first);
    await first.close();
    for (const [at, expected] of [
      [LAPSED + HOUR, NAMES],
      [LAPSED + HOUR + 1, BLANK],
    ] as const) {
      now = at;
      const state = await office.open();
      expect(await kept(state)).toEqual(expected);
      await state.close();
    }
  });

  test('blanks names of an idle process within a minute after their hour', async () => {
    const state = await openOffice().open();
    await put(state);
    now = LAPSED + HOUR;
    vi.advanceTimersByTime(MINUTE);
    expect(await kept(state)).toEqual(NAMES);
    now += 1;
    // The look before may still run: then the next one is a minute later.
    const after = () => vi.advanceTimersByTime(MINUTE) && kept(state);
    await expect.poll(after).toEqual(BLANK);
    await state.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
