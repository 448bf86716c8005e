/**
 * A real clerk over real SQLite and journal, with one act whose airline is a variable: what the page decides
 * here is decided and carried out as in production.
 */

import * as z from 'zod';
import type { AskedAct } from '../../../../src/approvals/asked-act.ts';
import { type Terms, withDoneHere } from '../../../../src/approvals/terms.ts';
import { liveSchemas } from '../../../../src/clerk/schemas.ts';
import { systemClock } from '../../../../src/journal/clock.ts';
import { startLoopback } from '../../../../src/pages/approval/loopback.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { clerkOn, runtimeOf } from '../../../campaigns/support/office.ts';
import { resultOf } from '../../../clerk/calls/desk.ts';
import { schemas } from '../../../http/support/tiny-clerk.ts';
import type { pendingApproval } from '../../../support/approvals.ts';

export const CALLER = { tenant: 'sandbox', id: 'os:ann' };
export const TICKET = '065-2400000001';

export type TestDesk = Awaited<ReturnType<typeof testDesk>>;
type Approval = ReturnType<typeof pendingApproval>;
type ClerkOptions = NonNullable<Parameters<typeof clerkOn>[2]>;

/** What the airline holds, and how it behaves. */
const newWorld = () => ({
  lines: ['Pay SAR 172.50 for booking ABC123', 'RUH–JED SV1020 on 2026-12-01', 'Passenger: Amal Haddad'],
  /** Instead of the lines. */
  sections: undefined as Approval['sections'] | undefined,
  /** Says that it was done here, so that it may be done twice. */
  doneHere: undefined as string | undefined,
  act: { verb: 'Pay', sum: { moves: 'paid', exactly: { minor: 17_250, currency: 'SAR' } } } as AskedAct,
  nature: 'payment' as Approval['nature'],
  /** How often the payment was sent. */
  sent: 0,
  /** Awaited before the airline answers. */
  answer: async (): Promise<void> => undefined,
});

const AMOUNT = { minor: 17_250, currency: 'SAR' };

function payTool(world: ReturnType<typeof newWorld>) {
  return {
    ...{ name: 'pay_booking', title: 'Pay', description: 'Pays.', toolset: 'core', effect: 'commit' },
    ...schemas({ locator: z.string(), approval_id: z.string().optional() }, { ticket: z.string() }),
    async preview({ locator }: { locator: string }) {
      const terms: Terms<{ locator: string }> = {
        locator,
        sections: world.sections ?? [
          { kind: 'act', lines: [...world.lines], below: ['for booking ABC123', ...world.lines.slice(1)] },
        ],
        nature: world.nature,
        act: world.act,
        ask: true,
        money: { direction: 'payment' as const, amount: AMOUNT },
        subject: { kind: 'pay' as const, amount: AMOUNT, coupons: 1 },
        send: { locator },
      };
      return world.doneHere === undefined ? terms : withDoneHere(terms, world.doneHere);
    },
    async commit(confirmed: { dispatch: { mayStart(): boolean }; send: { locator: string } }) {
      if (!confirmed.dispatch.mayStart()) throw new Error('not sent');
      world.sent += 1;
      await world.answer();
      const items = [{ ticketNumber: TICKET, total: '172.50', conjunctive: [], links: [] }];
      return { receipt: { locator: confirmed.send.locator, references: [], items } };
    },
    report: () => ({ added: { ticket: TICKET } }),
    text: ({ ticket }: { ticket: string }) => `Paid SAR 172.50.\nTicket ${ticket}`,
  };
}

interface TestDeskOptions extends ClerkOptions {
  /** Default: the OS user. */
  readonly caller?: typeof CALLER;
}

export async function testDesk({ caller = CALLER, ...options }: TestDeskOptions = {}) {
  const state = await openSqliteState(':memory:');
  const world = newWorld();
  const failures: unknown[] = [];
  const clock = { now: () => Date.now() + desk.ahead, sleep: systemClock.sleep };
  const none = { references: [], options: [], travelers: [], tickets: [], orders: [], services: [], emds: [] };
  const read = async (locator: string) => ({ locator, ...none });
  const airline = { read, routes: async () => [], pausedMs: async () => 0 } as never;
  const clerk = clerkOn(runtimeOf({ airline, state, clock }), failures, {
    // Its pay_booking has other fields than the real one.
    ...{
      tools: [payTool(world) as never],
      schemas: liveSchemas(),
      environment: 'sandbox',
      approval: 'page',
      waitMs: 25_000,
    },
    canUseTerminal: true,
    ...options,
  });
  const handles = new Map<string, string>();
  const call = async (args: object) =>
    resultOf(await clerk.call('pay_booking', args, { caller, canElicit: false, canOpenUrls: false }));
  const desk = {
    clerk,
    state,
    world,
    failures,
    /** Milliseconds that the clock is ahead. */
    ahead: 0,
    now: () => clock.now(),
    /** A question, waiting for its answer on the page. */
    async ask(locator = 'ABC123') {
      const { structured } = await call({ locator });
      const { operation_id: id, approval } = structured as { operation_id: string; approval: { id: string } };
      handles.set(id, approval.id);
      const made = await state.approvals.byOperation(id);
      if (made === undefined) throw new Error('no question was made');
      return made;
    },
    /** The result of calling the tool again with the approval of this question. */
    again: ({ operationId, locator }: { operationId: string; locator?: string }) =>
      call({ locator, approval_id: handles.get(operationId) ?? '' }),
    decisionOf: async ({ operationId }: { operationId: string }) =>
      (await state.approvals.byOperation(operationId))?.decision,
    async close() {
      await clerk.idle();
      await state.close();
    },
  };
  return desk;
}

type PageOptions = Parameters<typeof startLoopback>[0];

/** A page on loopback, about what `told` has. */
export function openPage(told: Partial<PageOptions> = {}) {
  return startLoopback({
    find: async () => undefined,
    operation: async () => undefined,
    decide: () => Promise.reject(new Error('nothing to decide')),
    now: () => Date.now(),
    environment: 'sandbox',
    log: { failure: ({ error }) => Promise.reject(error) },
    ...told,
  });
}

/** The approval page of this desk, on loopback. */
export function pageOf(desk: TestDesk, more: Partial<PageOptions> = {}) {
  return openPage({
    find: (id) => desk.state.approvals.byOperation(id),
    operation: (id) => desk.state.operations.get(id),
    decide: ({ operationId }, yes) => desk.clerk.decide(operationId, yes, { assurance: 'page' }),
    now: () => desk.now(),
    log: { failure: ({ error }) => void desk.failures.push(error) },
    ...more,
  });
}
