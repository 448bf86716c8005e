/**
 * What a yes binds: what its question said. The question keeps the parts of its lines, and the facts of its booking. Before the send the
 * question is written anew and compared with it, part by part (domain/facts/said.ts). Facts that it did not say bind too, as far as they
 * matter to the act: flights, people, a price's currency.
 */

import { type Money, showMoney } from '../core/money.ts';
import { isObject, sameJson } from '../core/own.ts';
import { capitalized, withFullStop } from '../core/words.ts';
import type { FindingKind, Matter } from '../domain/booking/finding.ts';
import {
  type BoundBooking,
  boundBooking,
  type ChangedBooking,
  changedSinceAsked,
  unordered,
} from '../domain/facts/bound.ts';
import { bindsChange, mattersTo } from '../domain/facts/changes-an-act-binds.ts';
import {
  isLeftOut,
  leftOutBeside,
  NOTHING_LEFT_OUT,
  type PartsLeftOut,
  withoutLeftOut,
} from '../domain/facts/left-out.ts';
import { type SaidSum, type UnlikePart, unlikeParts, withoutZeros } from '../domain/facts/said.ts';
import { findingText, type Readers } from '../domain/facts/words.ts';
import { actSentence, type Nature } from './asked-act.ts';
import { gistLine } from './booking-gist.ts';
import type { BoundAct } from './bound-act.ts';
import { digest, digestWith } from './digest.ts';
import {
  accountSections,
  type BoundLine,
  boundLines,
  type MoneyAtStake,
  type Terms,
  type TermsSection,
} from './terms.ts';

/** What is bound of the terms of a question. Digests name people; its lines have names, as the arguments have. */
export interface Binding {
  /** What it says. */
  readonly lines: readonly BoundLine[];
  /** Ids of the changes by the airline that it names, and that the act depends on. */
  readonly told: readonly string[];
  readonly money?: MoneyAtStake | undefined;
  /** What the act is about, with the words of the yes; and the facts of a create. */
  readonly about: unknown;
  readonly booking?: BoundBooking | undefined;
  /** What may be missing or there. */
  readonly leftOut?: PartsLeftOut | undefined;
}

/** What the terms bind. @param now when they were read, milliseconds since 1970 */
export function bindingOf(key: Uint8Array, terms: Terms, now: number): Binding {
  const { locator, act, nature, money, booking, facts, subject, leftOut } = terms;
  const gist = booking ? [{ kind: 'trip' as const, ...gistLine(booking) }] : [];
  // What the account has, other payments change: only that it is not enough needs a new yes.
  const account = accountSections(terms).filter(({ kind }) => kind === 'caution');

  return {
    lines: [...boundLines([...terms.sections, ...account]), ...gist],
    told: toldChanges(terms),
    money,
    // What an act is about on a booking, its arguments and its lines say.
    about: unordered({ locator, act: actSentence(act), nature, facts, subject: booking ? undefined : subject }),
    booking: booking && boundBooking(booking, now, digestWith(key)),
    leftOut,
  };
}

/**
 * The same of a step whose booking an earlier step of its line changes first: what it does and moves, and what its act says that a yes
 * binds of the booking.
 */
export function bindingOfChanged(terms: Terms): Binding {
  const { locator, nature, money, binds } = terms;
  const lines = [actLine(terms)];
  return { lines, told: toldChanges(terms), money, about: unordered({ locator, nature, binds }) };
}

/** The words of the yes as a line. */
export const actLine = ({ act }: Pick<Terms, 'act'>): BoundLine => ({ kind: 'act', line: String(actSentence(act)) });

/** What changes by the airline matter to somebody who says yes to these terms. */
export const mattersOf = ({ nature, sections }: Pick<Terms, 'nature' | 'sections'>): ReadonlySet<Matter> =>
  mattersTo(nature, boundLines(sections));

export const toldChanges = ({ sections }: Pick<Terms, 'sections'>): readonly string[] =>
  sections.flatMap(({ changes }) => changes?.bound ?? []);

/**
 * Digests a binding in one order, without what differs from reading to reading. It finds an open question about the same, and proves that
 * a binding is that of the question. Equal digests do not make a yes good: the bindings are compared.
 */
export function bindingDigest(key: Uint8Array, tool: string, { booking, lines, ...others }: Binding): string {
  const said = lines.map(({ kind, line, said: parts = [line] }) => [kind, parts]);
  return digest(key, { tool, bound: unordered({ ...others, said, booking: booking && factsOf(booking) }) });
}

/** The rules without their words, which name times as the station's clock shows them. */
function factsOf({ reading, services }: BoundBooking): object {
  const { at: _at, rules, ruleTexts, changeRules, ...facts } = reading;
  return { ...facts, rules: rules?.rules, ruleTexts: ruleTexts?.rules, changeRules: changeRules?.rules, services };
}

/** A question or the terms read again: what a yes binds of it, and its lines. */
interface Side {
  readonly bound: Binding;
  readonly sections: readonly TermsSection[];
}

/**
 * In what the terms are not those of the question, a sentence each: first what the airline changed, then the rest. Empty if the yes
 * still counts.
 */
export function whatDiffers(
  { bound: asked, sections: askedSections }: Side,
  { bound: now, sections }: Side,
  { sendsBack, readers }: Pick<BoundAct, 'sendsBack' | 'readers'>,
): readonly string[] {
  const changes = changesOf(asked, now, sendsBack);
  const ofBooking =
    changes === undefined ? [] : bookingSentences(changes, readers, nameSentences(askedSections, sections));
  const isPriceTold = changes?.differences.some(({ kind }) => kind === 'price_changed') === true;

  const isNews = now.told.some((id) => !asked.told.includes(id));
  const news = isNews && ofBooking.length === 0 ? newsIn(sections, askedSections) : [];

  const unlike = unlikeSaid(asked, now);
  const ofSums = [...moneySentences(asked, now, unlike, isPriceTold), ...sumSentences(unlike)];
  const all = [...ofBooking, ...news, ...ofSums, ...lineSentences(unlike, isReadFirst)];

  // Other lines repeat what these sentences say, so they are added only if there are none.
  const sentences = all.length > 0 ? all : lineSentences(unlike);
  if (sentences.length > 0) return sentences.map(asSentence);

  const isSame = isSameAct(asked, now, unlike) && (asked.booking === undefined) === (now.booking === undefined);
  return isSame ? [] : ['What it is about is no longer the same: its trip, its people or its price.'];
}

/** In what the booking is not as it was asked about, but for what may be missing. */
function changesOf(asked: Binding, now: Binding, sendsBack: BoundAct['sendsBack']): ChangedBooking | undefined {
  if (asked.booking === undefined || now.booking === undefined) return undefined;

  const matters = mattersTo(natureOf(asked), asked.lines);
  const isBound = (kind: FindingKind) => bindsChange(kind, matters);
  const changes = changedSinceAsked(asked.booking, now.booking, isBound, sendsBack);
  const mayBeMissing = asked.leftOut?.facts ?? [];
  return { ...changes, leftOut: changes.leftOut.filter((what) => !mayBeMissing.includes(what)) };
}

/** What the question said and the reading now leaves out, beside what it may. Undefined if that is nothing. */
export function leftOutNow(
  asked: Binding,
  now: Binding,
  { sendsBack }: Pick<BoundAct, 'sendsBack'>,
): PartsLeftOut | undefined {
  return leftOutBeside(asked.leftOut, unlikeSaid(asked, now), changesOf(asked, now, sendsBack)?.leftOut ?? []);
}

const asSentence = (words: string): string => withFullStop(capitalized(words));

const natureOf = ({ about }: Binding): Nature => (about as { readonly nature: Nature }).nature;

/** The parts in which two questions differ, with the lines that they are in. */
type Unlike = ReturnType<typeof unlikeParts<BoundLine>>;

/** A caution of the question that no longer applies needs no new yes, and neither does what may be missing or there. */
function unlikeSaid({ lines: asked, leftOut = NOTHING_LEFT_OUT }: Binding, { lines: now }: Binding): Unlike {
  const { gone, fresh } = unlikeParts(withoutLeftOut(asked, leftOut), withoutLeftOut(now, leftOut));
  const counts = ({ part }: UnlikePart<BoundLine>) => !isLeftOut(part, leftOut);
  return { gone: gone.filter((part) => part.of.kind !== 'caution' && counts(part)), fresh: fresh.filter(counts) };
}

/** Cautions and notes say what no fact of the booking does. */
const isReadFirst = ({ of }: UnlikePart<BoundLine>): boolean => of.kind === 'caution' || of.kind === 'note';

/** The lines of the parts that differ, but for sums, which have sentences of their own. */
function lineSentences({ gone, fresh }: Unlike, isTold = (_part: UnlikePart<BoundLine>) => true): readonly string[] {
  const linesOf = (parts: Unlike['gone']) => {
    const told = parts.filter((unlike) => unlike.part.row !== 'sum' && isTold(unlike));
    return new Set(told.map(({ of }) => of.line));
  };
  const [now, before] = [linesOf(fresh), linesOf(gone)];
  return [...[...now].map((line) => `Now: ${line}`), ...[...before].map((line) => `No longer: ${line}`)];
}

/** Whether the act is the one of the question: the words of the yes have its sum, which {@link isCovered} compares. */
function isSameAct(asked: Binding, now: Binding, unlike: Unlike): boolean {
  const [was, is] = [withoutWords(asked.about), withoutWords(now.about)];
  return sameJson(was.about, is.about) && (was.words === is.words || isCovered(asked, now, unlike));
}

/** What an act is about, and beside it the words of the yes. */
function withoutWords(about: unknown): { readonly about: unknown; readonly words?: string } {
  if (!isObject(about) || typeof about.act !== 'string') return { about };
  return { about: { ...about, act: '' }, words: withoutZeros(about.act) };
}

/** The lines about changes by the airline that the question did not have. */
function newsIn(sections: readonly TermsSection[], asked: readonly TermsSection[]): readonly string[] {
  const known = asked.flatMap(({ lines }) => lines);
  const told = sections.flatMap(({ lines, changes }) => (changes === undefined ? [] : lines));
  return told.filter((line) => !known.includes(line));
}

/** @param names what the lines say of changed names: the facts have only digests of them */
function bookingSentences(
  { differences, leftOut, state, isNameOther, areServicesOther }: ChangedBooking,
  readers: Readers,
  names: readonly string[],
): readonly string[] {
  const [ofNames, others] = [
    differences.filter(({ kind }) => kind === 'name_changed'),
    differences.filter(({ kind }) => kind !== 'name_changed'),
  ];
  const unnamed = isNameOther ? ['the name of a passenger differs from the one before'] : [];
  const told = [...ofNames.map((difference) => findingText(difference, readers)), ...unnamed];

  return [
    ...(told.length > 0 && names.length > 0 ? names : told),
    ...others.map((difference) => findingText(difference, readers)),
    ...leftOut.map(
      (what) => `the ${what} of the booking ${what.endsWith('s') ? 'are' : 'is'} not in the airline's reading now`,
    ),
    ...(state === undefined ? [] : [`the booking is ${stateWord(state.now)}, was ${stateWord(state.was)}`]),
    ...(areServicesOther ? ['the special services of the booking are not those of before'] : []),
  ];
}

/** `Passenger 1 is “Layla Haddad”, adult, was “Laila Haddad”, adult`. */
function nameSentences(asked: readonly TermsSection[], now: readonly TermsSection[]): readonly string[] {
  const peopleOf = (sections: readonly TermsSection[]) => sections.flatMap(({ people = [] }) => people);
  const before = new Map(peopleOf(asked).map(({ who, what }) => [who, what]));
  return peopleOf(now).flatMap(({ who, what }) => {
    const was = before.get(who);
    return was === undefined || was === what ? [] : [`${who} is ${what}, was ${was}`];
  });
}

const stateWord = (state: string): string => state.replaceAll('_', ' ');

/**
 * Whether the yes to the sum of the question covers the sum now. It covers a charge of at most the bound that the question said, and a
 * refund whose sums are those of the question, as their table has it.
 */
function isCovered({ money: was }: Binding, { money: is }: Binding, { gone, fresh }: Unlike): boolean {
  if (was === undefined || is === undefined || was.direction !== is.direction) return false;

  const isLess = isAtMost(is.amount, was.amount);
  if (was.direction === 'refund') return isLess && [...gone, ...fresh].every(({ part }) => part.row !== 'sum');
  return (isLess && was.isUpperBound === true) || (was.amount === undefined && is.isUpperBound === true);
}

const isAtMost = (sum: Money | undefined, limit: Money | undefined): boolean =>
  sum !== undefined && sum.currency === limit?.currency && sum.minor <= limit.minor;

function moneySentences(asked: Binding, now: Binding, unlike: Unlike, isPriceTold: boolean): readonly string[] {
  const isRefund = asked.money?.direction === 'refund';
  if (isCovered(asked, now, unlike) || (isPriceTold && !isRefund)) return [];
  return sumSentence(isRefund ? 'what can come back' : 'the amount', asked.money?.amount, now.money?.amount);
}

/** `what comes back is SAR 80.00, was SAR 90.00`, for each sum that the question said otherwise. */
function sumSentences({ gone, fresh }: Unlike): readonly string[] {
  const sumsIn = (parts: Unlike['gone']) =>
    new Map(parts.flatMap(({ part }) => (part.row === 'sum' ? [[part.as, part.value] as const] : [])));
  const [before, after] = [sumsIn(gone), sumsIn(fresh)];

  const sentences = [...new Set([...before.keys(), ...after.keys()])].flatMap((what) => {
    const was: SaidSum = before.get(what) ?? {};
    const is: SaidSum = after.get(what) ?? {};
    return [
      ...sumSentence(what, was.amount, is.amount),
      ...sumSentence(`${what} at least`, was.atLeast, is.atLeast),
      ...sumSentence(`${what} at most`, was.atMost, is.atMost),
    ];
  });
  return [...new Set(sentences)];
}

function sumSentence(what: string, was: Money | undefined, is: Money | undefined): readonly string[] {
  if (was?.minor === is?.minor && was?.currency === is?.currency) return [];
  const shown = (sum: Money | undefined) => (sum === undefined ? 'not known' : showMoney(sum));
  return [`${what} is ${shown(is)}, was ${shown(was)}`];
}
