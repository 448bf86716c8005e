/** What would come back if a booking were cancelled. Shows only; it cancels nothing. */
import { showDay } from '../../../domain/time-and-text/local-times.ts';
import { read, start } from '../shared/bridge.ts';
import { type Child, el, head, join, list, para, soft } from '../shared/dom.ts';
import type { Data } from '../shared/result.ts';
import { clock, limit, money, named, route } from '../shared/words.ts';

interface Line {
  readonly segment_ref: string;
  readonly passenger_refs: readonly string[];
  readonly paid?: string;
  readonly kept_each?: string;
  readonly refund?: string;
  readonly refundable: boolean;
}

interface Quote extends Data {
  readonly locator: string;
  readonly currency: string;
  readonly refund_now?: string;
  readonly kept_now?: string;
  readonly valid_until?: string;
  readonly later?: readonly {
    readonly from: string;
    readonly until?: string;
    readonly refund?: string;
    readonly kept?: string;
  }[];
  readonly lines?: readonly Line[];
  readonly bounds?: { readonly at_least: string; readonly at_most: string };
  readonly notes?: readonly string[];
}

interface Booked {
  readonly passengers: readonly { readonly ref: string; readonly name: string }[];
  readonly segments: readonly Segment[];
}

interface Segment {
  readonly ref: string;
  readonly flight: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
}

const isZero = (amount: string | undefined) => Number(amount) === 0;

/** The sum that comes back, or the most that can be said. */
function sum({ currency, refund_now: back, bounds }: Quote): string {
  if (isZero(back)) return 'Nothing comes back';
  if (back) return `${money(currency, back)} back`;
  if (bounds) return `${money(currency, bounds.at_least)} to ${money(currency, bounds.at_most)} back`;
  return 'The refund cannot be said';
}

function line({ currency }: Quote, booked: Booked | undefined, each: Line): Child {
  const trip = booked?.segments.find(({ ref }) => ref === each.segment_ref);
  const name = (ref: string) => booked?.passengers.find((own) => own.ref === ref)?.name ?? `Passenger ${ref}`;
  const where = trip
    ? `${route(trip.from, trip.to)}, ${showDay(trip.departs)} ${clock(trip.departs)}, ${named(trip.flight)}`
    : `Part ${each.segment_ref} of the trip`;
  const back = each.refundable ? each.refund && `${money(currency, each.refund)} back` : 'Not refundable';
  const kept = each.kept_each && !isZero(each.kept_each) && `${money(currency, each.kept_each)} kept for each`;
  return [
    el(
      'p',
      { class: 'pair' },
      el('b', {}, each.passenger_refs.map(name).join(', ')),
      el('span', {}, back || 'Not known'),
    ),
    soft(join([where, each.paid && `${money(currency, each.paid)} paid`, kept], ' · ')),
  ];
}

start<Quote>(async (data) => {
  const { locator, currency, kept_now: kept, valid_until: until, later = [], lines = [], notes = [] } = data;
  const booked = (await read<{ booking?: Booked }>('read_booking', { locator }))?.booking;
  const near = booked?.segments[0]?.departs;
  const at = (time: string) => limit(time, near);
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
    head('If you cancel', data, `Booking ${locator} · nothing is cancelled yet`),
    el('p', { class: 'big' }, sum(data)),
    para(join(facts, ' ')),
    after.length > 0 ? [el('h2', {}, 'After that'), list('rows', after)] : '',
    lines.length > 0
      ? [
          el('h2', {}, 'For each person'),
          list(
            'rows',
            lines.map((each) => line(data, booked, each)),
          ),
        ]
      : '',
    notes.length > 0 ? [el('h2', {}, 'Notes'), list('soft', notes)] : '',
  ];
});
