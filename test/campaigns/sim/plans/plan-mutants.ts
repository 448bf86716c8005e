/** The engine of plans with one fault each, made by replacing an injected part. The simulation must detect every fault. */
import { replacing } from '../../support/replacing.ts';
import { sar } from '../truth.ts';
import { type BoundAct, NEW_TOTAL, type PlanPolicy, type Stored, type Terms } from './plan-desk.ts';

type Operation = NonNullable<Awaited<ReturnType<Stored['operations']['get']>>>;
type Approval = Awaited<ReturnType<Stored['plans']['approvals']>>[number];

/** Approvals of steps are seen changed, wherever they are read. */
function approvalsSeenAs(change: (approval: Approval, now: number) => Approval): PlanPolicy {
  return {
    stored: ({ approvals, plans }, now) => ({
      plans: replacing(plans, {
        approvals: async (plan) => (await plans.approvals(plan)).map((one) => change(one, now())),
      }),
      approvals: replacing(approvals, {
        async get(hash) {
          const found = await approvals.get(hash);
          return found && change(found as Approval, now());
        },
        async byOperation(id) {
          const found = await approvals.byOperation(id);
          return found && change(found as Approval, now());
        },
      }),
    }),
  };
}

function operationsSeenAs(change: (operation: Operation) => Operation): PlanPolicy {
  return {
    stored: ({ operations }) => ({
      operations: replacing(operations, {
        async get(id) {
          const found = await operations.get(id);
          return found && change(found);
        },
      }),
    }),
  };
}

/** Reads the terms once, and believes them from then on. */
function withOldTerms(): (act: BoundAct) => BoundAct {
  const known = new Map<string, Promise<Terms>>();
  return (act) => {
    const key = JSON.stringify([act.tool, act.args]);
    const once = () => {
      const terms = known.get(key) ?? act.preview();
      known.set(key, terms);
      terms.catch(() => known.delete(key));
      return terms;
    };
    return { ...act, preview: once, previewAgain: once };
  };
}

const inDoubt = ({ state }: Operation) => state === 'in_doubt' || state === 'dispatched';

interface PlanMutant {
  readonly what: string;
  /** A schedule that shows it. `run.ts --plans --find` finds one. */
  readonly seed: number;
  /** Made anew for each schedule: what it remembers is of one. */
  policy(): PlanPolicy;
}

export const PLAN_MUTANTS: Readonly<Record<string, PlanMutant>> = {
  'ticks-ignored': {
    what: 'carries out all lines whatever was ticked',
    seed: 213_892_850,
    policy: () => ({
      stored: ({ plans }) => ({
        plans: replacing(plans, {
          async decide(plan, question, answer, now) {
            if (answer.granted.length === 0) return await plans.decide(plan, question, answer, now);
            const granted = (await plans.approvals(plan)).map(({ operationId }) => operationId);
            return await plans.decide(plan, question, { ...answer, granted }, now);
          },
        }),
      }),
    }),
  },
  'no-answer-needed': {
    what: 'carries out what nobody answered',
    seed: 213_892_808,
    policy: () =>
      approvalsSeenAs((one, now) =>
        one.decision === 'pending' ? { ...one, decision: 'granted', decidedAt: now } : one,
      ),
  },
  'yes-for-ever': {
    what: 'begins lines however old the yes is',
    seed: 213_892_883,
    policy: () => approvalsSeenAs((one, now) => (one.decidedAt === undefined ? one : { ...one, decidedAt: now })),
  },
  'stop-ignored': {
    what: 'goes on after a stop',
    seed: 213_892_815,
    policy: () => ({
      stored: ({ plans }) => ({
        plans: replacing(plans, {
          async get(id) {
            const { stoppedAt: _, ...found } = (await plans.get(id)) ?? {};
            return 'id' in found ? found : undefined;
          },
        }),
      }),
    }),
  },
  'approval-twice': {
    what: 'makes a new operation at each try',
    seed: 213_892_808,
    policy: () =>
      approvalsSeenAs((one, now) =>
        one.part !== undefined && one.part.line > 0 && one.decision === 'granted'
          ? { ...one, operationId: `${one.operationId.split('/')[0]}/${Math.floor(now / 30_000)}` }
          : one,
      ),
  },
  'old-terms': { what: 'does not read the terms again', seed: 213_892_812, policy: () => ({ act: withOldTerms() }) },
  'doubt-is-done': {
    what: 'takes an act in doubt for done, and goes on',
    seed: 213_892_809,
    policy: () => operationsSeenAs((one) => (inDoubt(one) ? { ...one, state: 'succeeded' } : one)),
  },
  'doubt-is-not-done': {
    what: 'takes an act in doubt for not done, and goes on',
    seed: 213_892_809,
    policy: () => operationsSeenAs((one) => (inDoubt(one) ? { ...one, state: 'refused' } : one)),
  },
  'person-ignored': {
    what: 'goes on beside an act that a person must check',
    seed: 213_892_820,
    policy: () => operationsSeenAs((one) => (one.state === 'needs_person' ? { ...one, state: 'refused' } : one)),
  },
  'price-not-bound': {
    what: 'pays a new booking whatever it costs',
    seed: 213_893_517,
    policy: () => ({
      act: (act) => {
        if (act.tool !== 'pay' || !String(act.args.locator).startsWith('N')) return act;
        const bound = async () => ({
          ...(await act.preview()),
          money: { direction: 'payment' as const, amount: sar(NEW_TOTAL) },
        });
        return { ...act, preview: bound, previewAgain: bound };
      },
    }),
  },
  'never-gone-on': {
    what: 'leaves what another process began',
    seed: 213_893_010,
    policy: () => ({
      stored: ({ plans, leases }) => ({
        plans: replacing(plans, { unfinished: async () => [] }),
        leases: replacing(leases, { take: async () => false }),
      }),
    }),
  },
};
