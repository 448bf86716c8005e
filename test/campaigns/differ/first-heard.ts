/**
 * What has no second source: what the airline says of it is the first that anybody hears, so that no line could have the value before.
 *
 * A seat map must be that of the flight that was asked for. One that contradicts itself harms nobody: a seat that stands twice, or in no
 * coach of its own, cannot be chosen; words go before flags, and taken before free; and which seat a passenger has in the end is read from
 * the ticket, and compared with the one that was asked for.
 *
 * Nobody pays the price of an offer in place of a flight: the question has what the exchange costs, with which the charge is compared,
 * and a hold that is made instead is compared with the offer, its baggage too.
 *
 * A flight in the place of another has rules, a limit and seats of its own, and the question says that nothing is known of them. Where the
 * airline sends its rules as text, nothing limits the charge, which the question says too.
 *
 * Fewer passengers have another price and allowance, which the next question about the booking quotes. Flights, rules, limits, passengers
 * and payments of what is left are compared. Of a booking that is cancelled as a whole nothing is left.
 */
import type { Case } from './campaign.ts';
import { type ActName, shortPath } from './irrelevant.ts';
import type { Kind } from './lies.ts';

const RULES =
  /^(voluntaryRefunds\.rules\.(applyUntilTime|currency|description\.value)|flightSegment\.tpaextensions\.fareRule\.value|fareInfo\.ruleInfo\.tpaextensions\.cancellationTimeLimit)$/;

const FIRST: Readonly<Partial<Record<ActName, RegExp>>> = {
  // The rest of what a map says of the flight, such as its times and its fare, nobody reads: the booking says it, which is compared.
  map: /^(map\.|(cabin|seatRow|seat)(\.|$))/,
  person: /^total\.(totalFare\.amount|fareBaggageAllowance)$/,
  all: new RegExp(`${RULES.source}|^total\\.fareBaggageAllowance$`),
  replacement: /^total\.(totalFare\.amount|fareBaggageAllowance)$/,
};

/** Of a flight that is new. */
const NEW = new RegExp(`${RULES.source}|^couponProviderDetails\\.seat$`);

/** Of a rebooking in the dialect that sends its rules as text, whose charge is the second order. */
const isUnlimitedCharge = ({ dialect, act, told: { lie } }: Pick<Case, 'dialect' | 'act' | 'told'>): boolean =>
  act.name === 'rebook' &&
  dialect === 'airline' &&
  shortPath(lie.path) === 'order.totalAmount' &&
  lie.at[lie.at.indexOf('priced') + 1] === 1;

const ASKED: readonly (readonly [path: RegExp, kind: Kind])[] = [
  [/^map\.(departureAirport|arrivalAirport)\.locationCode$/, 'another'],
  [/^map\.(flightNumber|resBookDesigCode)$/, 'another'],
  [/^map\.departureDateTime$/, 'a day later'],
];

export function isFirstHeard(one: Pick<Case, 'dialect' | 'act' | 'told'>): boolean {
  const { act, told } = one;
  const { lie } = told;
  const path = shortPath(lie.path);
  if (act.name === 'rebook') return isUnlimitedCharge(one) || (NEW.test(path) && act.isOfNew?.(told) === true);
  // The reading is the first to say on whose lap an infant of a group without names is: the reply to the hold lists nobody.
  if (act.name === 'reading' && /^counts\b/.test(act.trip)) return /^airTraveler\.comment\b/.test(path);
  const isAsked = ASKED.some(([field, kind]) => field.test(path) && kind === lie.kind);
  return FIRST[act.name]?.test(path) === true && !isAsked;
}
