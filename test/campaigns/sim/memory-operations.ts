/**
 * The journal's store in memory, with the meaning of the SQLite one: each call is one atomic transaction, constraints
 * decide. It runs the same tests (test/store/memory.test.ts) and lets the simulation go fast.
 */
import type { RawReply } from '../../../src/domain/airline.ts';
import type { Money } from '../../../src/domain/pricing/money.ts';
import type { Activity, ActivityQuery, Counted, CountedQuery } from '../../../src/journal/activity.ts';
import {
  FAR_MS,
  isActive,
  type NewOperation,
  type Operation,
  type OperationState,
} from '../../../src/journal/operation.ts';
import type {
  DayLimit,
  InsertResult,
  OperationEvent,
  OperationFilter,
  OperationStore,
  Patch,
  ReadingNote,
} from '../../../src/journal/ports.ts';
import {
  birthContent,
  ChainCheck,
  type ChainedEvent,
  chainHash,
  changeContent,
  NO_EVENT_YET,
  toOperationEvent,
} from '../../../src/store/chain.ts';
import { newborn } from '../../../src/store/operation-row.ts';
import { activityOf, countedOf } from '../../store/activity-of.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class MemoryOperations implements OperationStore {
  readonly #operations = new Map<string, Operation>();
  readonly #active = new Set<string>();
  readonly #replies = new Map<string, RawReply>();
  readonly #events: (ChainedEvent & { hash: string })[] = [];
  readonly #chained: boolean;

  /** Without the chain of events it is several times faster. */
  constructor(options: { chained: boolean } = { chained: true }) {
    this.#chained = options.chained;
  }

  /** Everything, oldest first. */
  all(): readonly Operation[] {
    return [...this.#operations.values()];
  }

  get activeCount(): number {
    return this.#active.size;
  }

  async insert(
    operation: NewOperation,
    meta: { now: number; owner: string; leaseUntil: number },
    limit?: DayLimit,
  ): Promise<InsertResult> {
    const same = this.#operations.get(operation.id);
    if (same !== undefined) return { kind: 'exists', operation: same };
    const other = this.#activeOperations().find((one) => clash(one, operation));
    if (other !== undefined) return { kind: 'busy', operation: other };
    const spent = limit && this.#overLimit(operation, limit);
    if (spent !== undefined) return { kind: 'over_limit', spent };
    const entered = newborn(operation, meta);
    this.#operations.set(entered.id, entered);
    this.#active.add(entered.id);
    this.#append(entered.id, meta.now, '', 'intent', meta.owner, () => birthContent(entered));
    return { kind: 'inserted', operation: entered };
  }

  #activeOperations(): Operation[] {
    return [...this.#active].flatMap((id) => this.#operations.get(id) ?? []);
  }

  async spent(tenant: string, caller: string, limit: DayLimit): Promise<Money> {
    return this.#spent(tenant, caller, limit);
  }

  #overLimit({ tenant, caller, amount }: NewOperation, limit: DayLimit): Money | undefined {
    if (amount === undefined || amount.minor === 0) return undefined;
    const spent = this.#spent(tenant, caller, limit);
    const over = amount.currency !== spent.currency || spent.minor + amount.minor > limit.perDay.minor;
    return over ? spent : undefined;
  }

  #spent(tenant: string, caller: string, { perDay: { currency }, since }: DayLimit): Money {
    const counted = this.all().filter(
      (one) =>
        one.tenant === tenant &&
        one.caller === caller &&
        one.createdAt >= since &&
        one.amount?.currency === currency &&
        one.state !== 'not_executed' &&
        one.state !== 'refused',
    );
    return { minor: counted.reduce((sum, one) => sum + (one.amount?.minor ?? 0), 0), currency };
  }

  async get(id: string): Promise<Operation | undefined> {
    return this.#operations.get(id);
  }

  async transition(
    id: string,
    from: readonly OperationState[],
    to: OperationState,
    patch: Patch,
    meta: { now: number; actor: string },
  ): Promise<boolean> {
    const before = this.#operations.get(id);
    if (before === undefined || !from.includes(before.state)) return false;
    const after = { ...before, ...patch, state: to, updatedAt: meta.now };
    this.#operations.set(id, after);
    if (!isActive(to)) {
      this.#active.delete(id);
      this.#replies.delete(id);
    }
    this.#append(id, meta.now, before.state, to, meta.actor, () => changeContent(after));
    return true;
  }

  async lease(id: string, owner: string, leaseUntil: number, now: number): Promise<boolean> {
    const operation = this.#operations.get(id);
    if (operation === undefined || !isActive(operation.state)) return false;
    const holds = operation.leaseUntil > now && operation.leaseUntil <= now + FAR_MS;
    if (holds && operation.owner !== owner) return false;
    this.#operations.set(id, { ...operation, owner, leaseUntil });
    return true;
  }

  async note(id: string, owner: string, reading: ReadingNote): Promise<boolean> {
    const operation = this.#operations.get(id);
    if (operation === undefined || operation.owner !== owner || operation.state !== 'in_doubt') return false;
    const noted: Mutable<Operation> = { ...operation, ...reading, leaseUntil: reading.lastReadAt };
    if (reading.failingSince === undefined) delete noted.failingSince;
    this.#operations.set(id, noted);
    return true;
  }

  async keepReply(id: string, reply: RawReply): Promise<void> {
    if (this.#active.has(id) && !reply.truncated) this.#replies.set(id, reply);
  }

  async reply(id: string): Promise<RawReply | undefined> {
    return this.#replies.get(id);
  }

  async list(filter: OperationFilter): Promise<readonly Operation[]> {
    const { tenant, caller, locator, states, from, to, limit } = filter;
    const onlyActive = states?.every((state) => isActive(state)) === true;
    const found = (onlyActive ? this.#activeOperations() : this.all()).filter(
      (one) =>
        (tenant === undefined || one.tenant === tenant) &&
        (caller === undefined || one.caller === caller) &&
        (locator === undefined || one.locator === locator) &&
        (states === undefined || states.includes(one.state)) &&
        (from === undefined || one.createdAt >= from) &&
        (to === undefined || one.createdAt < to),
    );
    if (found.length > 1) found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    return limit === undefined ? found : found.slice(0, limit);
  }

  async activity(query: ActivityQuery): Promise<Activity> {
    return activityOf(this.all(), query);
  }

  async counted(query: CountedQuery): Promise<readonly Counted[]> {
    return countedOf(this.all(), query);
  }

  async byFingerprint(tenant: string, fingerprint: string, exceptId = ''): Promise<readonly Operation[]> {
    const same = this.all().filter(
      (one) => one.tenant === tenant && one.fingerprint === fingerprint && one.id !== exceptId,
    );
    return same.reverse().sort((a, b) => b.createdAt - a.createdAt);
  }

  async events(operationId: string): Promise<readonly OperationEvent[]> {
    return this.#events
      .filter((event) => event.operationId === operationId)
      .map(({ hash, ...event }) => toOperationEvent(event, hash));
  }

  async verify(): Promise<{ operationId: string; seq: number } | undefined> {
    const check = new ChainCheck();
    const odd = this.#events.find((event) => !check.add(event, event.hash));
    return odd && { operationId: odd.operationId, seq: odd.seq };
  }

  #append(
    operationId: string,
    at: number,
    from: OperationState | '',
    to: OperationState,
    actor: string,
    content: () => string,
  ): void {
    if (!this.#chained) return;
    const seq = this.#events.filter((event) => event.operationId === operationId).length + 1;
    const event = { n: this.#events.length + 1, operationId, seq, at, from, to, actor, content: content() };
    this.#events.push({ ...event, hash: chainHash(this.#events.at(-1)?.hash ?? NO_EVENT_YET, event) });
  }
}

function clash(active: Operation, { tenant, locator, fingerprint }: NewOperation): boolean {
  return (
    (locator !== undefined && active.locator === locator) ||
    (fingerprint !== undefined && active.fingerprint === fingerprint && active.tenant === tenant)
  );
}
