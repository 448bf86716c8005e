/** Trips around replies that are published, of which each stands alone: the search before it and the reading after it have its values. */

import { golden } from '../../ota/messages/golden.ts';
import { inEvery } from '../../support/sandbox/forms.ts';
import type { Dialect } from './desk.ts';
import type { Json, Trip } from './trips.ts';

const CONTACT = {
  given_name: 'Ada',
  surname: 'Berg',
  email: 'ada@example.test',
  phone: { country_code: '47', number: '55500111' },
};
const TYPES = { ADT: 'adults', CHD: 'children', INF: 'infants' } as const;
const DOCUMENTS: Readonly<Record<string, string>> = { '2': 'passport', '5': 'national_id' };

/** Before the published holds lapse. */
const AT = Date.parse('2031-04-01T08:00:00Z');

const segmentsIn = (itinerary: Json): readonly Json[] => itinerary.originDestinationOptions.originDestinationOption;

/** As a search has it: nothing is held yet. */
function offered(itinerary: Json): Json {
  const options = segmentsIn(itinerary).map((option: Json) => ({
    ...option,
    flightSegment: option.flightSegment.map(({ status: _, ...segment }: Json) => segment),
  }));
  return { originDestinationOptions: { originDestinationOption: options } };
}

function legsOf(itinerary: Json): readonly object[] {
  return segmentsIn(itinerary).map(({ flightSegment }) => ({
    from: flightSegment[0].departureAirport.locationCode,
    to: flightSegment.at(-1).arrivalAirport.locationCode,
    date: flightSegment[0].departureDateTime.slice(0, 10),
  }));
}

function counted(types: readonly string[]): Readonly<Record<string, number>> {
  const counts = { adults: 0, children: 0, infants: 0 };
  for (const type of types) counts[TYPES[type as keyof typeof TYPES]] += 1;
  return counts;
}

function searchReply(airItinerary: Json, airItineraryPricingInfo: Json): Json {
  const { quoteID: _, ...prices } = airItineraryPricingInfo;
  const pricedItinerary = [
    { airItinerary: offered(airItinerary), airItineraryPricingInfo: prices, notes: [], sequenceNumber: 1 },
  ];
  return { success: {}, pricedItineraries: { pricedItinerary }, timeStamp: '2031-04-01T08:00:00Z' };
}

function passengerOf(
  { personName, passengerTypeCode, gender, document: [paper = {}] = [], email, telephone }: Json,
  i: number,
) {
  const [phone] = telephone ?? [];
  return {
    ...{ type: passengerTypeCode, given_name: personName.givenName.join(' '), surname: personName.surname, gender },
    birth_date: paper.birthDate ?? '1990-02-03',
    document: {
      ...{ type: DOCUMENTS[paper.docType ?? '2'], number: paper.docID ?? `P00112${i}` },
      ...{ nationality: paper.docHolderNationality ?? 'NO', expires: paper.expireDate ?? '2035-01-31' },
    },
    ...(email?.[0] && { email: email[0].value }),
    ...(phone && { phone: { country_code: phone.countryAccessCode, number: phone.phoneNumber } }),
  };
}

function contactOf(people: readonly Json[]): object {
  const found = people.find((one) => one.passengerTypeCode === 'CTC');
  if (found === undefined) return CONTACT;
  const [phone] = found.telephone ?? [];
  return {
    ...{ given_name: found.personName.givenName[0], surname: found.personName.surname, email: found.email[0].value },
    ...(phone && { phone: { country_code: phone.countryAccessCode, number: phone.phoneNumber } }),
  };
}

function currencyIn(reply: Json): string {
  return /"currencyCode":"([A-Z]{3})"/.exec(JSON.stringify(reply))?.[1] ?? 'SAR';
}

/** Around a hold by names. */
function heldTrip(name: string, dialect: Dialect, hold: Json): Trip {
  const { airItinerary, priceInfo, travelerInfo } = hold.airReservation;
  const people: readonly Json[] = travelerInfo.airTraveler;
  const passengers = people.filter((one) => one.passengerTypeCode !== 'CTC');
  return {
    name,
    desk: { dialect, at: AT, currency: currencyIn(hold), carrier: undefined },
    search: { legs: legsOf(airItinerary), passengers: counted(passengers.map((one) => one.passengerTypeCode)) },
    hold: { contact: contactOf(people), passengers: passengers.map(passengerOf) },
    replies: { search: searchReply(airItinerary, priceInfo), hold, reading: { success: {}, ...hold } },
    others: { routes: [] },
  };
}

/** Around a hold by counts; its reading has the same, and people without names. */
function countedTrip(name: string, dialect: Dialect, hold: Json): Trip {
  const { airItinerary, airItineraryPricingInfo, ticketingInfo } =
    hold.pricedItineraries?.pricedItinerary[0] ?? hold.pricedItinerary;
  const locator = hold.bookingReferenceID?.id ?? hold.pricedItinerary.quoteID;
  const { quoteID: _, ptc_FareBreakdowns: rows, itinTotalFare, ...prices } = airItineraryPricingInfo;
  // More than nine travel together in none of our bookings.
  const count = 9;
  const priceInfo = {
    ...prices,
    itinTotalFare: [itinTotalFare].flat().map(withTaxLines),
    ...(rows && {
      ptcfareBreakdowns: {
        ptcfareBreakdown: rows.map((row: Json) => ({ ...row, passengerFare: row.passengerFare.map(withTaxLines) })),
      },
    }),
  };
  const refs = segmentsIn(airItinerary).flatMap(({ flightSegment }) => flightSegment.map(({ rph }: Json) => rph));
  const airTraveler = Array.from({ length: count }, (_, i) => ({
    ...{ passengerTypeCode: 'ADT', gender: 'Unknown', travelerRefNumber: { rph: String(i + 1) } },
    flightSegmentRPHs: { flightSegmentRPH: refs },
  }));
  const airReservation = {
    ...{ airItinerary, priceInfo, travelerInfo: { airTraveler, specialReqDetails: [] }, ticketing: [ticketingInfo] },
    bookingReferenceID: [{ companyName: { code: 'RR' }, type: '14', id: locator }],
  };
  return {
    name,
    desk: { dialect, at: AT, currency: currencyIn(hold), carrier: undefined },
    search: { legs: legsOf(airItinerary), passengers: { adults: count } },
    hold: { contact: CONTACT, passenger_counts: { adults: count }, group_name: 'Spring tour' },
    replies: { search: searchReply(airItinerary, priceInfo), hold, reading: { success: {}, airReservation } },
    others: { routes: [] },
  };
}

/** Taxes as a reading has them: booking by counts lists them bare. */
function withTaxLines(fare: Json): Json {
  return Array.isArray(fare.taxes) ? { ...fare, taxes: { tax: fare.taxes } } : fare;
}

/** The same with flights that are sold under a number of their own, which no published message names. */
function sold(message: Json): Json {
  return inEvery((object: Json) =>
    'marketingAirline' in object && 'flightNumber' in object
      ? {
          ...object,
          marketingAirline: { ...object.marketingAirline, flightNumber: `5${object.flightNumber.slice(1)}` },
        }
      : object,
  )(message);
}

export function publishedTrips() {
  const of = (name: string) => golden('replies', name) as Json;
  return {
    rail: {
      names: [heldTrip('hold-rail', 'rail', of('hold-rail'))],
      counts: [countedTrip('counts-rail', 'rail', of('counts-rail'))],
    },
    airline: {
      names: [heldTrip('hold-airline', 'airline', sold(of('hold-airline')))],
      counts: [countedTrip('counts-airline', 'airline', of('counts-airline'))],
    },
  };
}
