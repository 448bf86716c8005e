/**
 * Differences that only look like some: what honest airlines do to the same booking. Each quirk rewrites the reply that holds
 * and the readings after it.
 */
import { inEvery } from '../../support/sandbox/forms.ts';
import type { Json } from './trips.ts';

/** @param isReading else it is the reply that holds */
export type Quirk = (reply: Json, isReading: boolean) => Json;

/** Rewrites every object that has such a field. */
export const where =
  (field: string, rewrite: (object: Json) => Json): Quirk =>
  (reply) =>
    inEvery((object: Json) => (field in object ? rewrite(object) : object))(reply);

export const inNames = (rewrite: (name: Json, person: Json) => Json): Quirk =>
  where('personName', (person) => ({ ...person, personName: rewrite(person.personName, person) }));

export const inSegments = (rewrite: (segment: Json) => Json): Quirk => where('departureDateTime', rewrite);

export const inPassengers = (rewrite: (person: Json) => Json): Quirk =>
  where('travelerRefNumber', (person) => ('passengerTypeCode' in person ? rewrite(person) : person));

export const capitals = (text: string) => text.toUpperCase();
const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
export const masked = (text: string) => text.slice(0, 1) + '*'.repeat(Math.max(3, text.length - 3)) + text.slice(-2);

const inUtc = (time: string): string => new Date(time).toISOString();

const isGone = ({ status }: Json) => status === '16' || status === 'XX';

/** Pointers of segments and of passengers, each in its own numbering. */
const TO_SEGMENTS = ['flightSegmentRPH', 'flightRefNumberRPHList', 'flightSegmentRefNumber', 'flightRefRPH'] as const;
const TO_PASSENGERS = ['travelerRefNumberRPHList'] as const;

/** @param flights so much is added to pointers of flights, or what becomes of each; `people`: of people */
export function renumbered(reply: Json, flights: number | Pointers, people: number | Pointers): Json {
  const segment = pointers(flights);
  const passenger = pointers(people);
  const each = (value: Json, to: (ref: Json) => Json): Json => (Array.isArray(value) ? value.map(to) : to(value));
  return inEvery((object: Json) => {
    const fresh = { ...object };
    for (const field of TO_SEGMENTS) if (field in fresh) fresh[field] = each(fresh[field], segment);
    for (const field of TO_PASSENGERS) if (field in fresh) fresh[field] = each(fresh[field], passenger);
    if ('flightSegment' in fresh || 'departureDateTime' in fresh || 'ruleInfo' in fresh) fresh.rph = segment(fresh.rph);
    if (fresh.name === 'attendantRph') fresh.value = passenger(fresh.value);
    const { travelerRefNumber: refs } = fresh;
    if (Array.isArray(refs))
      fresh.travelerRefNumber = refs.map((ref: Json) =>
        typeof ref === 'string' ? passenger(ref) : { ...ref, rph: passenger(ref.rph) },
      );
    else if (refs?.rph !== undefined) fresh.travelerRefNumber = { ...refs, rph: passenger(refs.rph) };
    return Object.fromEntries(Object.entries(fresh).filter(([, value]) => value !== undefined));
  })(reply);
}

/** A pointer anew. */
type Pointers = (ref: string) => string;

function pointers(to: number | Pointers): (ref: Json) => Json {
  const anew = typeof to === 'number' ? (ref: string) => String(Number(ref) + to) : to;
  return (ref) => (typeof ref === 'string' ? anew(ref) : ref);
}

/** Lists that an airline may write in any order. */
const UNORDERED = [
  'airTraveler',
  'originDestinationOption',
  'ptcfareBreakdown',
  'fareInfo',
  'ticketing',
  'bookingReferenceID',
  'penaltyRules',
] as const;

function reversed(reply: Json): Json {
  return inEvery((object: Json) => {
    const lists = UNORDERED.flatMap((field) =>
      Array.isArray(object[field]) ? [[field, object[field].toReversed()]] : [],
    );
    return { ...object, ...Object.fromEntries(lists) };
  })(reply);
}

/** The first flight as two with a stop: the same number, one after the other. */
function withStop(reply: Json): Json {
  let first: string | undefined;
  const NEW = '77';
  const split = inEvery((object: Json) => {
    if (!Array.isArray(object.flightSegment) || (first !== undefined && first !== object.flightSegment[0].rph))
      return object;
    const [segment, ...rest] = object.flightSegment;
    first = segment.rph;
    const [departs, arrives] = [Date.parse(segment.departureDateTime), Date.parse(segment.arrivalDateTime)];
    const zone = segment.departureDateTime.slice(-6);
    const at = (share: number) => {
      const local = new Date(departs + (arrives - departs) * share + offsetMs(zone)).toISOString().slice(0, -1);
      return local + zone;
    };
    const before = { ...segment, arrivalAirport: { locationCode: 'ZZS' }, arrivalDateTime: at(0.4) };
    const after = { ...segment, rph: NEW, departureAirport: { locationCode: 'ZZS' }, departureDateTime: at(0.6) };
    return { ...object, flightSegment: [before, after, ...rest] };
  })(reply) as Json;
  return inEvery((object: Json) => {
    const fresh = { ...object };
    for (const field of TO_SEGMENTS) {
      const refs = fresh[field];
      if (Array.isArray(refs) && refs.includes(first)) fresh[field] = [...refs, NEW];
    }
    return fresh;
  })(split);
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

/** Text as numbers and numbers as text. */
const amountsAsText = where('currencyCode', (object) =>
  typeof object.amount === 'number' ? { ...object, amount: object.amount.toFixed(2) } : object,
);

const renamedOrder = where('priced', (offer) => {
  const [order] = offer.priced;
  if (order === undefined) return offer;
  const extensions = order.tpaExtensions ?? order.tpaextensions;
  const free = { ...extensions.orderInfo, action: 'CHANGE_NAME', totalAmount: '0.00' };
  return { ...offer, priced: [...offer.priced, { ...order, id: '900999', tpaExtensions: { orderInfo: free } }] };
});

/** Letters of a country, as passports have them. */
const COUNTRIES: Readonly<Record<string, string>> = { SA: 'SAU', NO: 'NOR', DE: 'DEU' };

export const QUIRKS = {
  'names in capitals': inNames((name) => ({
    ...name,
    givenName: name.givenName.map(capitals),
    surname: capitals(name.surname),
  })),
  'names without accents, hyphens and apostrophes': inNames((name) => {
    const bare = (text: string) => withoutAccents(text).replace(/[-']/g, '');
    return { ...name, givenName: name.givenName.map(bare), surname: bare(name.surname) };
  }),
  'a title glued to the given name': inNames((name, { gender }) => ({
    ...name,
    givenName: [`${name.givenName.join('')}${gender === 'Male' ? 'MR' : 'MRS'}`],
  })),
  'a title behind the given name': inNames((name) => ({ ...name, givenName: [`${name.givenName.join(' ')} MRS`] })),
  'a middle name merged': inNames(({ middleName = [], ...name }) => ({
    ...name,
    givenName: [[...name.givenName, ...middleName].join(' ')],
  })),
  'a middle name of its own': inNames((name) => {
    const [first, ...rest] = name.givenName.flatMap((part: string) => part.split(' '));
    return rest.length === 0 ? name : { ...name, givenName: [first], middleName: rest };
  }),
  'names masked': inNames((name) => ({
    ...name,
    givenName: name.givenName.map(masked),
    surname: masked(name.surname),
  })),
  'no names': where('personName', ({ personName: _, ...person }) => person),
  'documents masked': where('docID', (document) => ({ ...document, docID: masked(document.docID) })),
  'no documents': where('document', ({ document: _, ...person }) => person),
  'no birth dates': where('birthDate', ({ birthDate: _, ...document }) => document),
  'no nationality': where('docHolderNationality', ({ docHolderNationality: _, ...document }) => document),
  'countries in three letters': where('docHolderNationality', (document) => ({
    ...document,
    docHolderNationality: COUNTRIES[document.docHolderNationality] ?? document.docHolderNationality,
  })),
  'no expiry': where('expireDate', ({ expireDate: _, ...document }) => document),
  'dates with a time': where('birthDate', (document) => ({ ...document, birthDate: `${document.birthDate}T00:00:00` })),
  'documents in two items': where('document', (person) => {
    const [paper, ...more] = person.document;
    if (paper === undefined || more.length > 0) return person;
    const { birthDate, expireDate, ...rest } = paper;
    const dates = { ...(birthDate && { birthDate }), ...(expireDate && { expireDate }) };
    return { ...person, document: [rest, dates] };
  }),
  'document numbers with blanks, in small letters': where('docID', (document) => ({
    ...document,
    docID: document.docID.toLowerCase().replace(/(.{3})/, '$1 '),
  })),
  'e-mail in capitals': where('email', (person) => ({
    ...person,
    email: Array.isArray(person.email)
      ? person.email.map((one: Json) => ({ ...one, value: capitals(one.value) }))
      : person.email,
  })),
  'e-mail masked': where('email', (person) => ({
    ...person,
    email: Array.isArray(person.email)
      ? person.email.map((one: Json) => ({ ...one, value: one.value.replace(/^(.).*@/, '$1***@') }))
      : person.email,
  })),
  'no e-mail': where('email', ({ email: _, ...person }) => person),
  'telephone with a plus and zeros': where('phoneNumber', (phone) => ({
    ...phone,
    countryAccessCode: `+${phone.countryAccessCode}`,
    phoneNumber: `0${phone.phoneNumber}`,
  })),
  'telephone in one field': where('phoneNumber', ({ countryAccessCode = '', phoneNumber }) => ({
    phoneNumber: `00${countryAccessCode}${phoneNumber}`,
  })),
  'telephone masked': where('phoneNumber', (phone) => ({
    ...phone,
    phoneNumber: '*'.repeat(phone.phoneNumber.length - 3) + phone.phoneNumber.slice(-3),
  })),
  'no telephone': where('telephone', ({ telephone: _, ...person }) => person),
  'no contact': where('airTraveler', (info) =>
    Array.isArray(info.airTraveler)
      ? { ...info, airTraveler: info.airTraveler.filter((one: Json) => one.passengerTypeCode !== 'CTC') }
      : info,
  ),
  'no gender': inPassengers(({ gender: _, ...person }) => person),
  'nobody on any flight in particular': where('flightSegmentRPHs', ({ flightSegmentRPHs: _, ...person }) => person),
  'other pointers': (reply) => renumbered(reply, 40, 60),
  'another order': reversed,
  'times in UTC': inSegments((segment) => ({
    ...segment,
    departureDateTime: inUtc(segment.departureDateTime),
    arrivalDateTime: inUtc(segment.arrivalDateTime),
  })),
  'times without seconds': inSegments((segment) => ({
    ...segment,
    departureDateTime: segment.departureDateTime.replace(/:\d\d\.\d+/, ''),
    arrivalDateTime: segment.arrivalDateTime.replace(/:\d\d\.\d+/, ''),
  })),
  'numbers without zeros': where('flightNumber', (one) => ({
    ...one,
    flightNumber: one.flightNumber.replace(/^0+/, ''),
  })),
  'numbers with zeros': where('flightNumber', (one) => ({ ...one, flightNumber: one.flightNumber.padStart(5, '0') })),
  'no marketing carrier': inSegments(({ marketingAirline: _, ...segment }) => segment),
  'no operating carrier': inSegments(({ operatingAirline: _, ...segment }) => segment),
  'no class': inSegments(({ resBookDesigCode: _, ...segment }) => segment),
  'no fare in segments': inSegments(({ fareBasisCode: _, ...segment }) => segment),
  'no status': inSegments(({ status: _, ...segment }) => segment),
  'confirmed in letters': inSegments((segment) => (isGone(segment) ? segment : { ...segment, status: 'HK' })),
  'needed, then confirmed': (reply, isReading) =>
    inSegments((segment) => (isGone(segment) ? segment : { ...segment, status: isReading ? 'HK' : 'NN' }))(
      reply,
      isReading,
    ),
  'a flight with a stop held as two': withStop,
  'amounts as text': amountsAsText,
  'an order of a corrected name': renamedOrder,
  'no orders': where('offer', ({ offer: _, ...reservation }) => reservation),
  'no limits': where('ticketTimeLimit', ({ ticketTimeLimit: _, ...row }) => row),
  'no price rows': where('ptcfareBreakdowns', ({ ptcfareBreakdowns: _, ...prices }) => prices),
  'no tax lines': where('taxes', (fare) =>
    Array.isArray(fare.taxes?.tax) && fare.taxes.amount !== undefined
      ? { ...fare, taxes: { amount: fare.taxes.amount } }
      : fare,
  ),
  'no rules': where('chargesRules', ({ chargesRules: _, ...rules }) => rules),
  'unknown fields': (reply) =>
    inEvery((object) => ({ ...object, vendorExtra: { note: 'not in the interface' } }))(reply),
} as const satisfies Readonly<Record<string, Quirk>>;

export type QuirkName = keyof typeof QUIRKS;
