/** What would come back if a booking were cancelled. Shows only; it cancels nothing. */
import { start } from '../shared/bridge.ts';
import { type Child, el, head, join, list, para, soft } from '../shared/dom.ts';
import type { ResultData } from '../shared/result.ts';
import { kind, limit, money, upper } from '../shared/words.ts';

interface Between {
  readonly at_least: string;
  readonly at_most: string;
}

interface QuoteLine {
  /** Both in words. */
  readonly passengers: string;
  readonly segments: string;
  readonly paid?: string;
  readonly kept_each?: string;
  readonly back?: string;
  readonly refundable?: false;
}

interface Quote extends ResultData {
  readonly summary?: string;
  readonly next?: string;
  readonly warnings?: readonly string[];
  readonly locator: string;
  readonly currency: string;
  readonly state?: string;
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
  readonly lines?: readonly QuoteLine[];
  readonly note?: string;
  readonly airline_says?: readonly string[];
}

const isZero = (amount: string | undefined) => Number(amount) === 0;

/** By its own offset. */
const at = (time: string) => limit(time, time);

const range = (currency: string, { at_least: least, at_most: most }: Between) =>
  `${money(currency, least)} to ${money(currency, most)} back`;

/** The sum that comes back, or the most that can be said. */
function sum({ currency, state, refund_now: back, between }: Quote): string {
  if (state === 'cancelled') return 'Already cancelled';
  if (isZero(back)) return 'Nothing comes back';
  if (back) return `${money(currency, back)} back`;
  return between ? range(currency, between) : 'The refund cannot be said';
}

function line({ currency }: Quote, { passengers, segments, paid, kept_each: kept, ...each }: QuoteLine): Child {
  const back = each.refundable === false ? 'Not refundable' : each.back && `${money(currency, each.back)} back`;
  const keeps = kept && !isZero(kept) && `${money(currency, kept)} kept for each`;
  return [
    el('p', { class: 'pair' }, el('b', {}, passengers), el('span', {}, back || 'Not known')),
    soft(join([upper(segments), paid && `${money(currency, paid)} paid`, keeps], ' · ')),
  ];
}

start<Quote>((data) => {
  const { locator, currency, kept_now: kept, valid_until: until, cancel_until: ends, later = [], lines = [] } = data;
  const after = later.map(({ from, back, kept: gone, between }) => {
    const sums = isZero(back) ? 'nothing back' : back && `${money(currency, back)} back`;
    const keeps = gone && !isZero(gone) && `${money(currency, gone)} kept`;
    const backText = sums ?? (between ? range(currency, between) : 'not known');
    return [el('b', {}, `From ${at(from)}`), ` ${join([backText, keeps], ', ')}`];
  });
  const facts = [
    kept && !isZero(kept) && `The airline keeps ${money(currency, kept)}.`,
    until && `Good until ${at(until)}.`,
    ends && `It can be cancelled until ${at(ends)}; then nothing comes back.`,
  ];
  const says = (data.airline_says ?? []).map((text) => `The airline says: “${text}”`);
  const notes = [...(data.warnings ?? []), ...says, data.note, data.next].filter(Boolean);
  return [
    head(
      data.state === 'held' ? 'If you pay and cancel' : 'If you cancel',
      data,
      `Booking ${locator} · nothing is cancelled yet`,
    ),
    el('p', { class: 'big' }, sum(data)),
    para(data.state === 'held' || data.state === 'cancelled' ? data.summary : ''),
    para(join(facts, ' ')),
    after.length > 0 ? [el('h2', {}, 'After that'), list('rows', after)] : '',
    lines.length > 0
      ? [
          el('h2', {}, `By ${kind()} and person`),
          list(
            'rows',
            lines.map((each) => line(data, each)),
          ),
        ]
      : '',
    notes.length > 0 ? [el('h2', {}, 'Notes'), list('soft', notes)] : '',
  ];
});
