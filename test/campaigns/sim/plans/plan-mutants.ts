/** The engine of plans with one fault each, made by replacing an injected part. The simulation must detect every fault. */
import type { OperationStore } from '../desk.ts';
import { sar } from '../truth.ts';
import type { Approval, MemoryPlans } from './memory-plans.ts';
import { type GuardedAct, NEW_TOTAL, type PlanPolicy, type Terms } from './plan-desk.ts';

type Operation = NonNullable<Awaited<ReturnType<OperationStore['get']>>>;

export interface PlanMutant {
  readonly what: string;
  readonly policy: PlanPolicy;
}

/** The same plans with some methods replaced. */
function replacing(plans: MemoryPlans, methods: Partial<MemoryPlans>): MemoryPlans {
  return new Proxy(plans, {
    get(target, name) {
      const own = Reflect.get(methods, name) as unknown;
      const value = own ?? (Reflect.get(target, name, target) as unknown);
      return typeof value === 'function' ? value.bind(own === undefined ? target : methods) : value;
    },
  });
}

/** Approvals are seen changed, wherever they are read. */
function seenAs(plans: MemoryPlans, change: (approval: Approval) => Approval): MemoryPlans {
  return replacing(plans, {
    approvals: async (plan) => (await plans.approvals(plan)).map(change),
    async get(key) {
      const found = (await plans.get(key)) as Approval | undefined;
      return found !== undefined && 'handleHash' in found ? change(found) : found;
    },
  } as Partial<MemoryPlans>);
}

function operationsSeenAs(store: OperationStore, change: (operation: Operation) => Operation): OperationStore {
  const get = async (id: string) => {
    const found = await store.get(id);
    return found && change(found);
  };
  return new Proxy(store, {
    get(target, name) {
      const value = name === 'get' ? get : (Reflect.get(target, name, target) as unknown);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Reads the terms once, and believes them from then on. */
function withOldTerms(): (act: GuardedAct) => GuardedAct {
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

export const PLAN_MUTANTS: Readonly<Record<string, PlanMutant>> = {
  'ticks-ignored': {
    what: 'carries out all lines whatever was ticked',
    policy: {
      plans: (plans) =>
        replacing(plans, {
          async decide(key: string, second: never, third: never, now: number) {
            const answer = third as { granted?: readonly string[] };
            if (answer.granted === undefined || answer.granted.length === 0)
              return plans.decide(key, second, third, now);
            const granted = (await plans.approvals(key)).map(({ operationId }) => operationId);
            return plans.decide(key, second, { ...answer, granted }, now);
          },
        } as Partial<MemoryPlans>),
    },
  },
  'no-answer-needed': {
    what: 'carries out what nobody answered',
    policy: {
      plans: (plans, now) =>
        seenAs(plans, (one) => (one.decision === 'pending' ? { ...one, decision: 'granted', decidedAt: now() } : one)),
    },
  },
  'yes-for-ever': {
    what: 'begins lines however old the yes is',
    policy: {
      plans: (plans, now) => seenAs(plans, (one) => (one.decidedAt === undefined ? one : { ...one, decidedAt: now() })),
    },
  },
  'stop-ignored': {
    what: 'goes on after a stop',
    policy: {
      plans: (plans) =>
        replacing(plans, {
          async get(key: string) {
            const { stoppedAt: _, ...found } = (await plans.get(key)) ?? {};
            return 'id' in found || 'handleHash' in found ? found : undefined;
          },
        } as Partial<MemoryPlans>),
    },
  },
  'approval-twice': {
    what: 'makes a new operation at each try',
    policy: {
      plans: (plans, now) => {
        return seenAs(plans, (one) =>
          one.part !== undefined && one.part.line > 0 && one.decision === 'granted'
            ? { ...one, operationId: `${one.operationId.split('/')[0]}/${Math.floor(now() / 30_000)}` }
            : one,
        );
      },
    },
  },
  'old-terms': { what: 'does not read the terms again', policy: { act: withOldTerms() } },
  'doubt-is-done': {
    what: 'takes an act in doubt for done, and goes on',
    policy: {
      seen: (store) => operationsSeenAs(store, (one) => (inDoubt(one) ? { ...one, state: 'succeeded' } : one)),
    },
  },
  'doubt-is-not-done': {
    what: 'takes an act in doubt for not done, and compensates',
    policy: { seen: (store) => operationsSeenAs(store, (one) => (inDoubt(one) ? { ...one, state: 'refused' } : one)) },
  },
  'person-ignored': {
    what: 'goes on beside an act that a person must check',
    policy: {
      seen: (store) =>
        operationsSeenAs(store, (one) => (one.state === 'needs_person' ? { ...one, state: 'refused' } : one)),
    },
  },
  'price-not-bound': {
    what: 'pays a new booking whatever it costs',
    policy: {
      act: (act) => {
        if (act.tool !== 'pay' || !String(act.args.locator).startsWith('N')) return act;
        const bound = async () => ({
          ...(await act.preview()),
          money: { direction: 'payment' as const, amount: sar(NEW_TOTAL) },
        });
        return { ...act, preview: bound, previewAgain: bound };
      },
    },
  },
  'never-gone-on': {
    what: 'leaves what another process began',
    policy: {
      plans: (plans) =>
        replacing(plans, { unfinished: async () => [], take: async () => false } as Partial<MemoryPlans>),
    },
  },
};
