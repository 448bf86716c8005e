/**
 * The address and form of messages, and the address of seat maps: which of them this airline answers.
 */
import type { AirlineConfig } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { seatMapAddress } from '../../ota/transport/addresses.ts';
import { good, skipped, type Verdict } from './check.ts';
import { NO_BOOKING, readNothing } from './credentials.ts';
import { finding } from './findings.ts';
import { arrived, bare, problemOf, said } from './reply-problem.ts';
import type { Asked, Changes, Visit } from './visit.ts';

type Form = AirlineConfig['addressForm'];

/** Which forms the airline answers. */
export type AddressFacts = Readonly<Record<Form, boolean>>;

/** What was found out, and settings that the airline answers if they differ from those that are set. */
interface Found<F> {
  readonly verdict: Verdict;
  readonly facts: F;
  readonly works?: Changes;
}

const FORMS: Readonly<Record<Form, string>> = { header: 'the local-name header', path: 'the end of the path' };

/** @param asked the reading in the form that is set */
export async function tryForms(visit: Visit, asked: Asked): Promise<Found<AddressFacts>> {
  const { addressForm: set, baseUrl } = visit.airline;
  const other: Form = set === 'header' ? 'path' : 'header';
  const problem = problemOf(asked, 'FARECLERK_BASE_URL');
  const theOther = await readNothing(visit, { addressForm: other });
  const mine = arrived(asked);
  // One form finds nothing, the other fails on credentials: the other is right.
  const theirs = arrived(theOther) || (problem.finding === 'wrong_path' && [401, 403].includes(theOther.status));
  const facts = { header: mine, path: mine, [other]: theirs };
  const where = bare(baseUrl);
  if (mine) {
    const also = theirs ? `, and by ${FORMS[other]} as well` : '';
    return { verdict: good(`${where} takes messages named by ${FORMS[set]}${also}`), facts };
  }
  if (theirs) {
    const verdict = finding('address_form_needed', { where, form: FORMS[other], value: other });
    return { verdict, facts, works: { addressForm: other } };
  }
  if (problem.finding === 'refused' || problem.finding === 'credentials_refused')
    return { verdict: finding('refused.reading', { where, said: said(asked) }), facts };
  if (problem.finding !== 'wrong_path') return { verdict: problem, facts };
  const found = await firstAnswering(baseCandidates(baseUrl), (url) => readNothing(visit, { baseUrl: url }));
  if (found === undefined) return { verdict: problem, facts };
  const mend = `Set FARECLERK_BASE_URL to ${found}: it answers there.`;
  return { verdict: { ...problem, mend }, facts, works: { baseUrl: found } };
}

async function firstAnswering(
  urls: readonly string[],
  ask: (url: string) => Promise<Asked>,
): Promise<string | undefined> {
  for (const url of urls) if (arrived(await ask(url))) return url;
  return undefined;
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');
const at = (url: string, paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].map((path) => new URL(url).origin + path);

function baseCandidates(baseUrl: string): readonly string[] {
  const path = pathOf(baseUrl);
  const folder = path.replace(/\/OTA_\w+$/, '');
  const stem = folder.replace(/\/v2015b(?:\/OTA)?$/i, '');
  const paths = [folder, `${stem}/v2015b/OTA`, `${stem}/v2015b`, stem, '/v2015b/OTA', '/v2015b'];
  return at(
    baseUrl,
    paths.filter((one) => one !== path),
  );
}

function seatMapCandidates(baseUrl: string, tried: string): readonly string[] {
  const stem = pathOf(baseUrl).replace(/\/v2015b(?:\/OTA)?$/i, '');
  const paths = ['/v2015b/OTA_AirSeatMapRQ', '/v2015b/OTA/OTA_AirSeatMapRQ', '/OTA_AirSeatMapRQ'];
  return at(
    baseUrl,
    paths.map((path) => stem + path),
  ).filter((url) => url !== tried);
}

export interface SeatMapFacts {
  readonly address: string;
  readonly derived: boolean;
  readonly status?: number;
  readonly code?: string;
}

/** Asks the seat map's own address about a booking that does not exist. */
export async function trySeatMap(visit: Visit): Promise<Found<SeatMapFacts>> {
  const { baseUrl, seatMapUrl } = visit.airline;
  const derived = seatMapUrl === undefined;
  const address = seatMapAddress(baseUrl, seatMapUrl);
  const [where, source] = [bare(address), derived ? 'derived from FARECLERK_BASE_URL' : 'FARECLERK_SEAT_MAP_URL'];
  if (!derived && !visit.reachable(seatMapUrl))
    return { verdict: skipped('Its host cannot be reached.'), facts: { address: where, derived } };
  const asked = await askSeats(visit);
  const facts = {
    address: where,
    derived,
    ...omitUndefined({ status: asked.status || undefined, code: asked.fault?.code }),
  };
  if (arrived(asked)) return { verdict: good(`${where} (${source}) answers`), facts };
  const candidates = seatMapCandidates(baseUrl, address);
  const found = await firstAnswering(candidates, (url) => askSeats(visit, { seatMapUrl: url }));
  if (found !== undefined)
    return { verdict: finding('wrong_path.seats_near', { where, source, found }), facts, works: { seatMapUrl: found } };
  const problem = problemOf(asked, 'FARECLERK_SEAT_MAP_URL');
  if (problem.finding === 'wrong_path') return { verdict: finding('wrong_path.seats', { where, source }), facts };
  const answers = problem.finding === 'refused' || problem.finding === 'credentials_refused';
  return { verdict: answers ? good(`${where} (${source}) answers: ${said(asked)}`) : problem, facts };
}

/** A complete request for a booking that does not exist. */
function askSeats(visit: Visit, changes: Changes = {}): Promise<Asked> {
  const { carrier = 'XX' } = visit.airline;
  const name = { prefix: [], given: ['Test'], middle: [], surname: 'Traveller', suffix: [], title: [] };
  const day = new Date(visit.wishes.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const segment = {
    ...{ ref: '1', optionRef: '1', flightNumber: '1', statusCode: '30', from: 'XXA', to: 'XXB' },
    ...{ operating: { carrier, number: '1' }, marketing: { carrier } },
    ...{ departs: `${day}T08:00:00.000Z`, arrives: `${day}T09:00:00.000Z` },
  };
  const nobody = { emails: [], phones: [], addresses: [], comments: [], segmentRefs: ['1'] };
  const question = {
    locator: NO_BOOKING,
    requests: [{ segment, travelerRefs: ['1'] }],
    travelers: [{ ref: '1', type: 'ADT', name, ...nobody }],
  };
  return visit.ask((airline) => airline.seatMap(question), changes);
}
