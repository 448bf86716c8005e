/** One server process with plans: the product's own engine and journal, on the simulated airline. */

import { ClerkError } from '../../../../src/core/errors.ts';
import type { Booking } from '../../../../src/domain/booking/booking.ts';
import { createJournal } from '../../../../src/journal/journal.ts';
import { boundTerms, type propose } from '../../../../src/plans/propose.ts';
import { resumePlans } from '../../../../src/plans/run-plan.ts';
import { expectBooking } from '../../../../src/tools/acts/create-booking.ts';
import { ACTS } from '../../../support/rules.ts';
import type { State } from '../../support/office.ts';
import { replacing } from '../../support/replacing.ts';
import type { SimAirline } from '../airline.ts';
import { isAllowed, PLAIN, READ_MS, subjectOf, termsOf } from '../desk.ts';
import type { Incarnation } from '../process.ts';
import { bookingOf, type Kind, type Message, sar } from '../truth.ts';

type Planner = Parameters<typeof resumePlans>[0];
export type PlanLine = Parameters<typeof propose>[2][number];
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

const SETTINGS: ApprovalSettings = {
  ...{ environment: 'live', approval: 'page', limits: {}, canUseTerminal: true },
  ...{ dialogFloorMs: 0, answerMs: 5_000, waitMs: 2_000 },
};

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
  readonly #inc: Incarnation;
  readonly #airline: SimAirline;

  constructor(inc: Incarnation, stored: Stored, airline: SimAirline, policy: PlanPolicy) {
    this.#inc = inc;
    this.#airline = airline;
    const reader = { read: (locator: string) => this.#read(locator) };
    const journal = createJournal({
      ...PLAIN,
      acts: ACTS,
      store: inc.reach(stored.operations),
      clock: inc.clock,
      reader: { read: (locator) => airline.read(inc, locator, true) },
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
    const own = { acts: ACTS, airline: reader, state, journal, clock, random, inFlight: new Set(), plans: work };
    this.parts = {
      runtime: own as unknown as Planner['runtime'],
      settings: {
        ...SETTINGS,
        get limits() {
          return policy.limits?.() ?? {};
        },
      },
      actOf: (tool, args) => {
        const act = this.#act(tool as Kind, args as unknown as Omit<Message, 'kind'>);
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

  async #read(locator: string): Promise<Booking> {
    const read = this.#airline.read(this.#inc, locator, false);
    const booking = await Promise.race([read, this.#inc.clock.sleep(READ_MS).then(() => undefined)]);
    if (booking?.locator === locator) return booking;
    throw new ClerkError('E_AIRLINE_DOWN', 'No answer.', { next: 'Try again.' });
  }

  #act(kind: Kind, args: Omit<Message, 'kind'>): BoundAct {
    const message = { ...args, kind };
    const preview = () => this.#terms(message);
    return {
      ...{ tool: kind, effect: kind === 'create' ? 'hold' : 'commit', args: { ...args } },
      ...{ preview, previewAgain: preview },
      commitForCaller: ({ operationId, dispatch }) => this.#airline.send(this.#inc, operationId, message, dispatch),
      show: async () => ({ text: '', fields: {} }),
      remember: async () => undefined,
      pausedMs: async () => 0,
    };
  }

  async #terms(message: Message): Promise<Terms> {
    const { kind, locator } = message;
    const common = { act: `${kind} ${locator}`, ask: true, send: message };
    if (kind === 'create') {
      const sections = [{ kind: 'act' as const, lines: ['hold'] }];
      return { ...common, act: 'hold', nature: 'change', sections, subject: expectBooking([], PLAIN.digest) };
    }
    const booking = await this.#read(locator);
    if (!isAllowed(booking, message))
      throw new ClerkError('E_NOT_PERMITTED', 'Not as it is now.', { next: 'Read it.' });
    return termsOn(booking, message);
  }
}

function termsOn(booking: Booking, message: Message): Terms {
  const { kind, locator } = message;
  const paid = booking.orders[0]?.amount?.minor ?? 0;
  const refunds = kind.startsWith('cancel_') && kind !== 'cancel_booking';
  const refund: Terms['money'] = refunds ? { direction: 'refund', amount: sar(1000) } : undefined;
  const money: Terms['money'] = kind === 'pay' ? { direction: 'payment', amount: sar(paid) } : refund;
  return {
    ...{ locator, booking, act: `${kind} ${locator}`, ask: true, send: message, facts: termsOf(booking) },
    nature: kind === 'pay' ? 'payment' : kind.startsWith('cancel') ? 'cancellation' : 'change',
    sections: [{ kind: 'act', lines: [termsOf(booking)] }],
    subject: subjectOf(booking, message, paid),
    ...(money && { money }),
  };
}

export const DIGEST_KEY = new Uint8Array(32);

/** The booking that the airline makes of a hold. */
export const NEW_TOTAL = 700;
const NEW = bookingOf({
  locator: 'N1',
  people: [{ who: 90, ref: '1', given: 'NEW', named: true, type: 'ADT' }],
  segments: [{ ref: '1', active: true }],
  ...{ total: NEW_TOTAL, paid: [], ticketed: false, refunds: [], cancelled: false },
});

function bound(kind: Kind) {
  const terms = termsOn(NEW, { kind, locator: NEW.locator, refs: [] });
  return { ...boundTerms(terms), sections: [{ kind: 'act' as const, lines: ['new'] }] };
}

/** Hold, pay, cancel the old one; or release the hold. */
export function moveLine(locator: string): PlanLine {
  return {
    title: `Move ${locator}`,
    locator,
    steps: [
      { tool: 'create', args: { locator: `hold for ${locator}`, refs: [] } },
      { tool: 'pay', args: { refs: [] }, locatorOf: 0, after: [0], bound: bound('pay') },
      { tool: 'cancel_segments', args: { locator, refs: ['1', '2'] }, after: [1] },
      { tool: 'cancel_booking', args: { refs: [] }, locatorOf: 0, insteadOf: 1, bound: bound('cancel_booking') },
    ],
  };
}
