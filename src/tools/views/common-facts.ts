/** What is equal for all offers of a search is written once, in `common`: the result costs a third of its length. */
import type { LegView, OfferView, SearchResult, SoldOutView } from './offers.ts';

const OF_OFFERS = ['refund', 'checked', 'baggage', 'pay_by', 'names_until', 'notes', 'airline_says'] as const;
const OF_ROUTES = ['from', 'to'] as const;
const OF_LEGS = ['operated_by', 'class', 'fare'] as const;
const OF_ALL_LEGS = ['class', 'fare'] as const;

type ListedOffers = Pick<SearchResult, 'common' | 'offers' | 'sold_out'>;

/** A leg with its place in the trip, from 0. */
export function legsOf({ legs, leg }: OfferView): readonly { readonly each: LegView; readonly at: number }[] {
  return legs.map((each, i) => ({ each, at: leg === undefined ? i : leg - 1 }));
}

/** A single offer keeps all that is known of it. */
export function withCommon(offers: OfferView[], soldOut: SoldOutView[]): ListedOffers {
  if (offers.length + soldOut.length < 2) return { offers, ...(soldOut.length > 0 && { sold_out: soldOut }) };
  const all = offers.flatMap(legsOf);
  const everywhere = equalFields(
    all.map(({ each }) => each),
    OF_ALL_LEGS,
  );
  const count = Math.max(1, ...all.map(({ at }) => at + 1));
  const legs = Array.from({ length: count }, (_, at) => {
    const ofLeg = all.filter((leg) => leg.at === at).map(({ each }) => each);
    // Sold-out departures do not say which leg they are for.
    const routes = count === 1 ? [...ofLeg, ...soldOut] : ofLeg;
    return { ...equalFields(routes, OF_ROUTES), ...without(equalFields(ofLeg, OF_LEGS), everywhere) };
  });
  const shared = equalFields(offers, OF_OFFERS);
  const isNamed = legs.some((leg) => Object.keys(leg).length > 0);
  const route = { from: legs[0]?.from, to: legs[0]?.to };
  return {
    common: { ...(isNamed && { legs }), ...everywhere, ...shared },
    offers: offers.map((offer) => ({
      ...without(offer, shared),
      legs: legsOf(offer).map(({ each, at }) => without(each, { ...everywhere, ...legs[at] })),
    })),
    ...(soldOut.length > 0 && { sold_out: soldOut.map((flight) => (count === 1 ? without(flight, route) : flight)) }),
  };
}

/** The fields that are equal in all. */
function equalFields<T extends object, K extends keyof T>(all: readonly T[], names: readonly K[]): Partial<Pick<T, K>> {
  const [first, ...others] = all;
  const equal: Partial<Pick<T, K>> = {};
  for (const name of first === undefined ? [] : names) {
    const value = first?.[name];
    if (value !== undefined && others.every((each) => isSame(each[name], value))) equal[name] = value;
  }
  return equal;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Without the fields that `known` has. */
function without<T extends object>(fields: T, known: object): T {
  const stated = new Set(Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !stated.has(name))) as T;
}
