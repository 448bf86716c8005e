/**
 * One schedule: two server processes on one store, a bad airline, agents that repeat themselves, people who say yes or
 * no, and others who change the bookings meanwhile. The seed decides everything.
 */

import { termsOf } from './acts.ts';
import { SLOWER, type Version } from './airline.ts';
import { type Answer, type Approval, Desk, isEnd, type Policy, type Stored } from './desk.ts';
import type { Incarnation } from './process.ts';
import { type Climate, Simulation } from './simulation.ts';
import { ACTIVE, type Aim, aimOf, type Kind, type Message, sold, type Truth } from './truth.ts';

export type History = Awaited<ReturnType<typeof live>>;

export interface Asked {
  readonly approval: Approval;
  readonly aim: Aim;
  readonly answers: Set<Answer>;
}

export interface WorldOptions {
  readonly policy?: Policy;
  /** The airline may act after the settle time. Nobody asks again then, and nobody else changes the bookings. */
  readonly late?: boolean;
}

const CLIMATE: Climate = {
  ...{ crash: [0, 0.006, 0.006, 0.02], pause: [0, 0.005, 0.005, 0.03], storeFault: 0.01 },
  ...{ meddling: [0, 0.25, 0.25, 0.9], calmAfter: 2 * 3600_000, horizon: 5 * 3600_000 },
};
/** How often what was settled as not carried out is looked at again. */
const LOOKS = 2;
const INTENTS = 3;
const CALLS = 40;
/** After so long at most an agent asks again about a booking that had another act under way. */
const BUSY_MS = 300_000;

const KINDS: readonly Kind[] = [
  ...(['pay', 'pay', 'cancel_segments', 'cancel_passengers', 'change_names', 'cancel_booking', 'create'] as const),
];

export function live(seed: number, stored: Stored, options: WorldOptions) {
  return new World(seed, stored, options).live();
}

class World extends Simulation<Desk> {
  readonly #stored: Stored;
  readonly #policy: Policy;
  readonly #asked: Asked[] = [];
  readonly #late: boolean;

  constructor(seed: number, stored: Stored, { policy = {}, late = false }: WorldOptions) {
    super(seed, late ? { ...CLIMATE, meddling: [] } : CLIMATE, {
      understand: policy.understand,
      slow: late ? SLOWER : undefined,
    });
    this.#late = late;
    this.#policy = policy;
    this.#stored = stored;
  }

  override open(inc: Incarnation): Desk {
    return new Desk(inc, this.#stored, this.airline, this.#policy);
  }

  async live() {
    for (const n of [0, 1]) this.start(n);
    for (const locator of ['A', 'B']) this.#populate(locator);
    if (this.chance.hit(0.04)) this.#blind();
    void this.watch(async () => {
      const open = await this.#stored.operations.list({ states: ACTIVE, limit: 1 });
      return open.length === 0 && (!this.#late || (await this.#isWatched()));
    });
    await this.run();
    const { airline, crashes, scheduler } = this;
    return {
      store: this.#stored.operations,
      airline,
      asked: this.#asked as readonly Asked[],
      crashes,
      endedAt: scheduler.now,
    };
  }

  /** What was settled as not carried out will not be looked at any more. */
  async #isWatched(): Promise<boolean> {
    const settled = await this.#stored.operations.list({ states: ['not_executed'] });
    const sent = settled.filter((one) => one.locator !== undefined && one.lastReadAt !== undefined);
    return sent.every(({ outcome }) => outcome?.looks === LOOKS);
  }

  #blind(): void {
    const lasts = this.chance.between(60_000, 3_000_000);
    this.scheduler.after(this.chance.between(0, 200_000), () => {
      this.airline.blindUntil = this.scheduler.now + lasts;
    });
  }

  #populate(locator: string): void {
    const kind = this.chance.pick(KINDS);
    const paid = kind !== 'pay' && kind !== 'cancel_booking';
    this.airline.put(this.#booking(locator, paid));
    const agents = this.chance.hit(0.3) ? 2 : 1;
    for (let agent = 0; agent < agents; agent++) {
      const own = agent === 0 || this.chance.hit(0.7) ? kind : this.chance.pick(KINDS);
      void this.#agent(`${locator}${agent}`, this.#message(own, locator));
    }
    if (this.chance.hit(this.meddling))
      this.scheduler.after(this.chance.between(0, 300_000), () => this.#meddle(locator));
  }

  #booking(locator: string, paid: boolean): Truth {
    const size = this.chance.between(2, 3);
    const first = locator === 'A' ? 10 : 20;
    const people = Array.from({ length: size }, (_, i) => ({
      ...{ who: first + i, ref: String(i + 1), given: `P${first + i}`, type: 'ADT' as const },
      named: this.chance.hit(0.9),
    }));
    return sold(locator, people, paid);
  }

  #message(kind: Kind, locator: string): Message {
    if (kind === 'cancel_segments') return { kind, locator, refs: this.chance.pick([['1'], ['2'], ['1', '2']]) };
    if (kind === 'cancel_passengers') return { kind, locator, refs: this.chance.pick([['1'], ['2']]) };
    if (kind === 'change_names') return { kind, locator, refs: ['1'], given: 'NEWNAME' };
    return { kind, locator, refs: [] };
  }

  /** Somebody at another desk changes the booking. */
  #meddle(locator: string): void {
    const truth = this.airline.truth(locator);
    const unpaid = truth.paid.length === 0;
    const dice = this.chance.next();
    if (unpaid && dice < 0.6) this.airline.put({ ...truth, total: 66_000 });
    else if (unpaid && dice < 0.8) this.airline.put({ ...truth, paid: [truth.total], ticketed: true });
    else if (!unpaid && dice < 0.5) this.airline.put(withoutSecond(truth));
    else this.airline.put(corrected(truth));
  }

  /** Asks, gets a person's answer, presents it again and again until it knows; a new question only after a plain no. */
  async #agent(name: string, message: Message): Promise<void> {
    this.agents++;
    await this.scheduler.sleep(this.chance.between(0, 2000));
    for (let intent = 0; intent < (this.#late ? 1 : INTENTS); intent++) {
      const asked = await this.#ask(`${name}.${intent}`, message);
      if (asked === undefined) break;
      const end = await this.#insist(asked);
      if (end !== 'not_executed' && end !== 'refused' && end !== 'busy') break;
      await this.scheduler.sleep(this.chance.between(100, end === 'busy' ? BUSY_MS : 5000));
    }
    this.agents--;
  }

  async #ask(id: string, message: Message): Promise<Asked | undefined> {
    for (let tried = 0; tried < 4; tried++) {
      const approval = await this.invoke((desk) => desk.ask(id, message));
      if (approval === undefined) continue;
      const aim = aimOf(this.#asWas(message.locator, approval.shown), message);
      const asked = { approval, aim, answers: new Set<Answer>() };
      this.#asked.push(asked);
      if (this.chance.hit(0.95)) this.scheduler.after(this.chance.between(1000, 120_000), () => this.#decide(approval));
      return asked;
    }
    return undefined;
  }

  /** The booking as it was when its terms were written. */
  #asWas(locator: string, shown: string): Truth {
    const seen = (version: Version) => termsOf(version.booking) === shown;
    return (this.airline.versions(locator).findLast(seen) ?? this.airline.versions(locator).at(-1))?.truth as Truth;
  }

  #decide(approval: Approval): void {
    const decision = this.chance.hit(0.9) ? 'granted' : 'declined';
    approval.decision = decision;
    approval.decidedAt = this.scheduler.now;
    this.scheduler.wake(() => {
      void this.#stored.approvals.decide(approval.handleHash, { decision, assurance: 'page' }, this.scheduler.now);
    });
  }

  async #insist({ approval, answers }: Asked): Promise<Answer | undefined> {
    let presented = 0;
    let refused = 0;
    const present = async () => {
      const answer = await this.invoke((desk) => desk.present(approval, presented++));
      if (answer !== undefined) answers.add(answer);
      return answer;
    };
    for (let call = 0; call < CALLS; call++) {
      if (this.chance.hit(0.15)) void present();
      const answer = await present();
      if (answer === 'not_granted' && approval.decision !== 'granted' && ++refused > 8) return answer;
      if (answer !== undefined && isEnd(answer)) {
        // Now and then a spent approval is presented once more.
        if (this.chance.hit(0.3)) void present();
        return answer;
      }
      await this.scheduler.sleep(this.chance.between(200, 30_000));
    }
    return undefined;
  }
}

/** The second segment is cancelled. */
export function withoutSecond(truth: Truth): Truth {
  const segments = truth.segments.map((one) => (one.ref === '2' ? { ...one, active: false } : one));
  return { ...truth, segments };
}

/** The second passenger has another name. */
export function corrected(truth: Truth): Truth {
  const people = truth.people.map((one, i) => (i === 1 ? { ...one, given: 'CORRECTED', named: true } : one));
  return { ...truth, people };
}
