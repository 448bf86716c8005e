/**
 * One line of processes on one state folder: each is killed in the middle of an act, and the next one must tell the
 * truth of it, which is in the airline's own ledger.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerEvent } from '../../../../src/sandbox/ledger.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { dateIn } from '../../../support/people.ts';
import { type Act, createArgs, isOpen } from '../../support/acts.ts';
import type { OpenAirline } from '../../support/airline.ts';
import { newFolder } from '../../support/folders.ts';
import { seenWithin } from '../../support/pace.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import type { Step } from './crash-at.ts';
import { type Kill, killOnTheWire, killText, outsideKills } from './kill-steps.ts';
import { Gone, type Kind, Program, type Talk, type Told } from './program.ts';

/** Short, so that what is in doubt is settled within the five seconds: at 2.5 s. */
const SETTLE_SECONDS = '2';
const TOLD_WITHIN_MS = 5_000;

/** What is done, killed and looked for. */
export interface Victim extends Pick<Act, 'name' | 'tool' | 'event'> {
  readonly message: string;
  /** Absent: create_booking. */
  readonly act?: Act;
}

export interface Killed {
  readonly victim: string;
  readonly kind: Kind;
  readonly at: string;
  /** The process ended at the step; else it never came there. */
  readonly died: boolean;
  /** Milliseconds from the next start until the true outcome was reported. */
  readonly toldMs: number;
  /** What the journal says in the end; `none`: nothing was entered. */
  readonly state: string;
  readonly acts: number;
  readonly problems: readonly string[];
  /** Everything is right, but was reported late. */
  readonly onlyLate: boolean;
  /** How many tries it took to be in time. */
  readonly tries?: number;
}

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

  /** Every step at which an act of this kind can be killed. */
  async killsOf(victim: Victim, kind: Kind): Promise<readonly Kill[]> {
    const program = await this.#running(kind);
    const { args } = await this.#task(victim, program);
    this.#relay.clear();
    let told: Told | undefined;
    const talk: Talk = {};
    const steps: readonly Step[] = await program.trace(async () => {
      told = await program.act(victim.tool, args, talk);
    });
    if (told?.status !== 'done') throw new Error(`${victim.name} was not done: ${told?.text}`);
    const reads = this.#relay.arrived.slice(0, this.#relay.arrived.indexOf(victim.message));
    const inside = steps.map((step): Kill => ({ kind: 'inside', step }));
    const asks = victim.act !== undefined;
    return [...inside, ...outsideKills(victim.message, asks, reads.filter((name) => name === 'OTA_ReadRQ').length)];
  }

  async kill(victim: Victim, kind: Kind, kill: Kill): Promise<Killed> {
    const program = await this.#running(kind);
    const task = await this.#task(victim, program);
    const before = this.#lastRow();
    const events = this.#airline.sandbox.ledger().length;
    this.#relay.clear();
    const talk: Talk = {};
    const died = await this.#die(program, victim, task, talk, kill);
    await this.#relay.quiet();
    this.#relay.interfere(undefined);
    const next = await this.#running(kind);
    const told = await this.#told(next, victim, task, talk);
    const rows = await this.#settled(before, next.startedAt);
    const toldMs = performance.now() - next.startedAt;
    const acts = this.#acts(victim, task, events);
    const sends = this.#relay.arrived.filter((name) => name === victim.message).length;
    const problems = died ? judge({ victim, kind, talk, told, rows, acts, sends, toldMs }) : [];
    const state = rows.map((row) => row.state).join('+') || 'none';
    const onlyLate = problems.length === 1 && toldMs > TOLD_WITHIN_MS;
    return { victim: victim.name, kind, at: killText(kill), died, toldMs, state, acts, problems, onlyLate };
  }

  /** The hash chain of all that this lane did. */
  async close(): Promise<readonly string[]> {
    await this.#program?.close();
    await this.#relay.close();
    const state = await openSqliteState(this.#file());
    const broken = await state.operations.verify();
    await state.close();
    rmSync(this.#folder, { recursive: true, force: true });
    return broken === undefined ? [] : [`the journal is broken at ${broken.operationId} event ${broken.seq}`];
  }

  async #die(program: Program, victim: Victim, { args }: Task, talk: Talk, kill: Kill): Promise<boolean> {
    if (kill.kind === 'inside') await program.arm(kill.step);
    if (kill.kind === 'wire') this.#relay.interfere(killOnTheWire(kill, program));
    const hooks = {
      asked: () => kill.kind === 'asked' && program.kill(),
      answered: () => kill.kind === 'answered' && program.kill(),
    };
    try {
      await program.act(victim.tool, args, talk, hooks);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
    // A kill that comes with the answer still has to take effect.
    const died = await Promise.race([program.exited.then(() => true), wait(50).then(() => false)]);
    if (!died) {
      program.kill();
      await program.exited;
    }
    return died;
  }

  /** The answer to a caller who calls again with everything it knows. */
  async #told(program: Program, victim: Victim, { args, locator }: Task, talk: Talk): Promise<Told> {
    if (victim.act === undefined || talk.handle !== undefined) return program.again(victim.tool, args, talk);
    for (;;) {
      const told = await program.tell('read_booking', { locator });
      if (told.structured.booking?.pending_operation === undefined) return told;
      await wait(100);
    }
  }

  /** The operations entered since, when none of them is open any more. */
  #settled(since: number, from: number): Promise<readonly Row[]> {
    const left = from + 2 * TOLD_WITHIN_MS - performance.now();
    const look = () => this.#rows(since);
    return seenWithin(left, 50, look, (rows) => !rows.some(({ state }) => isOpen(state)));
  }

  /** What the airline really did. */
  #acts(victim: Victim, { locator }: Task, since: number): number {
    const entered = this.#airline.sandbox.ledger().slice(since);
    if (locator !== undefined)
      return entered.filter((it) => it.locator === locator && it.event === victim.event).length;
    const made = this.#relay.carried.flatMap(({ name, body }) => (name === victim.message ? [body] : []));
    return entered.filter((it) => it.event === 'created' && made.some((body) => body.includes(it.locator))).length;
  }

  async #running(kind: Kind): Promise<Program> {
    const current = this.#program;
    if (current !== undefined && current.kind === kind && !current.gone) return current;
    await current?.close();
    const env = {
      ...this.#relay.settings,
      FARECLERK_STATE_DIR: this.#folder,
      FARECLERK_DIALOG_FLOOR_MS: '0',
      XDG_STATE_HOME: this.#folder,
      FARECLERK_SETTLE_SECONDS: SETTLE_SECONDS,
      FARECLERK_ASSUMED_OPERATIONS: 'true',
    };
    this.#program = new Program({ kind, env });
    return this.#program;
  }

  async #task(victim: Victim, program: Program): Promise<Task> {
    const { act } = victim;
    if (act !== undefined) {
      const locator =
        act.on === 'held' ? (await this.#airline.stock.held()).locator : await this.#airline.stock.ticketed();
      // The process is warm, and has its token, before it dies.
      await program.tell('read_booking', { locator });
      const look = async (tool: string, args: object) => (await program.tell(tool, args)).structured;
      return { locator, args: await act.args(locator, look) };
    }
    for (;;) {
      const offer = await this.#offer(program);
      if (offer !== undefined) return { args: createArgs(offer, this.#airline.sandbox.now()) };
    }
  }

  async #offer(program: Program): Promise<string | undefined> {
    const { from, to } = await this.#airline.stock.pair();
    this.#day = this.#day >= 80 ? 15 : this.#day + 1;
    const legs = [{ from, to, date: dateIn(this.#airline.sandbox.now(), this.#day) }];
    const found = await program.tell('search_fares', { legs, passengers: { adults: 1 }, max_results: 1 });
    return found.structured.offers?.[0]?.offer_id;
  }

  #file(): string {
    return join(this.#folder, 'fareclerk.sqlite');
  }

  #lastRow(): number {
    return Number(this.#query('select coalesce(max(rowid), 0) as n from operation')[0]?.n ?? 0);
  }

  #rows(since: number): readonly Row[] {
    const dispatches = "(select count(*) from event where operation_id = id and to_state = 'dispatched')";
    const sql = `select id, state, ${dispatches} as dispatches from operation where rowid > ? order by rowid`;
    return this.#query(sql, since).map(({ id, state, dispatches: n }) => {
      return { id: String(id), state: String(state), dispatches: Number(n) };
    });
  }

  #query(sql: string, ...values: number[]) {
    const db = new DatabaseSync(this.#file(), { readOnly: true, timeout: 5_000 });
    try {
      return db.prepare(sql).all(...values);
    } finally {
      db.close();
    }
  }
}

interface Case {
  readonly victim: Victim;
  readonly kind: Kind;
  readonly talk: Talk;
  readonly told: Told;
  readonly rows: readonly Row[];
  readonly acts: number;
  readonly sends: number;
  readonly toldMs: number;
}

/** All that must be true, whatever was killed where. */
function judge({ victim, talk, told, rows, acts, sends, toldMs }: Case): string[] {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const known = victim.act === undefined || talk.handle !== undefined;
  const rules: [boolean, string][] = [
    [acts <= 1, `done ${acts} times`],
    [sends <= rows.reduce((sum, row) => sum + row.dispatches, 0), `${sends} messages for ${rows.length} operations`],
    [rows.every((row) => row.dispatches <= 1), 'dispatched twice'],
    [victim.act === undefined || rows.length <= 1, `${rows.length} operations of one approval`],
    [!rows.some(({ state }) => isOpen(state)), 'not settled'],
    [toldMs <= TOLD_WITHIN_MS, `told after ${Math.round(toldMs)} ms`],
    // A booking whose name was in the answer that was lost: only a person can find it.
    [count('needs_person') === 0 || victim.act === undefined || victim.act.named === true, 'a person was called'],
    [
      count('needs_person') > 0 || count('succeeded') === acts,
      `journal says ${count('succeeded')} done, airline ${acts}`,
    ],
    [!known || fits(told, acts, count('needs_person') > 0), `told ${told.status ?? told.code}, done ${acts} times`],
  ];
  return rules.filter(([good]) => !good).map(([, problem]) => problem);
}

/** Whether the caller's answer is what happened. */
function fits({ status, code, effect }: Told, acts: number, person: boolean): boolean {
  if (person) return status === 'needs_person' || (status === 'done' && acts === 1);
  if (status === 'done' || status === 'already_done') return acts === 1;
  if (status === 'approval_required') return acts === 0;
  return code !== undefined && effect === 'none' && acts === (code === 'E_ALREADY_DONE' ? 1 : 0);
}

export const CREATE: Victim = {
  name: 'create_booking',
  tool: 'create_booking',
  message: 'OTA_AirBookRQ',
  event: 'created' satisfies LedgerEvent,
};
