/**
 * What a person decides on: the terms of a question and its outcome, or what a cancellation would refund. Shows only; it cannot
 * act.
 */
import type { QuoteView } from '../../../tools/quote-cancellation.ts';
import type { RefundLine } from '../../../tools/views/refund-estimate.ts';
import { start } from '../shared/bridge.ts';
import { type Child, el, head, join, list, para, soft } from '../shared/dom.ts';
import { type DecidedResult, question } from '../shared/question.ts';
import { after, back, facts, said, sum } from '../shared/refund.ts';
import type { ResultData } from '../shared/result.ts';
import { kind, money, upper } from '../shared/words.ts';

start<DecidedResult | Quote>((data, _input, result) => ('locator' in data ? quote(data) : question(data, result)));

type Quote = ResultData & QuoteView;

function peopleAt(lines: readonly RefundLine[], i: number): string {
  return lines.slice(0, i + 1).findLast(({ passengers }) => passengers)?.passengers ?? '';
}

function line(currency: string, { passengers = '', segments, paid, kept_each: kept, ...each }: RefundLine): Child {
  const returned = each.refundable === false ? 'Not refundable' : back(currency, each.back, undefined);
  const keeps = Number(kept) > 0 && `${money(currency, kept ?? '')} kept for each`;
  const nothing = each.back === undefined ? 'Not known' : 'Nothing back';
  return [
    el('p', { class: 'pair' }, el('b', {}, passengers), el('span', {}, returned ?? nothing)),
    soft(join([upper(segments), paid && `${money(currency, paid)} paid`, keeps], ' · ')),
  ];
}

function quote(data: Quote): Child {
  const { locator, currency, state, summary, lines = [], warnings = [], note, next } = data;
  const notes = [...warnings, ...said(data), note, next].filter(Boolean);
  return [
    head(
      state === 'held' ? 'If you pay and cancel' : 'If you cancel',
      data,
      `Booking ${locator} · nothing is cancelled yet`,
    ),
    el('p', { class: 'big' }, state === 'cancelled' ? 'Already cancelled' : sum(currency, data)),
    para(state === 'held' || state === 'cancelled' ? summary : ''),
    para(facts(currency, data)),
    after(currency, data),
    lines.length > 0
      ? [
          el('h2', {}, `By ${kind()} and person`),
          list(
            'rows',
            lines.map((each, i) => line(currency, { ...each, passengers: peopleAt(lines, i) })),
          ),
        ]
      : '',
    notes.length > 0 ? [el('h2', {}, 'Notes'), list('soft', notes)] : '',
  ];
}
