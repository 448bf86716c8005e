/** Finds which message address, message form and seat map address this airline answers. */
import type { AirlineConfig } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { seatMapAddress } from '../../ota/transport/addresses.ts';
import { good, skipped } from './check.ts';
import { NO_BOOKING, readNothing } from './credentials.ts';
import { finding } from './findings.ts';
import { arrived, bare, isAnswered, problemOf, said } from './reply-problem.ts';
import type { Asked, Changes, Visit } from './visit.ts';

type Form = AirlineConfig['addressForm'];

export type AddressFacts = Readonly<Record<Form, boolean>>;

const FORMS: Readonly<Record<Form, string>> = { header: 'the local-name header', path: 'the end of the path' };

/**
 * @param asked the reading in the form that is set
 * @returns `works`: settings that the airline answers, if they differ from those that are set
 */
export async function tryForms(visit: Visit, asked: Asked) {
  const { addressForm: set, baseUrl } = visit.airline;
  const other: Form = set === 'header' ? 'path' : 'header';
  const problem = problemOf(asked, 'FARECLERK_BASE_URL');
  const lost = problem.finding === 'wrong_path';
  const theOther = await readNothing(visit, { addressForm: other });
  // The other form is right if it fails on credentials where the set form finds nothing.
  const theirs = arrived(theOther) || (lost && [401, 403].includes(theOther.status));
  const facts: AddressFacts = { header: arrived(asked), path: arrived(asked), [other]: theirs };
  const where = bare(baseUrl);
  if (facts[set]) {
    const also = theirs ? `, and by ${FORMS[other]} as well` : '';
    return { verdict: good(`${where} takes messages named by ${FORMS[set]}${also}`), facts };
  }
  if (theirs) {
    const verdict = finding('address_form_needed', { where, form: FORMS[other], value: other });
    return { verdict, facts, works: { addressForm: other } };
  }
  if (isAnswered(problem)) return { verdict: finding('refused.reading', { where, said: said(asked) }), facts };
  const candidates = lost ? baseCandidates(baseUrl) : [];
  const found = await firstAnswering(candidates, (url) => readNothing(visit, { baseUrl: url }));
  if (found === undefined) return { verdict: problem, facts };
  return { verdict: finding('wrong_path.near', { where, said: said(asked), found }), facts, works: { baseUrl: found } };
}

async function firstAnswering(urls: readonly string[], ask: (url: string) => Promise<Asked>) {
  for (const url of new Set(urls)) if (arrived(await ask(url))) return url;
  return undefined;
}

/** The path without `/v2015b` or `/v2015b/OTA` at its end. */
const stemOf = (path: string): string => path.replace(/\/v2015b(?:\/OTA)?$/i, '');

function baseCandidates(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  const folder = path.replace(/\/OTA_\w+$/, '');
  const stem = stemOf(folder);
  const paths = [folder, `${stem}/v2015b/OTA`, `${stem}/v2015b`, stem, '/v2015b/OTA', '/v2015b'];
  return paths.filter((one) => one !== path).map((one) => origin + one);
}

function seatMapCandidates(baseUrl: string, tried: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const stem = origin + stemOf(pathname.replace(/\/+$/, ''));
  return ['/v2015b', '/v2015b/OTA', ''].map((path) => `${stem + path}/OTA_AirSeatMapRQ`).filter((url) => url !== tried);
}

/** Asks the seat map's own address about a booking that does not exist. */
export async function trySeatMap(visit: Visit) {
  const { baseUrl, seatMapUrl } = visit.airline;
  const derived = seatMapUrl === undefined;
  const address = seatMapAddress(baseUrl, seatMapUrl);
  const [where, source] = [bare(address), derived ? 'derived from FARECLERK_BASE_URL' : 'FARECLERK_SEAT_MAP_URL'];
  if (!derived && !visit.reachable(seatMapUrl))
    return { verdict: skipped('Its host cannot be reached.'), facts: { address: where, derived } };
  const asked = await askSeats(visit);
  const facts = { address: where, derived, ...omitUndefined({ status: asked.status, code: asked.fault?.code }) };
  if (arrived(asked)) return { verdict: good(`${where} (${source}) answers`), facts };
  const candidates = seatMapCandidates(baseUrl, address);
  const found = await firstAnswering(candidates, (url) => askSeats(visit, { seatMapUrl: url }));
  if (found !== undefined)
    return { verdict: finding('wrong_path.seats_near', { where, source, found }), facts, works: { seatMapUrl: found } };
  const problem = problemOf(asked, 'FARECLERK_SEAT_MAP_URL');
  if (problem.finding === 'wrong_path') return { verdict: finding('wrong_path.seats', { where, source }), facts };
  return { verdict: isAnswered(problem) ? good(`${where} (${source}) answers: ${said(asked)}`) : problem, facts };
}

/** A complete request for a booking that does not exist. */
function askSeats(visit: Visit, changes: Changes = {}): Promise<Asked> {
  const { carrier = 'XX' } = visit.airline;
  const name = { prefix: [], given: ['Test'], middle: [], surname: 'Traveller', suffix: [], title: [] };
  const day = new Date(visit.options.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const segment = {
    ...{ ref: '1', optionRef: '1', flightNumber: '1', statusCode: '30', from: 'XXA', to: 'XXB' },
    ...{ operating: { carrier, number: '1' }, marketing: { carrier } },
    ...{ departs: `${day}T08:00:00.000Z`, arrives: `${day}T09:00:00.000Z` },
  };
  const nobody = { emails: [], phones: [], addresses: [], comments: [], segmentRefs: ['1'] };
  const travelers = [{ ref: '1', type: 'ADT', name, ...nobody }];
  const requests = [{ segment, travelerRefs: ['1'] }];
  return visit.ask((airline) => airline.seatMap({ locator: NO_BOOKING, requests, travelers }), changes);
}
