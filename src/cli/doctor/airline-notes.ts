/**
 * `fareclerk doctor --airline`: finds out by reads alone which published deviations this airline has
 * (docs/wire/notes.md). Looks at the JSON of replies, because our decoders may miss what matters here.
 */
import { addDays } from '../../domain/time-and-text/times.ts';
import { record, texts } from '../../ota/messages/parts/reader.ts';
import type { Bench } from './addresses.ts';
import { type Chart, counted, good, skipped, type Verdict, warning } from './check.ts';
import { carriersOf, type DialectFacts, dialectFacts, judgeDialect } from './dialect.ts';
import { itinerariesOf, judgeRows, type RowFacts, rowFacts } from './fare-rows.ts';
import { readHeld } from './held-booking.ts';
import { FAMILY, failedMildly, findFares, type Pair, type Services } from './services.ts';
import { all, zoneOf } from './signs.ts';
import { said } from './verdicts.ts';
import { type Asked, bodyOf } from './watch.ts';

export interface AirlineNotes {
  dialect?: DialectFacts;
  rows?: RowFacts;
}

const BASE = { setting: 'FARECLERK_BASE_URL', method: 'POST' } as const;
const NO_SEARCH = 'There is no reply to a search.';

/** Adds one check for each deviation. @param services what the checks before have read */
export async function tryNotes(
  bench: Bench,
  chart: Chart,
  services: Services,
  locator: string | undefined,
): Promise<AirlineNotes> {
  const notes: AirlineNotes = {};
  const { search, pair } = services;
  const found = bodyOf(search?.exchange);
  const replied = itinerariesOf(found).length > 0;
  if (replied) notes.rows = rowFacts(found);
  chart.note('fare_rows', 'price rows', notes.rows ? judgeRows(notes.rows, search?.answer) : skipped(NO_SEARCH));
  await chart.run('round_trip', 'round trip', () =>
    replied && pair !== undefined ? roundTrip(bench, pair) : skipped(NO_SEARCH),
  );
  await chart.run('availability', 'availability', async () => {
    if (!replied || pair === undefined) return skipped(NO_SEARCH);
    const wide = services.wide ?? (await findFares(bench, [pair], FAMILY, true));
    return availability(wide, found, bench.airline.carrier);
  });
  const reading = locator === undefined ? noLocator(chart) : await readHeld(bench, chart, locator);
  notes.dialect = dialectFacts({ searches: [found], reading });
  const seen = replied || reading !== undefined;
  chart.note('dialect', 'dialect', seen ? judgeDialect(notes.dialect, bench.airline.dialect) : skipped(NO_SEARCH));
  return notes;
}

function noLocator(chart: Chart): undefined {
  chart.note('booking', 'booking', skipped('Give --locator of a booking, best a paid one, to look at what it holds.'));
}

const TRY_OTHERS = 'Try other --from, --to and --date.';

/** Days from the outward journey to the way back. */
const STAY_DAYS = 3;

async function roundTrip(bench: Bench, out: Pair): Promise<Verdict> {
  const back = { from: out.to, to: out.from, date: addDays(out.date ?? '', STAY_DAYS) };
  const trip = `${out.from} to ${out.to} and back in one search`;
  const asked = await findFares(bench, [out, back], FAMILY);
  const found = itinerariesOf(bodyOf(asked.exchange));
  if (found.length > 0) {
    const both = found.filter((one) => all(one, 'originDestinationOption').length > 1).length;
    const apart = found.length - both;
    if (apart === 0) return good(`${trip}: accepted, ${counted(both, 'offer')} of both directions.`);
    return good(
      `${trip}: accepted, ${counted(apart, 'offer')} of one direction only: book one for each direction together.`,
    );
  }
  const status = asked.exchange?.reply?.status ?? 0;
  if (status === 0 || status === 429 || status >= 500) return failedMildly(asked, BASE);
  // 400 can also mean that one of the two directions alone has nothing on sale.
  const alone = itinerariesOf(bodyOf((await findFares(bench, [back], FAMILY)).exchange)).length;
  if (alone === 0) {
    const words = `${trip}: cannot tell, because nothing is on sale for the way back on ${back.date}. ${TRY_OTHERS}`;
    return { ...good(words), finding: 'not_clear' };
  }
  return warning(
    'round_trip_refused',
    `${trip}: ${status < 300 ? 'nothing offered' : 'refused'} (${said(asked.exchange)}); each direction alone is offered.`,
    'Nothing to set: search each direction by itself, and give both offers to create_booking.',
  );
}

function availability(wide: Asked<unknown>, priced: unknown, carrier: string | undefined): Verdict {
  const body = bodyOf(wide.exchange);
  const transports = all(body, 'transport');
  const tried = 'A search with availableFlightsOnly false';
  if (transports.length === 0) {
    if (itinerariesOf(body).length > 0) return good(`${tried}: priced itineraries, as without it.`);
    if (wide.answer === undefined) return failedMildly(wide, BASE);
    return { ...good(`${tried}: answered, without departures. ${TRY_OTHERS}`), finding: 'not_clear' };
  }
  const zones = new Set(
    transports
      .flatMap((one) => all(one, 'departureTime'))
      .flatMap(texts)
      .map(zoneOf),
  );
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
  return warning(
    'no_carrier',
    `${text}; FARECLERK_CARRIER is ${carrier ?? 'not set'}.`,
    only === undefined
      ? `Set FARECLERK_CARRIER to the code of the operating carrier.`
      : `Set FARECLERK_CARRIER=${only}: priced itineraries name it.`,
  );
}
