/**
 * One server process: the gate and the tools around the real journal. The gate here is the smallest that keeps the
 * contract's promises (an approval is bound to its terms and is one operation); the journal is the product's own.
 */

import { ClerkError } from '../../../src/core/errors.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import type { OperationStore, Sending } from '../../../src/journal/ports.ts';
import { expectCancelledPassengers, expectCancelledSegments } from '../../../src/tools/acts/cancellation-evidence.ts';
import { expectBooking } from '../../../src/tools/acts/create-booking.ts';
import { expectPayment } from '../../../src/tools/acts/payment-evidence.ts';
import { expectChangedNames } from '../../../src/tools/acts/people-evidence.ts';
import { personName } from '../../support/people.ts';
import { ACTS } from '../../support/rules.ts';
import type { SimAirline } from './airline.ts';
import type { Understanding } from './answers.ts';
import type { Incarnation } from './process.ts';
import { isActive, type Message, sar } from './truth.ts';

export type { OperationStore };

type NewOperation = Parameters<OperationStore['insert']>[0];
export type OperationState = Parameters<OperationStore['transition']>[2];
type JournalOptions = Parameters<typeof createJournal>[0];
type ExpectedChange = NewOperation['subject'];

export interface Approval {
  readonly id: string;
  readonly operationId: string;
  readonly caller: string;
  readonly message: Message;
  readonly terms: string;
  /** All that the person was shown, whatever of it the terms bind. */
  readonly shown: string;
  readonly subject: ExpectedChange;
  readonly amount: number;
  decision: 'pending' | 'granted' | 'declined';
  decidedAt?: number;
}

/** Where a mutant may differ from the product; the product differs nowhere. */
export interface Policy {
  readonly journal?: Partial<JournalOptions>;
  readonly store?: (store: OperationStore) => OperationStore;
  readonly act?: (act: Sending) => Sending;
  readonly understand?: Understanding;
  /** The operation that a presented approval becomes. */
  readonly operationId?: (approval: Approval, presented: number) => string;
  /** What of a booking the terms bind. */
  readonly terms?: (booking: Booking) => string;
  readonly asksDecision?: boolean;
  readonly tends?: boolean;
}

export type Answer = OperationState | 'busy' | 'not_granted' | 'failed';

const ANSWER_MS = 30_000;
export const READ_MS = 15_000;
export const PLAIN: Pick<JournalOptions, 'settleMs' | 'pollMs' | 'digest'> = {
  settleMs: 240_000,
  pollMs: 10_000,
  digest: (text) => text,
};

/** Everything that a person says yes to. */
export function termsOf(booking: Booking): string {
  const paid = booking.orders.map((order) => `${order.status}${order.amount?.minor}`);
  const segments = booking.options.flatMap((option) => option.segments.map((one) => one.ref + one.statusCode));
  const people = booking.travelers.map((one) => one.ref + one.type + (one.name?.given.join(' ') ?? ''));
  return [...paid, ...segments, ...people, booking.cancelled].join('|');
}

export class Desk {
  readonly journal: ReturnType<typeof createJournal>;
  readonly #inc: Incarnation;
  readonly #airline: SimAirline;
  readonly #policy: Policy;

  constructor(inc: Incarnation, store: OperationStore, airline: SimAirline, policy: Policy) {
    this.#inc = inc;
    this.#airline = airline;
    this.#policy = policy;
    const reached = inc.reach(store);
    this.journal = createJournal({
      ...PLAIN,
      acts: ACTS,
      store: policy.store?.(reached) ?? reached,
      clock: inc.clock,
      reader: { read: (locator) => airline.read(inc, locator, true) },
      owner: inc.name,
      ...policy.journal,
    });
    if (policy.tends !== false) void this.journal.keepReconciling(new AbortController().signal);
  }

  /** Reads the booking and writes the terms. Undefined where a rule forbids the act as things are. */
  async preview(id: string, caller: string, message: Message): Promise<Omit<Approval, 'decision'> | undefined> {
    const fixed = { id, operationId: `op-${id}`, caller, message };
    if (message.kind === 'create')
      return { ...fixed, terms: '', shown: '', subject: expectBooking([], PLAIN.digest), amount: 0 };
    const booking = await this.#read(message.locator);
    if (booking?.locator !== message.locator || !isAllowed(booking, message)) return undefined;
    const amount = booking.orders[0]?.amount?.minor ?? 0;
    const bound = { terms: this.#terms(booking), shown: termsOf(booking) };
    return { ...fixed, ...bound, subject: subjectOf(booking, message, amount), amount };
  }

  /** As the real adapter reads: with an end. */
  #read(locator: string): Promise<Booking | undefined> {
    return Promise.race([
      this.#airline.read(this.#inc, locator, false),
      this.#inc.clock.sleep(READ_MS).then(() => undefined),
    ]);
  }

  #terms(booking: Booking): string {
    return (this.#policy.terms ?? termsOf)(booking);
  }

  /** A tool call with an approval: carries it out once, or reports its status. */
  async present(approval: Approval, presented: number): Promise<Answer> {
    try {
      return await this.#present(approval, presented);
    } catch {
      return 'failed';
    }
  }

  async #present(approval: Approval, presented: number): Promise<Answer> {
    if (this.#policy.asksDecision !== false && approval.decision !== 'granted') return 'not_granted';
    const opened = await this.journal.open(this.#entry(approval, presented));
    if (opened.kind === 'over_limit' || opened.kind === 'stopped') return 'failed';
    if (opened.kind === 'busy') return 'busy';
    const from = this.#inc.clock.now();
    if (opened.kind === 'inserted') {
      const run = this.journal.execute(opened.operation, this.#act(approval));
      const ran = await Promise.race([run, this.#inc.clock.sleep(ANSWER_MS)]);
      if (ran !== undefined && !isActive(ran.operation.state)) return ran.operation.state;
    }
    const left = ANSWER_MS - (this.#inc.clock.now() - from);
    const seen = await this.journal.follow(opened.operation.id, Math.max(0, left));
    return seen.state;
  }

  #entry(approval: Approval, presented: number): NewOperation {
    const { caller, message, subject, terms, amount } = approval;
    const target = message.kind === 'create' ? { fingerprint: message.locator } : { locator: message.locator };
    return {
      ...target,
      id: this.#policy.operationId?.(approval, presented) ?? approval.operationId,
      tenant: message.kind === 'create' ? 't' : tenantOf(approval),
      ...{ caller, tool: message.kind, assurance: 'person', argsDigest: '', termsDigest: terms },
      ...{ subject, amount: sar(amount) },
    };
  }

  #act({ message, terms, operationId }: Approval): Sending {
    const act: Sending = {
      recheck: async () => {
        if (message.kind === 'create') return;
        const booking = await this.#read(message.locator);
        if (booking?.locator !== message.locator || this.#terms(booking) !== terms) throw stale();
      },
      sendConfirmed: (dispatch) => this.#airline.send(this.#inc, operationId, message, dispatch),
    };
    return this.#policy.act?.(act) ?? act;
  }
}

/** Those who ask for one booking are of two tenants: an approval's id is booking and agent, a dot, and which try. */
function tenantOf({ id }: Approval): string {
  return `t${Number(id.split('.')[0]?.at(-1)) % 2}`;
}

function stale(): ClerkError {
  return new ClerkError('E_APPROVAL_STALE', 'The booking changed.', { next: 'Ask again.' });
}

export function isAllowed(booking: Booking, { kind, refs }: Message): boolean {
  const paid = booking.orders.some((order) => order.status === 'PAID' && order.direction === 'PAYMENT');
  const active = booking.options.flatMap((option) => option.segments).filter((one) => one.statusCode === '30');
  if (kind === 'pay') return !paid && active.length > 0;
  if (kind === 'cancel_booking') return !paid && booking.cancelled !== true && active.length > 0;
  if (kind === 'cancel_segments') return paid && refs.every((ref) => active.some((one) => one.ref === ref));
  return paid && refs.every((ref) => booking.travelers.some((one) => one.ref === ref));
}

export function subjectOf(booking: Booking, { kind, refs, given }: Message, amount: number): ExpectedChange {
  const digest = PLAIN.digest;
  switch (kind) {
    case 'pay':
      return expectPayment(booking, sar(amount));
    case 'cancel_segments':
      return expectCancelledSegments(booking, refs);
    case 'cancel_passengers':
      return expectCancelledPassengers(booking, refs, digest);
    case 'change_names': {
      const name = personName(given ?? '', 'DOE');
      const wanted = booking.travelers.filter((one) => refs.includes(one.ref)).map((one) => ({ ...one, name }));
      return expectChangedNames(booking, wanted, digest);
    }
    case 'cancel_booking':
      return { kind: 'cancel_booking' };
    case 'create':
      return expectBooking([], digest);
  }
}

/** What a settled state means to the agent. */
export const isEnd = (answer: Answer): boolean =>
  !['busy', 'not_granted', 'failed'].includes(answer) && !isActive(answer);
