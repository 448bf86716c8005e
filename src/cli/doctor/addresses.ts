/**
 * The forms and derived addresses that the interface leaves open: which of them this airline answers.
 */
import type { AirlineConfig } from '../../config/load.ts';
import type { AirlineTokens } from '../../ota/options.ts';
import { seatMapAddress } from '../../ota/transport/addresses.ts';
import { good, skipped, toMend, type Verdict, warning } from './check.ts';
import { NO_BOOKING } from './credentials.ts';
import { bare, codeOf, isBookingCode, said, statusOf, trouble } from './verdicts.ts';
import { type Asked, airlineWith, ask, type Watched } from './watch.ts';

export interface Bench {
  readonly airline: AirlineConfig;
  readonly watched: Watched;
  readonly tokens: AirlineTokens | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the host of an address takes connections. */
  readonly reached: (address: string | undefined) => boolean;
}

type Form = AirlineConfig['addressForm'];

export interface AddressFacts {
  readonly header: boolean | undefined;
  readonly path: boolean | undefined;
}

/** Whether the message arrived where messages are understood. */
function arrived({ exchange, answer }: Asked<unknown>): boolean {
  return answer !== undefined || isBookingCode(codeOf(exchange));
}

const read = ({ airline, watched, tokens }: Bench, changes: Partial<AirlineConfig>): Promise<Asked<unknown>> =>
  ask(watched, () => airlineWith(airline, changes, watched, tokens).read(NO_BOOKING));

/** What was found out of an address, and the settings under which the airline answers, where they are not the set ones. */
interface Found<F> {
  readonly verdict: Verdict;
  readonly facts: F;
  readonly works?: Partial<AirlineConfig>;
}

/**
 * Tries the other form too. @param asked the reading in the set form
 */
export async function tryForms(bench: Bench, asked: Asked<unknown>): Promise<Found<AddressFacts>> {
  const set = bench.airline.addressForm;
  const other: Form = set === 'header' ? 'path' : 'header';
  const mine = arrived(asked);
  const theOther = await read(bench, { addressForm: other });
  // One form finds nothing, the other fails on credentials: the other is right.
  const lost = trouble(asked, { setting: '', method: 'POST' })?.finding === 'wrong_path';
  const theirs = arrived(theOther) || (lost && [401, 403].includes(statusOf(theOther.exchange)));
  const facts = set === 'header' ? { header: mine, path: theirs } : { header: theirs, path: mine };
  const where = bare(bench.airline.baseUrl);
  if (mine)
    return {
      verdict: good(
        `${where} takes messages named by ${FORMS[set]}${theirs ? `, and by ${FORMS[other]} as well` : ''}`,
      ),
      facts,
    };
  if (theirs) {
    return {
      verdict: toMend(
        'address_form_needed',
        `${where} takes messages named by ${FORMS[other]} only.`,
        `Set FARECLERK_ADDRESS_FORM=${other}.`,
      ),
      facts,
      works: { addressForm: other },
    };
  }
  return { ...(await elsewhere(bench, asked)), facts };
}

const FORMS: Readonly<Record<Form, string>> = { header: 'the local-name header', path: 'the end of the path' };

/** A base that is not the right one: is the right one beside it? */
async function elsewhere(bench: Bench, asked: Asked<unknown>): Promise<Omit<Found<never>, 'facts'>> {
  const verdict =
    trouble(asked, { setting: 'FARECLERK_BASE_URL', method: 'POST' }) ??
    warning(
      'refused',
      `${bare(bench.airline.baseUrl)} answered the reading of a booking that does not exist with ${said(asked.exchange)}.`,
      'It may be right; send the report to support if readings fail.',
    );
  if (verdict.finding !== 'wrong_path') return { verdict };
  for (const baseUrl of candidates(bench.airline.baseUrl)) {
    if (!arrived(await read(bench, { baseUrl }))) continue;
    const mend = `Set FARECLERK_BASE_URL to ${baseUrl}: it answers there.`;
    return { verdict: { ...verdict, mend }, works: { baseUrl } };
  }
  return { verdict };
}

function candidates(baseUrl: string): readonly string[] {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  const stem = path.replace(/\/OTA_\w+$/, '').replace(/\/v2015b(?:\/OTA)?$/i, '');
  const paths = [
    path.replace(/\/OTA_\w+$/, ''),
    `${stem}/v2015b/OTA`,
    `${stem}/v2015b`,
    stem,
    '/v2015b/OTA',
    '/v2015b',
  ];
  return [...new Set(paths)].filter((one) => one !== path).map((one) => url.origin + one);
}

export interface SeatMapFacts {
  readonly address: string;
  readonly derived: boolean;
  readonly status?: number;
  readonly code?: string;
}

/** The seat map's own address, asked about a booking that does not exist. */
export async function trySeatMap(bench: Bench): Promise<Found<SeatMapFacts>> {
  const { airline } = bench;
  const derived = airline.seatMapUrl === undefined;
  const address = bare(seatMapAddress(airline.baseUrl, airline.seatMapUrl));
  if (airline.seatMapUrl !== undefined && !bench.reached(airline.seatMapUrl)) {
    return { verdict: skipped('Its host cannot be reached.'), facts: { address, derived } };
  }
  const asked = await askSeats(bench, {});
  const [status, code] = [statusOf(asked.exchange), codeOf(asked.exchange)];
  const facts = { address, derived, ...(status > 0 && { status }), ...(code !== undefined && { code }) };
  const how = derived ? 'derived from FARECLERK_BASE_URL' : 'FARECLERK_SEAT_MAP_URL';
  if (arrived(asked)) return { verdict: good(`${address} (${how}) answers`), facts };
  const found = await seatMapElsewhere(bench);
  if (found !== undefined) {
    const verdict = toMend(
      'wrong_path',
      `Nothing takes seat map requests at ${address} (${how}).`,
      `Set FARECLERK_SEAT_MAP_URL to ${found}: it answers there.`,
    );
    return { verdict, facts, works: { seatMapUrl: found } };
  }
  const lost = trouble(asked, { setting: 'FARECLERK_SEAT_MAP_URL', method: 'POST' });
  if (lost?.finding === 'wrong_path') {
    return {
      verdict: toMend(
        'wrong_path',
        `Nothing takes seat map requests at ${address} (${how}).`,
        'Ask the airline for the whole address of OTA_AirSeatMapRQ and set FARECLERK_SEAT_MAP_URL.',
      ),
      facts,
    };
  }
  return { verdict: lost ?? good(`${address} (${how}) answers: ${said(asked.exchange)}`), facts };
}

/** A request that is complete, of a booking that does not exist. */
function askSeats({ airline, watched, tokens, now }: Bench, changes: Partial<AirlineConfig>): Promise<Asked<unknown>> {
  const name = { prefix: [], given: ['Test'], middle: [], surname: 'Traveller', suffix: [], title: [] };
  const nobody = { emails: [], phones: [], addresses: [], comments: [], segmentRefs: ['1'] };
  const at = new Date(now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const segment = {
    ref: '1',
    optionRef: '1',
    flightNumber: '1',
    operating: { carrier: airline.carrier ?? 'XX', number: '1' },
    marketing: { carrier: airline.carrier ?? 'XX' },
    from: 'XXA',
    to: 'XXB',
    departs: `${at}T08:00:00.000Z`,
    arrives: `${at}T09:00:00.000Z`,
    statusCode: '30',
  };
  return ask(watched, () =>
    airlineWith(airline, changes, watched, tokens).seatMap({
      locator: NO_BOOKING,
      requests: [{ segment, travelerRefs: ['1'] }],
      travelers: [{ ref: '1', type: 'ADT', name, ...nobody }],
    }),
  );
}

async function seatMapElsewhere(bench: Bench): Promise<string | undefined> {
  const { airline } = bench;
  const url = new URL(airline.baseUrl);
  const stem = url.pathname.replace(/\/+$/, '').replace(/\/v2015b(?:\/OTA)?$/i, '');
  const tried = seatMapAddress(airline.baseUrl, airline.seatMapUrl);
  const paths = [`${stem}/v2015b/OTA_AirSeatMapRQ`, `${stem}/v2015b/OTA/OTA_AirSeatMapRQ`, `${stem}/OTA_AirSeatMapRQ`];
  for (const path of new Set(paths)) {
    const seatMapUrl = url.origin + path;
    if (seatMapUrl !== tried && arrived(await askSeats(bench, { seatMapUrl }))) return seatMapUrl;
  }
  return undefined;
}
