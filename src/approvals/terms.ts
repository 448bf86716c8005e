/** Terms: what a person says yes to, written from a fresh reading. */

import type { Money } from '../core/money.ts';
import { activeSegments, type Booking } from '../domain/booking/booking.ts';
import type { SoldFacts } from '../domain/booking/sold-facts.ts';
import type { AskedPeople } from '../domain/facts/asked-people.ts';
import type { ExpectedChange } from '../domain/facts/expected-change.ts';
import { leftOutWords, type PartsLeftOut } from '../domain/facts/left-out.ts';
import type { SaidLine, SaidPart } from '../domain/facts/said.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { Traveler } from '../domain/people/traveler.ts';
import type { Outcome } from '../journal/operation.ts';
import { accountLines, type ChargedAccount } from './account-lines.ts';
import type { AskedAct, Nature } from './asked-act.ts';
import type { BookingGist } from './booking-gist.ts';

export interface MoneyAtStake {
  readonly direction: 'payment' | 'refund';
  /** As limits count it: the payment, or the refund (the most it can be, if unknown). Absent: unknown. */
  readonly amount?: Money;
  /** `amount` is the most that can move. */
  readonly isUpperBound?: true;
  /**
   * The most that is given up: it was paid, and does not surely come back (domain/refund/given-up.ts). FARECLERK_PAGE_ABOVE and
   * FARECLERK_FOUR_EYES_ABOVE count it where it is more than `amount`; no limit of money does. For a plan, the sum of what they count of
   * each step. Absent: nothing.
   */
  readonly givenUp?: Money | undefined;
}

/**
 * `act`: what happens, in a sentence. `caution`: read this before saying yes. `trip` and `people`: what it is about.
 * `refund`: what comes back, and until when. `note`: all else that a person must know. `computed`: how the sums came
 * about.
 */
export type SectionKind = 'act' | 'caution' | 'trip' | 'people' | 'refund' | 'note' | 'computed';

/** How the line of a train or flight begins that another one replaces. */
export const OLD = 'Old: ';

/** A train or flight of a line, which a page draws as a row of a timetable. */
export interface Ride {
  readonly kind: 'ride';
  /** `Train HHR101`. */
  readonly name: string;
  readonly vehicle?: 'Train' | 'Flight';
  /** How its line begins: {@link OLD}. */
  readonly before?: string;
  readonly from: string;
  readonly to: string;
  /** As sent. */
  readonly departs: string;
  readonly arrives: string;
  /** `, class Y, fare YOW`. */
  readonly more: string;
}

export interface PersonWords {
  readonly who: string;
  readonly what: string;
}

export interface TermsSection {
  readonly kind: SectionKind;
  readonly lines: readonly string[];
  /**
   * What each line says of the booking, in parts that are bound in its place. Null for a line that is bound as it stands, as all are without
   * this. A line without parts is shown and not bound. Not stored with the lines: the approval carries what a yes binds.
   */
  readonly said?: readonly (readonly SaidPart[] | null)[];
  /** Of the section of people: whom each line is about, `Passenger 1`, and what it says of them. */
  readonly people?: readonly PersonWords[];
  /** Of the section of the act: what its lines say that the title of the page does not. */
  readonly below?: readonly string[];
  /** The lines that a page draws, as it draws them; null for any other. */
  readonly drawn?: readonly (Ride | null)[];
  /**
   * The changes by the airline that the lines name. Then the changes are bound, and not the lines: if one of them is dealt with before
   * the act is carried out, that needs no new yes.
   */
  readonly changes?: ToldChanges;
}

/** Something that the airline changed on a booking, and nobody has dealt with. */
export interface AirlineChange {
  readonly locator: string;
  readonly what: string;
  readonly kind: string;
  /** For `close_findings`. */
  readonly finding_id: string;
}

/** The changes by the airline that a question names. Has no name of a person. */
interface ToldChanges {
  readonly all: readonly AirlineChange[];
  /** Ids of those without which the act may not be carried out: of any other that comes later, the person must hear first. */
  readonly bound: readonly string[];
  /** Ids of those that it names in full, and that need nobody any more once the act is done. */
  readonly closed: readonly string[];
}

/** The changes by the airline that a question or a result tells: in lines for people, and all of them as fields. */
export interface ChangeLines {
  readonly lines: readonly string[];
  readonly changes: ToldChanges;
}

/** How the line of a change by the airline begins. */
export const CHANGED_SINCE = 'Changed since ';

/** The lines of one kind, as the page and the terminal show them together. */
export function linesIn(sections: readonly TermsSection[], kind: SectionKind): readonly string[] {
  return sections.filter((section) => section.kind === kind).flatMap(({ lines }) => lines);
}

/** All lines as a person reads them. */
export function shownLines(sections: readonly TermsSection[]): readonly string[] {
  return sections.flatMap(({ lines }) => lines);
}

/** A line of a kind, with what a yes binds of it. */
export interface BoundLine extends SaidLine {
  readonly kind: SectionKind;
}

/**
 * The lines that a yes binds. Of changes by the airline, the changes are bound and not the lines: one that is dealt with meanwhile needs no
 * new yes.
 */
export function boundLines(sections: readonly TermsSection[]): readonly BoundLine[] {
  const bound = sections.filter(({ changes }) => changes === undefined);
  return bound.flatMap(({ kind, lines, said = [] }) =>
    lines.map((line, i) => ({ kind, line, said: said[i] ?? undefined })),
  );
}

/** All changes by the airline that the sections name. Undefined if there are none. */
export function changesTold(sections: readonly TermsSection[]): readonly AirlineChange[] | undefined {
  const all = sections.flatMap(({ changes }) => changes?.all ?? []);
  return all.length === 0 ? undefined : all;
}

/** Puts the lines about changes by the airline after the act of the terms. */
export function withChanges<T>(terms: Terms<T>, told: ChangeLines | undefined): Terms<T> {
  if (told === undefined) return terms;
  return { ...terms, sections: terms.sections.toSpliced(1, 0, { kind: 'caution', ...told }) };
}

/**
 * Makes a question of terms that may do again what was done here. Its first line says so. It is a line of the act, so that no yes to a
 * question without it counts, and none once it no longer applies.
 */
export function withDoneHere<T>(terms: Terms<T>, line: string): Terms<T> {
  const [first, ...others] = terms.sections;
  const isAct = first?.kind === 'act';
  const { lines, said, below } = isAct ? first : { lines: [], said: undefined, below: undefined };

  const act: TermsSection = {
    ...(isAct && first),
    kind: 'act',
    lines: [line, ...lines],
    ...(said && { said: [null, ...said] }),
    below: [line, ...(below ?? lines)],
  };

  return { ...terms, ask: true, pageOnly: true, sections: [act, ...(isAct ? others : terms.sections)] };
}

/** Says in a question what a reading before the last send left out: the yes counts whether it is there or not. */
export function withLeftOut<T>(terms: Terms<T>, leftOut: PartsLeftOut | undefined): Terms<T> {
  if (leftOut === undefined) return terms;
  const line = `The airline's reading before the last send left out ${leftOutWords(leftOut)}. This yes counts with and without that.`;
  const caution: TermsSection = { kind: 'caution', lines: [line], said: [[]] };
  return { ...terms, leftOut, sections: terms.sections.toSpliced(1, 0, caution) };
}

/** The place of each kind when a question is read. What changes stands first in the terms: trip and people keep their order. */
const READING_ORDER = { act: 0, caution: 1, refund: 2, trip: 3, people: 3, note: 4, computed: 5 } as const;

export function inReadingOrder(sections: readonly TermsSection[]): readonly TermsSection[] {
  return sections.toSorted((a, b) => READING_ORDER[a.kind] - READING_ORDER[b.kind]);
}

/** The sections as a person reads them, which the approval stores. */
export function shownSections(sections: readonly TermsSection[]): readonly TermsSection[] {
  const shown = sections.map(({ said: _, ...section }) => section);
  return inReadingOrder(shown.filter(({ lines }) => lines.length > 0));
}

/** What the question of one act says of the account that it charges. That of a plan says it once, for all its acts. */
export function accountSections(terms: Pick<Terms, 'account' | 'money'>): readonly TermsSection[] {
  const { warnings, notes } = accountLines([terms]);
  return [
    { kind: 'caution', lines: warnings },
    { kind: 'note', lines: notes },
  ];
}

/**
 * What a person is asked about. What a yes binds of it: binding.ts. If that changes before the act is carried out, the person is asked
 * again. `send` need not be bound, because it is made anew from the same reading (recheck-and-send.ts).
 */
export interface Terms<T = unknown> {
  /** Absent for a create. */
  readonly locator?: string;
  /** Added by clerk/context.ts to the first terms of a call about a booking; terms read again have none. */
  readonly about?: BookingGist;
  /** As read for these terms. Its facts are bound, as far as the act depends on them. */
  readonly booking?: Booking;
  /** Facts of what was sold, which the operation stores; by default of the whole booking. */
  readonly sold?: SoldFacts;
  /** Further bound facts: flights and travellers of a create. */
  readonly facts?: unknown;
  /** What a yes binds of the booking if an earlier step of the same line changes it first. Absent for an act that is no such step. */
  readonly binds?: unknown;
  /** In what the booking is not as it was offered, in words. Absent: it is as offered, or was made elsewhere. */
  readonly differs?: string | undefined;
  /** What the person reads, most important first. */
  readonly sections: readonly TermsSection[];
  /** Says yes to: `Pay SAR 1,725.00`. */
  readonly act: AskedAct;
  readonly nature: Nature;
  /** False if nothing is ticketed yet and no question is due. */
  readonly ask: boolean;
  /** It may do again what was done here: only the page or the terminal asks, never a dialog, and no model's word counts. */
  readonly pageOnly?: true | undefined;
  /** Absent if no money moves. */
  readonly money?: MoneyAtStake;
  /** Absent if no account is concerned, and before sending. Not bound, because every payment changes it. */
  readonly account?: ChargedAccount | undefined;
  readonly estimate?: NonNullable<Outcome['estimate']>;
  readonly subject: ExpectedChange;
  /** Creates: equal for the same trip of the same travellers. */
  readonly fingerprint?: string;
  /** Creates: the same in the form of version 0.4.0. */
  readonly fingerprintBefore?: string;
  /** Creates: the travellers as they are sent, in the order of the act's signs of them. Never kept. */
  readonly travelers?: readonly Traveler[];
  /** Creates: the earlier create that this one may repeat. */
  readonly supersedes?: string;
  /** The people of a hold, as digests: the operation keeps them while it is unpaid. Not bound: what is sent is shown. */
  readonly asked?: ((digest: Digest) => AskedPeople) | undefined;
  /** Why the customer cancels: the operation keeps it. Not bound: a section quotes it. */
  readonly reason?: string | undefined;
  /** The desk's own key of the customer: the hold keeps it. Not bound: nothing of it is sent. */
  readonly customer?: string | undefined;
  readonly warnings?: readonly string[];
  /** What the act sends, sealed into `Confirmed<T>` once approved. */
  readonly send: T;
  /** What a yes does not depend on, because a reading before the last send left it out. Only of terms that are asked. */
  readonly leftOut?: PartsLeftOut | undefined;
}

/** A departure of the trip, whose offset gives local times. A plan has that of its first booking. */
export function termsDeparture({ booking, about }: Pick<Terms, 'booking' | 'about'>): string | undefined {
  return booking === undefined ? about?.departs : activeSegments(booking)[0]?.departs;
}
