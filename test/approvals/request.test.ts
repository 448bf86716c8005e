import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleHash } from '../../src/approvals/digest.ts';
import { APPROVAL_MS, approvalStale, assertAnswerable } from '../../src/approvals/expiry.ts';
import type { Approval } from '../../src/approvals/ports.ts';
import { askFor, grantUnasked, presented, type Question } from '../../src/approvals/request.ts';
import type { Terms } from '../../src/approvals/terms.ts';
import type { ClerkError } from '../../src/errors.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import type { State } from '../../src/store/state.ts';

const NOW = Date.UTC(2026, 10, 20, 9);
const caller = { tenant: 'sandbox', id: 'os:ann' };
const args = { locator: 'ABCDEF', payment: { type: 'invoice' } };
const terms: Terms = {
  locator: 'ABCDEF',
  sections: [{ kind: 'act', lines: ['Pay SAR 172.50 for booking ABCDEF'] }],
  nature: 'payment',
  act: 'Pay SAR 172.50',
  ask: true,
  money: { direction: 'payment', amount: { minor: 17_250, currency: 'SAR' } },
  subject: { kind: 'pay', amount: { minor: 17_250, currency: 'SAR' }, coupons: 1 },
  send: { order: { locator: 'ABCDEF', paymentType: 'invoice' } },
};

let state: State;
let count = 0;

function question(over: Partial<Question> = {}): Question {
  const operationId = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
  return {
    caller,
    tool: 'pay_booking',
    args,
    carried: { args },
    terms,
    askedBy: 'page',
    operationId,
    now: NOW,
    ...over,
  };
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as ClerkError).code;
  }
}

beforeAll(async () => {
  state = await openSqliteState(':memory:');
});
afterAll(() => state.close());

describe('an approval', () => {
  test('finds an approval only with its handle, caller, tool and arguments', async () => {
    const { handle, approval } = await askFor(state, question());
    expect(handle).toMatch(/^ap_[\w-]{27}$/);
    expect(JSON.stringify(approval)).not.toContain(handle);
    const by = { caller, tool: 'pay_booking', args };
    expect((await presented(state, handle, by)).operationId).toBe(approval.operationId);
    const foreign = [
      { ...by, caller: { tenant: 'sandbox', id: 'os:bob' } },
      { ...by, caller: { tenant: 'live', id: 'os:ann' } },
      { ...by, tool: 'cancel_segment' },
      { ...by, args: { ...args, locator: 'ABCDEG' } },
      { ...by, args: { ...args, payment: { type: 'cash' } } },
      { ...by, args: { ...args, expected_total: '172.50' } },
    ];
    for (const other of foreign) {
      await expect(presented(state, handle, other)).rejects.toMatchObject({ code: 'E_APPROVAL_INVALID' });
    }
    await expect(presented(state, 'ap_guess', by)).rejects.toMatchObject({ code: 'E_APPROVAL_INVALID' });
  });

  test('reports an unknown handle and a foreign one in the same words', async () => {
    const { handle } = await askFor(state, question());
    const by = { caller: { tenant: 'x', id: 'y' }, tool: 'pay_booking', args };
    const foreign = await presented(state, handle, by).catch((e: ClerkError) => e);
    const unknown = await presented(state, `${handle}x`, by).catch((e: ClerkError) => e);
    expect({ ...foreign }).toEqual({ ...unknown });
  });

  test('finds an approval by arguments in any order', async () => {
    const { handle } = await askFor(state, question());
    const turned = { payment: { type: 'invoice' }, locator: 'ABCDEF' };
    await presented(state, handle, { caller, tool: 'pay_booking', args: turned });
  });

  test('accepts one answer to an approval', async () => {
    const { approval } = await askFor(state, question());
    expect(await state.approvals.decide(approval.handleHash, 'granted', 'page', NOW + 1)).toBe(true);
    expect(await state.approvals.decide(approval.handleHash, 'declined', 'page', NOW + 2)).toBe(false);
    expect(await state.approvals.decide(approval.handleHash, 'granted', 'person', NOW + 2)).toBe(false);
    expect(await state.approvals.byOperation(approval.operationId)).toMatchObject({
      decision: 'granted',
      assurance: 'page',
    });
  });

  test('expires an approval after ten minutes, granted or not', async () => {
    const { approval } = await askFor(state, question());
    assertAnswerable(approval, NOW + APPROVAL_MS - 1);
    expect(codeOf(() => assertAnswerable(approval, NOW + APPROVAL_MS))).toBe('E_APPROVAL_EXPIRED');
    expect(await state.approvals.decide(approval.handleHash, 'granted', 'page', NOW + APPROVAL_MS)).toBe(false);
    const granted: Approval = { ...approval, decision: 'granted' };
    expect(codeOf(() => assertAnswerable(granted, NOW + APPROVAL_MS))).toBe('E_APPROVAL_EXPIRED');
  });

  test('records a no to an approval', async () => {
    const { approval } = await askFor(state, question());
    expect(await state.approvals.decide(approval.handleHash, 'declined', 'person', NOW + 1)).toBe(true);
    expect(await state.approvals.byOperation(approval.operationId)).toMatchObject({ decision: 'declined' });
  });

  test('refuses an approval after a no or changed terms', async () => {
    const { approval } = await askFor(state, question());
    expect(codeOf(() => assertAnswerable({ ...approval, decision: 'declined' }, NOW))).toBe('E_APPROVAL_DECLINED');
    expect(codeOf(() => assertAnswerable({ ...approval, staleLines: ['new'] }, NOW))).toBe('E_APPROVAL_STALE');
    expect(approvalStale('pay_booking', ['new']).terms).toEqual(['new']);
  });

  test('grants terms that need no question without an approver', async () => {
    const { approval } = await grantUnasked(state, question({ terms: { ...terms, ask: false } }));
    expect(approval).toMatchObject({ decision: 'granted', assurance: 'none' });
  });

  test('stores no locator for an approval without a booking', async () => {
    const { locator: _locator, ...create } = terms;
    const { approval } = await askFor(state, question({ terms: create }));
    expect(approval.locator).toBeUndefined();
  });

  test('reads an approval back from the store, and erases its arguments', async () => {
    const { handle, approval } = await askFor(state, question());
    expect(await state.approvals.get(handleHash(handle))).toEqual(approval);
    await state.approvals.erase(approval.handleHash);
    expect((await state.approvals.get(approval.handleHash))?.carried).toBeUndefined();
  });
});

describe('tampering', () => {
  const RUNS = Number(process.env.TAMPER_RUNS ?? 100_000);

  test(`${RUNS} tampered presentations, none accepted`, async () => {
    const { handle, approval } = await askFor(state, question());
    const by = { caller, tool: 'pay_booking', args };
    let accepted = 0;
    for (let i = 0; i < RUNS; i++) {
      const [tampered, with_] = tamper(i, handle, by);
      const found = await presented(state, tampered, with_).catch(() => undefined);
      if (found !== undefined) accepted++;
    }
    expect(accepted).toBe(0);
    expect((await presented(state, handle, by)).operationId).toBe(approval.operationId);
  });

  type By = Parameters<typeof presented>[2];

  /** Changes one bound value: a character of the handle, the tool, the caller or an argument. */
  function tamper(i: number, handle: string, by: By): [string, By] {
    const at = 3 + (i % (handle.length - 3));
    const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[i % 64] ?? 'A';
    const letter = handle[at] === other ? '.' : other;
    switch (i % 8) {
      case 0:
        return [handle.slice(0, at) + letter + handle.slice(at + 1), by];
      case 1:
        return [
          handle,
          { ...by, tool: ['cancel_segment', 'cancel_passenger', 'change_names', 'PAY_BOOKING'][i % 4] ?? '' },
        ];
      case 2:
        return [handle, { ...by, caller: { tenant: caller.tenant, id: `${caller.id}${i}` } }];
      case 3:
        return [handle, { ...by, caller: { tenant: `t${i}`, id: caller.id } }];
      case 4:
        return [handle, { ...by, args: { ...args, [`field_${i}`]: i } }];
      case 5:
        return [handle, { ...by, args: { ...args, locator: `AB${i}` } }];
      case 6:
        return [handle, { ...by, args: { ...args, payment: { type: 'invoice', holder_name: `n${i}` } } }];
      default:
        return [`${handle}${other.repeat(1 + (i % 5))}`, by];
    }
  }
});
