/**
 * An airline that repeats what it was sent of travellers in every place of free text, and the spellings in which it does so. The replies
 * are those of an airline (wire), in both dialects.
 */
import { isRecord, type Wire } from '../../src/sandbox/wire.ts';

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** Of a date in ISO, in the spellings that airlines use. */
export const DATES: Readonly<Record<string, (date: DateWords) => string>> = {
  ISO: ({ y, m, d }) => `${y}-${m}-${d}`,
  'ISO with a time': ({ y, m, d }) => `${y}-${m}-${d}T00:00:00Z`,
  short: ({ y, d, mon }) => `${d}${mon}${y.slice(2)}`,
  'short, in small letters': ({ y, d, mon }) => `${d}${mon.toLowerCase()}${y.slice(2)}`,
  long: ({ y, d, mon }) => `${d}${mon}${y}`,
};

interface DateWords {
  readonly y: string;
  readonly m: string;
  readonly d: string;
  readonly mon: string;
}

function wordsOf(date: string): DateWords {
  const [y = '', m = '', d = ''] = date.split('-');
  return { y, m, d, mon: MONTHS[Number(m) - 1] ?? '' };
}

export const spelled = (date: string, spelling: string): string => DATES[spelling]?.(wordsOf(date)) ?? date;

/** Of the number of a document. */
export const NUMBERS = [
  (number: string) => number,
  (number: string) => number.toLowerCase(),
  (number: string) => number.replace(/(.{3})(?=.)/g, '$1 '),
  (number: string) => number.replace(/(.{2})(?=.)/g, '$1-'),
];

export interface Secret {
  readonly birth_date: string;
  readonly number: string;
  readonly expires: string;
}

/** What is searched for: every spelling of every detail, in small letters. */
export function needlesOf({ birth_date, number, expires }: Secret): readonly string[] {
  const dates = [birth_date, expires].flatMap((date) => Object.keys(DATES).map((spelling) => spelled(date, spelling)));
  return [...dates, ...NUMBERS.map((written) => written(number))].map((text) => text.toLowerCase());
}

/** The places, each as it is in some object of a reply, or can be added to one. */
export const PLACES: Readonly<Record<string, (object: Wire, also: string) => Wire | undefined>> = {
  surname: (o, s) => (typeof o.surname === 'string' ? { ...o, surname: `${o.surname} ${s}` } : undefined),
  'given name': (o, s) => addedTo(o, 'givenName', ...s.split(' ')),
  title: (o, s) => (Array.isArray(o.givenName) ? { ...o, nameTitle: [`Ms ${s}`] } : undefined),
  'penalty text': (o, s) => {
    if ('locale' in o && 'value' in o) return { ...o, value: `${o.value} (${s})` };
    // An airline that states no penalty in figures.
    return Array.isArray(o.fareReference) && o.ruleInfo === undefined ? { ...o, ruleInfo: ruleInWords(s) } : undefined;
  },
  'fare rule': (o, s) =>
    extended(o, { fareRule: { code: 'R1', name: `Conditions ${s}`, value: `Refund: SAR 0.00\n${s}` } }),
  'fare name': (o, s) => (typeof o.priceGroup === 'string' ? { ...o, priceGroup: `${o.priceGroup} ${s}` } : undefined),
  'tax name': (o, s) => (typeof o.taxName === 'string' ? { ...o, taxName: `${o.taxName} ${s}` } : undefined),
  baggage: (o, s) => addedTo(o, 'fareBaggageAllowance', s),
  remark: (o, s) =>
    Array.isArray(o.airTraveler)
      ? {
          ...o,
          specialReqDetails: [...listOf(o.specialReqDetails), { specialRemarks: { specialRemark: [{ text: s }] } }],
        }
      : undefined,
  'special service': (o, s) => {
    if (typeof o.ssrcode === 'string') return { ...o, text: `${o.text ?? ''} ${s}` };
    if (!Array.isArray(o.airTraveler)) return undefined;
    const specialServiceRequests = [{ ssrcode: 'OTHS', text: `AS SENT ${s}` }];
    return { ...o, specialReqDetails: [...listOf(o.specialReqDetails), { specialServiceRequests }] };
  },
  EMD: (o, s) =>
    isRecord(o.travelerInfo) && 'airItinerary' in o
      ? { ...o, emdinfo: [{ ticketDocumentNbr: '0991234567890', emdType: `A ${s}`, description: `BAG ${s}` }] }
      : undefined,
  'e-mail': (o, s) => (String(o.value).includes('@') ? { ...o, value: `${o.value} ${s}` } : undefined),
  telephone: (o, s) => ('phoneNumber' in o ? { ...o, phoneNumber: `${o.phoneNumber} ${s}` } : undefined),
  "operation's name": (o, s) =>
    extended(o, {
      operations: ['2', '3', '5', '7', '10', '20', '30', '40'].map((modificationType) => ({
        modificationType,
        name: `CHANGE ${s}`,
      })),
    }),
};

const ruleInWords = (also: string): Wire => {
  const rules = [{ description: [{ value: `As sold ${also}`, locale: 'en' }] }];
  return {
    chargesRules: { voluntaryRefunds: { tpaextensions: { penaltyRules: [{ passengerTypeCode: 'ADT', rules }] } } },
  };
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const addedTo = (object: Wire, name: string, ...items: readonly string[]): Wire | undefined =>
  Array.isArray(object[name]) ? { ...object, [name]: [...listOf(object[name]), ...items] } : undefined;

/** A flight, with more of the airline's own fields. */
const extended = (object: Wire, more: Wire): Wire | undefined =>
  'departureDateTime' in object && 'flightNumber' in object
    ? { ...object, tpaextensions: { ...(isRecord(object.tpaextensions) && object.tpaextensions), ...more } }
    : undefined;

/** The reply of an airline that repeats the details, if it is about a reservation. `noted`: each of the places that there was. */
export function repeating(
  reply: Wire,
  secret: Secret,
  turn: number,
  { noted = new Set<string>(), places = Object.keys(PLACES) } = {},
): Wire {
  const spelling = Object.keys(DATES)[turn % Object.keys(DATES).length] ?? '';
  const also = [
    spelled(secret.birth_date, spelling),
    NUMBERS[turn % NUMBERS.length]?.(secret.number),
    spelled(secret.expires, spelling),
  ].join(' / ');
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    const walked: Wire = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item)]));
    return places.reduce((object: Wire, place) => {
      const changed = PLACES[place]?.(object, also);
      if (changed !== undefined) noted.add(place);
      return changed ?? object;
    }, walked);
  };
  return isRecord(reply.airReservation) ? { ...reply, airReservation: walk(reply.airReservation) } : reply;
}
