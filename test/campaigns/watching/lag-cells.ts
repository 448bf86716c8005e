/**
 * One cell of lagging.ts: an act of ours is done, the airline's readings lag, and an act follows, or what reads the booking: 1, 25 and 61
 * minutes later. By the airline's own books, and by what is said.
 */
import type { LedgerEntry } from '../../../src/sandbox/addresses/start.ts';
import { ACTS, type Act } from '../support/acts.ts';
import { draw } from '../support/chance.ts';
import { type Answer, codeOf } from '../support/office.ts';
import { HOUR } from './cases.ts';
import type { Lag, LagDesk } from './lag-desk.ts';
import type { Dialect } from './matrix.ts';

type Args = Record<string, unknown>;

const MINUTE = 60_000;
const AGES = [1, 25, 61] as const;
type Age = (typeof AGES)[number];

const CREATE = 'create_booking';
/** What follows in place of an act. */
export const READERS = 'readers';

/** What is done before. */
export const DONE: readonly string[] = [...ACTS.map(({ name }) => name), CREATE];
/** What follows: each act by its tool, and what only reads. */
export const NEXT: readonly string[] = [
  ...new Set(ACTS.map(({ tool }) => tool)),
  'change_names (another)',
  CREATE,
  READERS,
];

/** What acts leave in a reading as long as nobody undoes it: an act that follows sends names and details as it read them. */
const LEAVES: Readonly<Record<string, (travelers: string, contact: string) => boolean>> = {
  change_names: (travelers) => travelers.includes('AMINA'),
  update_passenger: (travelers) => travelers.includes('"Male"'),
  update_contact: (_, contact) => contact.includes('amal.haddad@example.com'),
};

export interface Cell {
  readonly dialect: Dialect;
  readonly done: string;
  readonly lag: Lag;
  readonly next: string;
}

/** What must not be. */
export const FAULTS = [
  'done twice without although_done',
  'asked or answered as if nothing had been',
  'a paid booking called unpaid',
  'states that differ',
  'what was done is undone by what follows',
  'findings of our own act',
  'findings told twice',
  'although_done too soon, or in a dialog',
  'although_done in vain, or not once',
  'could not be played',
] as const;
type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** What was said or seen. */
  readonly seen: string;
}

export interface PlayedCell {
  readonly cell: Cell;
  readonly faults: readonly Fault[];
  /** Done again with `although_done`, after a yes on the page or in the terminal. */
  readonly again: number;
  /** Whether the act that follows was done, because nothing forbids it. */
  readonly followed: boolean;
}

export const nameOf = ({ dialect, done, lag, next }: Cell): string => `${dialect} ${done} → ${lag} → ${next}`;

/** What no result may say of a paid booking. */
const CALLED_UNPAID = /not paid(?! out)|unpaid|hold costs nothing|To pay now|E_NOT_PAID/;
/** What each question and refusal says while a whole reading lags. */
const DONE_HERE = /\bhere (?:on|at)\b/;
/** The same of a booking that is made again: it names the one that was made. */
const MADE_BEFORE = /Already done before/;

const wordsOf = (answer: Answer): string => (answer.kind === 'result' ? answer.text : JSON.stringify(answer));
const short = (text: string): string => text.replaceAll('\n', ' ').slice(0, 260);

export async function playCell(desk: LagDesk, cell: Cell, seed: number): Promise<PlayedCell> {
  const play = new Play(desk, cell, seed);
  try {
    await play.run();
  } catch (error) {
    play.fault(
      'could not be played',
      error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1]}` : `${error}`,
    );
  }
  return { cell, faults: play.faults, again: play.again, followed: play.followed };
}

class Play {
  readonly faults: Fault[] = [];
  again = 0;
  followed = false;
  readonly #desk: LagDesk;
  readonly #cell: Cell;
  readonly #seed: number;
  readonly #act: Act | undefined;
  readonly #ages: readonly Age[];
  /** When the act that follows gets its yes, if it is asked for. */
  readonly #yesAt: Age;
  #locator = '';
  #args: Args = {};
  /** Arguments of the act that follows, as they were before. */
  #earlier: Args | undefined;
  #since = 0;

  constructor(desk: LagDesk, cell: Cell, seed: number) {
    this.#desk = desk;
    this.#cell = cell;
    this.#seed = seed;
    this.#act = ACTS.find(({ name }) => name === cell.done);
    // After an hour, what a reading showed once and another one does not is what the airline did.
    this.#ages = cell.lag === 'flips' ? AGES.filter((age) => age < 60) : AGES;
    this.#yesAt = this.#ages[Math.floor(this.#draw('yes') * this.#ages.length)] ?? 1;
  }

  #draw(what: string): number {
    return draw(this.#seed, what, nameOf(this.#cell));
  }

  fault(kind: FaultKind, seen: string): void {
    this.faults.push({ kind, seen: short(seen) });
  }

  /** The tool of the act that follows. */
  get #tool(): string {
    return this.#cell.next.replace(/ \(.*/, '');
  }

  get #isSame(): boolean {
    return (this.#act?.tool ?? CREATE) === this.#cell.next;
  }

  /** Whether the booking is paid once the act is done. */
  get #isPaid(): boolean {
    return this.#act?.on === 'ticketed' || this.#act?.tool === 'pay_booking';
  }

  async run(): Promise<void> {
    const desk = this.#desk;
    await this.#begin();
    const at = desk.now();
    for (const age of this.#ages) {
      desk.set(at + age * MINUTE);
      const isOver = this.#cell.next === READERS ? await this.#read(age) : await this.#follow(age);
      await this.#findings(age);
      if (isOver) break;
    }
    desk.heal(this.#locator);
    // The next cell has nothing to do with this one.
    desk.set(at + 2 * HOUR);
  }

  /** Makes the booking, and does the act. */
  async #begin(): Promise<void> {
    const { done, lag } = this.#cell;
    const desk = this.#desk;
    if (this.#act === undefined) {
      const args = await desk.creation();
      this.#since = desk.books().length;
      desk.lagNew(lag);
      const { structured } = await this.#yes(CREATE, args);
      desk.lagNew(undefined);
      this.#locator = (structured as { booking?: { locator?: string } }).booking?.locator ?? '';
      if (this.#locator === '') throw new Error(`not made: ${JSON.stringify(structured)}`);
      this.#args = args;
      return;
    }
    this.#locator = await this.#book(this.#act.on === 'held');
    await desk.office.result('read_booking', { locator: this.#locator });
    this.#args = await this.#act.args(this.#locator, desk.look);
    this.#earlier = this.#isSame ? this.#args : await this.#nextArgs().catch(() => undefined);
    await desk.lag(this.#locator, lag);
    this.#since = desk.books().length;
    const result = await this.#yes(this.#act.tool, this.#args);
    if (codeOf(result) !== 'done') throw new Error(`${done} was not done: ${result.text}`);
  }

  /** Its own desk makes the booking that is made again. */
  async #book(held: boolean): Promise<string> {
    const { stock, creation, now, set } = this.#desk;
    if (this.#cell.next !== CREATE) return held ? (await stock.held()).locator : stock.ticketed();
    this.#created = await creation.call(this.#desk);
    const { structured } = await this.#yes(CREATE, this.#created);
    const { locator = '' } = (structured as { booking?: { locator?: string } }).booking ?? {};
    if (!held) await stock.pay(locator);
    set(now() + 2 * HOUR);
    return locator;
  }

  #created: Args | undefined;

  /** Asks, and says yes in a dialog, if a question comes. */
  async #yes(tool: string, args: Args) {
    const { office } = this.#desk;
    const answer = await office.call(tool, args);
    return answer.kind === 'ask' ? office.yes(tool, args, answer) : (answer as Extract<Answer, { kind: 'result' }>);
  }

  /** The arguments of the act that follows. The same act has the same ones, with an offer of the same train that is still good. */
  async #nextArgs(): Promise<Args> {
    const next = this.#tool;
    const { look } = this.#desk;
    if (next !== this.#cell.next) {
      return { locator: this.#locator, changes: [{ passenger_ref: '2', given_name: 'NOURA' }] };
    }
    const same = next === CREATE ? (this.#created ?? this.#args) : this.#args;
    if (next === CREATE) return { ...same, offer_ids: [await this.#offerLike((same.offer_ids as string[])[0] ?? '')] };
    const act = ACTS.find(({ tool }) => tool === next);
    if (act === undefined) throw new Error(`no act ${next}`);
    if (this.#isSame) return next === 'rebook_segment' ? this.#sameFlight() : same;
    return act.args(this.#locator, look);
  }

  /** Rebooks to the flight that it was rebooked to, by an offer that is still good. */
  async #sameFlight(): Promise<Args> {
    const { booking } = await this.#desk.scout(this.#locator);
    const [{ from, to, departs, flight }] = booking.segments;
    const { offers } = await this.#desk.look('search_fares', {
      ...{ legs: [{ from, to, date: departs.slice(0, 10) }], max_results: 50 },
      passengers: { adults: booking.passengers.length },
    });
    const like = offers.find(({ legs }: { legs: { flight?: string }[] }) => legs[0]?.flight === flight);
    return { ...this.#args, offer_id: (like ?? offers[0]).offer_id };
  }

  /** An offer of the same trains, as of now. */
  async #offerLike(offerId: string): Promise<string> {
    const offers = await this.#desk.offers();
    return offers.find((one) => one.offer_id === offerId)?.offer_id ?? offers.at(-1)?.offer_id ?? offerId;
  }

  /** Returns whether the cell is over. */
  async #follow(age: Age): Promise<boolean> {
    const { lag } = this.#cell;
    const next = this.#tool;
    const { office } = this.#desk;
    const args = await this.#nextArgs().catch((error: unknown) => {
      if (this.#earlier !== undefined) return this.#earlier;
      if (next !== 'assign_seats') throw error;
      const seat = this.#cell.dialect === 'rail' ? '2-45' : '12A';
      return { locator: this.#locator, seats: [{ segment_ref: '1', passenger_ref: '1', seat }] };
    });
    const sent = this.#desk.sends();
    const answer = await office.call(next, args);
    this.#said(answer, `${age} min, ${next}`);
    const isWhole = lag === 'whole';
    // After an hour a booking that no reading ever showed is one that the airline does not know.
    const mustTell = isWhole && !(this.#act === undefined && age > 60);
    if (mustTell && !this.#tells(answer) && !(await this.#isRefusedAnyway(args, answer))) {
      this.fault('asked or answered as if nothing had been', `${age} min: ${wordsOf(answer)}`);
    }
    if (answer.kind !== 'ask') {
      if (this.#desk.sends() > sent) {
        this.followed ||= codeOf(answer) === 'done';
        this.#judgeBooks(`${age} min, without a question: ${wordsOf(answer)}`);
        return true;
      }
      return isWhole && next !== CREATE && (await this.#although(age, args, wordsOf(answer)));
    }
    if (!this.#isSame && age !== this.#yesAt) return false;
    const result = await office.yes(next, args, answer);
    this.followed ||= codeOf(result) === 'done';
    this.#said(result, `${age} min, result of ${next}`);
    this.#judgeBooks(`${age} min, after a yes: ${answer.message}`);
    await this.#isLeft(`${age} min: ${answer.message}`);
    return true;
  }

  /** Judges whether what was done is still there after what followed. */
  async #isLeft(what: string): Promise<void> {
    const leaves = LEAVES[this.#cell.done];
    const { travelers, contact } = await this.#desk.fresh(this.#locator);
    const isThere = travelers.some(({ ref }) => ref === '1');
    if (leaves === undefined || !isThere || leaves(JSON.stringify(travelers), JSON.stringify([contact, travelers])))
      return;
    this.fault('what was done is undone by what follows', what);
  }

  /** Whether an answer says that something was done. Of a new booking in place of a cancelled one there is nothing to say. */
  #tells(answer: Answer): boolean {
    const words = wordsOf(answer);
    if (this.#cell.next !== CREATE) return DONE_HERE.test(words);
    const isNew = this.#act?.tool.startsWith('cancel_') === true;
    return isNew || DONE_HERE.test(words) || MADE_BEFORE.test(words);
  }

  /** Whether another act is refused in the same words where the reading is fresh: what was done has nothing to do with it. */
  async #isRefusedAnyway(args: Args, answer: Answer): Promise<boolean> {
    if (this.#isSame || answer.kind !== 'result' || !answer.isError) return false;
    return wordsOf(await this.#desk.askScout(this.#tool, args)) === answer.text;
  }

  /** The same call with `although_done`: refused within the hour, and asked on the page or in the terminal after it. */
  async #although(age: Age, args: Args, refused: string): Promise<boolean> {
    const next = this.#tool;
    const { office } = this.#desk;
    const sends = this.#desk.sends();
    const answer = await office.call(next, { ...args, although_done: true });
    const code = codeOf(answer);
    const isAsked = answer.kind === 'ask' || code === 'approval_required';
    if (this.#isSame && refused.includes('although_done') !== age > 60) {
      this.fault('although_done in vain, or not once', `${age} min, ${age > 60 ? 'not' : ''} named: ${refused}`);
    }
    if (answer.kind === 'ask')
      this.fault('although_done too soon, or in a dialog', `${age} min, a dialog: ${answer.message}`);
    if (age < 60) {
      if (isAsked) this.fault('although_done too soon, or in a dialog', `${age} min: ${wordsOf(answer)}`);
      return false;
    }
    if (answer.kind !== 'result') return true;
    if (!isAsked) {
      if (this.#isSame) this.fault('although_done in vain, or not once', `${age} min: ${answer.text}`);
      return true;
    }
    const { operation_id: id, approval } = answer.structured as { operation_id: string; approval: { terms: string[] } };
    if (!DONE_HERE.test(approval.terms[0] ?? '')) {
      this.fault('asked or answered as if nothing had been', `although_done: ${approval.terms[0]}`);
    }
    const caller = { tenant: 'office', id: 'ann' };
    const by =
      this.#draw('where') < 0.5 ? { assurance: 'page' as const } : { assurance: 'caller_confirmed' as const, caller };
    const decided = await office.clerk.decide(id, true, by);
    await office.clerk.idle();
    const more = this.#desk.sends() - sends;
    if (more === 1) this.again += 1;
    else this.fault('although_done in vain, or not once', `sent ${more} times: ${JSON.stringify(decided)}`);
    return true;
  }

  /** Judges what a result says of a paid booking. */
  #said(answer: Answer, what: string): void {
    const words = wordsOf(answer);
    // A booking that was made in its place is unpaid.
    const isOther = answer.kind === 'result' && !answer.isError && !words.includes(this.#locator);
    const found = this.#isPaid && !isOther ? CALLED_UNPAID.exec(words) : null;
    if (found !== null) {
      this.fault(
        'a paid booking called unpaid',
        `${what}: …${words.slice(Math.max(0, found.index - 80), found.index + 120)}`,
      );
    }
  }

  #judgeBooks(what: string): void {
    const entries = this.#desk.books().slice(this.#since);
    const twice = entries.filter((one, i) => entries.slice(0, i).some((other) => isAgain(one, other)));
    const repeats = entries.filter(({ event }) => event === 'refused_repeat');
    if (this.#isPaid && entries.some(({ event }) => event === 'cancelled')) {
      this.fault('a paid booking called unpaid', `${what}: it was released as an unpaid hold`);
    }
    for (const { event, about } of [...twice, ...repeats]) {
      this.fault('done twice without although_done', `${what}: ${event} ${about.join()}`);
    }
  }

  /** What only reads says the same of the booking, and nothing false. Returns false: it goes on. */
  async #read(age: Age): Promise<boolean> {
    const locator = this.#locator;
    const { office } = this.#desk;
    const sql = `select state, paid from booking where locator = '${locator}'`;
    const rounds = this.#cell.lag === 'flips' ? 2 : 1;
    for (let round = 0; round < rounds; round++) {
      const results = {
        read_booking: await office.call('read_booking', { locator }),
        list_bookings: await office.call('list_bookings', { query: locator }),
        query_ledger: await office.call('query_ledger', { sql }),
      };
      const others = {
        quote_cancellation: { locator },
        get_tickets: { locator },
        get_seat_map: { locator, segment_refs: ['1'] },
        propose_plan: { steps: [{ tool: 'cancel_booking', arguments: { locator } }] },
      };
      for (const [tool, answer] of Object.entries(results)) this.#said(answer, `${age} min, ${tool}`);
      for (const [tool, args] of Object.entries(others))
        this.#said(await office.call(tool, args), `${age} min, ${tool}`);
      await this.#states(age, results);
    }
    return false;
  }

  async #states(age: Age, { read_booking: read, list_bookings: list, query_ledger: query }: Record<string, Answer>) {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
    const of = (answer: Answer | undefined): any => (answer?.kind === 'result' ? answer.structured : {});
    const states = {
      read: of(read).booking?.state ?? codeOf(read as Answer),
      list: of(list).bookings?.[0]?.state,
      query: of(query).rows?.[0]?.[0],
    };
    if (this.#act === undefined && this.#cell.lag !== 'tickets') {
      // A hold that a node does not have yet.
      if (age < 60 && !DONE_HERE.test(wordsOf(read as Answer)) && states.read === 'E_NOT_FOUND')
        this.fault('asked or answered as if nothing had been', `${age} min: ${wordsOf(read as Answer)}`);
      return;
    }
    const fresh = await this.#stateNow();
    // What was never paid and is cancelled has a word of its own in the views.
    const isAlike =
      new Set([states.read, states.list, states.query === 'released' ? 'cancelled' : states.query]).size === 1;
    // Who was cancelled is gone from what is known, and their refund is not there yet.
    const isPartly =
      this.#act?.tool === 'cancel_passenger' && fresh === 'partly_cancelled' && states.read === 'ticketed';
    const isKnown = states.read === fresh || isPartly;
    if (!isAlike || !isKnown) {
      this.fault('states that differ', `${age} min: ${JSON.stringify({ ...states, fresh })}`);
    }
  }

  /** The state that the booking has. An airline shows a hold that was released without a word of it. */
  async #stateNow(): Promise<string> {
    if (this.#act?.tool === 'cancel_booking') return 'cancelled';
    return (await this.#desk.scout(this.#locator)).booking.state;
  }

  /** Within the hour no finding for a node that lags or flips, and none twice. */
  async #findings(age: Age): Promise<void> {
    const found = await this.#desk.findings(this.#locator);
    const told = found.map(({ kind, before, after, segment, deadlines }) => {
      return JSON.stringify({ kind, before, after, segment, deadlines });
    });
    const isOneNode = this.#cell.lag === 'whole' || this.#cell.lag === 'flips';
    if (age < 60 && isOneNode && told.length > 0)
      this.fault('findings of our own act', `${age} min: ${told.join(' ')}`);
    const twice = told.filter((one, i) => told.indexOf(one) < i);
    if (age < 60 && twice.length > 0) this.fault('findings told twice', `${age} min: ${twice.join(' ')}`);
  }
}

/** Events of the whole booking: what they are about is what they made. */
const OF_ALL: readonly string[] = ['created', 'paid', 'cancelled', 'contact_updated'];

/** Whether an act is the same one as another, of the same people or segments. A cancellation can have more than one refund. */
function isAgain(one: LedgerEntry, other: LedgerEntry): boolean {
  if (one.event !== other.event || one.event === 'refunded') return false;
  // What a rebooking costs is of no ticket.
  if (one.event === 'paid' && one.about.length === 0) return false;
  return OF_ALL.includes(one.event) || one.about.some((ref) => other.about.includes(ref));
}
