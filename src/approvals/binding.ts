/**
 * What a yes binds: what its arguments and cautions say, word for word, and the facts of the booking as far as the act depends on them.
 * The question keeps it; before the send it is compared with the terms as they are then. Words that are written from facts (trip, people,
 * refund, sums) are not compared: the facts are.
 */

import { showMoney } from '../core/money.ts';
import { isObject, sameJson } from '../core/own.ts';
import { capitalized, withFullStop } from '../core/words.ts';
import {
  type BoundBooking,
  boundBooking,
  type ChangedBooking,
  changedSinceAsked,
  subjectBound,
  unordered,
} from '../domain/facts/bound.ts';
import { findingText, type Readers } from '../domain/facts/words.ts';
import { actSentence } from './asked-act.ts';
import type { BoundAct } from './bound-act.ts';
import { digest, digestWith } from './digest.ts';
import { linesIn, type MoneyAtStake, type SectionKind, type Terms, type TermsSection } from './terms.ts';

/** What is bound of the terms of a question. Digests name people; `texts` may have names, as the arguments have. */
export interface Binding {
  /** The lines that say what happens. */
  readonly act: readonly string[];
  /** Cautions and notes, but for what is written from facts of the booking. */
  readonly texts: readonly string[];
  /** Ids of the changes by the airline that it names, and that the act depends on. */
  readonly told: readonly string[];
  readonly money?: MoneyAtStake | undefined;
  readonly estimate?: Pick<NonNullable<Terms['estimate']>, 'amount' | 'bounds' | 'penalty'> | undefined;
  /** What the act is about, with the words of the yes: its flights and people, and the facts of a create. */
  readonly about: unknown;
  readonly booking?: BoundBooking | undefined;
}

/** What the terms bind. @param now when they were read, milliseconds since 1970 */
export function bindingOf(key: Uint8Array, terms: Terms, now: number): Binding {
  const { locator, act, nature, money, estimate, booking, facts, subject } = terms;
  return {
    act: boundLines(terms, 'act'),
    texts: [...boundLines(terms, 'caution'), ...boundLines(terms, 'note')],
    told: toldChanges(terms),
    money,
    estimate: estimate && { amount: estimate.amount, bounds: estimate.bounds, penalty: estimate.penalty },
    about: unordered({
      locator,
      act: actSentence(act),
      nature,
      facts,
      subject: booking ? subjectBound(subject) : subject,
    }),
    booking: booking && boundBooking(booking, now, digestWith(key)),
  };
}

/** Of changes by the airline, the changes are bound and not the lines: one that is dealt with meanwhile needs no new yes. */
function boundLines({ sections }: Terms, wanted: SectionKind): readonly string[] {
  return sections.filter(({ kind, changes }) => kind === wanted && changes === undefined).flatMap(({ lines }) => lines);
}

/**
 * The same of a step whose booking an earlier step of its line changes first: what it does and moves, and what its act says that a yes
 * binds of the booking.
 */
export function bindingOfChanged(terms: Terms): Binding {
  const { locator, nature, money, binds } = terms;
  const act = [String(actSentence(terms.act))];
  return { act, texts: [], told: toldChanges(terms), money, about: unordered({ locator, nature, binds }) };
}

export const toldChanges = ({ sections }: Pick<Terms, 'sections'>): readonly string[] =>
  sections.flatMap(({ changes }) => changes?.bound ?? []);

/**
 * Digests a binding in one order, without what differs from reading to reading. It finds an open question about the same, and proves that
 * a binding is that of the question. Equal digests do not make a yes good: the bindings are compared.
 */
export function bindingDigest(key: Uint8Array, tool: string, { booking, ...said }: Binding): string {
  return digest(key, { tool, bound: unordered({ ...said, booking: booking && factsOf(booking) }) });
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
  { isBound, sendsBack, readers }: Pick<BoundAct, 'isBound' | 'sendsBack' | 'readers'>,
): readonly string[] {
  const changes = asked.booking && now.booking && changedSinceAsked(asked.booking, now.booking, isBound, sendsBack);
  const ofBooking =
    changes === undefined ? [] : bookingSentences(changes, readers, nameSentences(askedSections, sections));
  const isPriceTold = changes?.differences.some(({ kind }) => kind === 'price_changed') === true;

  // A caution of the question that no longer applies needs no new yes.
  const cautions = linesIn(askedSections, 'caution');
  const texts = asked.texts.filter((line) => now.texts.includes(line) || !cautions.includes(line));
  const ofTerms = [...moneySentences(asked, now, isPriceTold), ...textSentences(texts, now.texts)];

  const isNews = now.told.some((id) => !asked.told.includes(id));
  const news = isNews && ofBooking.length === 0 ? newsIn(sections, askedSections) : [];
  const all = [...ofBooking, ...news, ...ofTerms];

  // The words of the act repeat what the other sentences say, so they are compared only if there are none.
  const sentences = all.length > 0 ? all : textSentences(asked.act.map(withoutZeros), now.act.map(withoutZeros));
  if (sentences.length > 0) return sentences.map(asSentence);

  const [was, is] = [withoutWords(asked.about), withoutWords(now.about)];
  const isSame =
    sameJson(was.about, is.about) &&
    (was.words === is.words || isCovered(asked, now)) &&
    (asked.booking === undefined) === (now.booking === undefined);
  if (isSame) return [];

  const ofPeople = textSentences(linesIn(askedSections, 'people'), linesIn(sections, 'people')).map(asSentence);
  const unnamed = ['What it is about is no longer the same: its trip, its people or its price.'];
  return ofPeople.length > 0 ? ofPeople : unnamed;
}

const asSentence = (words: string): string => withFullStop(capitalized(words));

/** What an act is about, and beside it the words of the yes. The words have the sum, which {@link isCovered} compares. */
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
 * refund that became known and lies between the bounds that it said. It does not cover lower bounds of a refund: less may come back than
 * was shown.
 */
function isCovered({ money: was, estimate }: Binding, { money: is, estimate: { amount } = {} }: Binding): boolean {
  if (was === undefined || is === undefined || was.direction !== is.direction) return false;

  const isAtMost = (sum: MoneyAtStake['amount'], limit: MoneyAtStake['amount']) =>
    sum !== undefined && sum.currency === limit?.currency && sum.minor <= limit.minor;
  const isLess = isAtMost(is.amount, was.amount);
  if (was.direction === 'payment')
    return (isLess && was.isUpperBound === true) || (was.amount === undefined && is.isUpperBound === true);

  const { atLeast, atMost } = estimate?.bounds ?? {};
  return isLess && isAtMost(atLeast, amount) && isAtMost(amount, atMost);
}

function moneySentences(asked: Binding, now: Binding, isPriceTold: boolean): readonly string[] {
  if (isCovered(asked, now)) return [];

  const isRefund = asked.money?.direction === 'refund';
  const stake = isRefund ? 'what can come back' : 'the amount';

  const rows = [
    ...(isPriceTold && !isRefund ? [] : [[stake, asked.money?.amount, now.money?.amount] as const]),
    ['what comes back', asked.estimate?.amount, now.estimate?.amount],
    ['what comes back at least', asked.estimate?.bounds?.atLeast, now.estimate?.bounds?.atLeast],
    ['what comes back at most', asked.estimate?.bounds?.atMost, now.estimate?.bounds?.atMost],
    ['what the airline keeps', asked.estimate?.penalty, now.estimate?.penalty],
  ] as const;

  const differing = rows.filter(([, was, is]) => was?.minor !== is?.minor || was?.currency !== is?.currency);
  const shown = (sum: MoneyAtStake['amount']) => (sum === undefined ? 'not known' : showMoney(sum));
  return [...new Set(differing.map(([what, was, is]) => `${what} is ${shown(is)}, was ${shown(was)}`))];
}

/** An airline may write a flight number with zeros: `HHR0108`. */
const withoutZeros = (line: string): string => line.replace(/([A-Z])0+(?=\d)/g, '$1');

function textSentences(asked: readonly string[], now: readonly string[]): readonly string[] {
  const [fresh, gone] = [now.filter((line) => !asked.includes(line)), asked.filter((line) => !now.includes(line))];
  return [...fresh.map((line) => `Now: ${line}`), ...gone.map((line) => `No longer: ${line}`)];
}
