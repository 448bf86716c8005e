/**
 * Knows special services (IATA SSR codes): their codes and names, and what a status of the airline means.
 * In this order: names, what is no service to request, statuses, the airline's answer to a request.
 */

import { cleanCode } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';
import { joined } from '../../core/words.ts';
import type { Booking } from './booking.ts';
import { segmentStatusWord } from './status-codes.ts';

/** A service to request from the airline, one for each segment. */
export interface ServiceWish {
  readonly code: string;
  readonly text?: string | undefined;
}

/** By code. */
const SERVICES: Readonly<Record<string, string>> = {
  AVIH: 'animal in the hold',
  AVML: 'Asian vegetarian meal',
  BBML: 'baby meal',
  BIKE: 'bicycle',
  BLML: 'bland meal',
  BLND: 'blind passenger',
  BSCT: 'bassinet',
  CBBG: 'cabin baggage on a seat of its own',
  CHML: 'child meal',
  DBML: 'diabetic meal',
  DEAF: 'deaf passenger',
  DPNA: 'passenger with a developmental disability who needs assistance',
  EXST: 'extra seat',
  FPML: 'fruit platter',
  GFML: 'gluten-free meal',
  HNML: 'Hindu meal',
  KSML: 'kosher meal',
  LCML: 'low-calorie meal',
  LFML: 'low-fat meal',
  LSML: 'low-salt meal',
  MAAS: 'meet and assist',
  MOML: 'Muslim (halal) meal',
  NLML: 'lactose-free meal',
  PDBG: 'prepaid baggage',
  PETC: 'pet in the cabin',
  RVML: 'raw vegetarian meal',
  SFML: 'seafood meal',
  SPEQ: 'sports equipment',
  SPML: 'special meal',
  SVAN: 'service animal',
  UMNR: 'unaccompanied minor',
  VGML: 'vegetarian meal',
  VJML: 'Jain vegetarian meal',
  VLML: 'vegetarian meal with milk and eggs',
  VOML: 'Oriental vegetarian meal',
  WCBD: 'own wheelchair with a dry battery',
  WCBW: 'own wheelchair with a wet battery',
  WCHC: 'wheelchair to the seat',
  WCHR: 'wheelchair to the ramp',
  WCHS: 'wheelchair to the steps',
  WCLB: 'own wheelchair with a lithium battery',
  WCMP: 'own wheelchair, pushed by hand',
  XBAG: 'extra baggage',
};

/** Service lines of a booking that no traveller asks for. */
const OTHER_LINES: Readonly<Record<string, string>> = {
  DOCS: 'travel document',
  FOID: 'form of identification',
  INFT: 'infant',
};

/** Services whose text has documents or contact details. */
const IDENTIFYING: ReadonlySet<string | undefined> = new Set('FOID DOCS DOCO DOCA PSPT CTCE CTCM CTCR'.split(' '));

/** Services that airlines sell. The request has no price in it, so that nobody could approve one. */
const SOLD: ReadonlySet<string> = new Set('AVIH BIKE CBBG EXST PDBG PETC SPEQ XBAG'.split(' '));

/** At most so many possible services are named. */
const MOST_SHOWN = 8;

/** Codes that are no service to request here, and where such a wish belongs. */
const ELSEWHERE: readonly (readonly [codes: RegExp, problem: string])[] = [
  [
    /^(?:FOID|DOC[A-Z]|PSPT|CTC[A-Z]|FQT[A-Z])$/,
    'documents, contact details and cards are no special service: they go into the fields of the passenger',
  ],
  [/^(?:INFT|CHLD)$/, 'infants and children are passengers of their own type, not a service'],
  [/^(?:RQST|NSS[A-Z]|SEAT)$/, 'a seat is chosen with assign_seats once the booking is paid'],
];

/** The codes of all services that can be asked for. */
export const SERVICE_CODES: readonly string[] = Object.keys(SERVICES);

/** Name of a special service; undefined for an unlisted code. */
export function serviceName(code: string | undefined): string | undefined {
  return own(SERVICES, code) ?? own(OTHER_LINES, code);
}

/** `WCHC wheelchair to the seat`. */
export function serviceTitle(code: string): string {
  return joined([cleanCode(code, 12), serviceName(code)], ' ');
}

export function isIdentifyingService(code: string | undefined): boolean {
  return IDENTIFYING.has(code?.trim().toUpperCase());
}

/** Says why no service is requested by a code, in words for an error. Undefined for one that costs nothing. */
export function serviceProblem(code: string): string | undefined {
  const elsewhere = ELSEWHERE.find(([codes]) => codes.test(code));
  if (elsewhere !== undefined) return elsewhere[1];

  if (SOLD.has(code)) {
    return `${serviceTitle(code)} is something that airlines sell, and this request names no price, so the person must buy it from the airline`;
  }
  if (own(SERVICES, code) !== undefined) return undefined;

  const alike = servicesLike(code).slice(0, MOST_SHOWN).map(serviceTitle);
  const which = alike.length === 0 ? 'such as WCHR or VGML' : `such as ${alike.join(', ')}: ask the person which`;
  return `expected the code of one service that costs nothing, ${which}`;
}

/** The codes of the services that have a word of a text in their names, those with most of its words first. */
function servicesLike(text: string): readonly string[] {
  const words = text.split(/[^A-Z]+/).filter((word) => word.length > 3);
  const wordsIn = (code: string) => words.filter((word) => serviceTitle(code).toUpperCase().includes(word)).length;

  const alike = SERVICE_CODES.filter((code) => wordsIn(code) > 0);
  return alike.toSorted((a, b) => wordsIn(b) - wordsIn(a));
}

export type ServiceStatus = 'requested' | 'confirmed' | 'refused' | 'cancelled';

/** For each meaning: letters of IATA's status list (AIRIMP), then words, then numbers of OpenTravel's. */
const STATUS_CODES: Readonly<Record<ServiceStatus, string>> = {
  confirmed: 'HK KK KL CONFIRMED 30',
  requested: 'HN NN PN REQUESTED',
  refused: 'UN UC NO REJECTED REFUSED',
  cancelled: 'HX XX CANCELLED 16 31',
};
const STATUSES = Object.keys(STATUS_CODES) as ServiceStatus[];

/** The status that a code means; undefined for an unknown code, and without a code. */
export function serviceStatus(code: string | undefined): ServiceStatus | undefined {
  const word = code?.trim().toUpperCase() ?? '';
  return STATUSES.find((status) => STATUS_CODES[status].split(' ').includes(word));
}

/** `requested`, `refused (UN)`; an unknown word as the airline sent it. Empty where it sent none. */
export function serviceStatusWord(code: string | undefined): string {
  if (code === undefined || code === '') return '';
  const status = serviceStatus(code);
  if (status === 'refused') return `refused (${cleanCode(code, 12)})`;
  return status ?? (/^\d+$/.test(code) ? segmentStatusWord(code) : cleanCode(code, 12));
}

/** The airline's answers to a request. The worst comes first, because a person must hear it first. */
const ANSWERS = {
  none: 'the airline does not show it',
  refused: 'refused by the airline',
  cancelled: 'cancelled',
  unknown: 'the airline shows a status that is not known',
  requested: 'requested; the airline has not confirmed it yet',
  confirmed: 'confirmed by the airline',
} as const;

export type ServiceAnswer = keyof typeof ANSWERS;

const WORST_FIRST = Object.keys(ANSWERS) as ServiceAnswer[];

/** Whether the airline has the request: another one would add a second service. */
export const hasRequest = (answer: ServiceAnswer): boolean => answer === 'requested' || answer === 'confirmed';

export function serviceAnswerText(answer: ServiceAnswer): string {
  return ANSWERS[answer];
}

/** A service of one passenger on these segments. */
export interface RequestedService {
  readonly code: string;
  readonly travelerRef: string;
  readonly segmentRefs: readonly string[];
}

/** The airline's answer to a requested service: that of the worst segment, each of which counts by its best line. */
export function answerToService(booking: Booking, { code, travelerRef, segmentRefs }: RequestedService): ServiceAnswer {
  const lines = booking.services.filter(
    (line) => line.code?.toUpperCase() === code && line.travelerRefs.includes(travelerRef),
  );

  const answers = segmentRefs.map((ref) => {
    const onSegment = lines.filter((line) => line.segmentRefs.length === 0 || line.segmentRefs.includes(ref));
    const shown = onSegment.map(({ status }): ServiceAnswer => serviceStatus(status) ?? 'unknown');
    return WORST_FIRST.findLast((answer) => shown.includes(answer)) ?? 'none';
  });
  return WORST_FIRST.find((answer) => answers.includes(answer)) ?? 'none';
}
