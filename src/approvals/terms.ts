/** Terms: what a person says yes to, written from a fresh reading. */

import type { Money } from '../core/money.ts';
import { withFullStop } from '../core/words.ts';
import type { AskedPeople } from '../domain/booking/asked-people.ts';
import { activeSegments, type Booking } from '../domain/booking/booking.ts';
import type { ExpectedChange } from '../domain/booking/expected-change.ts';
import type { SoldFacts } from '../domain/booking/sold-facts.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { Outcome } from '../journal/operation.ts';
import { type ChargedAccount, isAccountLine } from './account-lines.ts';
import type { BookingGist } from './booking-gist.ts';
import { digest } from './digest.ts';

export interface MoneyAtStake {
  readonly direction: 'payment' | 'refund';
  /** As limits count it: the payment, or the refund (the most it can be, if unknown). Absent: unknown. */
  readonly amount?: Money;
  /** `amount` is the most that can move. */
  readonly isUpperBound?: true;
}

/** The kind of act, so that giving something up does not look like paying. */
export type Nature = 'payment' | 'cancellation' | 'change';

/**
 * `act`: what happens, in a sentence. `caution`: read this before saying yes. `trip` and `people`: what it is about.
 * `refund`: what comes back, and until when. `note`: all else that a person must know. `computed`: how the sums came
 * about.
 */
export type SectionKind = 'act' | 'caution' | 'trip' | 'people' | 'refund' | 'note' | 'computed';

/** A train or flight of a line, which a page draws as a row of a timetable. */
export interface Ride {
  readonly kind: 'ride';
  /** `Train HHR101`; `Old: Train HHR101`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** As sent. */
  readonly departs: string;
  readonly arrives: string;
  /** `, class Y, fare YOW`. */
  readonly more: string;
}

/** A name that changes, which a page draws with the old one above the new one. */
export interface Renaming {
  readonly kind: 'renaming';
  /** `Passenger 1 (adult)`. */
  readonly who: string;
  readonly was: string;
  readonly now: string;
}

export interface TermsSection {
  readonly kind: SectionKind;
  readonly lines: readonly string[];
  /**
   * The lines as a person reads them, if more is shown than is bound: the names of places, which come from a list of
   * routes that may be missing when the terms are read again, and what the airline says of an account, which other
   * payments change meanwhile.
   */
  readonly named?: readonly string[];
  /** What the lines say, in parts, for those that a page draws; null for any other. Not bound: the lines are. */
  readonly drawn?: readonly (Ride | Renaming | null)[];
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
  return sections.flatMap(({ lines, named = lines }) => named);
}

/** The lines that are new to the person, and those that are gone, of those that a yes is bound to. @param now lines of the new terms */
function changedLines(asked: readonly TermsSection[], now: readonly string[]) {
  const before = shownLines(asked);
  return {
    fresh: now.filter((line) => !before.includes(line) && !isAccountLine(line)),
    gone: before.filter((line) => !now.includes(line) && !isAccountLine(line)),
  };
}

/** A line of the terms as it was and as it is. A line that came has no `was`, and one that went has no `now`. */
export interface ChangedLine {
  readonly was?: string | undefined;
  readonly now?: string | undefined;
}

/** How alike two lines must be to be one line that changed: the share of their words that both have. */
const ALIKE = 0.4;

/** The lines that differ and that a yes is bound to, each beside the line that it was. */
export function changedPairs(asked: readonly TermsSection[], now: readonly string[]): readonly ChangedLine[] {
  const { fresh, gone } = changedLines(asked, now);
  const left = [...fresh];
  const pairs = gone.map((was): ChangedLine => {
    const [best] = left.toSorted((a, b) => likeness(was, b) - likeness(was, a));
    if (best === undefined || likeness(was, best) < ALIKE) return { was };
    left.splice(left.indexOf(best), 1);
    return { was, now: best };
  });
  return [...pairs, ...left.map((line) => ({ now: line }))];
}

/** The pairs as texts: `Was: …` and `Now: …`, or `No longer: …` of a line that went. */
export const changedTexts = (changed: readonly ChangedLine[]): readonly string[] =>
  changed.flatMap(({ was, now }) => {
    if (was === undefined) return [`Now: ${now}`];
    return now === undefined ? [`No longer: ${was}`] : [`Was: ${was}`, `Now: ${now}`];
  });

/** From 0, no word in common, to 1. */
function likeness(one: string, other: string): number {
  const [words, others] = [new Set(one.split(' ')), new Set(other.split(' '))];
  return words.intersection(others).size / Math.max(words.size, others.size);
}

/** How many lines of each kind {@link whatChanged} names. */
const MOST_CHANGED = 3;

/**
 * Says in what terms differ from those that were asked. Changes by the airline say it best: if any is new, they alone are named.
 * Undefined if no line differs, or if the asked ones were erased.
 * @param now lines of the new terms
 */
export function whatChanged(asked: readonly TermsSection[] | undefined, now: readonly string[]): string | undefined {
  if (asked === undefined || asked.length === 0) return undefined;
  const { fresh, gone } = changedLines(asked, now);
  const byAirline = fresh.filter((line) => line.startsWith(CHANGED_SINCE));
  const said = (word: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${word}: ${lines.slice(0, MOST_CHANGED).map(withFullStop).join(' ')}`];
  const sentences =
    byAirline.length > 0 ? byAirline.map(withFullStop) : [...said('Now', fresh), ...said('No longer', gone)];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** All changes by the airline that the sections name. Undefined if there are none. */
export function changesTold(sections: readonly TermsSection[]): readonly AirlineChange[] | undefined {
  const all = sections.flatMap(({ changes }) => changes?.all ?? []);
  return all.length === 0 ? undefined : all;
}

/** Ids of the bound changes, in one order. Undefined if there are none. */
export function boundChanges(sections: readonly TermsSection[]): readonly string[] | undefined {
  const bound = sections.flatMap(({ changes }) => changes?.bound ?? []);
  return bound.length === 0 ? undefined : bound.toSorted();
}

/** Puts the lines about changes by the airline after the act of the terms. */
export function withChanges<T>(terms: Terms<T>, told: ChangeLines | undefined): Terms<T> {
  if (told === undefined) return terms;
  return { ...terms, sections: terms.sections.toSpliced(1, 0, { kind: 'caution', ...told }) };
}

/**
 * The terms with the changes by the airline that the question named, so that both have the same digest although some are dealt with now.
 * With their own if the question did not name a bound one.
 * @param asked the sections of the approval
 */
export function asAsked(terms: Terms, asked: readonly TermsSection[]): Terms {
  const told = new Set(boundChanges(asked));
  if (boundChanges(terms.sections)?.some((id) => !told.has(id))) return terms;
  const others = terms.sections.filter(({ changes }) => changes === undefined);
  return { ...terms, sections: [...others, ...asked.filter(({ changes }) => changes !== undefined)] };
}

/** The sections as a person reads them, which the approval stores. */
export function shownSections(sections: readonly TermsSection[]): readonly TermsSection[] {
  return sections
    .map(({ kind, lines, named = lines, drawn, changes }) => ({ kind, lines: named, drawn, changes }))
    .filter(({ lines }) => lines.length > 0);
}

/** The sections of a step of a plan, whose question says it once for all of them. */
export function withoutAccountLines(sections: readonly TermsSection[]): readonly TermsSection[] {
  return sections.map((section) =>
    section.named === undefined ? section : { ...section, named: section.named.filter((line) => !isAccountLine(line)) },
  );
}

/**
 * What a person is asked about. A field is bound if it is part of {@link termsDigest}: if it changes before the act is
 * carried out, the person is asked again. Fields that are not bound say so. `send` need not be bound, because it is
 * made anew from the same reading (recheck-and-send.ts).
 */
export interface Terms<T = unknown> {
  /** Absent for a create. */
  readonly locator?: string;
  /** Added by clerk/context.ts to the first terms of a call about a booking; terms read again have none. Not bound. */
  readonly about?: BookingGist;
  /**
   * As read for these terms. All its fields are bound, except `source` and the links to ticket documents: where these
   * lie changes from one reading to the next, and nothing that a person approves.
   */
  readonly booking?: Booking;
  /** Facts of what was sold, which the operation stores; by default of the whole booking. Not bound: the booking is. */
  readonly sold?: SoldFacts;
  /** Further bound facts: flights and travellers of a create. */
  readonly facts?: unknown;
  /**
   * What a yes binds of the booking if an earlier step of the same line changes it first: {@link changedDigest}. Absent for an act that
   * is no such step. Not bound otherwise: the whole booking is.
   */
  readonly binds?: unknown;
  /** In what the booking is not as it was offered, in words. Absent: it is as offered, or was made elsewhere. */
  readonly differs?: string | undefined;
  /** What the person reads, most important first. */
  readonly sections: readonly TermsSection[];
  /** The words of the yes, with the amount: `Pay SAR 1,725.00`. */
  readonly act: string;
  /** Not bound. */
  readonly nature: Nature;
  /** False if nothing is ticketed yet and no question is due. Not bound. */
  readonly ask: boolean;
  /** Absent if no money moves. */
  readonly money?: MoneyAtStake;
  /**
   * Absent if no account is concerned, or none is named. Not bound, because every payment changes it: assertAccountHolds says what of it
   * forbids sending.
   */
  readonly account?: ChargedAccount | undefined;
  readonly estimate?: NonNullable<Outcome['estimate']>;
  readonly subject: ExpectedChange;
  /** Creates: equal for the same trip of the same travellers. Not bound. */
  readonly fingerprint?: string;
  /** Creates: the earlier create that this one may repeat. Not bound. */
  readonly supersedes?: string;
  /** The people of a hold, as digests: the operation keeps them while it is unpaid. Not bound: what is sent is shown. */
  readonly asked?: ((digest: Digest) => AskedPeople) | undefined;
  /** Why the customer cancels: the operation keeps it. Not bound: a section quotes it. */
  readonly reason?: string | undefined;
  /** The desk's own key of the customer: the hold keeps it. Not bound: nothing of it is sent. */
  readonly customer?: string | undefined;
  /** Not bound. */
  readonly warnings?: readonly string[];
  /** What the act sends, sealed into `Confirmed<T>` once approved. */
  readonly send: T;
}

/** A departure of the trip, whose offset gives local times. */
export function termsDeparture({ booking }: { readonly booking?: Booking | undefined }): string | undefined {
  return booking && activeSegments(booking)[0]?.departs;
}

/** The fields of terms that are not bound. A field that is not named here must be part of {@link termsDigest}. */
type NotBound =
  | 'about'
  | 'binds'
  | 'account'
  | 'sold'
  | 'nature'
  | 'ask'
  | 'fingerprint'
  | 'supersedes'
  | 'asked'
  | 'reason'
  | 'customer'
  | 'warnings'
  | 'send';

type BoundParts = Readonly<Record<Exclude<keyof Terms, NotBound> | 'changes', unknown>>;

/** Digests the bound fields: if one of them changes, so does the digest. */
export function termsDigest(key: Uint8Array, tool: string, terms: Terms): string {
  const { source: _source, ...booking } = terms.booking?.reading ?? { source: undefined };
  const tickets = terms.booking?.tickets?.map((ticket) => ({ ...ticket, links: [] }));
  const bound: BoundParts = {
    locator: terms.locator,
    booking: { ...booking, tickets },
    facts: terms.facts,
    differs: terms.differs,
    sections: terms.sections.filter(({ changes }) => changes === undefined).map(({ kind, lines }) => ({ kind, lines })),
    changes: boundChanges(terms.sections),
    act: terms.act,
    money: terms.money,
    estimate: terms.estimate,
    subject: terms.subject,
  };
  return digest(key, { tool, ...bound });
}

/**
 * Digests the terms of a step whose booking an earlier step of its line changes first: what it does and moves, and what the act says
 * that a yes binds of the booking.
 */
export function changedDigest(key: Uint8Array, tool: string, terms: Terms): string {
  const { locator, act, nature, money, binds, sections } = terms;
  return digest(key, { tool, locator, act, nature, money, binds, changes: boundChanges(sections) });
}
