/** Requests approvals, each bound to caller, tool, arguments and terms, and records their answers. */
import { type BookingNames, bookingNames } from '../domain/booking/booking-names.ts';
import { soldFacts } from '../domain/booking/sold-facts.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { NewOperation } from '../journal/operation.ts';
import { untraced } from '../journal/ports.ts';
import type { ApprovalRuntime, Question } from './consent-call.ts';
import { digest, handleFor, handleHash } from './digest.ts';
import { QUESTIONS } from './limits.ts';
import {
  APPROVAL_MS,
  type Approval,
  type AskedBy,
  type Asking,
  approvalInvalid,
  type Client,
  type GivenAnswer,
} from './ports.ts';
import { type MoneyAtStake, shownSections, type Terms, termsDeparture, termsDigest } from './terms.ts';

export interface NewQuestion {
  readonly caller: Caller;
  readonly client?: Client | undefined;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly terms: Terms;
  readonly askedBy: AskedBy;
  readonly operationId: string;
  readonly now: number;
  readonly trace?: string | undefined;
  readonly ofWholeBooking?: true | undefined;
}

/** Approvals, and the key of their digests. */
type RequestState = Pick<ApprovalRuntime['state'], 'approvals' | 'digestKey'>;

/** The channel that measures name, by the assurance of the answer. */
const CHANNELS = { none: 'echo', caller_confirmed: 'echo', person: 'dialog', page: 'page' } as const;

/** Prefix of the digest that replaces entered details in the arguments. */
const ENTERED = 'entered:';

/** Enters terms that need no question as granted, so that their operation has a handle too. */
export function grantUnasked(state: RequestState, question: NewQuestion): Promise<Approval> {
  return askFor(state, question, { decision: 'granted', assurance: 'none', decidedAt: question.now });
}

/** Stores a new question. @param answer fields of a question that is answered already, or is part of a plan */
export async function askFor(
  state: RequestState,
  question: NewQuestion,
  answer: Partial<Approval> = {},
): Promise<Approval> {
  const approval = approvalFor(state, question, answer);
  await state.approvals.put(approval);
  return approval;
}

/**
 * Asks about a booking and an act, about which a caller has at most one open question: the same question is found,
 * another one is replaced. `approval` is the question that is open now.
 */
export async function askOnce(
  state: RequestState,
  question: NewQuestion,
): Promise<{ readonly approval: Approval; readonly asking: Asking }> {
  const { locator, fingerprint } = question.terms;
  const topic = locator ?? fingerprint;
  const approval = approvalFor(state, question, { topic });
  const { open, replaced, replacedMs } = QUESTIONS;
  const asking = await state.approvals.ask(approval, { open, replaced, since: question.now - replacedMs });
  return { approval: asking.kind === 'found' ? asking.open : approval, asking };
}

function approvalFor({ digestKey }: RequestState, question: NewQuestion, more: Partial<Approval>): Approval {
  const { caller, client, tool, args, terms, askedBy, operationId, now, trace, ofWholeBooking } = question;
  const { act, about, nature, locator, booking } = terms;
  const names = booking && bookingNames(booking);
  return {
    handleHash: handleHash(handleFor(digestKey, operationId)),
    tenant: caller.tenant,
    caller: caller.id,
    argsDigest: digest(digestKey, args),
    termsDigest: termsDigest(digestKey, tool, terms),
    operationId,
    tool,
    sections: shownSections(terms.sections),
    act,
    nature,
    carried: toCarry(args, terms),
    askedBy,
    locator,
    client,
    about,
    near: termsDeparture(terms),
    trace,
    names,
    ofWholeBooking,
    decision: 'pending',
    askedAt: now,
    createdAt: now,
    expiresAt: now + APPROVAL_MS,
    ...more,
  };
}

/** The handle of the question: the `approval_id` that its caller goes on with. */
export function questionHandle({ runtime }: Pick<Question, 'runtime'>, { operationId }: Approval): string {
  return handleFor(runtime.state.digestKey, operationId);
}

/**
 * Finds the approval of a handle. Throws the same error for an unknown handle, another caller's, another tool's and
 * for other arguments, so that guessing teaches nothing.
 */
export async function findAsked(
  { approvals, digestKey }: RequestState,
  handle: string,
  { tool, args }: Question['act'],
  caller: Caller,
): Promise<Approval> {
  const approval = await approvals.get(handleHash(handle));
  const fits =
    approval !== undefined &&
    approval.tenant === caller.tenant &&
    approval.caller === caller.id &&
    approval.tool === tool &&
    approval.argsDigest === digest(digestKey, args);
  if (!fits) throw approvalInvalid(tool);
  return approval;
}

/** The names that the question of this handle gives the parts of its booking. Undefined if it is not the caller's. */
export async function namesAsked(
  { approvals }: Pick<RequestState, 'approvals'>,
  handle: string,
  caller: Caller,
): Promise<BookingNames | undefined> {
  const approval = await approvals.get(handleHash(handle));
  return approval?.tenant === caller.tenant && approval.caller === caller.id ? approval.names : undefined;
}

/** Replaces how an answer is recorded: a plan records it for all its steps. */
interface Recording {
  /** Compare-and-set. @param now milliseconds since 1970 */
  decide(now: number): Promise<boolean>;
  /** Takes the yes back, after a no that came later. */
  takeBack(): Promise<unknown>;
}

/**
 * Records an answer unless another came first, and returns the approval as it is then. A no takes back a yes that was
 * not carried out yet (carry-out.ts, prepareSending).
 */
export function recordAnswer(
  { state: { approvals: store }, clock, tracing = untraced, decided }: ApprovalRuntime,
  asked: Approval,
  { yes, assurance, approver }: GivenAnswer,
  recording?: Recording,
): Promise<Approval | undefined> {
  const { handleHash: hash, operationId: operation, askedBy, createdAt: since, trace: of } = asked;
  const decision = yes ? 'granted' : 'declined';
  const { decide, takeBack } = recording ?? {
    decide: (now: number) => store.decide(hash, decision, assurance, now, approver),
    takeBack: () => store.revoke(hash),
  };
  const fields = { 'fareclerk.approval.channel': askedBy, 'fareclerk.approval.assurance': assurance };
  // The span of the question: from when it was asked until it is answered.
  return tracing.span({ name: 'approval', of, operation, since, fields }, async () => {
    const now = clock.now();
    const isRecorded = await decide(now);
    if (isRecorded) decided?.({ yes, channel: CHANNELS[assurance], ms: now - since });
    const mayDiffer = !isRecorded || recording !== undefined;
    const answered = { ...asked, decision, assurance, decidedAt: now, approver } as const;
    const current = mayDiffer ? await store.get(hash) : answered;
    if (current?.decision === 'granted' && !yes) await takeBack();
    if (current?.decision === 'declined') await store.erase(hash);
    if (current !== undefined) tracing.mark({ 'fareclerk.approval.decision': current.decision });
    return current;
  });
}

/** What an approval carries, so that any process can carry it out. Erased once the approval is spent. */
export interface Carried {
  readonly args: Readonly<Record<string, unknown>>;
  readonly operation: Pick<NewOperation, 'subject'> &
    Pick<MoneyAtStake, 'isUpperBound'> &
    Partial<Pick<NewOperation, 'amount' | 'direction' | 'fingerprint' | 'supersedes' | 'outcome' | 'facts'>>;
}

/** What the approval of an act must carry: its arguments, and the operation that these terms make. */
export function toCarry(args: Readonly<Record<string, unknown>>, terms: Terms): Carried {
  const { subject, money, fingerprint, supersedes, estimate, booking, sold = booking && soldFacts(booking) } = terms;
  const optional = { fingerprint, supersedes, outcome: estimate && { estimate }, facts: sold };
  return { args, operation: { subject, ...money, ...optional } };
}

/** Replaces, in the arguments that an approval is bound to, what travellers entered on the details page. */
export function enteredMark(enteredDigest: string): string {
  return `${ENTERED}${enteredDigest}`;
}

/**
 * Whether only the call can carry it out: what travellers entered can be read only with the id that the call brings.
 */
export function needsItsCall(approval: Approval): boolean {
  const details = carriedBy(approval)?.args.details;
  return typeof details === 'string' && details.startsWith(ENTERED);
}

/** What an approval carries. Undefined once it is spent. */
export function carriedBy({ carried }: Approval): Carried | undefined {
  return carried as Carried | undefined;
}

/** The money that the act moves. Without an amount if that is not known. */
export function moneyAtStake(approval: Approval): MoneyAtStake | undefined {
  const { direction, amount } = carriedBy(approval)?.operation ?? {};
  return direction && { direction, amount };
}

/** The operation that the approval becomes. @param plan digest of the plan of which it is a step */
export function operationToEnter(approval: Approval, { operation }: Carried, plan?: string): NewOperation {
  const { operationId: id, tenant, caller, tool, assurance = 'none', argsDigest, termsDigest } = approval;
  const { locator, approver: approvedBy, trace } = approval;
  const optional = { locator, approvedBy, trace, plan };
  return { id, tenant, caller, tool, assurance, argsDigest, termsDigest, ...optional, ...operation };
}
