/**
 * Knows special services (IATA SSR codes): their codes, what people call them, and what a status of the airline means.
 * In this order: names, services found by words, statuses, the airline's answer to a request.
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

/** Words that several services share: a person who says only these is asked which service they mean. */
const WHEELCHAIR = ['wheelchair', 'assistance'];
const MEAL = ['meal'];
const VEGETARIAN = ['vegetarian', 'meal'];

/** By code: the name of the service, then other words that people use for it. */
const SERVICES: Readonly<Record<string, readonly [name: string, ...phrases: readonly string[]]>> = {
  AVIH: ['animal in the hold', 'dog in the hold', 'pet in the hold'],
  AVML: ['Asian vegetarian meal', 'indian vegetarian', 'hindu vegetarian', ...VEGETARIAN],
  BBML: ['baby meal', 'baby food', ...MEAL],
  BIKE: ['bicycle', 'bike'],
  BLML: ['bland meal', ...MEAL],
  BLND: ['blind passenger', 'blind', 'visually impaired', 'cannot see', 'assistance'],
  BSCT: ['bassinet', 'baby cot', 'crib'],
  CBBG: ['cabin baggage on a seat of its own'],
  CHML: ['child meal', 'kids meal', 'children meal', ...MEAL],
  DBML: ['diabetic meal', 'diabetic', ...MEAL],
  DEAF: ['deaf passenger', 'deaf', 'hard of hearing', 'hearing impaired', 'cannot hear', 'assistance'],
  DPNA: ['passenger with a developmental disability who needs assistance', 'developmental disability', 'assistance'],
  EXST: ['extra seat', 'second seat'],
  FPML: ['fruit platter', 'fruit meal', ...MEAL],
  GFML: ['gluten-free meal', 'gluten free', 'no gluten', 'without gluten', 'coeliac', 'celiac', ...MEAL],
  HNML: ['Hindu meal', 'hindu', ...MEAL],
  KSML: ['kosher meal', 'kosher', ...MEAL],
  LCML: ['low-calorie meal', 'low calorie', ...MEAL],
  LFML: ['low-fat meal', 'low fat', ...MEAL],
  LSML: ['low-salt meal', 'low salt', 'no salt', 'without salt', ...MEAL],
  MAAS: ['meet and assist', 'assistance'],
  MOML: ['Muslim meal', 'muslim', 'halal', ...MEAL],
  NLML: ['lactose-free meal', 'low lactose', 'no lactose', 'without lactose', 'lactose free', ...MEAL],
  PDBG: ['prepaid baggage'],
  PETC: ['pet in the cabin', 'dog in the cabin', 'cat in the cabin', 'pet'],
  RVML: ['raw vegetarian meal', 'raw vegetarian', ...VEGETARIAN],
  SFML: ['seafood meal', 'seafood', ...MEAL],
  SPEQ: ['sports equipment', 'skis', 'surfboard', 'golf bag'],
  SPML: ['special meal', ...MEAL],
  SVAN: ['service animal', 'guide dog', 'service dog', 'assistance dog'],
  UMNR: ['unaccompanied minor', 'unaccompanied child', 'child alone', 'travels alone', 'travelling alone'],
  VGML: ['vegetarian meal', 'vegan', ...VEGETARIAN],
  VJML: ['Jain vegetarian meal', 'jain', ...VEGETARIAN],
  VLML: ['vegetarian meal with milk and eggs', 'lacto ovo vegetarian', 'vegetarian milk eggs', ...VEGETARIAN],
  VOML: ['Oriental vegetarian meal', 'chinese vegetarian', ...VEGETARIAN],
  WCBD: ['own wheelchair with a dry battery', 'wheelchair dry battery', 'electric wheelchair'],
  WCBW: ['own wheelchair with a wet battery', 'wheelchair wet battery', 'electric wheelchair'],
  WCHC: ['wheelchair to the seat', 'wheelchair cabin', 'cannot walk', 'immobile', ...WHEELCHAIR],
  WCHR: ['wheelchair to the ramp', 'wheelchair gate', 'wheelchair distance', 'wheelchair platform', ...WHEELCHAIR],
  WCHS: ['wheelchair to the steps', 'wheelchair stairs', 'cannot climb', 'wheelchair door', ...WHEELCHAIR],
  WCLB: ['own wheelchair with a lithium battery', 'wheelchair lithium battery', 'electric wheelchair'],
  WCMP: ['own wheelchair, pushed by hand', 'manual wheelchair', 'folding wheelchair', 'own wheelchair'],
  XBAG: ['extra baggage', 'extra bag', 'extra luggage', 'excess baggage'],
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

const EXPECTED_WORDS = 'expected a code such as WCHR or VGML, or plain words such as “wheelchair to the ramp”';

/** Codes that are no service to request here, and where such a wish belongs. */
const ELSEWHERE: readonly (readonly [codes: RegExp, problem: string])[] = [
  [
    /^(?:FOID|DOC[A-Z]|PSPT|CTC[A-Z]|FQT[A-Z])$/,
    'documents, contact details and cards are no special service: they go into the fields of the passenger',
  ],
  [/^(?:INFT|CHLD)$/, 'infants and children are passengers of their own type, not a service'],
  [/^(?:RQST|NSS[A-Z]|SEAT)$/, 'a seat is chosen with assign_seats once the booking is paid'],
];

const FILLER_WORDS: ReadonlySet<string> = new Set(
  'a an the to of on in at for and with who i he she they please'.split(' '),
);

/** Words that reverse a wish, unless they belong to the service: `no gluten`. */
const NEGATING: ReadonlySet<string> = new Set('no not without never cancel remove dont isnt cannot cant'.split(' '));

/** The codes of all services that can be asked for. */
export const SERVICE_CODES: readonly string[] = Object.keys(SERVICES);

/** Name of a special service; undefined for an unlisted code. */
export function serviceName(code: string | undefined): string | undefined {
  return own(SERVICES, code)?.[0] ?? own(OTHER_LINES, code);
}

/** `WCHC wheelchair to the seat`. */
export function serviceTitle(code: string): string {
  return joined([cleanCode(code, 12), serviceName(code)], ' ');
}

export function isIdentifyingService(code: string | undefined): boolean {
  return IDENTIFYING.has(code?.trim().toUpperCase());
}

/** The service that a person's words mean, or why none is requested, in words for an error. */
export type FoundService = { readonly code: string } | { readonly problem: string };

/** Finds a service by its code, or by words: `wheelchair to the seat`. If several fit, names them and chooses none. */
export function findService(text: string): FoundService {
  const code = text.trim().toUpperCase();
  const elsewhere = ELSEWHERE.find(([codes]) => codes.test(code));
  if (elsewhere !== undefined) return { problem: elsewhere[1] };
  const codes = own(SERVICES, code) === undefined ? servicesByWords(text) : [code];
  const [only, ...others] = codes;
  if (only === undefined) return { problem: `no service without a price is known by this: ${EXPECTED_WORDS}` };
  if (others.length > 0) {
    const titles = codes.slice(0, MOST_SHOWN).map(serviceTitle).join(', ');
    const more = codes.length > MOST_SHOWN ? ` and ${codes.length - MOST_SHOWN} more` : '';
    return { problem: `this may be ${titles}${more}: ask the person which, and give its code, one service at a time` };
  }
  if (SOLD.has(only)) {
    return {
      problem: `${serviceTitle(only)} is something that airlines sell, and this request names no price, so the person must buy it from the airline`,
    };
  }
  return { code: only };
}

function wordsIn(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .replace(/['\u2019]/g, '')
    .replace(/\bcant\b/g, 'cannot');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !FILLER_WORDS.has(word));
}

/**
 * The codes of the services of which the text has every word of a phrase.
 *
 * Leaves out a service if another one matches the same words and more: `halal meal` matches each meal by the word `meal`,
 * and MOML by both words, so that MOML alone remains. Empty if a word reverses the wish: `no wheelchair` finds nothing, but
 * `no gluten` finds GFML, whose phrase has the `no`.
 */
function servicesByWords(text: string): readonly string[] {
  const textWords = new Set(wordsIn(text));
  const matches = Object.entries(SERVICES).flatMap(([code, phrases]) => {
    const matching = phrases.map(wordsIn).filter((words) => words.every((word) => textWords.has(word)));
    return matching.length === 0 ? [] : [{ code, words: new Set(matching.flat()) }];
  });
  const best = matches.filter(
    ({ words }) => !matches.some((other) => other.words.size > words.size && words.isSubsetOf(other.words)),
  );
  const isReversed = [...textWords].some((word) => NEGATING.has(word) && !best.some(({ words }) => words.has(word)));
  return isReversed ? [] : best.map(({ code }) => code);
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
