/** What comes back, in the words of the views. */
import type { Refund } from '../../../tools/views/refund-estimate.ts';
import { type Child, el, join, list } from './dom.ts';
import { limit, money } from './words.ts';

const isZero = (amount: string | undefined) => Number(amount) === 0;

/** By its own offset. */
const at = (time: string) => limit(time, time);

/** `SAR 20.00 back`, or the most that can be said. */
export function back(currency: string, amount: string | undefined, between: Refund['between']): string | undefined {
  if (amount !== undefined) return isZero(amount) ? undefined : `${money(currency, amount)} back`;
  return between && `${money(currency, between.at_least)} to ${money(currency, between.at_most)} back`;
}

/** The sum that comes back now. */
export function sum(currency: string, { refund_now: amount, between }: Refund): string {
  return back(currency, amount, between) ?? (amount ? 'Nothing comes back' : 'The refund is not known');
}

/** What is kept, and until when. */
export function facts(currency: string, { kept_now: kept, valid_until: until, cancel_until: ends }: Refund): string {
  const told = [
    kept && !isZero(kept) && `The airline keeps ${money(currency, kept)}.`,
    until && `Good until ${at(until)}.`,
    ends && `It can be cancelled until ${at(ends)}; then nothing comes back.`,
  ];
  return join(told, ' ');
}

/** When, and what comes back from then on. */
export function after(currency: string, { later = [] }: Refund): Child {
  const steps = later.map(({ from, back: amount, kept, between }) => {
    const sums = back(currency, amount, between) ?? (amount === undefined ? 'not known' : 'nothing back');
    const keeps = kept && !isZero(kept) && `${money(currency, kept)} kept`;
    return [el('b', {}, `From ${at(from)}`), ` ${join([sums, keeps], ', ')}`];
  });
  return steps.length > 0 ? [el('h2', {}, 'After that'), list('rows', steps)] : '';
}

export const said = ({ airline_says: texts = [] }: Refund): readonly string[] =>
  texts.map((text) => `The airline says: “${text}”`);
