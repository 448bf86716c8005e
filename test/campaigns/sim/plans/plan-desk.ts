/** One server process with plans: the product's own engine and journal, on the simulated airline. */

import { noDialogs } from '../../../../src/approvals/consent-call.ts';
import { createJournal } from '../../../../src/journal/journal.ts';
import type { propose } from '../../../../src/plans/propose.ts';
import { resumePlans } from '../../../../src/plans/run-plan.ts';
import { ACTS } from '../../../support/rules.ts';
import type { State } from '../../support/office.ts';
import { replacing } from '../../support/replacing.ts';
import { SimActs, termsOn } from '../acts.ts';
import type { SimAirline } from '../airline.ts';
import { DIGEST_KEY, PLAIN, SETTINGS } from '../desk.ts';
import type { Incarnation } from '../process.ts';
import { bookingOf, type Kind, type Message } from '../truth.ts';

type Planner = Parameters<typeof resumePlans>[0];
export type PlanLine = Parameters<typeof propose>[2]['lines'][number];
export type BoundAct = NonNullable<ReturnType<Planner['actOf']>>;
export type Terms = Awaited<ReturnType<BoundAct['preview']>>;
type ApprovalSettings = Planner['settings'];

export const ANN = { tenant: 't', id: 'ann' };

export type Stored = Pick<State, 'operations' | 'approvals' | 'plans' | 'leases'>;

/** Where a mutant differs from the product. */
export interface PlanPolicy {
  /** What is stored, as the engine of plans sees it. */
  readonly stored?: (stored: Stored, now: () => number) => Partial<Stored>;
  readonly act?: (act: BoundAct) => BoundAct;
  /** The limits of money, which may become lower. Default: none. */
  readonly limits?: () => ApprovalSettings['limits'];
}

/** Reads several operations each by itself: more can happen in between than at a real store. */
function eachAlone(operations: Stored['operations']): Stored['operations'] {
  return replacing(operations, {
    async getAll(ids) {
      const found = await Promise.all(ids.map((id) => operations.get(id)));
      return found.filter((one) => one !== undefined);
    },
  });
}

export class PlanDesk {
  readonly parts: Planner;

  constructor(inc: Incarnation, stored: Stored, airline: SimAirline, policy: PlanPolicy) {
    const acts = new SimActs(inc, airline);
    const journal = createJournal({
      ...PLAIN,
      acts: ACTS,
      store: inc.reach(stored.operations),
      clock: inc.clock,
      readerFor: () => ({ read: (locator) => airline.read(inc, locator, true) }),
      owner: inc.name,
    });
    const { operations, approvals, plans, leases } = { ...stored, ...policy.stored?.(stored, () => inc.clock.now()) };
    const state = {
      ...{ operations: eachAlone(inc.reach(operations)), approvals: inc.reach(approvals), plans: inc.reach(plans) },
      digestKey: DIGEST_KEY,
    };
    let ids = 0;
    const random = { uuid: () => `${inc.name}:${++ids}` };
    const { signal: ending } = new AbortController();
    const work = { leases: inc.reach(leases), owner: inc.name, running: new Map(), ending };
    const { clock } = inc;
    const own = {
      acts: ACTS,
      airline: acts,
      state,
      journal,
      clock,
      random,
      inFlight: new Set(),
      dialogs: noDialogs(),
      plans: work,
    };
    this.parts = {
      runtime: own as unknown as Planner['runtime'],
      settings: {
        ...{ ...SETTINGS, answerMs: 5_000, waitMs: 2_000 },
        get limits() {
          return policy.limits?.() ?? {};
        },
      },
      actOf: (tool, args) => {
        const act = acts.of({ ...(args as unknown as Message), kind: tool as Kind });
        return policy.act?.(act) ?? act;
      },
      async each(items, done, work) {
        const ends = await Promise.allSettled(items.map(work));
        done(items.length);
        return ends;
      },
    };
    void journal.keepReconciling(new AbortController().signal);
    void resumePlans(this.parts);
  }
}

/** The booking that the airline makes of a hold. */
export const NEW_TOTAL = 700;
const NEW = bookingOf({
  locator: 'N1',
  people: [{ who: 90, ref: '1', given: 'NEW', named: true, type: 'ADT' }],
  segments: [{ ref: '1', active: true }],
  ...{ total: NEW_TOTAL, paid: [], ticketed: false, refunds: [], cancelled: false },
});

function boundPayment() {
  const terms = termsOn(NEW, { kind: 'pay', locator: NEW.locator, refs: [] });
  return {
    act: { verb: 'pay' },
    nature: terms.nature,
    money: terms.money,
    sections: [{ kind: 'act' as const, lines: ['new'] }],
  };
}

/** Hold, pay, cancel the old one. */
export function moveLine(locator: string): PlanLine {
  return {
    title: `Move ${locator}`,
    locator,
    steps: [
      { tool: 'create', args: { locator: `hold for ${locator}`, refs: [] } },
      { tool: 'pay', args: { refs: [] }, locatorOf: 0, after: [0], bound: boundPayment() },
      { tool: 'cancel_segments', args: { locator, refs: ['1', '2'] }, after: [1] },
    ],
  };
}
