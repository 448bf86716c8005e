/**
 * Searches of `fareclerk doctor --airline`: both directions in one, and with sold-out segments (docs/wire/notes.md).
 */
import { addDays } from '../../domain/time-and-text/times.ts';
import { record, texts } from '../../ota/messages/parts/reader.ts';
import { counted, good, mild, unclear, type Verdict } from './check.ts';
import { carriersOf } from './dialect.ts';
import { itinerariesOf } from './fare-rows.ts';
import { finding } from './findings.ts';
import { carrierAdvice, FAMILY, findFares, type Pair } from './on-sale.ts';
import type { AirlineProbe, Asked } from './probe.ts';
import { all, zoneOf } from './reply-facts.ts';
import { problemOf, said } from './reply-problem.ts';

const TRY_OTHERS = 'Try other --from, --to and --date.';
/** Days from the outward journey to the way back. */
const STAY_DAYS = 3;

export async function roundTrip(probe: AirlineProbe, out: Pair): Promise<Verdict> {
  const back = { from: out.to, to: out.from, date: addDays(out.date ?? '', STAY_DAYS) };
  const trip = `${out.from} to ${out.to} and back in one search`;
  const asked = await findFares(probe, [out, back], FAMILY);
  const found = itinerariesOf(asked.body);
  const oneWay = found.filter((offer) => all(offer, 'originDestinationOption').length <= 1).length;
  if (oneWay > 0) {
    const offers = counted(oneWay, 'offer');
    return good(`${trip}: accepted, ${offers} of one direction only: book one for each direction together.`);
  }
  if (found.length > 0) return good(`${trip}: accepted, ${counted(found.length, 'offer')} of both directions.`);
  const { status } = asked;
  if (status === 0 || status === 429 || status >= 500) return mild(problemOf(asked, 'FARECLERK_BASE_URL'));
  // 400 can also mean that one of the two directions alone has nothing on sale.
  const alone = await findFares(probe, [back], FAMILY);
  if (itinerariesOf(alone.body).length === 0)
    return unclear(`${trip}: cannot tell, because nothing is on sale for the way back on ${back.date}. ${TRY_OTHERS}`);
  const what = status < 300 ? 'nothing offered' : 'refused';
  return finding('round_trip_refused', { trip, what, said: said(asked) });
}

/** @param priced the reply to a search without sold-out segments */
export function judgeAvailability(wide: Asked, priced: unknown, carrier: string | undefined): Verdict {
  const transports = all(wide.body, 'transport');
  const tried = 'A search with availableFlightsOnly false';
  if (transports.length === 0) {
    if (itinerariesOf(wide.body).length > 0) return good(`${tried}: priced itineraries, as without it.`);
    if (wide.answer === undefined) return mild(problemOf(wide, 'FARECLERK_BASE_URL'));
    return unclear(`${tried}: answered, without departures. ${TRY_OTHERS}`);
  }
  const zones = new Set(all(transports, 'departureTime').flatMap(texts).map(zoneOf));
  const digits = new Set(transports.flatMap((one) => texts(record(one).code)).map((code) => code.length));
  const named = carriersOf(transports).length > 0;
  const text = [
    `${tried}: an availability record, ${counted(transports.length, 'departure')}`,
    `times ${[...zones].join(' and ')}`,
    `numbers of ${[...digits].join(' or ')} characters`,
    named ? 'carrier named' : 'no carrier named',
  ].join('; ');
  const carriers = carriersOf(priced);
  if (named || (carrier !== undefined && (carriers.length === 0 || carriers.includes(carrier))))
    return good(`${text}.`);
  const [only] = carriers.length === 1 ? carriers : [];
  const value = only === undefined ? carrierAdvice([]) : `=${only}: priced itineraries name it`;
  return finding('no_carrier.record', { text, set: carrier ?? 'not set', value });
}
