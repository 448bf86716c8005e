/**
 * One line of processes on one state folder: each is killed in the middle of an act, and the next one must tell the
 * truth of it, which is in the airline's own ledger.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { dateIn } from '../../../support/people.ts';
import { type Act, createArgs, isOpen, READ } from '../../support/acts.ts';
import type { OpenAirline } from '../../support/airline.ts';
import { entriesOf } from '../../support/books.ts';
import { newFolder } from '../../support/folders.ts';
import { retried, seenWithin } from '../../support/pace.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import { readFrom } from '../../support/sqlite.ts';
import { Gone } from '../../support/stdio-client.ts';
import { arm, traced } from './crasher.ts';
import { type Kill, killOnTheWire, killText, outsideKills } from './kill-steps.ts';
import { type Kind, Program, startMs, type Talk, type Told } from './program.ts';

const TOLD_WITHIN_MS = 5_000;
/** On a machine that is busy or slow: as long as so many starts of a command that reads nothing. */
const TOLD_WITHIN_STARTS = 12;
/** What is not settled by then never will be. */
const SETTLED_WITHIN_MS = 60_000;

export interface Victim extends Pick<Act, 'name' | 'tool' | 'event' | 'message'> {
  /** Absent: create_booking. */
  readonly act?: Act;
}

export const CREATE: Victim = {
  name: 'create_booking',
  tool: 'create_booking',
  message: 'OTA_AirBookRQ',
  event: 'created',
};

export type Killed = Awaited<ReturnType<Lane['kill']>>;

/** The act was not over when its call was: the machine is busy. */
class Late extends Error {}

const isLate = (error: unknown) => error instanceof Late;

interface Row {
  readonly id: string;
  readonly state: string;
  readonly dispatches: number;
}

interface Task {
  readonly args: Record<string, unknown>;
  readonly locator?: string;
}

export class Lane {
  readonly #airline: OpenAirline;
  readonly #relay: Relay;
  readonly #folder = newFolder('kill');
  #program: Program | undefined;
  #day = 15;

  private constructor(airline: OpenAirline, relay: Relay) {
    this.#airline = airline;
    this.#relay = relay;
  }

  static async open(airline: OpenAirline): Promise<Lane> {
    return new Lane(airline, await startRelay(airline.settings));
  }

  /** Every step at which an act of this kind can be killed, by one that was done. A busy machine may be late for several. */
  killsOf(victim: Victim, kind: Kind): Promise<readonly Kill[]> {
    return retried(5, 0, () => this.#tracedKills(victim, kind), isLate);
  }

  async #tracedKills(victim: Victim, kind: Kind): Promise<readonly Kill[]> {
    const program = await this.#running(kind);
    const { args } = await this.#task(victim, program);
    this.#relay.clear();
    const [steps, told] = await traced(program.child, () => program.act(victim.tool, args, {}));
    if (told.status === 'pending') throw new Late(`${victim.name} was late: ${told.text}`);
    if (told.status !== 'done') throw new Error(`${victim.name} was not done: ${told.text}`);
    const reads = this.#relay.arrived.slice(0, this.#relay.arrived.indexOf(victim.message));
    const inside = steps.map((step): Kill => ({ kind: 'inside', step }));
    const count = reads.filter((name) => name === READ).length;
    return [...inside, ...outsideKills(victim.message, victim.act !== undefined, count)];
  }

  async kill(victim: Victim, kind: Kind, kill: Kill) {
    const program = await this.#running(kind);
    const task = await this.#task(victim, program);
    const before = Number(this.#query('select coalesce(max(rowid), 0) as n from operation')[0]?.n ?? 0);
    const events = this.#airline.sandbox.ledger().length;
    this.#relay.clear();
    const talk: Talk = {};
    const died = await this.#die(program, victim, task, talk, kill);
    await this.#relay.quiet();
    this.#relay.interfere(undefined);
    const next = await this.#running(kind);
    /** It was sent and not done, and no reading can prove that: right is that it stays in doubt. */
    const mayStayOpen = victim.act?.unshown === true && this.#acts(victim, task, events) === 0;
    const isSettled = (rows: readonly Row[]) =>
      rows.every(({ state }) => !isOpen(state) || (mayStayOpen && state === 'in_doubt'));
    const mayBePending = () => mayStayOpen && isSettled(this.#rows(before));
    const told = await this.#told(next, victim, task, talk, mayBePending);
    const left = next.startedAt + SETTLED_WITHIN_MS - performance.now();
    const rows = await seenWithin(left, 50, () => this.#rows(before), isSettled);
    /** From the next start until the true outcome was reported. */
    const toldMs = performance.now() - next.startedAt;
    const mostMs = toldMs <= TOLD_WITHIN_MS ? TOLD_WITHIN_MS : TOLD_WITHIN_STARTS * (await startMs());
    const acts = this.#acts(victim, task, events);
    const sends = this.#relay.times(victim.message);
    const problems = died
      ? judge({ victim, talk, told, rows, acts, sends, toldMs, mostMs, isSettled: isSettled(rows) })
      : [];
    /** What the journal says in the end. */
    const state = rows.map((row) => row.state).join('+') || 'none';
    /** Everything is right, but was reported late. */
    const onlyLate = problems.length === 1 && toldMs > mostMs;
    return { name: `${victim.name}, ${kind}, ${killText(kill)}`, died, toldMs, state, acts, problems, onlyLate };
  }

  /** The hash chain of all that this lane did. */
  async close(): Promise<readonly string[]> {
    await this.#program?.close();
    await this.#relay.close();
    const state = await openSqliteState(this.#file());
    const broken = await state.operations.verify();
    await state.close();
    return broken === undefined ? [] : [`the journal is broken at ${broken.operationId} event ${broken.seq}`];
  }

  /** False: it never came to the step. */
  async #die(program: Program, victim: Victim, { args }: Task, talk: Talk, kill: Kill): Promise<boolean> {
    if (kill.kind === 'inside') await arm(program.child, kill.step);
    if (kill.kind === 'wire') this.#relay.interfere(killOnTheWire(kill, program));
    const hooks = {
      asked: () => kill.kind === 'asked' && program.kill(),
      answered: () => kill.kind === 'answered' && program.kill(),
    };
    await program.act(victim.tool, args, talk, hooks).catch((error) => {
      if (!(error instanceof Gone)) throw error;
    });
    // A kill that comes with the answer still has to take effect.
    const died = await Promise.race([program.exited.then(() => true), wait(50).then(() => false)]);
    program.kill();
    await program.exited;
    return died;
  }

  /** The answer to a caller who calls again with everything it knows. */
  async #told(program: Program, victim: Victim, { args, locator }: Task, talk: Talk, mayBePending: () => boolean) {
    const isKnown = victim.act === undefined || talk.handle !== undefined;
    for (;;) {
      if (isKnown) {
        const told = await program.again(victim.tool, args, talk);
        if (told.status !== 'pending' || mayBePending()) return told;
        continue;
      }
      const told = await program.tell('read_booking', { locator });
      if (told.structured.booking?.pending_operation === undefined || mayBePending()) return told;
      await wait(100);
    }
  }

  #acts(victim: Victim, { locator }: Task, since: number): number {
    const entered = this.#airline.sandbox.ledger().slice(since);
    const ofEvent = entriesOf(entered, victim.event);
    if (locator !== undefined) return ofEvent.filter((it) => it.locator === locator).length;
    const made = this.#relay.carried.flatMap(({ name, body }) => (name === victim.message ? [body] : []));
    return ofEvent.filter((it) => made.some((body) => body.includes(it.locator))).length;
  }

  async #running(kind: Kind): Promise<Program> {
    const current = this.#program;
    if (current !== undefined && current.kind === kind && !current.gone) return current;
    await current?.close();
    this.#program = new Program(kind, {
      ...this.#relay.settings,
      ...{ FARECLERK_STATE_DIR: this.#folder, XDG_STATE_HOME: this.#folder },
      FARECLERK_ASSUMED_OPERATIONS: 'true',
    });
    return this.#program;
  }

  async #task({ act }: Victim, program: Program): Promise<Task> {
    const { stock, sandbox } = this.#airline;
    if (act !== undefined) {
      const locator = act.on === 'held' ? (await stock.held()).locator : await stock.ticketed();
      // The process is warm, and has its token, before it dies.
      await program.tell('read_booking', { locator });
      const look = async (tool: string, args: object) => (await program.tell(tool, args)).structured;
      return { locator, args: await act.args(locator, look) };
    }
    const { from, to } = await stock.pair();
    for (;;) {
      this.#day = this.#day >= 80 ? 15 : this.#day + 1;
      const legs = [{ from, to, date: dateIn(sandbox.now(), this.#day) }];
      const found = await program.tell('search_fares', { legs, passengers: { adults: 1 }, max_results: 1 });
      const offer = found.structured.offers?.[0]?.offer_id;
      if (offer !== undefined) return { args: createArgs(offer, sandbox.now()) };
    }
  }

  #file(): string {
    return join(this.#folder, 'fareclerk.sqlite');
  }

  #rows(since: number): readonly Row[] {
    const dispatches = "(select count(*) from event where operation_id = id and to_state = 'dispatched')";
    const sql = `select id, state, ${dispatches} as dispatches from operation where rowid > ? order by rowid`;
    return this.#query(sql, since) as unknown as readonly Row[];
  }

  #query(sql: string, ...values: number[]) {
    return readFrom(this.#file(), (db) => db.prepare(sql).all(...values));
  }
}

interface Case {
  readonly victim: Victim;
  readonly talk: Talk;
  readonly told: Told;
  readonly rows: readonly Row[];
  readonly acts: number;
  readonly sends: number;
  readonly toldMs: number;
  readonly mostMs: number;
  readonly isSettled: boolean;
}

/** All that must be true, whatever was killed where. */
function judge({ victim: { act }, talk, told, rows, acts, sends, toldMs, mostMs, isSettled }: Case): string[] {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const [done, person] = [count('succeeded'), count('needs_person') > 0];
  const isKnown = act === undefined || talk.handle !== undefined;
  const rules: [boolean, string][] = [
    [acts <= 1, `done ${acts} times`],
    [sends <= rows.reduce((sum, row) => sum + row.dispatches, 0), `${sends} messages for ${rows.length} operations`],
    [rows.every((row) => row.dispatches <= 1), 'dispatched twice'],
    [act === undefined || rows.length <= 1, `${rows.length} operations of one approval`],
    [isSettled, 'not settled'],
    [toldMs <= mostMs || count('in_doubt') > 0, `told after ${Math.round(toldMs)} ms`],
    // A booking whose name was in the answer that was lost: only a person can find it.
    [!person || act === undefined || act.named === true, 'a person was called'],
    [person || done === acts, `journal says ${done} done, airline ${acts}`],
    [!isKnown || fits(told, acts, person, count('in_doubt')), `told ${told.status ?? told.code}, done ${acts} times`],
  ];
  return rules.filter(([good]) => !good).map(([, problem]) => problem);
}

function fits({ status, code, effect }: Told, acts: number, person: boolean, inDoubt: number): boolean {
  if (status === 'pending') return inDoubt === 1 && acts === 0;
  if (person) return status === 'needs_person' || (status === 'done' && acts === 1);
  if (status === 'done' || status === 'already_done') return acts === 1;
  if (status === 'approval_required') return acts === 0;
  return code !== undefined && effect === 'none' && acts === (code === 'E_ALREADY_DONE' ? 1 : 0);
}
