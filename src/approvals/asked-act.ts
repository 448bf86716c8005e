/**
 * What a person is asked to say yes to, as a value, and the tellers that write it in words. Other code reads sums and bookings from the
 * value, never from a sentence.
 */

import { type Money, showMoney } from '../core/money.ts';
import { capitalized, uncapitalized } from '../core/words.ts';
import { onConditionWords } from '../domain/refund/back-words.ts';

declare const told: unique symbol;

/** A sentence of ours, at run time a string. Only tellers make it, and it is only shown: no code can look for words in it. */
export interface Sentence {
  readonly [told]: true;
}

/** The kind of act, so that giving something up does not look like paying. */
export type Nature = 'payment' | 'cancellation' | 'change';

export interface AskedAct {
  /** `Cancel`; all the words of a question of 0.3.0. */
  readonly verb: string;
  /** `train HHR101`. */
  readonly object?: string;
  /** Locator, if the words name the booking. */
  readonly booking?: string;
  /** Before the booking: `of`. */
  readonly preposition?: 'of' | 'on' | 'from';
  /** What there is instead: `HHR102`, `a new booking`. */
  readonly to?: string;
  /** Absent if no money moves. */
  readonly sum?: ActSum;
}

/** The sum that is paid or comes back. If no amount is given, nobody knows it. */
type ActSum =
  | { readonly moves: 'paid'; readonly exactly?: Money; readonly atMost?: Money | undefined }
  | RefundSum
  /** Of a plan, in words. */
  | { readonly moves: 'both'; readonly words: string };

interface RefundSum {
  readonly moves: 'back';
  readonly about?: Money | undefined;
  readonly between?: { readonly atLeast: Money; readonly atMost: Money } | undefined;
  /** The airline gives nothing back any more. */
  readonly isTooLate?: boolean;
  /** So much of it depends on a condition of the airline. */
  readonly onCondition?: Money | undefined;
}

/** Characters that fit in one line of a button. */
const LONGEST_YES = 26;

const sentence = (words: string): Sentence => words as string & Sentence;

/** An act as it is stored. Questions of 0.3.0 have its sentence. */
export function readAct(stored: AskedAct | string): AskedAct {
  return typeof stored === 'string' ? { verb: stored } : stored;
}

/** `Cancel train HHR101 of ABC123, refund about SAR 86.25`: the words of the yes. */
export function actSentence(act: AskedAct): Sentence {
  return sentence(inFull(act));
}

/** The sentence without its sum: `Cancel train HHR101 of ABC123`. A payment of an exact sum keeps it: `Pay SAR 345.00`. */
export function actTitle(act: AskedAct): Sentence {
  return sentence(titleWords(act));
}

/** The sentence, with the booking of the question if the act does not name it. */
export function actAndBooking({ act, locator }: { readonly act: AskedAct; readonly locator?: string }): Sentence {
  const isNamed = locator === undefined || act.booking !== undefined;
  return sentence(isNamed ? inFull(act) : `${inFull(act)}, booking ${locator}`);
}

/** The sum for a column: `at most SAR 345.00`, `SAR 86.25 back`. Empty if it is not known, or no money moves. */
export function sumColumn({ sum }: AskedAct): string {
  switch (sum?.moves) {
    case 'paid': {
      const { exactly, atMost } = sum;
      if (exactly !== undefined) return showMoney(exactly);
      return atMost === undefined ? '' : `at most ${showMoney(atMost)}`;
    }
    case 'back':
      return sum.about === undefined ? '' : `${showMoney(sum.about)} back`;
    case 'both':
      return capitalized(sum.words);
    default:
      return '';
  }
}

/** The words of the yes button: the act, or its verb and the sum. “Cancel” alone could mean to close the question. */
export function yesWords(act: AskedAct, nature: Nature): Sentence {
  const words = inFull(act);
  if (words.length <= LONGEST_YES) return sentence(nature === 'cancellation' ? `Yes, ${uncapitalized(words)}` : words);
  const column = sumColumn(act);
  const forSum = column === '' ? '' : ` for ${column}${conditionWords(act.sum)}`;
  return sentence(`Yes, ${uncapitalized(act.verb)}${forSum}`);
}

function inFull(act: AskedAct): string {
  return `${titleWords(act)}${sumWords(act.sum)}`;
}

function titleWords({ verb, object, booking, preposition, to, sum }: AskedAct): string {
  const paid = sum?.moves === 'paid' && sum.exactly !== undefined ? showMoney(sum.exactly) : undefined;
  const words = [verb, object, paid, booking && preposition, booking, to && `to ${to}`];
  return words.filter((word) => word !== undefined).join(' ');
}

function sumWords(sum: ActSum | undefined): string {
  switch (sum?.moves) {
    case 'paid': {
      if (sum.exactly !== undefined) return '';
      return sum.atMost === undefined ? ', cost not known' : `, at most ${showMoney(sum.atMost)}`;
    }
    case 'back':
      return refundWords(sum);
    case 'both':
      return `: ${sum.words}`;
    default:
      return '';
  }
}

function refundWords(sum: RefundSum): string {
  const { about, between, isTooLate } = sum;
  if (about !== undefined) return `, refund about ${showMoney(about)}${conditionWords(sum)}`;
  if (isTooLate) return ', nothing comes back (estimate)';
  if (between === undefined) return ', refund not known';
  return `, refund ${showMoney(between.atLeast)} to ${showMoney(between.atMost)}${conditionWords(sum)}`;
}

function conditionWords(sum: ActSum | undefined): string {
  return sum?.moves === 'back' ? onConditionWords(sum.onCondition, sum.about ?? sum.between?.atMost) : '';
}
