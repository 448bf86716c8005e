/** One server process: the product's own approvals, from the question to the sending, and its journal, on the simulated airline. */

import { bindingDigest } from '../../../src/approvals/binding.ts';
import type { BoundAct } from '../../../src/approvals/bound-act.ts';
import { withCaution } from '../../../src/approvals/busy-booking.ts';
import { noDialogs } from '../../../src/approvals/consent-call.ts';
import { carryOut, toItsTerms, type Yes } from '../../../src/approvals/recheck-and-send.ts';
import { pendingApproval, toCarry } from '../../../src/approvals/request.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import type { OperationStore, Sending } from '../../../src/journal/ports.ts';
import { ACTS } from '../../support/rules.ts';
import type { State } from '../support/office.ts';
import { replacing } from '../support/replacing.ts';
import { plainDigest, SimActs, termsOf } from './acts.ts';
import type { SimAirline } from './airline.ts';
import type { Understanding } from './answers.ts';
import type { Incarnation } from './process.ts';
import { isActive, type Message } from './truth.ts';

export type { OperationStore };

export type OperationState = Parameters<OperationStore['transition']>[1]['to'];
type JournalOptions = Parameters<typeof createJournal>[0];
type ActCall = Parameters<typeof carryOut>[0];
export interface Stored {
  readonly operations: OperationStore;
  readonly approvals: State['approvals'];
}

/** A question as its agent and its person know it. */
export interface Approval {
  readonly id: string;
  readonly operationId: string;
  /** By which the product finds it. */
  readonly handleHash: string;
  readonly message: Message;
  /** All that the person was shown, whatever of it the terms bind. */
  readonly shown: string;
  readonly amount: number;
  decision: 'pending' | 'granted' | 'declined';
  decidedAt?: number;
}

/** Where a mutant may differ from the product; the product differs nowhere. */
export interface Policy {
  readonly journal?: Partial<JournalOptions>;
  readonly store?: (store: OperationStore) => OperationStore;
  readonly act?: (act: Sending) => Sending;
  readonly understand?: Understanding;
  /** The operation that a presented approval becomes. */
  readonly operationId?: (id: string, presented: number) => string;
  /** What of the terms a yes binds. */
  readonly bindingOf?: Yes['bindingOf'];
  readonly asksDecision?: boolean;
  readonly tends?: boolean;
}

/** `busy`: the yes was spent on a booking with another act under way. */
export type Answer = OperationState | 'busy' | 'not_granted' | 'failed';

export const PLAIN: Pick<JournalOptions, 'settleMs' | 'pollMs' | 'digest'> = {
  settleMs: 240_000,
  pollMs: 10_000,
  digest: plainDigest,
};

export const SETTINGS: ActCall['settings'] = {
  ...{ environment: 'live', approval: 'page', limits: {}, canUseTerminal: true },
  ...{ dialogFloorMs: 0, answerMs: 30_000, waitMs: 30_000 },
};

export const DIGEST_KEY = new Uint8Array(32);

export class Desk {
  readonly journal: ReturnType<typeof createJournal>;
  readonly #inc: Incarnation;
  readonly #acts: SimActs;
  readonly #policy: Policy;
  readonly #stored: Stored;

  constructor(inc: Incarnation, stored: Stored, airline: SimAirline, policy: Policy) {
    this.#inc = inc;
    this.#acts = new SimActs(inc, airline);
    this.#policy = policy;
    const { operations, approvals } = stored;
    const seen = policy.store?.(operations) ?? operations;
    // No process dies at a call that is not the journal's.
    this.#stored = { operations: seen, approvals: policy.asksDecision === false ? allGranted(approvals) : approvals };
    const reached = inc.reach(operations);
    const journal = createJournal({
      ...PLAIN,
      acts: ACTS,
      store: policy.store?.(reached) ?? reached,
      clock: inc.clock,
      readerFor: () => ({ read: (locator) => airline.read(inc, locator, true) }),
      owner: inc.name,
      ...policy.journal,
    });
    this.journal = replacing(journal, {
      execute: (operation, act) => journal.execute(operation, policy.act?.(act) ?? act),
    });
    if (policy.tends !== false) void journal.keepReconciling(new AbortController().signal);
  }

  /** Reads the booking, writes the terms and asks. Undefined where a rule forbids the act as things are. */
  async ask(id: string, message: Message): Promise<Approval | undefined> {
    const call = this.#call(id, message);
    const { act, asker, runtime } = call;
    const { tool, args } = act;
    const terms = await act.preview().then(
      (read) => withCaution(call, read),
      () => undefined,
    );
    if (terms === undefined) return undefined;
    const operationId = `op-${id}`;
    const question = { caller: asker.caller, tool, args, terms, operationId, now: this.#inc.clock.now() };
    const bound = this.#policy.bindingOf?.(terms);
    const carried = bound && {
      ...{ termsDigest: bindingDigest(DIGEST_KEY, tool, bound), carried: toCarry(DIGEST_KEY, args, terms, bound) },
    };
    const asked = { ...pendingApproval(runtime.state, { ...question, askedBy: 'page' }), ...carried };
    await runtime.state.approvals.put(asked);
    const { handleHash } = asked;
    const { booking } = terms;
    const shown = booking === undefined ? '' : termsOf(booking);
    const amount = booking?.orders[0]?.amount?.minor ?? 0;
    return { id, operationId, handleHash, message, shown, amount, decision: 'pending' };
  }

  /** A tool call with an approval: carries it out once, or reports its status. */
  async present({ id, operationId, handleHash, message }: Approval, presented: number): Promise<Answer> {
    const call = this.#call(id, message);
    const { approvals, operations } = this.#stored;
    const found = await approvals.get(handleHash);
    if (found === undefined || found.decision === 'pending' || found.decision === 'declined') return 'not_granted';
    const approval = { ...found, operationId: this.#policy.operationId?.(operationId, presented) ?? operationId };
    const yes = toItsTerms(call);
    const { bindingOf = yes.bindingOf } = this.#policy;
    const status = await carryOut(call, approval, { ...yes, bindingOf }).then(
      ({ structured }) => structured.status,
      () => undefined,
    );
    const operation = await operations.get(approval.operationId);
    if (operation === undefined) return (await approvals.get(handleHash))?.decision === 'void' ? 'busy' : 'failed';
    return status === 'done' || status === 'already_done' ? 'succeeded' : operation.state;
  }

  #call(id: string, message: Message): ActCall {
    const act = this.#acts.of(message);
    const isCreate = message.kind === 'create';
    const { clock } = this.#inc;
    const state = { ...this.#stored, digestKey: DIGEST_KEY };
    const runtime = {
      acts: ACTS,
      state,
      journal: this.journal,
      clock,
      random,
      inFlight: new Set<Promise<unknown>>(),
      dialogs: noDialogs(),
    };
    return {
      act: isCreate ? withFingerprint(act, message.locator) : act,
      asker: { caller: { tenant: isCreate ? 't' : tenantOf(id), id: 'c' } },
      ...{ runtime, settings: SETTINGS, trail: {} },
    };
  }
}

const random = {
  uuid: () => {
    throw new Error('nothing here is drawn');
  },
};

/** Two who ask for one booking make it once. */
function withFingerprint(act: BoundAct, fingerprint: string): BoundAct {
  const preview = async () => ({ ...(await act.preview()), fingerprint });
  return { ...act, preview, previewAgain: preview };
}

/** Each question as if somebody had said yes to it. */
function allGranted(approvals: Stored['approvals']): Stored['approvals'] {
  return replacing(approvals, {
    async get(hash) {
      const found = await approvals.get(hash);
      return found && { ...found, decision: 'granted' };
    },
  });
}

/** Those who ask for one booking are of two tenants: an approval's id is booking and agent, a dot, and which try. */
function tenantOf(id: string): string {
  return `t${Number(id.split('.')[0]?.at(-1)) % 2}`;
}

/** Whether the agent need not present the approval again. */
export const isEnd = (answer: Answer): boolean => !['not_granted', 'failed'].includes(answer) && !isActive(answer);
