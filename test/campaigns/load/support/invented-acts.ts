/** What a busy agency does in most of a year, invented: payments and refunds in three currencies, by many callers. */
import { NO_REFUNDS, newOperation } from '../../../store/support/new-operation.ts';
import { pendingApproval } from '../../../support/approvals.ts';
import type { State } from '../../support/office.ts';
import { inParallel } from '../../support/pace.ts';

type Change = Parameters<State['operations']['transition']>[1];

export const DAY_MS = 86_400_000;
const DAYS = 300;
export const END = Date.parse('2026-11-20T00:00:00Z');
export const START = END - DAYS * DAY_MS;
/** Who asks for reports, and whose ledger has the bookings. */
export const READER = { tenant: 'desk', id: 'c00' };

const OWNER = 'desk:1';
const WIDTH = 10;
const CURRENCIES = ['SAR', 'SAR', 'SAR', 'EUR', 'JPY', 'SAR', 'KWD'];

/** The nth of `total`: the same number gives the same act. No two are at the same millisecond. */
export function inventedAct(n: number, total: number) {
  const pays = n % 2 === 0;
  const amount = { minor: 10_000 + ((n * 7919) % 90_000), currency: CURRENCIES[n % CURRENCIES.length] ?? '' };
  const locator = `B${n.toString(36).toUpperCase().padStart(6, '0')}`;
  const subject = pays
    ? { kind: 'pay' as const, amount, coupons: 2 }
    : { kind: 'cancel_segments' as const, segmentRefs: ['1'], keptRefs: ['2'], ...NO_REFUNDS };
  const operation = newOperation(`${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`, {
    ...{ tenant: READER.tenant, caller: `c${String(n % 40).padStart(2, '0')}`, locator, amount, subject },
    ...(pays ? {} : { tool: 'cancel_segment', direction: 'refund' }),
  });
  const at = START + Math.floor((n * DAYS * DAY_MS) / total);
  return { at, operation, pays, amount, end: endOf(n % 211) };
}

function endOf(luck: number): Change['to'] {
  if (luck < 3) return (['in_doubt', 'needs_person', 'not_executed'] as const)[luck] ?? 'refused';
  return luck < 8 ? 'refused' : 'succeeded';
}

export async function seed({ operations, ledger, approvals }: State, total: number): Promise<void> {
  const all = Array.from({ length: total }, (_, n) => n);
  await inParallel(all, WIDTH, async (n) => {
    const { at, operation, pays, amount, end } = inventedAct(n, total);
    const { id, locator = '' } = operation;
    const meta = { now: at, actor: OWNER };
    const move = async (from: Change['from'][number], to: Change['to'], patch: Change['patch']) => {
      if (!(await operations.transition(id, { from: [from], to, patch }, meta)))
        throw new Error(`${id} did not move to ${to}`);
    };
    const { kind } = await operations.insert(operation, { now: at, owner: OWNER, leaseUntil: at + 60_000 });
    if (kind !== 'inserted') throw new Error(`act ${n} is ${kind}`);
    if (end === 'not_executed') await move('intent', end, {});
    else {
      await move('intent', 'dispatched', { dispatchedAt: at });
      await move('dispatched', end, { outcome: pays ? { basis: 'reply' } : { basis: 'reply', refund: { amount } } });
    }
    // Three of four bookings are the reader's, and one question for every twenty acts was never answered.
    if (n % 4 > 0)
      await ledger.record(READER, {
        ...{ locator, madeHere: true, seenAt: at, state: 'ticketed', contactName: 'Amal Haddad', route: 'MED-JED' },
        ...{ departs: '2026-12-01T05:00:00Z', total: '172.50', currency: 'SAR' },
        nextDeadline: { what: 'cancel_until', at: new Date(END + ((n % 2_000) - 1_000) * 600_000).toISOString() },
      });
    if (n % 20 === 0)
      await approvals.put(
        pendingApproval({
          ...{ handleHash: `h${n}`, operationId: `never-${n}`, tenant: READER.tenant, caller: 'c01' },
          ...{ createdAt: at, expiresAt: at + 600_000 },
        }),
      );
  });
}
