/**
 * The description of an act: a kind of operation that changes a booking. A file in tools/acts fills it in for each act;
 * journal, approvals, store, watching and command line know acts only through this description.
 */
import type { Money } from '../core/money.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { Closing } from '../domain/booking/closed-by.ts';
import type { ExpectedChange } from '../domain/booking/expected-change.ts';
import type { Finding } from '../domain/booking/finding.ts';
import type { OperationEffect } from '../domain/booking/operation-effects.ts';
import type { KnownCancellation } from '../domain/booking/owed-segments.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { ChosenOffer } from '../domain/pricing/fare-basis-codes.ts';
import type { Evidence, Verdict } from './evidence.ts';
import type { Operation, Outcome } from './operation.ts';

/** What a judge knows besides the evidence. */
interface Judging {
  readonly digest: Digest;
  /** The operation's outcome so far. */
  readonly outcome: Outcome | undefined;
}

/** What an act expects of the booking, and what proves that it happened. `E`: what its operations store as subject. */
export interface ActEvidence<E extends ExpectedChange = ExpectedChange> {
  /** Stored with each operation, so it never changes. */
  readonly kind: E['kind'];
  /**
   * Judges the airline's reply. Anything but `done` leaves the operation in doubt. If it is absent or returns
   * undefined, the reply is judged like a reading. `isSameBooking`: the reply names the operation's booking.
   */
  reply?(expected: E, evidence: Evidence, judging: Judging & { readonly isSameBooking: boolean }): Verdict | undefined;
  /** Judges a reading of the operation's booking. */
  reading(expected: E, booking: Booking, judging: Judging): Verdict;
  /** The act is also done if the airline says that there is no such booking. */
  readonly isDoneOnceGone?: true;
  /** How long at least a booking that shows a part of the act is read again, milliseconds. Default: the settle time. */
  readonly patienceMs?: number;
  /** What a reply shows that does not settle the operation, and what follows if a reading settles it before. */
  unsettled?(operation: Operation, evidence: Evidence, verdict: Verdict): Unsettled | undefined;
  /** A sentence with what a reply said that did not settle the operation. Empty if there was none. */
  doubt?(expected: E, outcome: Outcome | undefined): string;
  /** What a conclusive reply or reading shows. */
  learns?(expected: E, evidence: Evidence): Outcome;
  /** Ends the sentence `A person must check …`. */
  toCheck(expected: E): string;
}

/** The subject of an operation of this act. Undefined for another act's operation. */
export function expectedBy<E extends ExpectedChange>(
  { kind }: ActEvidence<E>,
  { subject }: Pick<Operation, 'subject'>,
): E | undefined {
  return subject.kind === kind ? (subject as E) : undefined;
}

/** What a reply shows that leaves the operation in doubt. */
export interface Unsettled {
  readonly outcome: Outcome;
  /** The outcome of an operation that was settled as done before this reply was read. */
  readonly overtaken?: Outcome;
}

/**
 * What reports count an act as. A `payment` counts the approved amount, a `refund` the stated one, and an `exchange`
 * what the airline states that it charged or gave back.
 */
export type CountedAs = 'hold' | 'payment' | 'refund' | 'exchange' | 'release' | 'change';

/** What decides, besides the booking, whether an act is allowed. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the airline refused a payment as too late, milliseconds since 1970. */
  readonly refusedAt?: number;
  readonly dialect?: 'rail' | 'airline';
  /** The server also offers requests that the airline does not document. */
  readonly assumedOperations?: boolean;
}

/** A segment for which an act is not allowed, with the reason. */
interface RefusedSegment {
  readonly ref: string;
  readonly why: string;
}

export interface Overcharge {
  /** The most that was approved. */
  readonly approved: Money;
  /** What the airline states that it charged, less what it states that it gave back. */
  readonly charged: Money;
  /** Absent if it was charged in another currency than approved. */
  readonly above?: Money;
}

/** An act without the name of its tool. Comments say `it` for an operation of this act. */
export interface ActPart<E extends ExpectedChange = ExpectedChange> extends ActEvidence<E> {
  readonly countedAs: CountedAs;
  /** The scope that a token needs for it (access/scopes.ts). */
  readonly scope: 'air:book' | 'air:pay' | 'air:refund' | 'air:names';
  /** Does the same whatever its arguments say, apart from the booking. */
  readonly ofWholeBooking?: true;
  /** Names the act in a sentence for the person who decides: `payment`. */
  readonly word: string;
  /**
   * A charge above what was approved, or in another currency. Undefined if there is none, or the airline does not say.
   */
  overcharge?(expected: E, outcome: Outcome | undefined): Overcharge | undefined;
  /** Its outcome for the person who decided, in a line: `Paid SAR 1,423.00`. */
  title(expected: E, outcome: Outcome | undefined): string;
  /** Why its booking does not allow it now. Absent: what a booking allows does not list it. */
  whyNot?(booking: Booking, circumstances: Circumstances): { readonly why: string } | undefined;
  /** Why it is not allowed for some segments, by ref, where it is for others. */
  whyNotSegments?(booking: Booking, circumstances: Circumstances): readonly RefusedSegment[];
  /** What its booking says while it is open. Default: `outcome not known yet`. */
  readonly whileOpen?: string;
  /** What is new in the booking, one line each. @param before as read for the terms, where this process sent */
  changes?(expected: E, booking: Booking, before: Booking | undefined): readonly string[];
  /** The trip as it was asked for, while there is no booking. */
  trip?(expected: E): readonly string[] | undefined;
  /**
   * What the airline's reply may lack: `details`: price, orders and coupons; `booking`: it is another booking, and the
   * one that was changed must be read.
   */
  readonly replyLacks?: 'details' | 'booking';
  /** The offer that was chosen, to compare with what is held. */
  offer?(expected: E): ChosenOffer | undefined;
  /** What a reading shows of it. @param refund as the airline stated it */
  effects?(expected: E, refund: Money | undefined): readonly OperationEffect[];
  /** Whether it leaves nothing to do about the finding. */
  closes?(expected: E, finding: Finding, closing: Closing): boolean;
  cancels?(expected: E): KnownCancellation;
}

export interface Act extends ActPart {
  /** Name of its tool. */
  readonly name: string;
}

export interface Acts {
  readonly all: readonly Act[];
  /**
   * The act of an operation's subject. For an act that this version does not have, an act for which nothing is proof.
   */
  of(expected: ExpectedChange): Act;
  named(tool: string): Act | undefined;
}

export function catalogActs(all: readonly Act[]): Acts {
  const byKind = new Map(all.map((act) => [act.kind, act]));
  const byName = new Map(all.map((act) => [act.name, act]));
  return {
    all,
    of: ({ kind }) => byKind.get(kind) ?? unknownAct(kind),
    named: (tool) => byName.get(tool),
  };
}

function unknownAct(kind: string): Act {
  return {
    kind,
    name: kind,
    countedAs: 'change',
    scope: 'air:pay',
    word: 'change',
    reading: () => 'void',
    toCheck: () => 'what was done',
    title: () => 'Done',
  };
}

/** Names of the acts that are counted as one of `counted`. */
export function actNames({ all }: Acts, ...counted: readonly CountedAs[]): readonly string[] {
  return all.filter(({ countedAs }) => counted.includes(countedAs)).map(({ name }) => name);
}

export interface EvidenceRules {
  /** Judges the airline's reply. Anything but `done` leaves the operation in doubt. */
  reply(operation: Operation, evidence: Evidence, digest: Digest): Verdict;
  reading(operation: Operation, booking: Booking, digest: Digest): Verdict;
}

/**
 * Judges what a reply or a reading proves about an operation (docs/wire/interface.md, States; docs/wire/notes.md,
 * Statuses). Checks that it is about the operation's booking; the act decides the rest.
 */
export function evidenceRules(acts: Acts): EvidenceRules {
  return {
    reply(operation, evidence, digest) {
      const { subject, outcome } = operation;
      const act = acts.of(subject);
      const { booking, receipt, cancelled } = evidence;
      const named = booking ?? receipt ?? cancelled;
      const isSameBooking = named !== undefined && belongsTo(operation, named);
      const verdict = act.reply?.(subject, evidence, { digest, outcome, isSameBooking });
      if (verdict !== undefined) return verdict;
      if (isSameBooking && cancelled !== undefined)
        return cancelled.status?.toUpperCase() === 'CANCELLED' ? 'done' : 'void';
      return isSameBooking && booking !== undefined
        ? act.reading(subject, booking, { digest, outcome: undefined })
        : 'void';
    },
    reading(operation, booking, digest) {
      const { subject, outcome } = operation;
      return belongsTo(operation, booking) ? acts.of(subject).reading(subject, booking, { digest, outcome }) : 'void';
    },
  };
}

/** A booking, a receipt or the answer to a cancellation: all of them name a booking. */
interface Named {
  readonly locator: string;
  readonly references?: readonly { readonly id: string }[];
}

/** Whether `named` is about this operation's booking. A kept-alive connection can deliver somebody else's. */
function belongsTo(operation: Operation, named: Named): boolean {
  const locator = operation.locator?.toUpperCase();
  const names = [named.locator, ...(named.references ?? []).map((reference) => reference.id)];
  return locator !== undefined && names.some((name) => name.toUpperCase() === locator);
}
