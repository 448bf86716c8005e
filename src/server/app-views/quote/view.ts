/** What would come back if a booking were cancelled. Shows only; it cancels nothing. */
import { start } from '../shared/bridge.ts';
import { type Child, el, head, join, list, para, soft } from '../shared/dom.ts';
import type { ResultData } from '../shared/result.ts';
import { kind, limit, money, upper } from '../shared/words.ts';

interface QuoteLine {
  readonly segment_ref: string;
  readonly passenger_refs: readonly string[];
  /** Both in words. */
  readonly segment?: string;
  readonly passengers?: string;
  readonly paid?: string;
  readonly kept_each?: string;
  readonly refund?: string;
  readonly refundable: boolean;
}

interface Quote extends ResultData {
  readonly locator: string;
  readonly currency: string;
  readonly state?: string;
  /** Its offset gives the local time of the deadlines. */
  readonly departs?: string;
  readonly refund_now?: string;
  readonly kept_now?: string;
  readonly valid_until?: string;
  readonly later?: readonly {
    readonly from: string;
    readonly until?: string;
    readonly refund?: string;
    readonly kept?: string;
  }[];
  readonly lines?: readonly QuoteLine[];
  readonly bounds?: { readonly at_least: string; readonly at_most: string };
  readonly notes?: readonly string[];
}

const isZero = (amount: string | undefined) => Number(amount) === 0;

/** The sum that comes back, or the most that can be said. */
function sum({ currency, state, refund_now: back, bounds }: Quote): string {
  if (state === 'cancelled') return 'Already cancelled';
  if (isZero(back)) return 'Nothing comes back';
  if (back) return `${money(currency, back)} back`;
  if (bounds) return `${money(currency, bounds.at_least)} to ${money(currency, bounds.at_most)} back`;
  return 'The refund cannot be said';
}

function line({ currency }: Quote, each: QuoteLine): Child {
  const who = each.passengers ?? `Passenger ${each.passenger_refs.join(', ')}`;
  const where = each.segment ?? `Part ${each.segment_ref} of the trip`;
  const back = each.refundable ? each.refund && `${money(currency, each.refund)} back` : 'Not refundable';
  const kept = each.kept_each && !isZero(each.kept_each) && `${money(currency, each.kept_each)} kept for each`;
  return [
    el('p', { class: 'pair' }, el('b', {}, who), el('span', {}, back || 'Not known')),
    soft(join([upper(where), each.paid && `${money(currency, each.paid)} paid`, kept], ' · ')),
  ];
}

start<Quote>((data) => {
  const { locator, currency, kept_now: kept, valid_until: until, departs, later = [], lines = [], notes = [] } = data;
  const at = (time: string) => limit(time, departs);
  const after = later.map((each) => {
    const back = isZero(each.refund) ? 'nothing back' : each.refund && `${money(currency, each.refund)} back`;
    const gone = each.kept && !isZero(each.kept) && `${money(currency, each.kept)} kept`;
    return [el('b', {}, `From ${at(each.from)}`), ` ${join([back || 'not known', gone], ', ')}`];
  });
  const facts = [
    kept && !isZero(kept) && `The airline keeps ${money(currency, kept)}.`,
    until && `Good until ${at(until)}.`,
  ];
  return [
    head(
      data.state === 'held' ? 'If you pay and cancel' : 'If you cancel',
      data,
      `Booking ${locator} · nothing is cancelled yet`,
    ),
    el('p', { class: 'big' }, sum(data)),
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
