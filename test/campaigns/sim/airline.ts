/**
 * The simulated airline and the wire to it. It is as bad as it may be: nothing is idempotent, answers are lost, late,
 * cut, somebody else's, or an error after the deed was done.
 */
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { Sending } from '../../../src/journal/ports.ts';
import type { Chance } from '../support/chance.ts';
import {
  type Answer,
  BLAMING,
  REFUSING,
  UNPROVEN,
  type Understanding,
  unanswered,
  understood,
  type WireBody,
} from './answers.ts';
import type { Incarnation } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import { apply, bookingOf, type Kind, type Message, type Truth } from './truth.ts';

export interface Version {
  readonly at: number;
  readonly truth: Truth;
  readonly booking: Booking;
}

/** How often each thing goes wrong, as a probability. */
const FAULTS = {
  /** Before the first byte. */
  unreachable: 0.05,
  /** Arrived, not carried out. */
  hang: 0.03,
  reset: 0.04,
  e500: 0.05,
  blamed: 0.03,
  declined: 0.04,
  /** Carried out; what comes back. */
  lost: 0.1,
  resetAfter: 0.06,
  e502: 0.06,
  blamedAfter: 0.03,
  cut: 0.04,
  foreign: 0.04,
  late: 0.05,
  slow: 0.15,
  ticketsLater: 0.1,
  /** Readings. */
  readFails: 0.1,
  readHangs: 0.02,
  readForeign: 0.04,
  readLags: 0.2,
};

export type Faults = { readonly [K in keyof typeof FAULTS]: number };

/** Every run has its own weather: each fault never, as usual, or often. Together they reach corners that one would not. */
export function weather(chance: Chance): Faults {
  const fair = chance.hit(0.08);
  const scaled = Object.entries(FAULTS).map(([name, p]) => [name, fair ? 0 : p * chance.pick([0, 1, 1, 5])]);
  return Object.fromEntries(scaled) as Faults;
}

/** A message is carried out at most this long after it arrived; the settle time is longer. */
const LATEST = 230_000;
const BRINK = 205_000;
/** What may come after it is settled as not carried out, and before the last look at it. */
export const SLOWER: readonly [number, number] = [240_000, 3_000_000];
/** A reading may be served by a copy that is this far behind: less than two gaps between settling reads. */
export const LAG = 38_000;

type Dispatch = Parameters<Sending['sendConfirmed']>[0];

export interface SimAirlineOptions {
  readonly understand?: Understanding | undefined;
  /** How long a slow message takes, where that is not within the settle time. */
  readonly slow?: typeof SLOWER | undefined;
}

export class SimAirline {
  readonly bookings = new Map<string, Version[]>();
  /** Messages whose first byte arrived, in order. */
  readonly arrivals: { readonly operation: string; readonly at: number; readonly message: Message }[] = [];
  readonly commits: { readonly operation: string; readonly at: number; readonly truth: Truth }[] = [];
  readonly renumbers: boolean;
  /** Reads are refused until then: an outage. */
  blindUntil = 0;
  /** Messages that arrived and are not carried out yet. */
  underWay = 0;
  readonly #scheduler: Scheduler;
  readonly #chance: Chance;
  readonly #faults: Faults;
  readonly #understand: Understanding;
  readonly #slow: typeof SLOWER | undefined;
  #created = 0;

  constructor(
    scheduler: Scheduler,
    chance: Chance,
    faults: Faults,
    { understand = understood, slow }: SimAirlineOptions = {},
  ) {
    this.#slow = slow;
    this.#scheduler = scheduler;
    this.#chance = chance;
    this.#faults = faults;
    this.#understand = understand;
    this.renumbers = chance.hit(0.5);
  }

  put(truth: Truth): void {
    const version = { at: this.#scheduler.now, truth, booking: bookingOf(truth) };
    const versions = this.bookings.get(truth.locator);
    if (versions === undefined) this.bookings.set(truth.locator, [version]);
    else versions.push(version);
  }

  versions(locator: string): readonly Version[] {
    return this.bookings.get(locator) ?? [];
  }

  truth(locator: string): Truth {
    const version = this.versions(locator).at(-1);
    if (version === undefined) throw new Error(`no booking ${locator}`);
    return version.truth;
  }

  #hit(fault: keyof Faults): boolean {
    return this.#chance.hit(this.#faults[fault]);
  }

  /** The adapter's read: seen when the airline answers, known when the process is awake to hear it. */
  read(inc: Incarnation, locator: string, settling: boolean): Promise<Booking> {
    const read = () =>
      new Promise<Booking>((resolve, reject) => {
        if (this.#hit('readHangs')) return;
        this.#scheduler.after(this.#chance.between(20, 2000), () => {
          const seen = this.#answerRead(locator, settling);
          const end = () => (seen === undefined ? reject(unanswered('E_AIRLINE_DOWN')) : resolve(seen));
          inc.deliver(() => this.#scheduler.wake(end));
        });
      });
    return inc.call(read);
  }

  #answerRead(locator: string, settling: boolean): Booking | undefined {
    if (this.#hit('readFails') || this.#scheduler.now < this.blindUntil) return undefined;
    return this.#hit('readForeign') ? this.#foreign(locator) : this.#seen(locator, settling);
  }

  #foreign(locator: string): Booking | undefined {
    const other = [...this.bookings.keys()].find((one) => one !== locator);
    return other === undefined ? undefined : this.versions(other).at(-1)?.booking;
  }

  #seen(locator: string, settling: boolean): Booking | undefined {
    const versions = this.versions(locator);
    const at = this.#scheduler.now - (settling && this.#hit('readLags') ? this.#chance.between(1000, LAG) : 0);
    return (versions.findLast((version) => version.at <= at) ?? versions[0])?.booking;
  }

  /** The adapter's send: connect, ask the fence, let the bytes go, wait, keep the reply, make sense of it. */
  send(
    inc: Incarnation,
    operation: string,
    message: Message,
    dispatch: Dispatch,
  ): ReturnType<Sending['sendConfirmed']> {
    return inc.call(async () => {
      const answer = await this.#exchange(inc, operation, message, dispatch);
      if (answer.kind === 'http') {
        await dispatch.keep(answer.body === null ? [] : [answer.body.locator]);
      }
      return this.#understand(message.kind, answer);
    });
  }

  #exchange(inc: Incarnation, operation: string, message: Message, dispatch: Dispatch): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const unsent = () => this.#scheduler.wake(() => reject(unanswered('E_AIRLINE_DOWN', 'none')));
      inc.after(this.#chance.between(1, 300), () => {
        if (this.#hit('unreachable') || !dispatch.mayStart()) return unsent();
        const travel = this.#chance.between(1, 50);
        this.#scheduler.after(travel, () =>
          this.#arrive(operation, message, (answer, ms) => {
            inc.after(ms, () => this.#scheduler.wake(() => resolve(answer)));
          }),
        );
      });
    });
  }

  #arrive(operation: string, message: Message, answer: (answer: Answer, ms: number) => void): void {
    this.arrivals.push({ operation, at: this.#scheduler.now, message });
    if (this.#hit('hang')) return;
    const reset = this.#hit('reset');
    const slow = this.#hit('slow');
    const [from, to] = this.#slow ?? [this.#chance.hit(0.3) ? BRINK : 1000, LATEST];
    const takes = reset ? 10 : slow ? this.#chance.between(from, to) : this.#chance.between(20, 4000);
    this.underWay++;
    this.#scheduler.after(takes, () => {
      this.underWay--;
      if (reset) answer({ kind: 'reset' }, 1);
      else this.#carryOut(operation, message, answer);
    });
  }

  #carryOut(operation: string, message: Message, answer: (answer: Answer, ms: number) => void): void {
    const refused = this.#refusal();
    if (refused !== undefined) {
      answer(refused, 10);
      return;
    }
    const body = this.#commit(operation, message);
    const late = this.#hit('late') ? this.#chance.between(10_000, 220_000) : this.#chance.between(1, 200);
    const told = this.#garble(message, body);
    if (told !== undefined) answer(told, late);
  }

  /** Not carried out, said with an error or a refusal. */
  #refusal(): Answer | undefined {
    if (this.#hit('e500')) return { kind: 'http', status: 500, fault: { code: '448', title: 'x' }, body: null };
    if (this.#hit('blamed')) return this.#oneOf(BLAMING);
    return this.#hit('declined') ? this.#oneOf(REFUSING) : undefined;
  }

  #oneOf(errors: typeof BLAMING): Answer {
    const [status, fault] = this.#chance.pick(errors);
    return { kind: 'http', status, fault, body: null };
  }

  /** Carried out; but what comes back of it? */
  #garble(message: Message, body: WireBody): Answer | undefined {
    if (this.#hit('lost')) return undefined;
    if (this.#hit('resetAfter')) return { kind: 'reset' };
    if (this.#hit('e502')) return { kind: 'http', status: 502, body: null };
    if (this.#hit('blamedAfter')) return this.#oneOf([...BLAMING, ...UNPROVEN]);
    if (this.#hit('cut')) return { kind: 'http', status: 200, body: null };
    const foreign = this.#hit('foreign') ? this.#foreignBody(message) : undefined;
    return { kind: 'http', status: 200, body: foreign ?? body };
  }

  #commit(operation: string, message: Message): WireBody {
    const before = message.kind === 'create' ? this.#newBooking() : this.truth(message.locator);
    const after = apply(before, message, this);
    this.commits.push({ operation, at: this.#scheduler.now, truth: before });
    // Now and then the money is taken first and the tickets follow.
    if (message.kind === 'pay' && this.#hit('ticketsLater')) {
      this.put({ ...after, ticketed: false });
      this.underWay++;
      this.#scheduler.after(this.#chance.between(1000, 60_000), () => {
        this.underWay--;
        this.put({ ...this.truth(message.locator), ticketed: true });
      });
    } else this.put(after);
    return bodyOf(message.kind, this.truth(after.locator));
  }

  #newBooking(): Truth {
    const locator = `N${++this.#created}`;
    const people = [{ who: 90 + this.#created, ref: '1', given: 'NEW', named: true, type: 'ADT' as const }];
    const segments = [{ ref: '1', active: true }];
    return { locator, people, segments, total: 700, paid: [], ticketed: false, refunds: [], cancelled: false };
  }

  /** A duplicate of the answer to the same question about another booking. */
  #foreignBody({ kind, locator, refs }: Message): WireBody | undefined {
    const other = [...this.bookings.keys()].find((one) => one !== locator);
    if (other === undefined || kind === 'create') return undefined;
    return bodyOf(kind, apply(this.truth(other), { kind, locator: other, refs }, this));
  }
}

function bodyOf(kind: Kind, truth: Truth): WireBody {
  const { locator } = truth;
  if (kind === 'cancel_booking') return { locator, cancelled: true };
  if (kind !== 'pay') return { locator, booking: bookingOf(truth) };
  const share = truth.total / truth.people.length;
  const items = truth.people.map((one) => ({ ticketNumber: `900000000${one.who}`, total: (share / 100).toFixed(2) }));
  return { locator, items };
}
