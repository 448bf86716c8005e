/** What comes back, in the words of the views. */
import { type Child, el, join, list } from './dom.ts';
import { limit, money } from './words.ts';

interface Between {
  readonly at_least: string;
  readonly at_most: string;
}

export interface RefundData {
  readonly currency?: string;
  readonly refund_now?: string;
  readonly kept_now?: string;
  readonly between?: Between;
  readonly valid_until?: string;
  readonly cancel_until?: string;
  readonly later?: readonly {
    readonly from: string;
    readonly back?: string;
    readonly kept?: string;
    readonly between?: Between;
  }[];
  readonly note?: string;
  readonly airline_says?: readonly string[];
}

const isZero = (amount: string | undefined) => Number(amount) === 0;

/** By its own offset. */
const at = (time: string) => limit(time, time);

/** `SAR 20.00 back`, or the most that can be said. */
export function back(currency: string, amount: string | undefined, between: Between | undefined): string | undefined {
  if (amount !== undefined) return isZero(amount) ? undefined : `${money(currency, amount)} back`;
  return between && `${money(currency, between.at_least)} to ${money(currency, between.at_most)} back`;
}

/** The sum that comes back now. */
export function sum(currency: string, { refund_now: amount, between }: RefundData): string {
  return back(currency, amount, between) ?? (amount ? 'Nothing comes back' : 'The refund is not known');
}

/** What is kept, and until when. */
export function facts(
  currency: string,
  { kept_now: kept, valid_until: until, cancel_until: ends }: RefundData,
): string {
  const told = [
    kept && !isZero(kept) && `The airline keeps ${money(currency, kept)}.`,
    until && `Good until ${at(until)}.`,
    ends && `It can be cancelled until ${at(ends)}; then nothing comes back.`,
  ];
  return join(told, ' ');
}

/** When, and what comes back from then on. */
export function after(currency: string, { later = [] }: RefundData): Child {
  const steps = later.map(({ from, back: amount, kept, between }) => {
    const sums = back(currency, amount, between) ?? (amount === undefined ? 'not known' : 'nothing back');
    const keeps = kept && !isZero(kept) && `${money(currency, kept)} kept`;
    return [el('b', {}, `From ${at(from)}`), ` ${join([sums, keeps], ', ')}`];
  });
  return steps.length > 0 ? [el('h2', {}, 'After that'), list('rows', steps)] : '';
}

export const said = ({ airline_says: texts = [] }: RefundData): readonly string[] =>
  texts.map((text) => `The airline says: “${text}”`);
