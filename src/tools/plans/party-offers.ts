/** One search serves parties of any size: the same trip in the same fare is looked up once for each other size. */
import { flightName } from '../../domain/booking/flight-name.ts';
import type { FareSearchResult, Offer, PassengerCounts, ShelvedOffer } from '../../domain/pricing/offers.ts';
import { readCall, type ToolContext } from '../definition/define.ts';
import { partyWords } from '../rules/party-size.ts';
import { notSent } from '../rules/refusal.ts';
import { storeOffers } from '../steps/offers.ts';

/** The offers that stand for these in a party of that size. @throws ClerkError E_NO_AVAILABILITY */
export type OffersFor = (size: PassengerCounts) => Promise<readonly string[]>;

export function offersBySize(ids: readonly string[], ctx: ToolContext): OffersFor {
  const bySize = new Map<string, Promise<readonly string[]>>();
  return (size) => {
    const key = JSON.stringify([size.adults, size.children, size.infants]);
    const known = bySize.get(key) ?? offersFor(ids, size, ctx);
    bySize.set(key, known);
    return known;
  };
}

async function offersFor(ids: readonly string[], size: PassengerCounts, ctx: ToolContext): Promise<readonly string[]> {
  const stored = await Promise.all(ids.map((id) => ctx.state.offers.get(ctx.caller, id)));
  const chosen = stored.flatMap((one) => one ?? []);
  // Whoever reads the trip of an unknown offer says so.
  if (chosen.length < ids.length || chosen.every(({ passengers }) => isSameSize(passengers, size))) return ids;
  const found: string[] = [];
  for (const [legs, those] of Map.groupBy(chosen, (one) => JSON.stringify(one.legs))) {
    const search = { legs: JSON.parse(legs) as ShelvedOffer['legs'], passengers: size };
    found.push(...(await searchAgain(those, search, ctx)));
  }
  return found;
}

function isSameSize(a: PassengerCounts, b: PassengerCounts): boolean {
  return a.adults === b.adults && a.children === b.children && a.infants === b.infants;
}

async function searchAgain(
  chosen: readonly ShelvedOffer[],
  { legs, passengers }: Pick<ShelvedOffer, 'legs' | 'passengers'>,
  ctx: ToolContext,
): Promise<readonly string[]> {
  if (passengers.adults === 0) throw none(passengers);
  const query = {
    legs: legs.map((leg) => ({ ...leg, daysBefore: 0, daysAfter: 0 })),
    passengers,
    bookingClasses: [],
    includeSoldOut: false,
  };
  const { offers, validUntil }: FareSearchResult = await ctx.airline.searchFares(query, readCall(ctx));
  const same = chosen.map(({ offer }) => offers.find((one) => tripOf(one) === tripOf(offer)));
  if (same.some((one) => one === undefined)) throw none(passengers);
  return storeOffers(
    same.flatMap((one) => one ?? []),
    query,
    ctx,
    validUntil,
  );
}

/** Trains, times, classes and fares. */
function tripOf({ leg, options }: Offer): string {
  const segments = options.flatMap((option) => option.segments);
  return JSON.stringify([
    leg ?? null,
    segments.map((segment) => [
      flightName(segment),
      segment.from,
      segment.to,
      segment.departs,
      segment.bookingClass,
      segment.fareBasis ?? null,
    ]),
  ]);
}

function none(size: PassengerCounts) {
  const what = `The airline does not offer this trip in this fare to ${partyWords(size) || 'this party'}.`;
  return notSent('E_NO_AVAILABILITY', what, 'Call search_fares for this party, and move it with an offer of its own.');
}
