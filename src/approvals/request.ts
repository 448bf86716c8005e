/**
 * Makes the approvals that questions are stored as, each bound to caller, tool, arguments and terms (digest.ts); finds
 * them by their handles; and records their answers. At the end: what an approval carries, so that any process can carry
 * it out (recheck-and-send.ts).
 */

import { soldFacts } from '../domain/booking/sold-facts.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { NewOperation } from '../journal/operation.ts';
import { untraced } from '../journal/untraced.ts';
import type { Approval, AskedBy, Client, GivenAnswer, OtherQuestion } from './approval.ts';
import { type Binding, bindingDigest, bindingOf } from './binding.ts';
import type { ApprovalRuntime, Question } from './consent-call.ts';
import { digest, handleFor, handleHash, keptPeople } from './digest.ts';
import { approvalInvalid } from './endings.ts';
import { APPROVAL_MS } from './expiry.ts';
import type { Asking } from './ports.ts';
import { QUESTIONS } from './shares-of-one-person.ts';
import { accountSections, type MoneyAtStake, shownSections, type Terms, termsDeparture } from './terms.ts';

export interface NewQuestion {
  readonly caller: Caller;
  readonly client?: Client | undefined;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly terms: Terms;
  readonly askedBy: AskedBy;
  /** A new id: the operation that the approval becomes. */
  readonly operationId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The `traceparent` of the call that asks. */
  readonly trace?: string | undefined;
  /** The act is the same whatever its other arguments say, as in `Approval`. */
  readonly ofWholeBooking?: true | undefined;
}

/** Approvals, and the key of their digests. */
type RequestState = Pick<ApprovalRuntime['state'], 'approvals' | 'digestKey'>;

/** The channel that metrics count an answer under, by its assurance. */
const COUNTED_CHANNEL = { none: 'echo', caller_confirmed: 'echo', person: 'dialog', page: 'page' } as const;

/** Prefix of the digest that replaces entered details in the arguments. */
const ENTERED = 'entered:';

// Asking. Both store an approval. `grantUnasked`: it is granted already. `askOnce`: it is open in place of an earlier
// question about the same booking and act.

/** Stores the approval of terms that need no question: it is granted at once. So their operation has a handle too. */
export async function grantUnasked(state: RequestState, question: NewQuestion): Promise<Approval> {
  const granted = { decision: 'granted', assurance: 'none', decidedAt: question.now } as const;
  const approval = { ...pendingApproval(state, question), ...granted };
  await state.approvals.put(approval);
  return approval;
}

/**
 * Stores a question about a booking and an act, about which a caller has at most one open question. If the same
 * question is open, finds that one; any other open one is replaced. An act that decides the booking also replaces the
 * questions about other such acts, and plans with one.
 * @param deciding the tools of these acts
 * @returns `approval`: the question that is found or new. `asking`: whether the store took it
 */
export async function askOnce(
  state: RequestState,
  question: NewQuestion,
  deciding: readonly string[],
): Promise<{ readonly approval: Approval; readonly asking: Asking }> {
  const { locator, fingerprint } = question.terms;
  // A create has no locator yet. Its fingerprint names the booking.
  const topic = locator ?? fingerprint;
  const approval = { ...pendingApproval(state, question), topic };
  const asking = await state.approvals.ask(approval, { open: QUESTIONS.open, deciding });
  return { approval: asking.kind === 'found' ? asking.open : approval, asking };
}

/** The approval of an open question, before it is stored. */
export function pendingApproval({ digestKey }: RequestState, question: NewQuestion): Approval {
  const { caller, client, tool, args, terms, askedBy, operationId, now, trace, ofWholeBooking } = question;
  const { act, about, nature, locator, pageOnly } = terms;
  const bound = bindingOf(digestKey, terms, now);

  return {
    handleHash: handleHash(handleFor(digestKey, operationId)),
    tenant: caller.tenant,
    caller: caller.id,
    argsDigest: digest(digestKey, args),
    termsDigest: bindingDigest(digestKey, tool, bound),
    operationId,
    tool,
    sections: shownSections([...terms.sections, ...accountSections(terms)]),
    act,
    nature,
    carried: toCarry(digestKey, args, terms, bound),
    askedBy,
    locator,
    client,
    about,
    near: termsDeparture(terms),
    trace,
    ofWholeBooking,
    pageOnly,
    decision: 'pending',
    createdAt: now,
    expiresAt: now + APPROVAL_MS,
  };
}

/** Stores with a question what it replaced and what is open beside it, for whoever answers it elsewhere or later. */
export async function withOthers(
  { approvals }: Pick<RequestState, 'approvals'>,
  approval: Approval,
  others: readonly OtherQuestion[],
): Promise<Approval> {
  if (others.length === 0) return approval;
  const told = { ...approval, others };
  await approvals.keepTerms(told);
  return told;
}

// Finding a question by its handle.

/** The handle of the question: the `approval_id` that its caller goes on with. */
export function questionHandle({ runtime }: Pick<Question, 'runtime'>, { operationId }: Approval): string {
  return handleFor(runtime.state.digestKey, operationId);
}

/**
 * Finds the approval of a handle.
 * @throws ClerkError E_APPROVAL_INVALID, with the same words for an unknown handle, for another caller's, for another
 * tool's and for other arguments, so that guessing teaches nothing
 */
export async function findAsked(
  { approvals, digestKey }: RequestState,
  handle: string,
  { tool, args }: Question['act'],
  caller: Caller,
): Promise<Approval> {
  const approval = await approvals.get(handleHash(handle));
  if (approval?.tool !== tool) throw approvalInvalid(tool);
  if (approval.tenant !== caller.tenant || approval.caller !== caller.id) throw approvalInvalid(tool);
  if (approval.argsDigest !== digest(digestKey, args)) throw approvalInvalid(tool);
  return approval;
}

// Recording an answer.

/** Writes an answer: with the approval of one question, or with a plan, for all its steps (plans/decide-plan.ts). */
interface AnswerRecorder {
  /** Compare-and-set: returns whether no other answer came first. @param now milliseconds since 1970 */
  decide(now: number): Promise<boolean>;
  /** Takes the yes back, after a no that came later. */
  takeBack(now: number): Promise<unknown>;
}

/**
 * Records an answer unless another came first, and returns the approval as it is then. Undefined if the store has
 * deleted it.
 *
 * | the question is | a yes                  | a no                                              |
 * | --------------- | ---------------------- | ------------------------------------------------- |
 * | open            | returns it as granted  | returns it as declined                            |
 * | granted         | returns it as granted  | takes the yes back; returns it as it was, granted |
 * | any other       | returns it as it is    | returns it as it is                               |
 *
 * A yes that is taken back stops only what was not sent yet (recheck-and-send.ts, prepareSending).
 *
 * @param approval as it was when the answer came
 * @param planRecorder for the question of a plan; without it the answer is recorded with the approval
 */
export function recordAnswer(
  { state: { approvals }, clock, tracing = untraced, decided: countAnswer }: ApprovalRuntime,
  approval: Approval,
  { yes, assurance, approver }: GivenAnswer,
  planRecorder?: AnswerRecorder,
): Promise<Approval | undefined> {
  const { handleHash: hash, operationId, askedBy, createdAt } = approval;
  const decision = yes ? 'granted' : 'declined';
  const { decide, takeBack }: AnswerRecorder = planRecorder ?? {
    decide: (now) => approvals.decide(hash, { decision, assurance, approver }, now),
    takeBack: (now) => approvals.takeBack(hash, { assurance, approver }, now),
  };

  const fields = { 'fareclerk.approval.channel': askedBy, 'fareclerk.approval.assurance': assurance };

  return tracing.span({ name: 'approval', operation: operationId, fields }, async () => {
    const now = clock.now();
    const isFirstAnswer = await decide(now);
    if (isFirstAnswer) countAnswer?.({ yes, channel: COUNTED_CHANNEL[assurance], ms: now - createdAt });

    // Saves a reading. A plan may store another decision than the answer: a yes without a ticked line declines it.
    const isStoredAsGiven = isFirstAnswer && planRecorder === undefined;
    const approvalWithAnswer = { ...approval, decision, assurance, decidedAt: now, approver } as const;
    const current = isStoredAsGiven ? approvalWithAnswer : await approvals.get(hash);

    if (current?.decision === 'granted' && !yes) await takeBack(now);
    if (current?.decision === 'declined') await approvals.erase(hash);
    if (current !== undefined) tracing.mark({ 'fareclerk.approval.decision': current.decision });

    return current;
  });
}

// What an approval carries, while a yes can still be carried out: `toCarry` writes it, `carriedBy` reads it, and
// `operationToEnter` makes the operation from it.

/** The arguments of the act, the operation that it becomes, and what a yes binds. Erased once the approval is spent. */
export interface Carried {
  readonly args: Readonly<Record<string, unknown>>;
  readonly operation: Pick<NewOperation, 'subject'> &
    Pick<MoneyAtStake, 'isUpperBound' | 'givenUp'> &
    Partial<
      Pick<
        NewOperation,
        'amount' | 'direction' | 'fingerprint' | 'supersedes' | 'outcome' | 'facts' | 'people' | 'reason' | 'customer'
      >
    >;
  /** Absent in the question of a plan, whose steps have their own, and in questions of 0.3.0. */
  readonly bound?: Binding;
}

/** What the approval of an act must carry: its arguments, and the operation that these terms make. */
export function toCarry(
  key: Uint8Array,
  args: Readonly<Record<string, unknown>>,
  terms: Terms,
  bound: Binding | undefined,
): Carried {
  const { subject, money, fingerprint, supersedes, estimate, booking, sold, asked, reason, customer, sections } = terms;
  const told = sections.flatMap(({ changes }) => changes?.closed ?? []);
  const ofSale = sold ?? (booking && soldFacts(booking));
  const facts = told.length === 0 ? ofSale : { ...ofSale, told };
  const people = asked && keptPeople(key, asked);
  const optional = { fingerprint, supersedes, outcome: estimate && { estimate }, facts, people, reason, customer };
  return { args, operation: { subject, ...money, ...optional }, ...(bound && { bound }) };
}

/** What an approval carries. Undefined once it is spent. */
export function carriedBy({ carried }: Approval): Carried | undefined {
  return carried as Carried | undefined;
}

/** The money that the act moves, as limits count it, and what it gives up. Undefined if it moves none, or if the approval is spent. */
export function moneyAtStake(approval: Approval): MoneyAtStake | undefined {
  const { direction, amount, givenUp } = carriedBy(approval)?.operation ?? {};
  return direction && { direction, amount, givenUp };
}

/** Replaces, in the arguments that an approval is bound to, what travellers entered on the details page. */
export function enteredMark(enteredDigest: string): string {
  return `${ENTERED}${enteredDigest}`;
}

/**
 * Whether only a call with the details id can carry it out: without that id, what travellers entered on the details
 * page cannot be read.
 */
export function needsItsCall(approval: Approval): boolean {
  const details = carriedBy(approval)?.args.details;
  return typeof details === 'string' && details.startsWith(ENTERED);
}

/** The operation that the approval becomes. @param plan digest of the plan of which it is a step */
export function operationToEnter(approval: Approval, { operation }: Carried, plan?: string): NewOperation {
  const { operationId: id, tenant, caller, tool, assurance = 'none', argsDigest, termsDigest } = approval;
  const { locator, approver: approvedBy, trace } = approval;
  const optional = { locator, approvedBy, trace, plan };
  return { id, tenant, caller, tool, assurance, argsDigest, termsDigest, ...optional, ...operation };
}
