/**
 * The card beside a decision: the quote of a cancellation before it, then the question with its terms, and its outcome. It only
 * shows; it cannot act.
 */
import type { QuoteView } from '../../../tools/quote-cancellation.ts';
import type { RefundLine } from '../../../tools/views/refund-schema.ts';
import { startView } from '../shared/bridge.ts';
import { type Child, el, joinPresent, list, paragraph, softParagraph, viewHead } from '../shared/dom.ts';
import { type DecidedResult, questionOrOutcome } from '../shared/question.ts';
import { amountBack, conditionTexts, keptAndUntil, laterRefunds, refundSentence } from '../shared/refund.ts';
import type { ResultData } from '../shared/result.ts';
import { capitalized, moneyText, vehicleWord } from '../shared/words.ts';

type Quote = ResultData & QuoteView;

// Of the results that come here, only a quote has its locator at the top.
startView<DecidedResult | Quote>((data, _input, result) =>
  'locator' in data ? drawQuote(data) : questionOrOutcome(data, result),
);

/** Draws what a cancellation would refund: the sum, until when, and by segment and person. */
function drawQuote(data: Quote): Child {
  const { locator, currency, state, unpaid, summary, lines = [], warnings = [], note, next } = data;
  const isUnpaid = state === 'held' || unpaid === true;
  const notes = [...warnings, note, next].filter(Boolean);
  return [
    viewHead(
      isUnpaid ? 'If you pay and cancel' : 'If you cancel',
      data,
      `Booking ${locator} · nothing is cancelled yet`,
    ),
    el('p', { class: 'big' }, state === 'cancelled' ? 'Already cancelled' : refundSentence(currency, data)),
    conditionTexts(data).map((text) => paragraph(text)),
    paragraph(isUnpaid || state === 'cancelled' ? summary : ''),
    paragraph(keptAndUntil(currency, data)),
    laterRefunds(currency, data),
    lines.length > 0
      ? [
          el('h2', {}, `By ${vehicleWord()} and person`),
          list(
            'rows',
            withPassengers(lines).map((line) => refundRow(currency, line)),
          ),
        ]
      : '',
    notes.length > 0 ? [el('h2', {}, 'Notes'), list('soft', notes)] : '',
  ];
}

/** Adds the passengers to lines that name none: they are about those of the line before. */
function withPassengers(lines: readonly RefundLine[]): readonly RefundLine[] {
  let before: string | undefined;
  return lines.map(({ passengers = before, ...line }) => {
    before = passengers;
    return { ...line, passengers };
  });
}

function refundRow(currency: string, line: RefundLine): Child {
  const { passengers = '', segments, paid, kept_each: kept, back, refundable } = line;
  const returned = refundable === false ? 'Not refundable' : amountBack(currency, back, undefined);
  const keeps = Number(kept) > 0 && `${moneyText(currency, kept ?? '')} kept for each`;
  const nothing = back === undefined ? 'Not known' : 'Nothing back';
  return [
    el('p', { class: 'pair' }, el('b', {}, passengers), el('span', {}, returned ?? nothing)),
    softParagraph(joinPresent([capitalized(segments), paid && `${moneyText(currency, paid)} paid`, keeps], ' · ')),
  ];
}
