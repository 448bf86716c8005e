/** The trains and flights that an operation was about, as its facts have them. */
import type { SoldFacts, SoldLeg } from '../domain/booking/sold-facts.ts';

/** The legs of an operation, as far as they are known. */
export const legsOf = (facts: SoldFacts): readonly Partial<SoldLeg>[] => facts.legs ?? knownLegs(facts);

/**
 * What is certain of legs that were not kept one by one, as of a single one: the trains, if there is one for each part of the route, the
 * departure of the first, and the class and the fare that all of them have.
 */
function knownLegs({ route, trains, departs, classes = [], fares = [] }: SoldFacts): readonly Partial<SoldLeg>[] {
  const parts = (route ?? '').split(', ').flatMap((stretch) => {
    const stops = stretch.split('-');
    return stops.slice(1).map((to, i) => ({ from: stops[i], to }));
  });

  if (trains === undefined) return [];
  const isEach = parts.length === trains.length;

  return trains.map((train, i) => ({
    ...(isEach ? parts[i] : {}),
    train,
    departs: i === 0 ? departs : undefined,
    class: classes.length === 1 ? classes[0] : undefined,
    fare: fares.length === 1 ? fares[0] : undefined,
  }));
}
