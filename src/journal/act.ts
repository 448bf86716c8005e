/**
 * The description of an act: a kind of operation that changes a booking. A file in tools/acts fills it in for each act;
 * journal, approvals, store, watching and command line know acts only through this description.
 *
 * An act has four names. Those of a payment:
 *
 * | field       | example       | names the act                                                      |
 * | ----------- | ------------- | ------------------------------------------------------------------ |
 * | `name`      | `pay_booking` | by its tool: in calls, in the field `tool` of operations           |
 * | `kind`      | `pay`         | in what its operations store as their subject, which never changes |
 * | `word`      | `payment`     | in sentences for people                                            |
 * | `countedAs` | `payment`     | where acts of one sort are counted together                        |
 *
 * In this order: the description (what proves an act, then the rest), all acts together, the judging of evidence.
 */
import type { Money } from '../core/money.ts';
import type { Booking, DeedKind } from '../domain/booking/booking.ts';
import type { PersonSigns } from '../domain/booking/same-people.ts';
import type { ChosenOffer } from '../domain/facts/compare-hold-with-offer.ts';
import type { ExpectedChange } from '../domain/facts/expected-change.ts';
import type { RefundOfAct, Touch } from '../domain/facts/touches.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { Evidence, Verdict } from './evidence.ts';
import type { Operation, Outcome } from './operation.ts';

/**
 * What proves that an act happened. evidence.ts explains the verdicts. `E` is what the operations of the act store as
 * their subject: what they are expected to change.
 */
export interface ActEvidence<E extends ExpectedChange = ExpectedChange> {
  readonly kind: E['kind'];
  /**
   * Judges the airline's reply. Anything but `done` leaves the operation in doubt. If this is absent or returns
   * undefined, {@link evidenceRules} judges the reply. `isSameBooking`: the reply names the operation's booking.
   */
  reply?(expected: E, evidence: Evidence, judging: Judging & { isSameBooking: boolean }): Verdict | undefined;
  /** Judges a reading of the operation's booking. */
  reading(expected: E, booking: Booking, judging: Judging): Verdict;
  /**
   * For how long after its send an operation is read again if the booking shows only a part of it, milliseconds. The
   * settle time counts if it is longer, or if this is absent.
   */
  readonly patienceMs?: number;
  /** Says in a sentence what a reading proves that is `partial`. Absent or undefined: nothing that a person can go by. */
  partly?(expected: E, booking: Booking): string | undefined;
  /** Gives what the operation keeps of a reply that leaves it in doubt. Absent or undefined: it keeps nothing new. */
  unsettled?(operation: Operation, evidence: Evidence, verdict: Verdict): Unsettled | undefined;
  /** Says in a sentence what the reply said that left the operation in doubt. Empty if it said nothing. */
  doubt?(expected: E, outcome: Outcome | undefined): string;
  /** Takes what a reply or reading that proves the act shows besides, such as the numbers of tickets. `at`: when it was entered. */
  learns?(expected: E, evidence: Evidence, at: number): Outcome;
  /** Ends the sentence `A person must check …`. */
  toCheck(expected: E): string;
}

/** What a judge knows besides the evidence. */
export interface Judging {
  readonly digest: Digest;
  /** The outcome that the operation has so far. */
  readonly outcome: Outcome | undefined;
  /** The booking is from the airline's reply. */
  readonly isReply?: true;
}

/** What an operation keeps of a reply that leaves it in doubt. */
export interface Unsettled {
  /** Its outcome so far. */
  readonly outcome: Outcome;
  /**
   * Its outcome if a reading has settled it as done meanwhile, which the reply contradicts: a person must then check.
   * Absent: the outcome of the reading stays.
   */
  readonly overtaken?: Outcome;
}

/**
 * What a file in tools/acts says of an act. Only the name of the tool is missing, which the tool adds. In this order:
 * its names and rights, what a booking allows, its outcome, what a create was asked for, what it touches.
 */
export interface ActPart<E extends ExpectedChange = ExpectedChange> extends ActEvidence<E> {
  /** Names the act in a sentence for the person who decides: `payment`. */
  readonly word: string;
  readonly countedAs: CountedAs;
  /** What it does to a booking. Absent: it makes one. */
  readonly deed?: DeedKind;
  /** The scope that a token needs for the act (access/scopes.ts). */
  readonly scope: 'air:book' | 'air:pay' | 'air:refund' | 'air:names';
  /** The act does the same whatever its arguments say, apart from the booking. */
  readonly ofWholeBooking?: true;
  /**
   * The act pays, cancels, moves or splits the booking: a caller has one open question about these acts of a booking, so
   * that a change of mind ends the question before. Questions about other acts, such as seats, stand beside it.
   */
  readonly decidesBooking?: true;

  /**
   * Says why the booking does not allow the act now, and what to do instead; undefined if it does. Absent: the list of what
   * a booking allows does not have the act.
   */
  whyNot?(booking: Booking, circumstances: Circumstances): { readonly why: string; readonly next?: string } | undefined;

  /** Says the outcome in a line, for the person who decided: `Paid SAR 1,423.00`. */
  title(expected: E, outcome: Outcome | undefined): string;
  /**
   * Lists what is new in the booking, one line each. `before`: the booking as it was read for the terms; undefined if
   * another process sent the operation.
   */
  changes?(
    expected: E,
    booking: Booking,
    known: { readonly before: Booking | undefined; readonly digest: Digest },
  ): readonly string[];
  /** Finds a charge above what was approved, or in another currency. Undefined if the airline states none. */
  overcharge?(expected: E, outcome: Outcome | undefined): Overcharge | undefined;
  /** Says what a person must know of an operation that succeeded, from what it keeps. Undefined: nothing. */
  warning?(operation: Pick<Operation, 'facts' | 'outcome'>): string | undefined;
  /**
   * What the airline's reply may lack. `details`: price, orders and coupons, as after a change of names or details of people,
   * which airlines may also show only later. `booking`: the reply is another booking, so that the one that was changed must be read.
   */
  readonly replyLacks?: 'details' | 'booking';

  /** Lists the trip that was asked for, while there is no booking. */
  trip?(expected: E): readonly string[] | undefined;
  /** Gives the offer that was chosen, to compare with what is held. */
  offer?(expected: E): ChosenOffer | undefined;
  /** Gives what tells the travellers of a new booking from others. Undefined in operations of 0.4.0 and before. */
  people?(expected: E): readonly PersonSigns[] | undefined;
  /** Lists what the operation touches of its booking. Absent: nothing that another reading could show. */
  touches?(expected: E, refund: RefundOfAct): readonly Touch[];
}

/**
 * What an act is counted as. A `payment` counts the approved amount, a `refund` the stated one, and an `exchange`
 * what the airline states that it charged or gave back.
 */
export type CountedAs = 'hold' | 'payment' | 'refund' | 'exchange' | 'release' | 'change';

/** What decides, besides the booking, whether an act is allowed. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly dialect?: 'rail' | 'airline';
  /** The server also offers requests that the airline does not document. */
  readonly assumedOperations?: boolean;
}

export interface Overcharge {
  /** The most that was approved. */
  readonly approved: Money;
  /** What the airline states that it charged, less what it states that it refunded. */
  readonly charged: Money;
}

export interface Act extends ActPart {
  /** Name of its tool. */
  readonly name: string;
}

/** The acts of this version of the program. */
export interface Acts {
  readonly all: readonly Act[];
  /**
   * Finds the act of an operation's subject. For an act that this version does not have, returns one for which nothing
   * is proof.
   */
  of(expected: ExpectedChange): Act;
  /** Finds the act of a tool. Undefined for a tool that changes no booking. */
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

/** Stands for the act of an operation that another version of the program entered. */
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

/** Lists what an operation touches of its booking. `refund`: what is known of its refund, which only readings are compared with. */
export function touchesOf(
  acts: Pick<Acts, 'of'>,
  { subject }: Pick<Operation, 'subject'>,
  refund: RefundOfAct = {},
): readonly Touch[] {
  return acts.of(subject).touches?.(subject, refund) ?? [];
}

/** Lists the names of the acts that are counted as one of `counted`. */
export function actNames({ all }: Acts, ...counted: readonly CountedAs[]): readonly string[] {
  return all.filter(({ countedAs }) => counted.includes(countedAs)).map(({ name }) => name);
}

/** The noun of an act, for a sentence: `payment` for `pay_booking`. Other names stay. */
export function actWord(acts: Pick<Acts, 'named'>, tool: string): string {
  return acts.named(tool)?.word ?? tool;
}

/** Lists the names of the acts that pay, cancel, move or split a booking. */
export function decidingActs({ all }: Pick<Acts, 'all'>): readonly string[] {
  return all.filter(({ decidesBooking }) => decidesBooking === true).map(({ name }) => name);
}

/** Gives what an operation of this act is expected to change. Undefined for another act's operation. */
export function expectedBy<E extends ExpectedChange>(
  { kind }: ActEvidence<E>,
  { subject }: Pick<Operation, 'subject'>,
): E | undefined {
  return subject.kind === kind ? (subject as E) : undefined;
}

/** The judges of what a reply or a reading proves about an operation. */
export interface EvidenceRules {
  /** Judges the airline's reply. Anything but `done` leaves the operation in doubt. */
  reply(operation: Operation, evidence: Evidence, digest: Digest): Verdict;
  /** Judges a reading of a booking. */
  reading(operation: Operation, booking: Booking, digest: Digest): Verdict;
}

/**
 * Makes the judges for these acts (docs/wire/interface.md, States; docs/wire/notes.md, Statuses). What is not about the
 * operation's booking is `void`; the act decides the rest. A reply on which the act itself gives no verdict:
 *
 * | the reply                                  | verdict                                      |
 * | ------------------------------------------ | -------------------------------------------- |
 * | names another booking, or none             | `void`                                       |
 * | says that the booking is CANCELLED         | `done`                                       |
 * | answers a cancellation with another status | `void`                                       |
 * | shows the booking                          | as for a reading, without the outcome so far |
 * | is only the receipt of a payment           | `void`                                       |
 */
export function evidenceRules(acts: Acts): EvidenceRules {
  return {
    reply(operation, evidence, digest) {
      const { subject, outcome } = operation;
      const act = acts.of(subject);

      const { booking, receipt, cancelled } = evidence;
      const named = booking ?? receipt ?? cancelled;
      const isSameBooking = named !== undefined && isAbout(named, operation);
      const verdict = act.reply?.(subject, evidence, { digest, outcome, isSameBooking });
      if (verdict !== undefined) return verdict;

      if (!isSameBooking) return 'void';
      if (cancelled !== undefined) return cancelled.status?.toUpperCase() === 'CANCELLED' ? 'done' : 'void';

      return booking === undefined
        ? 'void'
        : act.reading(subject, booking, { digest, outcome: undefined, isReply: true });
    },

    reading(operation, booking, digest) {
      if (!isAbout(booking, operation)) return 'void';
      const { subject, outcome } = operation;
      return acts.of(subject).reading(subject, booking, { digest, outcome });
    },
  };
}

/** A booking, a receipt or the answer to a cancellation: all of them name a booking. */
interface NamesBooking {
  readonly locator: string;
  /** Other names of the booking. */
  readonly references?: readonly { readonly id: string }[];
}

/** Whether a reply or reading is about the operation's booking. A kept-alive connection can deliver somebody else's. */
export function isAbout({ locator, references = [] }: NamesBooking, operation: Operation): boolean {
  const wanted = operation.locator?.toUpperCase();
  const names = [locator, ...references.map(({ id }) => id)];
  return wanted !== undefined && names.some((name) => name.toUpperCase() === wanted);
}
