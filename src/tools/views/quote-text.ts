/** A quote of a cancellation as text: the sum, later sums, one line for equal parts, and notes. */

import { showDeadline } from '../../core/local-times.ts';
import { parseMoney, showMoney } from '../../core/money.ts';
import { listed } from '../../core/words.ts';
import type { QuoteView } from './quote.ts';
import { endLine } from './terms-lines.ts';

type QuoteLineView = QuoteView['lines'][number];

export function quoteText(view: QuoteView): string[] {
  const { state, notes } = view;
  if (state === 'cancelled' || state === 'expired') return [...notes];
  // For a hold, the first note says that releasing it is free.
  const first = state === 'held' ? notes.slice(0, 1) : [];
  return [
    ...first,
    headline(view),
    ...otherSums(view).flatMap((window) => laterLine(view, window)),
    ...endLine(view.cancel_ends, view.departs),
    ...lineTexts(view),
    ...notes.slice(first.length),
  ];
}

/** `SAR 1,078.00 comes back now, SAR 345.00 is kept. Until Wed 9 Dec 09:36 (UTC+3).` */
function headline(view: QuoteView): string {
  const { refund_now: refund, kept_now: kept, bounds } = view;
  const until = otherSums(view)[0]?.from;
  const now = view.state === 'held' ? '' : ' now';
  const sum = refund === undefined || isZero(refund) ? 'Nothing' : shown(refund, view);
  const known = refund === undefined ? `What comes back${now} is not known` : `${sum} comes back${now}`;
  const back = bounds
    ? `Between ${shown(bounds.at_least, view)} and ${shown(bounds.at_most, view)} comes back${now}`
    : known;
  return [
    `${back}${kept === undefined ? '' : `, ${isZero(kept) ? 'nothing' : shown(kept, view)} is kept`}.`,
    ...(until === undefined ? [] : [`Until ${showDeadline(until, view.departs)}.`]),
  ].join(' ');
}

/** The later windows whose sums differ from those before. */
function otherSums({ refund_now: refund, kept_now: kept, bounds, later }: QuoteView): QuoteView['later'] {
  const now = { refund: bounds ? undefined : refund, kept };
  return later.filter((window, i) => {
    const before = later[i - 1] ?? now;
    return window.refund === undefined || window.refund !== before.refund || window.kept !== before.kept;
  });
}

/** Empty where a note says why the sum is not known, and for the end, which has a line of its own. */
function laterLine(view: QuoteView, { from, refund, kept }: QuoteView['later'][number]): readonly string[] {
  if (refund === undefined || from === view.cancel_ends) return [];
  const back = isZero(refund) ? 'nothing comes back' : `${shown(refund, view)} comes back`;
  const rest = kept === undefined ? '' : `, ${isZero(kept) ? 'nothing' : shown(kept, view)} is kept`;
  return [`From ${showDeadline(from, view.departs)}: ${back}${rest}.`];
}

/** Joins segments whose lines have the same people and figures. */
function lineTexts(view: QuoteView): readonly string[] {
  const key = ({ passengers, passenger_refs: refs, paid, kept_each: kept, refund, refundable }: QuoteLineView) =>
    JSON.stringify([passengers, refs, paid, kept, refund, refundable]);
  return [...Map.groupBy(view.lines, key).values()].flatMap((same) => {
    const [line] = same;
    return line === undefined ? [] : [lineText(view, line, same)];
  });
}

function lineText(view: QuoteView, line: QuoteLineView, same: readonly QuoteLineView[]): string {
  const segments = listed(same.map(({ segment }) => segment));
  const one = same.length === 1 && line.passenger_refs.length < 2;
  const per = line.segment_ref.includes('+') ? ' a person and fare' : ' a person and segment';
  const times = (amount: string) => showMoney(multiplied(amount, same.length, view));
  const kept = line.kept_each;
  const figures = [
    line.paid && `${times(line.paid)} paid`,
    line.refundable
      ? kept && (isZero(kept) ? 'nothing kept' : `${shown(kept, view)} kept${one ? '' : per}, tax included`)
      : 'not refundable',
    line.refundable && line.refund && `${isZero(line.refund) ? 'nothing' : times(line.refund)} back`,
  ];
  return `${line.passengers}, ${segments}: ${figures.filter(Boolean).join('; ')}`;
}

function multiplied(amount: string, times: number, { currency }: QuoteView) {
  const { minor } = parseMoney(amount, currency) ?? { minor: Number.NaN };
  return { minor: minor * times, currency };
}

function shown(amount: string, view: QuoteView): string {
  return showMoney(multiplied(amount, 1, view));
}

function isZero(amount: string): boolean {
  return Number(amount) === 0;
}
