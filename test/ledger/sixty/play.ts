/** How the people of the play work: each act is a call of a tool, and what no airline knows is remembered here. */
import { type CarrierBooking, findBooking } from '../../../src/sandbox/record.ts';
import type { Sandbox } from '../../campaigns/support/airline.ts';
import { codeOf } from '../../campaigns/support/office.ts';
import { inLetters } from '../../support/people.ts';
import type { Asked, PlayedDesks } from './desk.ts';
import { type Leg, legsOf } from './legs.ts';
import { type Currency, DESKS, dayOn, PEOPLE, type Who } from './people.ts';

export interface Trip {
  readonly from?: string;
  readonly to?: string;
  /** Days of the play, from 1; later ones too. */
  readonly out: number;
  readonly back?: number;
  readonly fare: 'YSAVE' | 'YFLEX' | 'CSAVE' | 'CFLEX';
  readonly adults?: number;
  readonly children?: number;
  readonly infants?: number;
  readonly group?: string;
  /** The desk's own key of the customer. */
  readonly customer?: string;
  /** When the train out leaves, by the clock of the station. Default: any. */
  readonly leaves?: string;
}

export interface Made {
  readonly locator: string;
  readonly by: Who;
  readonly customer: string | undefined;
}

/** A question, as the people remember it. */
export interface Remembered {
  readonly at: number;
  readonly locator: string;
  readonly tool: string;
  readonly by: Who;
  readonly end: 'yes' | 'no' | 'lapsed' | 'withdrawn';
  readonly via: NonNullable<Asked['via']>;
  readonly approver: string;
  /** Between the question and its answer. */
  readonly minutes: number;
}

export interface Sold {
  readonly booking: CarrierBooking;
  readonly legs: readonly Leg[];
}

/** A call that ended with an error. */
export interface Failed {
  readonly at: number;
  readonly by: Who;
  readonly tool: string;
  readonly code: string;
}

/** What the people know of it, and the airlines: all that the books are written from. */
export interface Remembrance {
  now(): number;
  sandboxOf(currency: Currency): Sandbox;
  readonly made: ReadonlyMap<string, Made>;
  readonly questions: readonly Remembered[];
  readonly failed: readonly Failed[];
  /** By locator: what the customer gave as a reason. */
  readonly reasons: ReadonlyMap<string, string>;
  /** By locator: the airline's record when it was paid, and its trains then. */
  readonly sold: ReadonlyMap<string, Sold>;
}

/** How a call ends after each answer of a person. */
const USUAL_END = { yes: 'done', no: 'E_APPROVAL_DECLINED', nothing: 'ask' } as const;

let people = 0;

export class Play {
  readonly desks: PlayedDesks;
  readonly made = new Map<string, Made>();
  readonly questions: Remembered[] = [];
  readonly failed: Failed[] = [];
  readonly reasons = new Map<string, string>();
  readonly sold = new Map<string, Sold>();

  constructor(desks: PlayedDesks) {
    this.desks = desks;
  }

  /** Sets the clock of the Berlin desk. */
  at(day: number, clock: string, again = false): void {
    this.desks.time(dayOn(day), clock, DESKS.hanse.zone, again);
  }

  inNewYork(day: number, clock: string, again = false): void {
    this.desks.time(dayOn(day), clock, DESKS.hudson.zone, again);
  }

  private async offer(who: Who, from: string, to: string, day: number, trip: Trip, skip = 0): Promise<string> {
    const { fare, adults = 1, children = 0, infants = 0, leaves = '' } = trip;
    const { structured, text } = await this.desks.result(who, 'search_fares', {
      legs: [{ from, to, date: dayOn(day) }],
      passengers: { adults, children, infants },
      booking_classes: [fare[0]],
      max_results: 50,
    });
    // biome-ignore lint/suspicious/noExplicitAny: fields as the contract names them
    const { offers = [], common = {} } = structured as any;
    const fits = offers.filter(
      (offer: typeof common) =>
        (offer.legs[0].fare ?? offer.fare ?? common.fare)?.code === fare &&
        offer.legs.length === 1 &&
        (leaves === '' || offer.legs[0].departs.slice(11, 16) === leaves),
    );
    const chosen = fits[skip] ?? fits[0];
    if (chosen === undefined) throw new Error(`nothing in ${fare} on ${dayOn(day)}: ${text}`);
    return chosen.offer_id;
  }

  async book(name: string, by: Who, trip: Trip): Promise<string> {
    const { from = 'QCA', to = 'XMD', out, back, adults = 1, children = 0, infants = 0, group, customer } = trip;
    const offers = [await this.offer(by, from, to, out, trip)];
    if (back !== undefined) offers.push(await this.offer(by, to, from, back, { ...trip, leaves: '' }));
    const types = [...Array(adults).fill('ADT'), ...Array(children).fill('CHD'), ...Array(infants).fill('INF')];
    const born = { ADT: '1990-04-12', CHD: '2019-05-01', INF: '2026-02-01' } as const;
    const passengers = types.map((type: keyof typeof born, i) => {
      people += 1;
      return {
        type,
        given_name: ['Anna', 'Nils', 'Lina', 'Mats', 'Greta'][i % 5],
        surname: `${name} ${inLetters(2000 + people)}`,
        gender: 'Female',
        birth_date: born[type],
        document: { type: 'passport', number: `C${700_000 + people}`, nationality: 'DE', expires: '2035-01-01' },
      };
    });
    const who =
      group === undefined ? { passengers } : { passenger_counts: { adults, children, infants }, group_name: group };
    const contact = { given_name: 'Anna', surname: name, email: 'anna@example.com' };
    const made = await this.desks.result(by, 'create_booking', {
      ...{ offer_ids: offers, contact, ...who },
      ...(customer && { customer }),
    });
    if (made.isError) throw new Error(made.text);
    const { locator } = made.structured.booking as { locator: string };
    this.made.set(name, { locator, by, customer });
    return locator;
  }

  of(name: string): Made {
    const made = this.made.get(name);
    if (made === undefined) throw new Error(`no booking ${name}`);
    return made;
  }

  /** Asks for an act on a booking, and remembers what the people did. Must end as `ends`. */
  async act(name: string, tool: string, args: object, how: Asked & { readonly ends?: string } = {}) {
    const { locator, by } = this.of(name);
    const { says = 'yes', after = 1, via = 'dialog', ends } = how;
    const at = this.desks.now();
    const answer = await this.desks.ask(by, tool, { locator, ...args }, how);
    const code = codeOf(answer);
    const usual = via === 'page' ? 'approval_required' : USUAL_END[says];
    const expected = ends ?? usual;
    if (code !== expected) throw new Error(`${tool} of ${name}: ${JSON.stringify(answer).slice(0, 1500)}`);
    const { id, desk } = PEOPLE[by];
    const approver = via === 'page' ? DESKS[desk].supervisor : id;
    if (says !== 'nothing') this.questions.push({ at, locator, tool, by, end: says, via, approver, minutes: after });
    const { reason } = args as { reason?: string };
    if (reason !== undefined && says === 'yes') this.reasons.set(locator, reason);
    if (code.startsWith('E_')) this.failed.push({ at: this.desks.now(), by, tool, code });
    return answer;
  }

  /** A question that nobody answers. */
  async unanswered(name: string, tool: string, args: object, end: 'lapsed' | 'withdrawn') {
    const { locator, by } = this.of(name);
    const at = this.desks.now();
    await this.act(name, tool, args, { says: 'nothing' });
    this.questions.push({ at, locator, tool, by, end, via: 'dialog', approver: PEOPLE[by].id, minutes: 0 });
  }

  /** A call that must fail with this code. */
  async fails(by: Who, tool: string, args: object, code: string) {
    const answer = await this.desks.call(by, tool, args);
    if (codeOf(answer) !== code) throw new Error(`${tool} of ${by}: ${JSON.stringify(answer).slice(0, 1500)}`);
    this.failed.push({ at: this.desks.now(), by, tool, code });
  }

  async pay(name: string, type: string, how: Asked & { readonly ends?: string } = {}) {
    await this.act(name, 'pay_booking', { payment: { type } }, how);
    const { locator } = this.of(name);
    const carrier = this.sandbox(name).carrier();
    const booking = findBooking(carrier.state, locator);
    if (booking?.state === 'ticketed') this.sold.set(locator, { booking, legs: legsOf(carrier, booking) });
  }

  async sell(name: string, by: Who, type: string, trip: Trip, how?: Asked) {
    await this.book(name, by, trip);
    await this.pay(name, type, how);
  }

  /** Takes another departure, `skip` offers further, in a fare. */
  async exchange(name: string, segment: string, trip: Trip, skip: number) {
    const { by } = this.of(name);
    const { from = 'QCA', to = 'XMD' } = trip;
    const offer = await this.offer(by, from, to, trip.out, trip, skip);
    await this.act(name, 'rebook_segment', { segment_ref: segment, offer_id: offer });
  }

  read(name: string) {
    const { locator, by } = this.of(name);
    return this.desks.result(by, 'read_booking', { locator });
  }

  sandbox(name: string): Sandbox {
    return this.desks.at(PEOPLE[this.of(name).by].sells).sandbox;
  }

  /** The airline of a currency is out of service while these call. */
  async outOfService(currency: Currency, message: string, calls: () => Promise<void>) {
    const { sandbox } = this.desks.at(currency);
    const repair = sandbox.order({ message, kind: '5xx-before', times: 1_000 });
    await calls();
    repair();
  }

  /** All that the books may know. */
  remembrance(): Remembrance {
    const { made, questions, failed, reasons, sold, desks } = this;
    const sandboxOf = (currency: Currency) => desks.at(currency).sandbox;
    return { now: desks.now, sandboxOf, made, questions, failed, reasons, sold };
  }
}
