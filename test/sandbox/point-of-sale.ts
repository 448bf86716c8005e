/**
 * A travel agent at the sandbox, written by hand from interface.md: it shares no code with the product's encoders, so that a mistake
 * made in both codec halves shows here.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from '../../src/sandbox/addresses/start.ts';
import type { Network } from '../../src/sandbox/network.ts';
import { type Sandbox, startSandbox } from '../support/sandbox/start.ts';

/** Friday. */
export const NOW = '2026-11-20T08:00:00.000Z';
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

// biome-ignore lint/suspicious/noExplicitAny: replies are looked at as the JSON that came.
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export class TravelAgent {
  readonly sandbox: Sandbox;
  #token = '';

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  setting(name: string): string {
    const value = this.sandbox.settings[`FARECLERK_${name}`];
    if (value === undefined) throw new Error(`no setting ${name}`);
    return value;
  }

  async grant(fields: Record<string, string>): Promise<Answer> {
    const url = `${this.setting('AUTH_URL')}/protocol/openid-connect/token`;
    const form = { client_id: this.setting('CLIENT_ID'), client_secret: this.setting('CLIENT_SECRET'), ...fields };
    return answerOf(await fetch(url, { method: 'POST', body: new URLSearchParams(form) }));
  }

  async logIn(): Promise<this> {
    const login = { username: this.setting('USERNAME'), password: this.setting('PASSWORD') };
    const { body } = await this.grant({ grant_type: 'password', ...login });
    this.#token = body.access_token;
    return this;
  }

  headers(more: Record<string, string> = {}): Record<string, string> {
    return { 'x-api-key': this.setting('API_KEY'), authorization: `Bearer ${this.#token}`, ...more };
  }

  pos(): Json {
    const requestorID = { type: '5', id: this.setting('AGENT_ID'), name: this.setting('AGENCY_ID') };
    return { source: [{ bookingChannel: { type: 'OTA' }, isocurrency: this.setting('CURRENCY'), requestorID }] };
  }

  /** A message with its envelope. */
  async send(message: string, body: Json): Promise<Answer> {
    return this.post(
      this.setting('BASE_URL'),
      { version: '2.001', pos: this.pos(), ...body },
      { 'local-name': message },
    );
  }

  async post(url: string, body: Json, headers: Record<string, string> = {}): Promise<Answer> {
    const all = this.headers({ 'content-type': 'application/json', ...headers });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return answerOf(await fetch(url, { method: 'POST', body: text, headers: all }));
  }

  async get(pathAndQuery: string): Promise<Answer> {
    return answerOf(await fetch(this.sandbox.url + pathAndQuery, { headers: this.headers() }));
  }

  async search(legs: readonly Leg[], options: SearchOptions = {}): Promise<Answer> {
    return this.send('OTA_AirLowFareSearchRQ', searchBody(legs, options));
  }

  /** Priced itineraries of a search that must succeed. */
  async itineraries(legs: readonly Leg[], options: SearchOptions = {}): Promise<Json[]> {
    return good(await this.search(legs, options)).pricedItineraries.pricedItinerary;
  }

  /** The cheapest itinerary for one adult in a fare. */
  async trip(legs: readonly Leg[], basis = 'YFLEX'): Promise<Json> {
    return inFare(await this.itineraries(legs), basis);
  }

  async book(itinerary: Json, passengers: readonly Json[]): Promise<Answer> {
    return this.send('OTA_AirBookRQ', bookBody(itinerary, passengers));
  }

  /** A hold for `passengers`; its locator. */
  async hold(itinerary: Json, passengers: readonly Json[]): Promise<string> {
    return locatorOf(good(await this.book(itinerary, passengers)).airReservation);
  }

  async pay(id: string, payment: Json = { paymentType: '32' }, companyName: Json = { code: 'SBX' }): Promise<Answer> {
    const bookingReferenceID = { id, type: '14', companyName };
    const ticket = { messageFunction: [{ function: 'ET' }], bookingReferenceID, paymentInfo: [payment] };
    return this.send('OTA_AirDemandTicketRQ', { demandTicketDetail: ticket });
  }

  /** A paid booking; its locator. */
  async sell(itinerary: Json, passengers: readonly Json[]): Promise<string> {
    const locator = await this.hold(itinerary, passengers);
    good(await this.pay(locator));
    return locator;
  }

  async readReply(locator: string): Promise<Answer> {
    return this.send('OTA_ReadRQ', { readRequests: { readRequest: [{ uniqueID: { id: locator, type: '14' } }] } });
  }

  async read(locator: string): Promise<Json> {
    return good(await this.readReply(locator)).airReservation;
  }

  async modify(airReservation: Json, airBookModifyRQ: Json): Promise<Answer> {
    return this.send('OTA_AirBookModifyRQ', { airReservation, airBookModifyRQ });
  }

  /** Type 10 for the options with these pointers, as the read reply gave them. */
  async cancelOptions(locator: string, rphs: readonly string[]): Promise<Answer> {
    const reservation = await this.read(locator);
    const chosen = optionsOf(reservation).filter((option) => rphs.includes(option.rph ?? option.flightSegment[0].rph));
    return this.modify(reservation, {
      modificationType: '10',
      airItinerary: { originDestinationOptions: { originDestinationOption: chosen } },
    });
  }

  async cancelPassengers(locator: string, rphs: readonly string[]): Promise<Answer> {
    const reservation = await this.read(locator);
    const chosen = travelersOf(reservation)
      .filter((traveler) => rphs.includes(traveler.travelerRefNumber?.rph))
      .map(({ travelerRefNumber, passengerTypeCode }) => ({ travelerRefNumber, passengerTypeCode }));
    return this.modify(reservation, { modificationType: '2', travelerInfo: { airTraveler: chosen } });
  }

  /** The seat map of the first segment. */
  async seatMap(locator: string, refs: readonly string[], change: (request: Json) => void = () => undefined) {
    const reservation = await this.read(locator);
    const { equipment, comment, stopLocation, stopQuantity, ...segment } = segmentsOf(reservation)[0];
    const request = {
      seatMapRequests: { seatMapRequest: [{ flightSegmentInfo: segment, travelerRefNumberRPHs: refs }] },
      airTravelers: { airTraveler: travelersOf(reservation).slice(1) },
      bookingReferenceID: [{ id: locator, type: '14' }],
    };
    change(request);
    // The seat map lies beside the OTA operations: {base_url}/v2015b/OTA_AirSeatMapRQ.
    const url = `${this.sandbox.url}/v2015b/OTA_AirSeatMapRQ`;
    return this.post(url, { version: '2.001', pos: this.pos(), ...request });
  }

  async cancelBooking(locator: string): Promise<Answer> {
    return this.send('OTA_CancelRQ', { cancelType: 'Commit', uniqueID: [{ id: locator, type: '14' }] });
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }
}

export async function openTravelAgent(options: SandboxOptions = {}): Promise<TravelAgent> {
  return new TravelAgent(await startSandbox({ now: () => Date.parse(NOW), seed: 7, ...options })).logIn();
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** The body of an answer that must be good. */
export function good(answer: Answer): Json {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export interface Leg {
  readonly from: string;
  readonly to: string;
  readonly date: string;
  readonly before?: string;
  readonly after?: string;
}

export interface SearchOptions {
  readonly adults?: number;
  readonly children?: number;
  readonly infants?: number;
  readonly classes?: readonly string[];
  readonly availableFlightsOnly?: boolean;
}

export function searchBody(legs: readonly Leg[], options: SearchOptions = {}): Json {
  const { adults = 1, children = 0, infants = 0, classes, availableFlightsOnly } = options;
  const counts = Object.entries({ ADT: adults, CHD: children, INF: infants });
  const passengerTypeQuantity = counts.map(([code, quantity]) => ({ code, quantity }));
  return {
    processingInfo: { displayOrder: 'BY_PRICE_LOW_TO_HIGH', availabilityIndicator: true },
    originDestinationInformation: legs.map((leg) => ({
      originLocation: { locationCode: leg.from },
      destinationLocation: { locationCode: leg.to },
      departureDateTime: { value: leg.date, windowBefore: leg.before ?? 'P0D', windowAfter: leg.after ?? 'P0D' },
    })),
    ...(classes && {
      specificFlightInfo: { bookingClassPref: classes.map((resBookDesigCode) => ({ resBookDesigCode })) },
    }),
    travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity }] },
    ...(availableFlightsOnly === undefined ? {} : { availableFlightsOnly }),
  };
}

const newFile = (name: string): string => join(mkdtempSync(join(tmpdir(), 'sandbox-')), name);
export const newStateFile = (): string => newFile('airline.sqlite');

/** The network of a dialect with a change made to it. */
export function networkOf(dialect: 'rail' | 'airline', change: (network: Json) => void = () => undefined): Network {
  const file = new URL(`../../src/sandbox/${dialect}-network.json`, import.meta.url);
  return changed(JSON.parse(readFileSync(file, 'utf8')), change);
}

/** Tickets of a reservation, without the row of the time limit. */
export function ticketsOf(reservation: Json): Json[] {
  return reservation.ticketing.filter((it: Json) => it.ticketDocumentNbr !== undefined);
}

/** The segments of a found itinerary as a booking request carries them. */
export function bookItinerary(itinerary: Json): Json {
  const originDestinationOption = optionsOf(itinerary).map((option) => ({
    rph: option.rph,
    flightSegment: option.flightSegment.map((segment: Json) => ({
      departureAirport: segment.departureAirport,
      arrivalAirport: segment.arrivalAirport,
      operatingAirline: segment.operatingAirline,
      equipment: [],
      marketingAirline: segment.marketingAirline,
      flightNumber: segment.flightNumber,
      departureDateTime: segment.departureDateTime,
      arrivalDateTime: segment.arrivalDateTime,
      rph: segment.rph,
      fareBasisCode: fareOf(itinerary, segment.rph),
      resBookDesigCode: segment.resBookDesigCode,
      status: '30',
    })),
  }));
  return { originDestinationOptions: { originDestinationOption } };
}

export const CONTACT: Json = {
  personName: { givenName: ['Layla'], surname: 'Hassan' },
  email: [{ value: 'layla@example.com' }],
  telephone: [{ countryAccessCode: '966', phoneNumber: '500000000' }],
  passengerTypeCode: 'CTC',
};

export function passenger(rph: string, more: Json = {}, document: Json = {}): Json {
  const passport = { docID: `P000000${rph}`, docType: '2', docHolderNationality: 'SA', expireDate: '2031-01-01' };
  return {
    personName: { givenName: ['Omar'], surname: `Saleh${'ABCDEFGHIJ'[Number(rph)]}` },
    document: [{ ...passport, birthDate: '1990-05-05', ...document }],
    gender: 'Male',
    travelerRefNumber: { rph },
    passengerTypeCode: 'ADT',
    ...more,
  };
}

export function child(rph: string, birthDate = '2019-01-01'): Json {
  return passenger(rph, { passengerTypeCode: 'CHD' }, { birthDate });
}

export function infant(rph: string, adult: string, birthDate = '2026-01-01'): Json {
  return passenger(rph, { passengerTypeCode: 'INF', comment: [{ name: 'attendantRph', value: adult }] }, { birthDate });
}

export function adults(count: number): Json[] {
  return Array.from({ length: count }, (_, i) => passenger(String(i + 1)));
}

export function bookBody(itinerary: Json, passengers: readonly Json[]): Json {
  const flightSegmentRPH = segmentsOf(itinerary).map((segment) => segment.rph);
  const airTraveler = [
    CONTACT,
    ...passengers.map((traveler) => ({ flightSegmentRPHs: { flightSegmentRPH }, ...traveler })),
  ];
  return structuredClone({ airItinerary: bookItinerary(itinerary), travelerInfo: { airTraveler } });
}

export function optionsOf(holder: Json): Json[] {
  return holder.airItinerary.originDestinationOptions.originDestinationOption;
}

export function segmentsOf(holder: Json): Json[] {
  return optionsOf(holder).flatMap((option) => option.flightSegment);
}

export function travelersOf(reservation: Json): Json[] {
  return reservation.travelerInfo.airTraveler;
}

export function locatorOf(reservation: Json): string {
  return reservation.bookingReferenceID[0].id;
}

/** The fare code of a segment, from the price rows: a search says it nowhere else. */
export function fareOf(holder: Json, rph: string): string {
  const info = holder.priceInfo ?? holder.airItineraryPricingInfo;
  const rows: Json[] = info.ptcfareBreakdowns.ptcfareBreakdown;
  const row = rows.find((row) => row.flightRefNumberRPHList.includes(rph));
  return row.fareBasisCodes.fareBasisCode[0].value;
}

export function basisOf(holder: Json): string {
  return fareOf(holder, segmentsOf(holder)[0].rph);
}

export function totalOf(holder: Json): number {
  return (holder.priceInfo ?? holder.airItineraryPricingInfo).itinTotalFare[0].totalFare.amount;
}

/** Seats left in a class of the first segment. */
export function leftIn(itinerary: Json, bookingClass: string): number {
  const classes: Json[] = segmentsOf(itinerary)[0].bookingClassAvails[0].bookingClassAvail;
  return Number(classes.find((offered) => offered.resBookDesigCode === bookingClass)?.resBookDesigQuantity);
}

/** The cheapest itinerary of a fare. */
export function inFare(itineraries: readonly Json[], basis: string): Json {
  const found = itineraries.find((itinerary) => basisOf(itinerary) === basis);
  if (found === undefined) throw new Error(`no itinerary in ${basis}`);
  return found;
}

/** A copy with a change made to it. */
export function changed(value: Json, change: (copy: Json) => void): Json {
  const copy = structuredClone(value);
  change(copy);
  return copy;
}

export const TRAIN: Leg = { from: 'QCA', to: 'XMD', date: '2026-12-10' };
export const TRAIN_BACK: Leg = { from: 'XMD', to: 'QCA', date: '2026-12-14' };
