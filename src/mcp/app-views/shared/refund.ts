/** A refund in the words of the views: what comes back, what the airline keeps, and until when. */
import { holdsUntil } from '../../../tools/views/holds-until.ts';
import type { Refund } from '../../../tools/views/refund-schema.ts';
import { type Child, el, joinPresent, list } from './dom.ts';
import { moneyText, timeLimit } from './words.ts';

const isZero = (amount: string | undefined) => Number(amount) === 0;

/** A time by its own offset. */
const localTime = (time: string) => timeLimit(time, time);

/** `SAR 20.00 back` or `SAR 10.00 to SAR 20.00 back`. Undefined if nothing comes back, or nobody knows how much. */
export function amountBack(
  currency: string,
  amount: string | undefined,
  between: Refund['between'],
): string | undefined {
  if (amount !== undefined) return isZero(amount) ? undefined : `${moneyText(currency, amount)} back`;
  return between && `${moneyText(currency, between.at_least)} to ${moneyText(currency, between.at_most)} back`;
}

/** Says what comes back now, also if that is nothing or not known. */
export function refundSentence(currency: string, { refund_now: amount, between }: Refund): string {
  const words = amountBack(currency, amount, between);
  if (words !== undefined) return words;
  return amount ? 'Nothing comes back' : 'The refund is not known';
}

/** Says what the airline keeps, and until when. */
export function keptAndUntil(currency: string, refund: Refund): string {
  const { refund_now: back, kept_now: kept, cancel_until: ends, later = [] } = refund;
  const until = holdsUntil(refund);
  const isNever = back !== undefined && isZero(back) && later.length === 0;
  const sentences = [
    kept && !isZero(kept) && `The airline keeps ${moneyText(currency, kept)}.`,
    until && `Good until ${localTime(until)}.`,
    ends && `It can be cancelled until ${localTime(ends)}${isNever ? '' : '; then nothing comes back'}.`,
  ];
  return joinPresent(sentences, ' ');
}

/** Lists what comes back later, and from when on. */
export function laterRefunds(currency: string, { later = [] }: Refund): Child {
  const steps = later.map(({ from, back: amount, kept, between, refund_condition }) => {
    const sums = amountBack(currency, amount, between) ?? (amount === undefined ? 'not known' : 'nothing back');
    const keeps = kept && !isZero(kept) && `${moneyText(currency, kept)} kept`;
    const conditions = conditionTexts({ refund_condition }).map((text) => `. ${text}`);
    return [el('b', {}, `From ${localTime(from)}`), ` ${joinPresent([sums, keeps], ', ')}`, ...conditions];
  });
  return steps.length > 0 ? [el('h2', {}, 'After that'), list('rows', steps)] : '';
}

/** Quotes the airline's words that a refund depends on, with whose fare they belong to. */
export const conditionTexts = ({
  refund_condition: conditions = [],
}: Pick<Refund, 'refund_condition'>): readonly string[] =>
  conditions.map(({ says, fare_of: whose }) => `Condition${whose ? ` for ${whose}` : ''}: “${says}”`);
