/**
 * What schedules of single acts and of plans have in common: two server processes that die and sleep, a bad airline, and calls
 * from outside. The seed decides everything.
 */
import { Chance } from '../support/chance.ts';
import { SimAirline, type SimAirlineOptions, weather } from './airline.ts';
import { type Hazards, Incarnation } from './process.ts';
import { Scheduler } from './scheduler.ts';

export interface Climate {
  /** Probabilities of which a schedule has one: that a process dies, or sleeps, at a call. */
  readonly crash: readonly number[];
  readonly pause: readonly number[];
  /** That a call to the store fails, in a fifth of all schedules. */
  readonly storeFault: number;
  /** That somebody else changes a booking meanwhile. */
  readonly meddling: readonly number[];
  /** After this nobody dies or sleeps any more, milliseconds; by the horizon all must have come to an end. */
  readonly calmAfter: number;
  readonly horizon: number;
}

const MAX_EVENTS = 100_000;
const PATIENCE = 60_000;
const NONE: Hazards = { crash: 0, pause: 0, storeFault: 0 };

export abstract class Simulation<Desk> {
  readonly scheduler = new Scheduler();
  readonly chance: Chance;
  readonly airline: SimAirline;
  readonly hazards: Hazards;
  readonly meddling: number;
  crashes = 0;
  /** Callers who are not done yet. */
  agents = 0;
  over = false;
  readonly #climate: Climate;
  readonly #processes: ({ inc: Incarnation; desk: Desk } | undefined)[] = [];

  constructor(seed: number, climate: Climate, airline: SimAirlineOptions = {}) {
    this.#climate = climate;
    this.chance = new Chance(seed);
    this.hazards = {
      crash: this.chance.pick(climate.crash),
      pause: this.chance.pick(climate.pause),
      storeFault: this.chance.hit(0.2) ? climate.storeFault : 0,
    };
    this.meddling = climate.meddling.length === 0 ? 0 : this.chance.pick(climate.meddling);
    this.airline = new SimAirline(this.scheduler, this.chance, weather(this.chance), airline);
  }

  abstract open(inc: Incarnation): Desk;

  start(n: number, life = 0): void {
    const hazards = () => (this.scheduler.now < this.#climate.calmAfter ? this.hazards : NONE);
    const inc = new Incarnation(`p${n}.${life}`, this.scheduler, this.chance, hazards, () => {
      this.crashes++;
      this.#processes[n] = undefined;
      this.scheduler.after(this.chance.between(100, 30_000), () => this.start(n, life + 1));
    });
    this.scheduler.woke = true;
    const desk = this.open(inc);
    this.#processes[n] = inc.dead ? undefined : { inc, desk };
  }

  /** Looks now and then whether everything has come to an end. */
  async watch(isOver: () => Promise<boolean>): Promise<void> {
    while (!this.over) {
      await this.scheduler.sleep(20_000);
      const called = this.#processes.some((process) => process !== undefined && process.inc.calls > 0);
      if (!called && this.agents === 0 && this.airline.underWay === 0) this.over = await isOver();
    }
  }

  run(): Promise<void> {
    const { scheduler } = this;
    return scheduler.run(() => this.over || scheduler.now > this.#climate.horizon || scheduler.events > MAX_EVENTS);
  }

  /** A call from outside to either process. Undefined: no answer in time, a refusal, or nobody there. */
  invoke<T>(work: (desk: Desk) => Promise<T>): Promise<T | undefined> {
    const process = this.#processes[this.chance.between(0, 1)];
    if (process === undefined) return this.scheduler.sleep(2000).then(() => undefined);
    const { inc, desk } = process;
    return new Promise((resolve) => {
      const timer = this.scheduler.after(PATIENCE, () => this.scheduler.wake(() => resolve(undefined)));
      inc.calls++;
      const end = (value?: T) => {
        if (inc.dead) return;
        inc.calls--;
        this.scheduler.cancel(timer);
        resolve(value);
      };
      inc.after(this.chance.between(0, 5), () => this.scheduler.wake(() => void work(desk).then(end, () => end())));
    });
  }
}
