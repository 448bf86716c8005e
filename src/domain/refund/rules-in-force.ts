/**
 * Finds the refund rules in force at a moment, each later window with other rules, and when cancelling ends. Which of them is a
 * passenger's: penalty-rules.ts. At the end: how rules are kept, to compare those of an offer with those of its hold.
 */

import { hash } from 'node:crypto';
import { cleanCode, quoted } from '../../core/clean-text.ts';
import { memoize } from '../../core/memoize.ts';
import { instantOf, latestPossibleInstant, MINUTE_MS, utcText } from '../../core/times.ts';
import { type Booking, type SegmentOption, segmentsOf } from '../booking/booking.ts';
import { hasPassed } from '../booking/booking-state.ts';
import { showDeadline } from '../booking/deadlines.ts';
import {
  type FareComponent,
  type FareRule,
  isPenalty,
  ruleWords as preferredWords,
  wordsLanguage,
} from '../booking/fare.ts';
import { passengerTypeWord } from '../booking/status-codes.ts';
import { type Coverage, fareUnits, limitAlong, uncancelledSegments } from './fare-units.ts';
import { type Assessment, assess, keptBy, type RulesInForce } from './penalty-rules.ts';
import type { CancelledPart } from './refund-amount.ts';
import { feeInWords, type RuleFigures, ruleFigures } from './rule-words.ts';

interface RuleWindow {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly assessment: Assessment;
}

export interface Windows {
  readonly today: Assessment;
  /**
   * Yields the later windows, in order: each begins before `ends`, and its rules differ from those before. Assesses each one
   * only when it is read, because there can be very many.
   */
  later(): Generator<RuleWindow>;
  /** From when on nothing comes back, milliseconds since 1970; undefined if that is not known. */
  readonly ends: number | undefined;
}

/** The rules for cancelling a part of a booking, from now on. */
export function ruleWindows(booking: Booking, cancelled: CancelledPart, now: number): Windows {
  const { options, travelers } = cancelled;
  const coverage = fareUnits(booking, options);
  const assessUnder = (rules: RulesInForce) => assess(booking, coverage, rules, travelers);
  const today = assessUnder(rulesAt(coverage.units, now));
  const ends = cancellingEnds(booking, cancelled, coverage);
  const types = new Set(travelers.map(({ type }) => type));

  return {
    today,
    ends,
    later: () => windowsUntil(today, ruleChanges(coverage.units, types, now), assessUnder, ends),
  };
}

/** Yields a window for each moment before `ends` at which the rules say something else. */
function* windowsUntil(
  today: Assessment,
  changes: Iterable<RuleStep>,
  assessUnder: (rules: RulesInForce) => Assessment,
  ends: number | undefined,
): Generator<RuleWindow> {
  let last = whatRulesSay(today);
  for (const { at, rules } of changes) {
    if (ends !== undefined && at >= ends) return;
    const assessment = assessUnder(rules);
    const said = whatRulesSay(assessment);
    if (said === last) continue;
    last = said;
    yield { at, assessment };
  }
}

/** Everything that rules say but their times, for comparing them. */
function whatRulesSay({ lines, gaps }: Assessment): string {
  return JSON.stringify([lines.map(({ rule: { refundable }, ...line }) => ({ ...line, refundable })), gaps]);
}

/**
 * When cancelling ends: at the time limit, which can be a year after the sale (docs/wire/notes.md, Limits). If every part
 * has a rule, it ends earlier: once everything has departed and the last rule is over.
 */
export function cancellingEnds(
  booking: Booking,
  { options, travelers }: CancelledPart,
  coverage: Coverage = fareUnits(booking, options),
): number | undefined {
  // The airline still refunds what it cancelled itself after that, and does not say until when.
  if (isOwed({ options })) return undefined;
  const limit = instantOf(limitAlong(booking, coverage));
  const overAt = everythingOver(coverage, { options, travelers });
  return overAt === undefined ? limit : Math.min(limit ?? overAt, overAt);
}

/** Whether the airline cancelled a segment of these options itself, so that it may owe a refund. */
export function isOwed({ options }: Pick<CancelledPart, 'options'>): boolean {
  return uncancelledSegments(options).some(({ owed }) => owed !== undefined);
}

/**
 * When everything has departed and the last rule is over. Undefined if a part has no rule, or its rules or departure
 * have no known end.
 */
function everythingOver({ units, uncovered }: Coverage, { options, travelers }: CancelledPart): number | undefined {
  if (uncovered.length > 0) return undefined;

  const lastDeparture = latestIfKnown(
    uncancelledSegments(options).map(({ departs }) => latestPossibleInstant(departs)),
  );
  if (lastDeparture === undefined) return undefined;

  const types = [...new Set(travelers.map(({ type }) => type))];
  const ends = units.flatMap(({ refundRules }) => types.map((type) => rulesEnd(refundRules, type, lastDeparture)));
  return latestIfKnown([lastDeparture, ...ends]);
}

/** Returns the latest of some instants. Undefined if there are none, or if one is not known: it may be the latest. */
function latestIfKnown(instants: readonly (number | undefined)[]): number | undefined {
  const knownInstants = instants.filter((instant) => instant !== undefined);
  if (knownInstants.length === 0 || knownInstants.length < instants.length) return undefined;
  return Math.max(...knownInstants);
}

/** Whether the rule is in force. A missing bound is open; with an unreadable bound it is never in force. */
export function inForce(rule: FareRule, at: number): boolean {
  const { from, until } = ruleBounds(rule);
  return from !== undefined && until !== undefined && from <= at && at < until;
}

/** Milliseconds since 1970. A missing bound is infinite, an unreadable one undefined. */
function ruleBounds({ from, until }: FareRule): { from: number | undefined; until: number | undefined } {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : instantOf(from),
    until: until === undefined ? Number.POSITIVE_INFINITY : instantOf(until),
  };
}

/** The rules of each component that are in force. */
function rulesAt(components: readonly HasRules[], at: number): RulesInForce {
  return components.map(({ refundRules }) => refundRules.filter((rule) => inForce(rule, at)));
}

/**
 * When the last rule for a passenger type, or for all types, ends. A rule without an end holds until the last departure.
 * Milliseconds since 1970; undefined if there is no rule, if a bound is unreadable, or if a rule without an end begins
 * only at the last departure or later.
 */
function rulesEnd(rules: readonly FareRule[], type: string, lastDeparture: number): number | undefined {
  // Also those that are not in force now: each may be the last one.
  const ends = rules.flatMap((rule) => {
    if (rule.passengerType !== type && rule.passengerType !== '') return [];
    const { from, until } = ruleBounds(rule);
    if (from === undefined || until === undefined) return undefined;
    if (from >= until) return [];
    if (Number.isFinite(until)) return until;
    return from < lastDeparture ? lastDeparture : undefined;
  });
  return latestIfKnown(ends);
}

/** Times in milliseconds since 1970; open ends are infinite. */
interface RuleSpan {
  readonly rule: FareRule;
  readonly from: number;
  readonly until: number;
}

/** A moment, in milliseconds since 1970, and the rules in force from then on. */
interface RuleStep {
  readonly at: number;
  readonly rules: RulesInForce;
}

/** Yields each later moment at which a rule for these passenger types begins or ends, with the rules in force from then on. */
function* ruleChanges(components: readonly HasRules[], types: ReadonlySet<string>, after: number): Generator<RuleStep> {
  const spans = components.map((component) => ruleSpans(component, types));
  const edges = spans.flat().flatMap(({ from, until }) => [from, until]);
  const moments = new Set(edges.filter((at) => at > after && Number.isFinite(at)));
  for (const at of [...moments].sort((a, b) => a - b)) {
    const rules = spans.map((ofComponent) => ofComponent.filter(({ from, until }) => from <= at && at < until));
    yield { at, rules: rules.map((ofComponent) => ofComponent.map(({ rule }) => rule)) };
  }
}

/** When each rule of a component is in force. Leaves out rules for other passenger types, and those never in force. */
function ruleSpans({ refundRules }: HasRules, types: ReadonlySet<string>): readonly RuleSpan[] {
  return refundRules.flatMap((rule) => {
    const { from, until } = ruleBounds(rule);
    const isForTypes = rule.passengerType === '' || types.has(rule.passengerType);
    return isForTypes && from !== undefined && until !== undefined && from < until ? [{ rule, from, until }] : [];
  });
}

// Rules as they are kept.

/**
 * The refund rules of an offer or a hold. Digests: the rules themselves would be most of what is kept of a hold.
 */
export interface KeptRules {
  /** When they were offered, milliseconds since 1970: of a rule that was in force then no beginning is compared. 0: of each. */
  readonly at: number;
  /**
   * Of each rule until when it is in force, minutes since 1970, empty for no end, the digest of its figures, that of its words, empty
   * for none, and their language if it is known and not English: `32456160.3Fa9c2d1.b7Qe0xLw.ar`.
   */
  readonly rules?: readonly string[] | undefined;
  /** Of the texts that segments have of their fares. */
  readonly texts?: readonly string[] | undefined;
}

/** Enough to tell the rules of one booking apart. */
const DIGEST_CHARS = 8;
const ENGLISH = 'en';
/** How much of an airline's words is shown. */
const WORDS_CHARS = 90;

/** Remembered, because readings repeat their rules. */
const shortDigest = /* @__PURE__ */ memoize((text: string) => hash('sha256', text, 'base64url').slice(0, DIGEST_CHARS));

type HasRules = Pick<FareComponent, 'refundRules'>;

/** Undefined where there are none. */
export function keptRules(
  options: readonly SegmentOption[],
  fares: readonly HasRules[],
  at = 0,
): KeptRules | undefined {
  const rules = [...new Set(refundRulesOf(fares).map((rule) => keptRule(rule, at)))];
  const texts = ruleTextsOf(options).map((text) => shortDigest(text));
  if (rules.length + texts.length === 0) return undefined;
  return { at, rules: rules.length === 0 ? undefined : rules, texts: texts.length === 0 ? undefined : texts };
}

const refundRulesOf = (fares: readonly HasRules[]): readonly FareRule[] =>
  fares.flatMap(({ refundRules }) => refundRules);

function keptRule(rule: FareRule, at: number): string {
  const { passengerType, from, until, refundable } = rule;
  const began = hasPassed(from, at) ? undefined : nearestMinute(from);
  const ends = nearestMinute(until);
  const facts = [passengerType, textOf(began), textOf(ends), refundable, ...keptFacts(rule)];

  const words = wordsOf(rule);
  const parts = [ends ?? '', shortDigest(JSON.stringify(facts)), words === undefined ? '' : shortDigest(words)];

  const language = wordsLanguage(rule) ?? ENGLISH;
  if (words !== undefined && language !== ENGLISH) parts.push(language);

  return parts.join('.');
}

/** Minutes since 1970. Airlines end a rule a second earlier or later. */
function nearestMinute(time: string | undefined): number | undefined {
  const at = instantOf(time);
  return at === undefined ? undefined : Math.round(at / MINUTE_MS);
}

const textOf = (minutes: number | undefined) => (minutes === undefined ? undefined : utcText(minutes * MINUTE_MS));

/** Words count where both have some, in one language: an airline can leave them out of one of its replies, or write another language. */
export function isSameRule(one: string, other: string): boolean {
  if (one === other) return true;

  const [ends, figures, words, language] = one.split('.');
  const [otherEnds, otherFigures, otherWords, otherLanguage] = other.split('.');
  if (ends !== otherEnds) return false;
  // 0.3.0 kept one digest of figures and words: with its rules, only the end is compared.
  if (words === undefined || otherWords === undefined) return true;

  const mayBeSameWords = words === otherWords || words === '' || otherWords === '' || language !== otherLanguage;
  return figures === otherFigures && mayBeSameWords;
}

/** What is kept, and the airline's total where that is another one. */
function keptFacts(rule: FareRule): readonly (string | number | undefined)[] {
  if (!isPenalty(rule)) return [];
  const kept = rule.refundable ? keptBy(rule) : undefined;
  return [rule.total.currency, kept?.total.minor, kept?.disagrees === true ? rule.total.minor : undefined];
}

/** What the airline says of a rule, in one language: a hold can have more of them than its offer. */
function wordsOf(rule: FareRule): string | undefined {
  return preferredWords(rule)?.replace(/\s+/g, ' ').trim();
}

/** Airlines repeat a text for each segment. */
function ruleTextsOf(options: readonly SegmentOption[]): readonly string[] {
  const texts = segmentsOf({ options }).flatMap(({ fareRules = [] }) => fareRules.map(({ text }) => text));
  return [...new Set(texts.map((text) => text.replace(/\s+/g, ' ').trim()))].filter((text) => text !== '');
}

/** One of the values that a side says of a fact. */
export interface Said {
  readonly value: string;
  /** Undefined where the words are not kept. */
  readonly words: () => string | undefined;
}

/**
 * The refund rules that are not over.
 * @param at as in {@link KeptRules}
 * @param now milliseconds since 1970
 */
export function refundRulesSaid(
  { options, pricing }: Pick<Booking, 'options' | 'pricing'>,
  at: number,
  now: number,
): readonly Said[] {
  const running = refundRulesOf(pricing?.fares ?? []).filter(({ until }) => !hasPassed(until, now));
  const departs = segmentsOf({ options })[0]?.departs;
  return running.map((rule) => ({ value: keptRule(rule, at), words: () => ruleInWords(rule, departs, now) }));
}

/** The texts that segments have of their fares, quoted. */
export function textsSaid(options: readonly SegmentOption[]): readonly Said[] {
  return ruleTextsOf(options).map((text) => ({ value: shortDigest(text), words: () => quoted(text, WORDS_CHARS) }));
}

/** The refund rules as a reading keeps them, and what is said of each: a later reading tells both. */
export interface KeptRuleWords {
  /** As in {@link KeptRules}; when a rule began is not in it. */
  readonly rules: readonly string[];
  /** Of each rule. */
  readonly words: readonly string[];
}

/** Of so many rules at most words are kept. */
const MOST_RULES = 24;

/** Undefined where there are none. `now`: milliseconds since 1970. */
export function ruleWords(
  { options, pricing }: Pick<Booking, 'options' | 'pricing'>,
  now: number,
  kind: RuleFigures['kind'] = 'refund',
): KeptRuleWords | undefined {
  const fares = pricing?.fares ?? [];
  const rules = kind === 'refund' ? refundRulesOf(fares) : fares.flatMap(({ changeRules }) => changeRules);
  const departs = segmentsOf({ options })[0]?.departs;
  const kept = runningRules(rules, now);
  if (kept.length === 0) return undefined;

  return {
    rules: kept.map(([rule]) => rule),
    words: kept.map(([, rule]) => ruleInWords(rule, departs, now, kind)),
  };
}

/** The rules alone, without words. */
export function ruleDigests(fares: readonly HasRules[], now: number): readonly string[] {
  return runningRules(refundRulesOf(fares), now).map(([rule]) => rule);
}

function runningRules(rules: readonly FareRule[], now: number): readonly (readonly [kept: string, rule: FareRule])[] {
  const running = rules.filter(({ until }) => !hasPassed(until, now));
  const kept = running.map((rule) => [keptRule(rule, Number.POSITIVE_INFINITY), rule] as const);
  return [...new Map(kept)].slice(0, MOST_RULES);
}

/** Those of the rules that are chosen. */
export function chosenRules({ rules, words }: KeptRuleWords, chosen: readonly string[]): KeptRuleWords {
  const isChosen = (_: string, i: number) => chosen.includes(rules[i] ?? '');
  return {
    rules: rules.filter(isChosen),
    words: words.filter(isChosen),
  };
}

/** The texts that segments have of their fares, in the place of rules: airlines that send no rules send these. */
export function ruleTexts({ options }: Pick<Booking, 'options'>): KeptRuleWords | undefined {
  const texts = ruleTextsOf(options).slice(0, MOST_RULES);
  if (texts.length === 0) return undefined;
  return {
    rules: texts.map((text) => `..${shortDigest(text)}`),
    words: texts.map((text) => text.slice(0, WORDS_CHARS)),
  };
}

/** Whether a rule, as it is kept, is no longer in force. */
export function isRuleOver(rule: string, now: number): boolean {
  const [minutes = ''] = rule.split('.');
  return minutes !== '' && Number(minutes) * MINUTE_MS <= now;
}

/** `a fee of SAR 46.00 until Tue 8 Apr 12:00 (UTC+3) (adult), “for health reasons only”` */
function ruleInWords(
  rule: FareRule,
  departs: string | undefined,
  now: number,
  kind: RuleFigures['kind'] = 'refund',
): string {
  const { passengerType, from, until } = rule;
  const condition = wordsOf(rule);

  const parts = [feeInWords(ruleFigures(kind, rule)) ?? 'unclear'];
  if (from !== undefined && !hasPassed(from, now)) parts.push(`from ${showDeadline(from, departs)}`);
  if (until !== undefined) parts.push(`until ${showDeadline(until, departs)}`);
  if (passengerType !== '') parts.push(`(${passengerTypeWord(cleanCode(passengerType))})`);

  const words = parts.join(' ');
  return condition === undefined ? words : `${words}, ${quoted(condition, WORDS_CHARS)}`;
}
