/**
 * One schedule: two server processes on one store, a bad airline, agents that repeat themselves, people who say yes or
 * no, and others who change the bookings meanwhile. The seed decides everything.
 */
import { ACTIVE_STATES } from '../../../src/journal/operation.ts';
import type { OperationStore } from '../../../src/journal/ports.ts';
import { Chance } from '../support/chance.ts';
import { SimAirline, SLOWER, type Version, weather } from './airline.ts';
import { type Answer, type Approval, Desk, isEnd, type Policy, termsOf } from './desk.ts';
import { MemoryOperations } from './memory-operations.ts';
import { type Hazards, Incarnation } from './process.ts';
import { Scheduler } from './scheduler.ts';
import { type Aim, aimOf, type Kind, type Message, type Truth } from './truth.ts';

export interface Asked {
  readonly approval: Approval;
  readonly aim: Aim;
  readonly answers: Set<Answer>;
}

export interface Stats {
  operations: number;
  crashes: number;
  arrivals: number;
  commits: number;
  needsPerson: number;
  events: number;
  hours: number;
}

/** Everything that the invariants look at. */
export interface History {
  readonly seed: number;
  readonly store: OperationStore;
  readonly airline: SimAirline;
  readonly asked: readonly Asked[];
  readonly crashes: number;
  readonly events: number;
  readonly endedAt: number;
}

export interface WorldOptions {
  readonly policy?: Policy;
  /** Default: in memory, the fastest. */
  readonly store?: OperationStore;
  /** The airline may act after the settle time. Nobody asks again then, and nobody else changes the bookings. */
  readonly late?: boolean;
}

/** After the first of these nobody dies or sleeps any more; by the second all must have come to an end. */
const CALM = 2 * 3600_000;
const HORIZON = 5 * 3600_000;
const MAX_EVENTS = 100_000;
/** From the last that became of an operation until no look at it is due. */
const WATCHED = 80 * 60_000;
const CLIENT_PATIENCE = 60_000;
const INTENTS = 3;
const CALLS = 40;

const KINDS: readonly Kind[] = [
  'pay',
  'pay',
  'cancel_segments',
  'cancel_passengers',
  'change_names',
  'cancel_booking',
  'create',
];

export async function live(seed: number, options: WorldOptions = {}): Promise<History> {
  return await new World(seed, options).live();
}

class World {
  readonly #seed: number;
  readonly #scheduler = new Scheduler();
  readonly #chance: Chance;
  readonly #airline: SimAirline;
  readonly #store: OperationStore;
  readonly #policy: Policy;
  readonly #hazards: Hazards;
  readonly #processes: ({ inc: Incarnation; desk: Desk } | undefined)[] = [];
  readonly #asked: Asked[] = [];
  readonly #meddling: number;
  readonly #late: boolean;
  #agents = 0;
  #crashes = 0;
  #over = false;

  constructor(seed: number, { policy = {}, store, late = false }: WorldOptions) {
    this.#seed = seed;
    this.#late = late;
    this.#policy = policy;
    this.#chance = new Chance(seed);
    this.#store = store ?? new MemoryOperations({ chained: false });
    this.#hazards = {
      crash: this.#chance.pick([0, 0.006, 0.006, 0.02]),
      pause: this.#chance.pick([0, 0.005, 0.005, 0.03]),
      storeFault: this.#chance.hit(0.2) ? 0.01 : 0,
    };
    this.#meddling = late ? 0 : this.#chance.pick([0, 0.25, 0.25, 0.9]);
    this.#airline = new SimAirline(this.#scheduler, this.#chance, weather(this.#chance), {
      understand: policy.understand,
      slow: late ? SLOWER : undefined,
    });
  }

  async live(): Promise<History> {
    for (const n of [0, 1]) this.#start(n, 0);
    for (const locator of ['A', 'B']) this.#populate(locator);
    if (this.#chance.hit(0.04)) this.#blind();
    void this.#watch();
    await this.#scheduler.run(() => this.#isOver());
    const { events, now } = this.#scheduler;
    const history = { seed: this.#seed, store: this.#store, airline: this.#airline, asked: this.#asked };
    return { ...history, crashes: this.#crashes, events, endedAt: now };
  }

  #isOver(): boolean {
    const { now, events } = this.#scheduler;
    return this.#over || now > HORIZON || events > MAX_EVENTS;
  }

  /** Nobody will ask for anything any more. */
  #isIdle(): boolean {
    const called = this.#processes.some((process) => process !== undefined && process.inc.calls > 0);
    return !called && this.#agents === 0 && this.#airline.underWay === 0;
  }

  /** Looks now and then whether anything is still open. */
  async #watch(): Promise<void> {
    while (!this.#over) {
      await this.#scheduler.sleep(20_000);
      if (!this.#isIdle()) continue;
      this.#over = (await this.#store.list({ states: ACTIVE_STATES, limit: 1 })).length === 0;
      if (this.#late) this.#over &&= await this.#isWatched();
    }
  }

  /** What was settled as not carried out will not be looked at any more. */
  async #isWatched(): Promise<boolean> {
    const settled = await this.#store.list({ states: ['not_executed'] });
    const last = Math.max(...settled.filter((one) => one.lastReadAt !== undefined).map((one) => one.updatedAt));
    return this.#scheduler.now > last + WATCHED;
  }

  #start(n: number, life: number): void {
    const hazards = () => (this.#scheduler.now < CALM ? this.#hazards : { crash: 0, pause: 0, storeFault: 0 });
    const inc = new Incarnation(`p${n}.${life}`, this.#scheduler, this.#chance, hazards, () => {
      this.#crashes++;
      this.#processes[n] = undefined;
      this.#scheduler.after(this.#chance.between(100, 30_000), () => this.#start(n, life + 1));
    });
    this.#scheduler.woke = true;
    this.#processes[n] = { inc, desk: new Desk(inc, this.#store, this.#airline, this.#policy) };
    if (inc.dead) this.#processes[n] = undefined;
  }

  #blind(): void {
    const lasts = this.#chance.between(60_000, 3_000_000);
    this.#scheduler.after(this.#chance.between(0, 200_000), () => {
      this.#airline.blindUntil = this.#scheduler.now + lasts;
    });
  }

  #populate(locator: string): void {
    const kind = this.#chance.pick(KINDS);
    const paid = kind !== 'pay' && kind !== 'cancel_booking';
    this.#airline.put(this.#booking(locator, paid));
    const agents = this.#chance.hit(0.3) ? 2 : 1;
    for (let agent = 0; agent < agents; agent++) {
      const own = agent === 0 || this.#chance.hit(0.7) ? kind : this.#chance.pick(KINDS);
      void this.#agent(`${locator}${agent}`, this.#message(own, locator));
    }
    if (this.#chance.hit(this.#meddling)) {
      this.#scheduler.after(this.#chance.between(0, 300_000), () => this.#meddle(locator));
    }
  }

  #booking(locator: string, paid: boolean): Truth {
    const size = this.#chance.between(2, 3);
    const first = locator === 'A' ? 10 : 20;
    const people = Array.from({ length: size }, (_, i) => ({
      who: first + i,
      ref: String(i + 1),
      given: `P${first + i}`,
      named: this.#chance.hit(0.9),
      type: 'ADT' as const,
    }));
    const segments = [
      { ref: '1', active: true },
      { ref: '2', active: true },
    ];
    const money = { total: 60_000, paid: paid ? [60_000] : [], ticketed: paid };
    return { locator, people, segments, ...money, refunds: [], cancelled: false };
  }

  #message(kind: Kind, locator: string): Message {
    if (kind === 'cancel_segments') return { kind, locator, refs: this.#chance.pick([['1'], ['2'], ['1', '2']]) };
    if (kind === 'cancel_passengers') return { kind, locator, refs: this.#chance.pick([['1'], ['2']]) };
    if (kind === 'change_names') return { kind, locator, refs: ['1'], given: 'NEWNAME' };
    return { kind, locator, refs: [] };
  }

  /** Somebody at another desk changes the booking. */
  #meddle(locator: string): void {
    const truth = this.#airline.truth(locator);
    const unpaid = truth.paid.length === 0;
    const dice = this.#chance.next();
    if (unpaid && dice < 0.6) this.#airline.put({ ...truth, total: 66_000 });
    else if (unpaid && dice < 0.8) this.#airline.put({ ...truth, paid: [truth.total], ticketed: true });
    else if (!unpaid && dice < 0.5) {
      const segments = truth.segments.map((one) => (one.ref === '2' ? { ...one, active: false } : one));
      this.#airline.put({ ...truth, segments });
    } else {
      const people = truth.people.map((one, i) => (i === 1 ? { ...one, given: 'CORRECTED', named: true } : one));
      this.#airline.put({ ...truth, people });
    }
  }

  /** Asks, gets a person's answer, presents it again and again until it knows; a new question only after a plain no. */
  async #agent(name: string, message: Message): Promise<void> {
    this.#agents++;
    await this.#scheduler.sleep(this.#chance.between(0, 2000));
    for (let intent = 0; intent < (this.#late ? 1 : INTENTS); intent++) {
      const asked = await this.#ask(`${name}.${intent}`, message);
      if (asked === undefined) break;
      const end = await this.#insist(asked);
      if (end !== 'not_executed' && end !== 'refused') break;
      await this.#scheduler.sleep(this.#chance.between(100, 5000));
    }
    this.#agents--;
  }

  async #ask(id: string, message: Message): Promise<Asked | undefined> {
    for (let tried = 0; tried < 4; tried++) {
      const terms = await this.#invoke((desk) => desk.preview(id, 'c', message));
      if (terms === undefined) continue;
      const aim = aimOf(this.#asWas(message.locator, terms.shown), message);
      const approval: Approval = { ...terms, decision: 'pending' };
      const asked = { approval, aim, answers: new Set<Answer>() };
      this.#asked.push(asked);
      if (this.#chance.hit(0.95)) {
        this.#scheduler.after(this.#chance.between(1000, 120_000), () => this.#decide(approval));
      }
      return asked;
    }
    return undefined;
  }

  /** The booking as it was when its terms were written. */
  #asWas(locator: string, shown: string): Truth {
    const seen = (version: Version) => termsOf(version.booking) === shown;
    return (this.#airline.versions(locator).findLast(seen) ?? this.#airline.versions(locator).at(-1))?.truth as Truth;
  }

  #decide(approval: Approval): void {
    approval.decision = this.#chance.hit(0.9) ? 'granted' : 'declined';
    approval.decidedAt = this.#scheduler.now;
  }

  async #insist({ approval, answers }: Asked): Promise<Answer | undefined> {
    let presented = 0;
    let refused = 0;
    for (let call = 0; call < CALLS; call++) {
      const present = () => this.#invoke((desk) => desk.present(approval, presented++));
      if (this.#chance.hit(0.15)) void present().then((late) => late !== undefined && answers.add(late));
      const answer = await present();
      if (answer !== undefined) answers.add(answer);
      if (answer === 'not_granted' && approval.decision !== 'granted' && ++refused > 8) return answer;
      if (answer !== undefined && isEnd(answer)) {
        // Now and then a spent approval is presented once more.
        if (this.#chance.hit(0.3)) void present().then((late) => late !== undefined && answers.add(late));
        return answer;
      }
      await this.#scheduler.sleep(this.#chance.between(200, 30_000));
    }
    return undefined;
  }

  /** A call from a client to either process. Undefined: no answer in time, or nobody there. */
  #invoke<T>(work: (desk: Desk) => Promise<T>): Promise<T | undefined> {
    const process = this.#processes[this.#chance.between(0, 1)];
    if (process === undefined) return this.#scheduler.sleep(2000).then(() => undefined);
    const { inc, desk } = process;
    return new Promise((resolve) => {
      const timer = this.#scheduler.after(CLIENT_PATIENCE, () => this.#scheduler.wake(() => resolve(undefined)));
      inc.calls++;
      const end = (value?: T) => {
        if (inc.dead) return;
        inc.calls--;
        this.#scheduler.cancel(timer);
        resolve(value);
      };
      inc.after(this.#chance.between(0, 5), () => this.#scheduler.wake(() => void work(desk).then(end, () => end())));
    });
  }
}
