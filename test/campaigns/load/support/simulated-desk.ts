/** A day of a desk of many clerks, through the store's own code, without an airline: a simulated clock has no wire. */
import { randomUUID } from 'node:crypto';
import { handleHash } from '../../../../src/approvals/digest.ts';
import { newOperation } from '../../../store/support/new-operation.ts';
import { pendingApproval } from '../../../support/approvals.ts';
import { inLetters } from '../../../support/people.ts';
import { Chance } from '../../support/chance.ts';
import type { State } from '../../support/office.ts';

type Approval = Parameters<State['approvals']['put']>[0];
type NewOperation = Parameters<State['operations']['insert']>[0];
type ShelvedOffer = Parameters<State['offers']['put']>[1][number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a clerk does on a day. */
const PER_CLERK = { trips: 4, readings: 6, unanswered: 1 } as const;
export const CLERKS = 200;
/** The part of a real day's traffic that is played. */
export const SCALE = 0.01;
const OFFERS = 20;
const NAMES = ['Amal Haddad', 'Omar Farsi', 'Lina Saleh', 'Noor Aziz', 'Sami Khoury', 'Dana Rahal', 'Ziad Nasser'];

interface Trip {
  readonly locator: string;
  readonly name: string;
  /** Departure of the first and of the last segment, ms epoch. */
  readonly leaves: number;
  readonly over: number;
}

export class SimulatedDesk {
  now: number;
  readonly #chance = new Chance(1);
  #made = 0;
  #trips: Trip[] = [];

  constructor(start: number) {
    this.now = start;
  }

  /** Four busy hours, and the night; the state is cleaned after each. */
  async day(state: State): Promise<void> {
    const midnight = this.now;
    const many = (aDay: number) => Math.round((aDay / 4) * CLERKS * SCALE);
    for (const hour of [8, 11, 14, 17]) {
      this.now = midnight + hour * HOUR;
      for (let i = many(PER_CLERK.trips); i > 0; i--) await this.#trip(state, this.#chance.pick(NAMES));
      for (let i = many(PER_CLERK.readings); i > 0; i--) await this.#reading(state);
      for (let i = many(PER_CLERK.unanswered); i > 0; i--)
        await this.#asked(state, this.#chance.pick(NAMES), { locator: this.#locator() });
      await state.clean();
    }
    this.now = midnight + DAY;
    await state.clean();
  }

  /** A search, a hold, and mostly a payment. */
  async #trip(state: State, name: string): Promise<void> {
    const caller = this.#caller();
    const leaves = this.now + this.#chance.between(1, 4) * DAY;
    const trip = { locator: this.#locator(), name, leaves, over: leaves + this.#chance.below(3) * DAY };
    const [handle = ''] = await state.offers.put(caller, offersAt(this.now, leaves));
    await state.offers.get(caller, handle);
    await this.#booked(state, trip);
    this.#trips = [...this.#trips.slice(-400), trip];
    await this.#recorded(state, caller, trip, 'held');
    await state.claims.add(caller, [trip.locator], this.now);
    if (this.#chance.below(4) > 0) {
      await this.#paid(state, trip);
      await this.#recorded(state, caller, trip, 'ticketed');
      const grant = { caller, locator: trip.locator, number: '9990000000001', coupon: '1' };
      await state.ticketKeys.put(randomUUID(), grant, this.now + 10 * MINUTE);
    }
    this.now += 20_000;
  }

  async #reading(state: State): Promise<void> {
    if (this.#trips.length === 0) return;
    const trip = this.#chance.pick(this.#trips);
    const caller = this.#caller();
    await this.#recorded(state, caller, { ...trip, leaves: trip.over }, 'ticketed');
    await state.claims.add(caller, [trip.locator], this.now);
    await state.claims.beginTry(caller, this.now, { since: this.now - HOUR, max: 5 });
  }

  async #booked(state: State, { locator, name, leaves, over }: Trip): Promise<void> {
    const subject = { kind: 'create', names: [`n${leaves}${'d'.repeat(38)}`], until: new Date(over).toISOString() };
    const { locator: _, amount: __, direction: ___, ...paying } = newOperation(randomUUID());
    const made = { tool: 'create_booking', assurance: 'none', fingerprint: `f${this.#made}`, subject };
    const create = { ...paying, ...made } as NewOperation;
    const handle = await this.#asked(state, name, { operationId: create.id, decision: 'granted' });
    await this.#sent(state, create, name, { locator, basis: 'reply' });
    await state.approvals.markTold(handle, this.now);
  }

  async #paid(state: State, { locator, name }: Trip): Promise<void> {
    const operation = newOperation(randomUUID(), { locator });
    const handle = await this.#asked(state, name, { locator, operationId: operation.id });
    await state.approvals.decide(handle, { decision: 'granted', assurance: 'page', approver: 'oauth:boss' }, this.now);
    const tickets = [{ number: '9990000000001', total: '172.50' }];
    await this.#sent(state, operation, name, { basis: 'reply', tickets });
    await state.approvals.markTold(handle, this.now);
  }

  async #sent({ operations }: State, operation: NewOperation, name: string, outcome: object): Promise<void> {
    const { id } = operation;
    const meta = { now: this.now, actor: 'host:1:abc' };
    const entered = await operations.insert(operation, {
      ...{ now: this.now, owner: meta.actor, leaseUntil: this.now + MINUTE },
    });
    if (entered.kind !== 'inserted') throw new Error(`an operation was not entered: ${entered.kind}`);
    await operations.transition(id, { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: this.now } }, meta);
    await operations.keepNamed(id, [name]);
    await operations.transition(id, { from: ['dispatched'], to: 'succeeded', patch: { outcome } }, meta);
  }

  /** Returns the hash by which the question is found. */
  async #asked(state: State, name: string, more: Partial<Approval>): Promise<string> {
    const id = randomUUID();
    const [given, surname] = name.split(' ');
    const { tenant, id: caller } = this.#caller();
    const { locator: _, ...approval } = pendingApproval({
      ...{ handleHash: handleHash(id), operationId: id, tenant, caller },
      sections: [
        { kind: 'act', lines: ['Pays SAR 172.50', `Passenger ${name}, adult`] },
        { kind: 'note', lines: ['x'.repeat(1_200)] },
      ],
      carried: {
        args: { passengers: [{ given, surname, document: 'P1234567' }] },
        operation: { note: 'x'.repeat(800) },
      },
      ...{ createdAt: this.now, expiresAt: this.now + 10 * MINUTE },
    });
    await state.approvals.put({ ...approval, ...more });
    return approval.handleHash;
  }

  #recorded({ ledger }: State, caller: Caller, { locator, name, leaves, over }: Trip, state: string): Promise<void> {
    const [departs, lastDeparts] = [new Date(leaves).toISOString(), new Date(over).toISOString()];
    return ledger.record(caller, {
      ...{ locator, madeHere: true, seenAt: this.now, state, contactName: name, route: 'MED-JED-MED' },
      ...{ departs, lastDeparts, total: '17250', currency: 'SAR' },
    });
  }

  #caller(): Caller {
    return { tenant: 'air.example/DESK', id: `oauth:clerk${this.#chance.below(CLERKS)}` };
  }

  #locator(): string {
    return inLetters(this.#made++).padStart(6, 'A');
  }
}

type Caller = { readonly tenant: string; readonly id: string };

function offersAt(shownAt: number, leaves: number): readonly ShelvedOffer[] {
  return Array.from({ length: OFFERS }, (_, i) => ({
    offer: { id: i, leaves, text: 'x'.repeat(700) } as unknown as ShelvedOffer['offer'],
    passengers: { adults: 1, children: 0, infants: 0 },
    shownAt,
    legs: [{ from: 'MED', to: 'JED', date: new Date(leaves).toISOString().slice(0, 10) }],
  }));
}
