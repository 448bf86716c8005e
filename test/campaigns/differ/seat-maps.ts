/**
 * What a seat map may say otherwise without a word to anybody. Of the flight it must be the one that was asked for. Its seats have no
 * second source: what the map says of them is the first that anybody hears, so that no line could have the value before. A map that
 * contradicts itself harms nobody: a seat that stands twice, or in no coach of its own, cannot be chosen; words go before flags, and
 * taken before free; and which seat a passenger has in the end is read from the ticket, and compared with the one that was asked for.
 */
import type { Case } from './campaign.ts';
import { shortPath } from './irrelevant.ts';
import type { Kind } from './lies.ts';

const SEATS = /^(cabin|seatRow|seat)(\.|$)/;

/** The rest of what the map says of the flight, such as its times and its fare, nobody reads: the booking says it, which is compared. */
const OF_FLIGHT = /^map\./;
const ASKED: readonly (readonly [path: RegExp, kind: Kind])[] = [
  [/^map\.(departureAirport|arrivalAirport)\.locationCode$/, 'another'],
  [/^map\.(flightNumber|resBookDesigCode)$/, 'another'],
  [/^map\.departureDateTime$/, 'a day later'],
];

export function isFirstHeard({ act, told: { lie } }: Pick<Case, 'act' | 'told'>): boolean {
  if (act.name !== 'map') return false;
  const path = shortPath(lie.path);
  const isAsked = ASKED.some(([field, kind]) => field.test(path) && kind === lie.kind);
  return SEATS.test(path) || (OF_FLIGHT.test(path) && !isAsked);
}
