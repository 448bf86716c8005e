/**
 * A real clerk over real SQLite and journal, with one guarded tool whose airline is a variable: what the page decides
 * here is decided and carried out as in production.
 */

import * as z from 'zod';
import type { Result } from '../../../../src/approvals/answer.ts';
import type { Approval } from '../../../../src/approvals/ports.ts';
import type { Airline } from '../../../../src/domain/airline.ts';
import type { Booking } from '../../../../src/domain/booking/booking.ts';
import type { Caller } from '../../../../src/domain/people/caller.ts';
import type { Money } from '../../../../src/domain/pricing/money.ts';
import { ClerkError } from '../../../../src/errors.ts';
import { systemClock, systemRandom } from '../../../../src/journal/clock.ts';
import { createJournal } from '../../../../src/journal/journal.ts';
import type { Evidence } from '../../../../src/journal/ports.ts';
import { type Loopback, startLoopback } from '../../../../src/server/approval-page/loopback.ts';
import { type Clerk, createClerk, type PageOpener } from '../../../../src/server/clerk.ts';
import { liveSchemas } from '../../../../src/server/schemas.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import type { State } from '../../../../src/store/state.ts';
import { defineGuardedTool } from '../../../../src/tools/definition/define.ts';

export const CALLER = { tenant: 'sandbox', id: 'os:ann' };
export const TICKET = '065-2400000001';

/** What the airline holds, and how it behaves. */
export interface World {
  lines: string[];
  act: string;
  /** How often the payment was sent. */
  sent: number;
  /** Awaited before the airline answers. */
  answer: () => Promise<void>;
}

export interface TestDesk {
  readonly clerk: Clerk;
  readonly state: State;
  readonly world: World;
  readonly failures: unknown[];
  /** Milliseconds that the clock is ahead. */
  ahead: number;
  now(): number;
  /** A question, waiting for its answer on the page. */
  ask(locator?: string): Promise<Approval>;
  /** The result of calling the tool again with that approval. */
  again(handle: string, locator?: string): Promise<Result>;
  handleOf(operationId: string): string;
  close(): Promise<void>;
}

const AMOUNT = { minor: 17_250, currency: 'SAR' };

const bookingOf = (locator: string): Booking => ({
  locator,
  references: [],
  options: [],
  travelers: [],
  tickets: [],
  orders: [],
  services: [],
  emds: [],
});

function payTool(world: World) {
  return defineGuardedTool({
    name: 'pay_booking',
    title: 'Pay',
    description: 'Pays.',
    toolset: 'core',
    effect: 'commit',
    input: () => ({ locator: z.string(), approval_id: z.string().optional() }),
    output: () => ({ ticket: z.string() }),
    async preview({ locator }) {
      return {
        locator,
        sections: [{ kind: 'act', lines: [...world.lines] }],
        nature: 'payment',
        act: world.act,
        ask: true,
        money: { direction: 'payment' as const, amount: AMOUNT },
        subject: { kind: 'pay' as const, amount: AMOUNT, coupons: 1 },
        send: { locator },
      };
    },
    async commit(confirmed): Promise<Evidence> {
      if (!confirmed.dispatch.mayStart()) {
        throw new ClerkError('E_AIRLINE_TIMEOUT', 'Not sent.', { next: 'Ask again.' });
      }
      world.sent += 1;
      await world.answer();
      const { locator } = confirmed.terms;
      const items = [{ ticketNumber: TICKET, total: '172.50', conjunctive: [], links: [] }];
      return { receipt: { locator, references: [], items } };
    },
    report: () => ({ added: { ticket: TICKET }, changed: ['paid'] }),
    text: ({ ticket }) => `Paid SAR 172.50.\nTicket ${ticket}`,
  });
}

export interface TestDeskOptions {
  /** Default: the OS user. */
  readonly caller?: Caller;
  readonly pageAbove?: Money;
  readonly answerMs?: number;
  readonly page?: (desk: () => TestDesk) => PageOpener;
}

export async function testDesk(options: TestDeskOptions = {}): Promise<TestDesk> {
  const { answerMs = 30_000, page, caller = CALLER, pageAbove } = options;
  const state = await openSqliteState(':memory:');
  const world: World = {
    lines: ['Pay SAR 172.50 for booking ABC123', 'RUH–JED SV1020 on 2026-12-01', 'Passenger: Amal Haddad'],
    act: 'Pay SAR 172.50',
    sent: 0,
    answer: async () => undefined,
  };
  const failures: unknown[] = [];
  const clock = { ...systemClock, now: () => Date.now() + desk.ahead };
  const reader = { read: async (locator: string) => bookingOf(locator), routes: async () => [] };
  const journal = createJournal({
    store: state.operations,
    clock,
    reader,
    owner: 'test',
    digest: (text) => text,
    settleMs: 240_000,
  });
  const inFlight = new Set<Promise<unknown>>();
  const airline = reader as unknown as Airline;
  const handles = new Map<string, string>();
  const how = { caller, canElicit: false, canOpenUrls: false };
  const call = async (args: Record<string, string>): Promise<Result> => {
    const answer = await desk.clerk.call('pay_booking', args, how);
    if (answer.kind !== 'result') throw new Error('asked elsewhere');
    return answer;
  };
  const desk: TestDesk = {
    clerk: createClerk({
      tools: [payTool(world) as never],
      withheld: new Map(),
      schemas: liveSchemas(),
      environment: 'sandbox',
      settings: { locale: 'en', maxTravelers: 9 },
      approval: 'page',
      limits: {},
      // The scripted person answers at once.
      dialogFloorMs: 0,
      answerMs,
      waitMs: 25_000,
      canUseTerminal: true,
      ...(page && { page: page(() => desk) }),
      ...(pageAbove && { pageAbove }),
      open: async () => ({ airline, state, journal, clock, random: systemRandom, inFlight }),
      log: { call: () => undefined, failure: ({ error }) => void failures.push(error) },
    }),
    state,
    world,
    failures,
    ahead: 0,
    now: () => clock.now(),
    async ask(locator = 'ABC123') {
      const { structured } = await call({ locator });
      const { operation_id: id, approval } = structured as { operation_id: string; approval: { id: string } };
      handles.set(id, approval.id);
      const made = await state.approvals.byOperation(id);
      if (made === undefined) throw new Error('no question was made');
      return made;
    },
    again: (handle, locator = 'ABC123') => call({ locator, approval_id: handle }),
    handleOf: (operationId) => handles.get(operationId) ?? '',
    async close() {
      await desk.clerk.idle();
      await state.close();
    },
  };
  return desk;
}

/** The approval page of this desk, on loopback. */
export function pageOf(desk: TestDesk): Promise<Loopback> {
  return startLoopback({
    find: (id) => desk.state.approvals.byOperation(id),
    operation: (id) => desk.state.operations.get(id),
    decide: (id, yes) => desk.clerk.decide(id, yes, { assurance: 'page' }),
    now: () => desk.now(),
    environment: 'sandbox',
    log: { failure: ({ error }) => void desk.failures.push(error) },
  });
}
