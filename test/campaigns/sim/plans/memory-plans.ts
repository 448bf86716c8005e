/** Approvals, plans and leases in memory, with the meaning of the stored ones: each call is one atomic transaction. */

import { isInTime } from '../../../../src/approvals/expiry.ts';
import { isQuestion } from '../../../../src/approvals/ports.ts';
import type { State } from '../../support/office.ts';
import type { OperationStore } from '../desk.ts';

type ApprovalStore = State['approvals'];
type PlanStore = State['plans'];
export type Approval = Parameters<ApprovalStore['put']>[0];
type StoredPlan = Parameters<PlanStore['put']>[0];
type PlanAnswer = Parameters<PlanStore['decide']>[2];
type PlanApproval = Awaited<ReturnType<PlanStore['approvals']>>[number];
type AskedBy = Approval['askedBy'];
type Assurance = NonNullable<Approval['assurance']>;

export class MemoryPlans implements ApprovalStore, PlanStore {
  readonly all = new Map<string, Approval>();
  readonly plans = new Map<string, StoredPlan>();
  readonly #leases = new Map<string, { owner: string; until: number }>();
  readonly #operations: OperationStore;

  constructor(operations: OperationStore) {
    this.#operations = operations;
  }

  /** Of both stores: an approval, or a plan. */
  async put(one: Approval | StoredPlan): Promise<void> {
    if ('handleHash' in one) this.all.set(one.handleHash, one);
    else this.plans.set(one.id, one);
  }

  /** Of both stores: an approval by its hash, or a plan by its id. */
  // biome-ignore lint/suspicious/noExplicitAny: one name for both ports
  async get(key: string): Promise<any> {
    return this.all.get(key) ?? this.plans.get(key);
  }

  async kept({ tenant, id }: Parameters<PlanStore['kept']>[0]): ReturnType<PlanStore['kept']> {
    const own = [...this.plans.values()].filter((one) => one.tenant === tenant && one.caller === id);
    const ends = own.flatMap(({ body, expiresAt }) => (body === undefined ? [] : [expiresAt]));
    return { count: ends.length, ...(ends.length > 0 && { firstExpiresAt: Math.min(...ends) }) };
  }

  async byOperation(operationId: string): Promise<Approval | undefined> {
    return [...this.all.values()].find((one) => one.operationId === operationId);
  }

  /** Of both stores: one approval by its hash, or all of a plan's question. */
  // biome-ignore lint/suspicious/noExplicitAny: one name for both ports
  async decide(key: string, second: any, third: any, now: number, approver?: string): Promise<boolean> {
    if (this.plans.has(key)) return this.#decidePlan(key, second as string, third as PlanAnswer, now);
    const approval = this.all.get(key);
    if (approval?.decision !== 'pending' || !isInTime(approval, now)) return false;
    const answer = { decision: second as Approval['decision'], assurance: third as Assurance, decidedAt: now };
    this.all.set(key, { ...approval, ...answer, ...(approver !== undefined && { approver }) });
    return true;
  }

  #decidePlan(plan: string, question: string, { granted, assurance }: PlanAnswer, now: number): boolean {
    if (this.plans.get(plan)?.question !== question) return false;
    const due = [...this.all.values()].filter(
      (one) => one.part?.question === question && one.decision === 'pending' && isInTime(one, now),
    );
    const ids = granted.length === 0 ? [] : [question, ...granted];
    for (const one of due) {
      const decision = ids.includes(one.operationId) ? 'granted' : 'declined';
      const decided = { decision, assurance, decidedAt: now } as const;
      if (decision === 'granted') this.#change(one.handleHash, decided);
      else this.#spend(one.handleHash, decided);
    }
    return due.length > 0;
  }

  async ask(key: never, second: never, third?: never): Promise<boolean> {
    if (typeof key === 'string') return this.#change(key, { askedBy: second as AskedBy });
    return this.#askPlan(key, second, third);
  }

  #askPlan(
    { id, question, expiresAt, body }: Parameters<PlanStore['ask']>[0],
    approvals: readonly Approval[],
    before: Parameters<PlanStore['ask']>[2],
  ): boolean {
    const plan = this.plans.get(id);
    const last = [...this.all.values()].find((one) => one.operationId === plan?.question);
    if (plan === undefined || plan.question !== before?.operationId || last?.decision !== before?.decision)
      return false;
    const { stoppedAt: _, ...kept } = plan;
    this.plans.set(id, { ...kept, question, expiresAt, body });
    for (const one of this.all.values()) {
      if (one.part?.plan !== id || one.decision !== 'pending' || (one.part.alone && one.part.line > 0)) continue;
      this.#spend(one.handleHash, { decision: 'void' });
    }
    for (const one of approvals) this.all.set(one.handleHash, one);
    return true;
  }

  async markStale(hash: string, staleLines: readonly string[]): Promise<void> {
    this.#change(hash, { staleLines });
  }

  async keepFacts(): Promise<void> {}

  async revoke(hash: string): Promise<void> {
    if (this.all.get(hash)?.decision === 'granted') this.#spend(hash, { decision: 'void' });
  }

  async tell(hash: string, now: number): Promise<boolean> {
    const first = this.all.get(hash)?.toldAt === undefined;
    if (first) this.#spend(hash, { toldAt: now });
    return first;
  }

  async erase(hash: string): Promise<void> {
    this.#spend(hash, {});
  }

  async skip(hash: string, why: string): Promise<void> {
    const { decision, why: known } = this.all.get(hash) ?? {};
    if (decision === 'granted' || (decision === 'void' && known === undefined)) {
      this.#spend(hash, { decision: 'void', why });
    }
  }

  #change(hash: string, changes: Partial<Approval>): boolean {
    const approval = this.all.get(hash);
    if (approval !== undefined) this.all.set(hash, { ...approval, ...changes });
    return approval !== undefined;
  }

  #spend(hash: string, changes: Partial<Approval>): void {
    const { carried: _, ...kept } = this.all.get(hash) ?? {};
    this.all.set(hash, { ...(kept as Approval), ...changes });
  }

  async openOf(): Promise<number> {
    return 0;
  }

  async waiting(now: number): Promise<readonly Approval[]> {
    return [...this.all.values()].filter((one) => one.decision === 'pending' && isQuestion(one) && isInTime(one, now));
  }

  async approvals(plan: string): Promise<readonly PlanApproval[]> {
    return [...this.all.values()].filter((one): one is PlanApproval => one.part?.plan === plan);
  }

  async stop(id: string, now: number): Promise<boolean> {
    const plan = this.plans.get(id);
    if (plan === undefined || plan.stoppedAt !== undefined) return false;
    this.plans.set(id, { ...plan, stoppedAt: now });
    return true;
  }

  async list(limit: number): Promise<readonly StoredPlan[]> {
    return [...this.plans.values()].reverse().slice(0, limit);
  }

  async unfinished(since: number): Promise<readonly StoredPlan[]> {
    const found: StoredPlan[] = [];
    for (const plan of this.plans.values()) {
      if (plan.stoppedAt !== undefined) continue;
      for (const { part, decision, decidedAt = 0, operationId } of this.all.values()) {
        if (part === undefined || part.line === 0 || part.alone || part.question !== plan.question) continue;
        if (decidedAt <= since) continue;
        const operation = await this.#operations.get(operationId);
        const isLeft = decision === 'granted' && operation === undefined;
        const isUndone = decision === 'void' || operation?.state === 'refused' || operation?.state === 'not_executed';
        if (!isLeft && !(isUndone && (await this.#mustBeAsked(part)))) continue;
        found.push(plan);
        break;
      }
    }
    return found;
  }

  /** The step before it was paid, and nobody was asked about this one alone. */
  async #mustBeAsked({ plan, question, line, step }: PlanApproval['part']): Promise<boolean> {
    const own = [...this.all.values()].filter(({ part }) => part?.plan === plan && part.line === line);
    if (own.some(({ part }) => part?.alone && part.step === step && part.question === question)) return false;
    const before = own.filter(({ part }) => part?.step === step - 1);
    const all = await Promise.all(before.map(({ operationId }) => this.#operations.get(operationId)));
    return all.some((one) => one?.state === 'succeeded' && one.direction === 'payment');
  }

  async take(name: string, owner: string, until: number, now: number): Promise<boolean> {
    const held = this.#leases.get(name);
    if (held !== undefined && held.owner !== owner && held.until > now) return false;
    this.#leases.set(name, { owner, until });
    return true;
  }

  async end(name: string, owner: string): Promise<void> {
    if (this.#leases.get(name)?.owner === owner) this.#leases.delete(name);
  }
}
