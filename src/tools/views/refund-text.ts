/** A refund as text, from its fields alone: what comes back now, what later, until when, for whom. */
import { MOST_WORDS, quoted } from '../../core/clean-text.ts';
import { parseMoney, showMoney } from '../../core/money.ts';
import { showDeadline } from '../../core/times.ts';
import type { Refund, RefundLine, RefundStep } from './refund.ts';

type Amounts = Pick<RefundStep, 'back' | 'kept' | 'between'>;

/** The sentence, the steps, who gets what, the note and the airline's words. `currency`: of the result, unless the refund has its own. */
export function refundText({ valid_until: until, ...refund }: Refund, currency: string): readonly string[] {
  // The first step says when.
  const now = refund.later === undefined && until !== undefined ? { ...refund, valid_until: until } : refund;
  return [refundSentence(now, currency), ...refundDetails(now, currency)].filter((line) => line !== undefined);
}

/** `SAR 1,078.00 comes back, SAR 345.00 is kept, tax included. This holds until Wed 9 Dec 09:36 (UTC+3).` Undefined if no amount is known. */
export function refundSentence(refund: Refund, currency: string, when = ''): string | undefined {
  const { refund_now: back, kept_now: kept, between, valid_until: until, kept_includes_vat: withTax } = refund;
  const sums = sumsText({ back, kept, between }, refund.currency ?? currency, { when, withTax });
  if (sums === undefined) return undefined;
  const limit = until === undefined ? '' : ` This holds until ${showDeadline(until, nearOf(refund))}.`;
  return `${sums.slice(0, 1).toUpperCase()}${sums.slice(1)}.${limit}`;
}

/** What {@link refundSentence} leaves out. */
export function refundDetails(refund: Refund, of: string): readonly string[] {
  const near = nearOf(refund);
  const { currency = of, later = [], cancel_until: ends, lines = [], note, airline_says: says = [] } = refund;
  const isKnown = (refund.refund_now ?? refund.between) !== undefined;
  return [
    ...(note === undefined || isKnown ? [] : [ends === undefined ? note : `${note.replace(/\.$/, '')}.`]),
    ...later.map((step) => stepText(step, currency, near)),
    ...(ends === undefined ? [] : [`It can be cancelled until ${showDeadline(ends, near)}; then nothing comes back.`]),
    ...lines.map((line, i) => lineText({ ...line, passengers: peopleAt(lines, i) }, currency)),
    ...(note === undefined || !isKnown ? [] : [note]),
    ...saysText(says),
  ];
}

/** Quoted; empty without words. */
export function saysText(says: readonly string[]): readonly string[] {
  return says.length === 0 ? [] : [`The airline says: ${says.map((text) => quoted(text, MOST_WORDS)).join(' ')}`];
}

/** Times of another year than the first one show it. */
function nearOf({ valid_until: until, later = [], cancel_until: ends }: Refund): string | undefined {
  return until ?? later[0]?.from ?? ends;
}

function stepText(step: RefundStep, currency: string, near: string | undefined): string {
  const sums = sumsText(step, currency) ?? 'what comes back then is not known';
  const why = step.note === undefined ? '' : ` ${step.note}`;
  return [`From ${showDeadline(step.from, near)}: ${sums}.${why}`, ...saysText(step.airline_says ?? [])].join(' ');
}

/** `SAR 20.00 comes back, nothing is kept`; undefined if what comes back is not known. */
export function sumsText(
  { back, kept, between }: Amounts,
  currency: string,
  { when = '', withTax = false }: { readonly when?: string; readonly withTax?: boolean | undefined } = {},
): string | undefined {
  const sum = (amount: string) => (isZero(amount) ? 'nothing' : shown(amount, currency));
  const returned = between
    ? `between ${shown(between.at_least, currency)} and ${shown(between.at_most, currency)}`
    : back && sum(back);
  if (returned === undefined) return undefined;
  const tax = withTax && kept !== undefined && !isZero(kept) ? ', tax included' : '';
  return `${returned} comes back${when}${kept === undefined ? '' : `, ${sum(kept)} is kept${tax}`}`;
}

/** Names of people stand in the first of their lines. */
function peopleAt(lines: readonly RefundLine[], i: number): string {
  return lines.slice(0, i + 1).findLast(({ passengers }) => passengers !== undefined)?.passengers ?? '';
}

function lineText({ passengers, segments, paid, ...line }: RefundLine, currency: string): string {
  const { kept_each: kept, kept_per: per = 'person and segment', back, refundable } = line;
  const isOne = line.segment_refs.length === 1 && line.passenger_refs?.length === 1;
  const figures = [
    paid && `${shown(paid, currency)} paid`,
    refundable === false && 'not refundable',
    kept && (isZero(kept) ? 'nothing kept' : `${shown(kept, currency)} kept${isOne ? '' : ` per ${per}`}`),
    refundable !== false && back && `${isZero(back) ? 'nothing' : shown(back, currency)} back`,
  ];
  return `${passengers}, ${segments}: ${figures.filter(Boolean).join('; ')}`;
}

/** `SAR 1,725.00`. */
function shown(amount: string, currency: string): string {
  const money = parseMoney(amount, currency);
  return money === undefined ? `${currency} ${amount}` : showMoney(money);
}

export function isZero(amount: string): boolean {
  return Number(amount) === 0;
}
