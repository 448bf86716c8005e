/** A day of a desk of many clerks, through the store's own code, without an airline: a simulated clock has no wire. */
import { randomUUID } from 'node:crypto';
import { handleHash } from '../../../../src/approvals/digest.ts';
import type { Approval } from '../../../../src/approvals/ports.ts';
import type { Caller } from '../../../../src/domain/people/caller.ts';
import type { ShelvedOffer } from '../../../../src/domain/pricing/offer-store.ts';
import type { NewOperation, OperationState, Outcome } from '../../../../src/journal/operation.ts';
import type { State } from '../../../../src/store/state.ts';
import { newOperation, SAR } from '../../../store/new-operation.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a clerk does on a day, in hundredths. */
const PER_CLERK = { trips: 400, readings: 600, unanswered: 100 } as const;
const OFFERS = 20;
const NAMES = ['Amal Haddad', 'Omar Farsi', 'Lina Saleh', 'Noor Aziz', 'Sami Khoury', 'Dana Rahal', 'Ziad Nasser'];
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

export interface DeskOptions {
  readonly clerks: number;
  /** The part of a real day's traffic that is played. */
  readonly scale: number;
}

export class SimulatedDesk {
  now: number;
  readonly #options: DeskOptions;
  #made = 0;
  #random = 1;
  #bookings: { readonly locator: string; readonly name: string; readonly over: number }[] = [];

  constructor(start: number, options: DeskOptions) {
    this.now = start;
    this.#options = options;
  }

  /** Four busy hours, and the night; the state is cleaned after each. */
  async day(state: State, names: readonly string[] = []): Promise<void> {
    const midnight = this.now;
    for (const hour of [8, 11, 14, 17]) {
      this.now = midnight + hour * HOUR;
      for (let i = this.#many(PER_CLERK.trips); i > 0; i--) await this.trip(state, this.#name());
      for (let i = this.#many(PER_CLERK.readings); i > 0; i--) await this.#reading(state);
      for (let i = this.#many(PER_CLERK.unanswered); i > 0; i--)
        await this.#asked(state, this.#locator(), this.#name());
      for (const name of names) await this.trip(state, name);
      await state.clean();
    }
    this.now = midnight + DAY;
    await state.clean();
  }

  /** A search, a hold, and mostly a payment; some are cancelled later. */
  async trip(state: State, name: string): Promise<void> {
    const caller = this.#caller();
    const leaves = this.now + (1 + this.#pick(4)) * DAY;
    const over = leaves + this.#pick(3) * DAY;
    const [handle = ''] = await state.offers.put(caller, offersAt(this.now, leaves));
    await state.offers.get(caller, handle);
    const locator = this.#locator();
    await this.#booked(state, locator, name, leaves, over);
    this.#bookings.push({ locator, name, over });
    if (this.#bookings.length > 400) this.#bookings.shift();
    await this.#recorded(state, caller, locator, name, leaves, over, 'held');
    await state.claims.add(caller, [locator], this.now);
    if (this.#pick(4) > 0) {
      await this.#paid(state, locator, name);
      await this.#recorded(state, caller, locator, name, leaves, over, 'ticketed');
      const grant = { caller, locator, number: '9990000000001', coupon: '1' };
      await state.ticketKeys.put(randomUUID(), grant, this.now, this.now + 10 * MINUTE);
    }
    this.now += 20_000;
  }

  /** Nobody reads this person's bookings at the airline again: that would list them again. */
  readsNoMore(name: string): void {
    this.#bookings = this.#bookings.filter((booking) => booking.name !== name);
  }

  async #reading(state: State): Promise<void> {
    const booking = this.#bookings[this.#pick(this.#bookings.length)];
    if (booking === undefined) return;
    const { locator, name, over } = booking;
    const caller = this.#caller();
    await this.#recorded(state, caller, locator, name, over, over, 'ticketed');
    await state.claims.add(caller, [locator], this.now);
    await state.claims.begin(caller, this.now, { since: this.now - HOUR, max: 5 });
  }

  async #booked(state: State, locator: string, name: string, leaves: number, over: number): Promise<void> {
    const until = new Date(over).toISOString();
    const operation = newOperation(randomUUID(), {
      ...{ tool: 'create_booking', assurance: 'none', fingerprint: `f${this.#made}`, locator: undefined },
      subject: { kind: 'create', names: [`n${leaves}${'d'.repeat(38)}`], until },
    } as unknown as Partial<NewOperation>);
    const { locator: _, amount: __, direction: ___, ...create } = operation;
    const handle = await this.#asked(state, undefined, name, { operationId: create.id, decision: 'granted' });
    await this.#sent(state, create, name, { locator, basis: 'reply' });
    await state.approvals.tell(handle, this.now);
  }

  async #paid(state: State, locator: string, name: string): Promise<void> {
    const operation = newOperation(randomUUID(), { locator });
    const handle = await this.#asked(state, locator, name, { operationId: operation.id });
    await state.approvals.decide(handle, 'granted', 'page', this.now, 'oauth:boss');
    const tickets = [{ number: '9990000000001', total: '172.50' }];
    await this.#sent(state, operation, name, { basis: 'reply', tickets });
    await state.approvals.tell(handle, this.now);
  }

  async #sent({ operations }: State, operation: NewOperation, name: string, outcome: Outcome): Promise<void> {
    const { id } = operation;
    const to = (from: OperationState, target: OperationState, patch: object) =>
      operations.transition(id, [from], target, patch, { now: this.now, actor: 'host:1:abc' });
    const entered = await operations.insert(operation, {
      ...{ now: this.now, owner: 'host:1:abc', leaseUntil: this.now + MINUTE },
    });
    if (entered.kind !== 'inserted') throw new Error(`an operation was not entered: ${entered.kind}`);
    await to('intent', 'dispatched', { dispatchedAt: this.now });
    await operations.keepReply(id, { status: 200, body: JSON.stringify({ name, text: 'x'.repeat(6_000) }) });
    await to('dispatched', 'succeeded', { outcome });
  }

  /** Returns the hash by which the question is found. */
  async #asked(state: State, locator: string | undefined, name: string, more: Partial<Approval> = {}): Promise<string> {
    const id = randomUUID();
    const [given, surname] = name.split(' ');
    const { tenant, id: caller } = this.#caller();
    const approval: Approval = {
      ...{ handleHash: handleHash(id), operationId: id, tenant, caller, tool: 'pay_booking', askedBy: 'page' },
      ...{ argsDigest: 'a'.repeat(43), termsDigest: 't'.repeat(43), decision: 'pending', nature: 'payment' },
      sections: [
        { kind: 'act', lines: ['Pays SAR 172.50', `Passenger ${name}, adult`] },
        { kind: 'note', lines: ['x'.repeat(1_200)] },
      ],
      act: 'Pay SAR 172.50',
      carried: {
        args: { passengers: [{ given, surname, document: 'P1234567' }] },
        operation: { note: 'x'.repeat(800) },
      },
      ...{ createdAt: this.now, expiresAt: this.now + 10 * MINUTE },
      ...(locator !== undefined && { locator }),
      ...more,
    };
    await state.approvals.put(approval);
    return approval.handleHash;
  }

  async #recorded(
    { ledger }: State,
    caller: Caller,
    locator: string,
    contactName: string,
    leaves: number,
    over: number,
    state: string,
  ): Promise<void> {
    const [departs, lastDeparts] = [new Date(leaves).toISOString(), new Date(over).toISOString()];
    const entry = { locator, madeHere: true, seenAt: this.now, state, contactName, route: 'MED-JED-MED' };
    await ledger.record(caller, {
      ...entry,
      departs,
      lastDeparts,
      total: SAR(17250).minor.toString(),
      currency: 'SAR',
    });
  }

  #caller(): Caller {
    return { tenant: 'air.example/DESK', id: `oauth:clerk${this.#pick(this.#options.clerks)}` };
  }

  #name(): string {
    return NAMES[this.#pick(NAMES.length)] ?? '';
  }

  /** So many in a quarter of a day. */
  #many(hundredths: number): number {
    return Math.round((hundredths / 100 / 4) * this.#options.clerks * this.#options.scale);
  }

  #locator(): string {
    let n = this.#made++;
    let text = '';
    for (let i = 0; i < 6; i++) {
      text += LETTERS[n % LETTERS.length];
      n = Math.floor(n / LETTERS.length);
    }
    return text;
  }

  #pick(below: number): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random % Math.max(1, below);
  }
}

function offersAt(shownAt: number, leaves: number): readonly ShelvedOffer[] {
  return Array.from({ length: OFFERS }, (_, i) => ({
    offer: { id: i, leaves, text: 'x'.repeat(700) } as unknown as ShelvedOffer['offer'],
    passengers: { adults: 1, children: 0, infants: 0 } as ShelvedOffer['passengers'],
    shownAt,
    legs: [{ from: 'MED', to: 'JED', date: new Date(leaves).toISOString().slice(0, 10) }],
  }));
}
