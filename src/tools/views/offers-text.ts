/** Offers as text. What all offers have in common (stations, zone, fare rules) is written once. */

import { cleanCode, quoted } from '../../core/clean-text.ts';
import { showDeadline, showTrip, zoneOf } from '../../core/local-times.ts';
import { showMinutes } from '../../core/times.ts';
import { type PlaceName, showPlace, showRoute } from '../../domain/booking/place-names.ts';
import { countText } from '../rules/party-size.ts';
import type { OfferView, SoldOutView } from './offers.ts';
import { table } from './table.ts';

/** Common to a list: the route of each leg, and the zone of all times; undefined where they differ. */
interface Shared {
  readonly routes: readonly (string | undefined)[];
  readonly zone: string | undefined;
  readonly placeName: PlaceName | undefined;
}

interface OfferList {
  readonly offers: readonly OfferView[];
  readonly sold_out: readonly SoldOutView[];
}

const routeOf = ({ from, to }: { readonly from: string; readonly to: string }) => `${from}\n${to}`;

/** The only value of a list; undefined if there is none or several. */
function only<T>(values: readonly T[]): T | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}

/** A leg with its place in the trip, from 0. */
const legsOf = ({ legs, leg }: OfferView) => legs.map((each, i) => ({ each, at: leg === undefined ? i : leg - 1 }));

function sharedBy({ offers, sold_out: soldOut }: OfferList, placeName: PlaceName | undefined): Shared {
  const legs = offers.flatMap(legsOf);
  const most = Math.max(-1, ...legs.map(({ at }) => at));
  const routes = Array.from({ length: most + 1 }, (_, i) =>
    only(legs.filter(({ at }) => at === i).map(({ each }) => routeOf(each))),
  );
  const times = [...legs.map(({ each }) => each), ...soldOut].flatMap(({ departs, arrives }) => [departs, arrives]);
  return { routes, zone: only(times.map(zoneOf)) || undefined, placeName };
}

export function offersText(listed: OfferList, placeName?: PlaceName): string[] {
  const { offers, sold_out: soldOut } = listed;
  const shared = sharedBy(listed, placeName);
  const facts = offers.map(factsOf);
  const [first = [], ...others] = facts;
  const all = new Set(others.length === 0 ? [] : first.filter((fact) => others.every((own) => own.includes(fact))));
  return [
    ...headLines(listed, shared),
    ...(all.size === 0 ? [] : [`All: ${[...all].join('; ')}.`]),
    ...offers.flatMap((offer, i) =>
      offerLines(
        offer,
        (facts[i] ?? []).filter((fact) => !all.has(fact)),
        shared,
      ),
    ),
    ...soldOutLines(soldOut, shared),
  ];
}

function headLines({ offers, sold_out: soldOut }: OfferList, { routes, zone, placeName }: Shared): string[] {
  const named = routes.flatMap((route, i) => {
    const [from = '', to = ''] = route?.split('\n') ?? [];
    const leg = routes.length > 1 ? `Leg ${i + 1}: ` : '';
    return route === undefined ? [] : [`${leg}${showRoute({ from, to }, placeName)}`];
  });
  const head = [
    named.length > 0 && `${named.join('. ')}.`,
    zone !== undefined &&
      offers.length + soldOut.length > 0 &&
      `Times are ${zone === 'UTC' ? 'in UTC' : `local (${zone})`}.`,
  ].filter(Boolean);
  return head.length === 0 ? [] : [head.join(' ')];
}

function offerLines(offer: OfferView, facts: readonly string[], shared: Shared): string[] {
  const [first = '', ...further] = legsOf(offer).map(({ each, at }) => legText(each, at, offer, shared));
  return [
    `${offer.offer_id}  ${offer.total}  ${first}`,
    ...further.map((text) => `    then ${text}`),
    ...(facts.length === 0 ? [] : [`    ${facts.join('; ')}`]),
    ...(offer.notes ?? []).map((note) => `    note: ${note}`),
    ...((offer.price_lines ?? []).length === 0 ? [] : [`    ${linesText(offer)}`]),
  ];
}

function soldOutLines(flights: readonly SoldOutView[], { routes, zone, placeName }: Shared): string[] {
  const rows = flights.map((each) => [
    each.flight,
    routes.includes(routeOf(each)) && routes.length === 1 ? '' : showRoute(each, placeName),
    showTrip(each.departs, each.arrives, zone !== undefined),
    `class ${each.class}`,
  ]);
  return rows.length === 0 ? [] : ['Sold out:', ...table(rows)];
}

function legText(
  leg: OfferView['legs'][number],
  at: number,
  offer: OfferView,
  { routes, zone, placeName }: Shared,
): string {
  const flights = leg.segments.map((each) => each.flight).join('+');
  const changes = leg.segments.slice(1).map((each) => showPlace(each.from, placeName));
  const operators = leg.segments.flatMap((each) => each.operated_by ?? []);
  const classes = [...new Set(leg.segments.map((each) => each.class))].join('/');
  const left = Math.min(...leg.segments.flatMap((each) => each.seats_left ?? []));
  const parts = [
    offer.leg && `leg ${offer.leg}:`,
    routes[at] === undefined && showRoute(leg, placeName),
    flights,
    changes.length > 0 && `via ${changes.join(', ')}`,
    operators.length > 0 && `operated by ${operators.join(', ')}`,
    showTrip(leg.departs, leg.arrives, zone !== undefined),
    leg.duration_minutes !== undefined && `(${showMinutes(leg.duration_minutes)})`,
    leg.segments[0]?.journey_date && `local date ${cleanCode(leg.segments[0].journey_date)}`,
    `class ${classes}`,
    // The fare's name is the airline's text, so it is quoted.
    leg.fare && `fare ${leg.fare.code}${leg.fare.name === undefined ? '' : ` ${quoted(leg.fare.name, 80)}`}`,
    Number.isFinite(left) && `${left} ${left === 1 ? 'seat' : 'seats'} left`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Facts besides price and times, which several offers can have in common. */
function factsOf(offer: OfferView): string[] {
  const [near] = offer.legs;
  return [
    offer.per_type.length > 1 &&
      offer.per_type.map((row) => `${countText(row.type, row.count)} ${row.total}`).join(', '),
    offer.refund.text.replace(/\.$/, ''),
    offer.checked && 'price checked',
    offer.baggage !== undefined && `baggage ${offer.baggage}`,
    offer.pay_by !== undefined && `pay by ${showDeadline(offer.pay_by, near?.departs)}`,
  ].filter((fact): fact is string => Boolean(fact));
}

function linesText({ price_lines: lines = [] }: OfferView): string {
  return lines.map((line) => `${line.kind} ${line.code} ${line.amount}`).join(', ');
}
