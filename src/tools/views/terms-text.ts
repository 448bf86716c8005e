/**
 * Writes the lines of the terms that a person reads before they say yes: trip, people, services and payment. Each act writes its
 * own title. Times are absolute, so that reading the booking twice gives the same lines. Text from outside is quoted.
 */

import { ACCOUNT_NAME_CHARS, type ChargedAccount, type ListedAccount } from '../../approvals/account-lines.ts';
import type { PersonWords, Ride, SectionKind, TermsSection } from '../../approvals/terms.ts';
import { cleanCode, cleanRef, quoted } from '../../core/clean-text.ts';
import type { Money } from '../../core/money.ts';
import { showTrip, zoneOf } from '../../core/times.ts';
import { capitalized, joined, listed, uncapitalized } from '../../core/words.ts';
import type { AgencyAccount } from '../../domain/airline.ts';
import {
  activeSegments,
  type Booking,
  type Segment,
  segmentsOf,
  unclearSegments,
  unconfirmedSegments,
} from '../../domain/booking/booking.ts';
import { showDeadline } from '../../domain/booking/deadlines.ts';
import { dayText, flightName, operatedBy, stopsText } from '../../domain/booking/flight-name.ts';
import { type ServiceWish, serviceTitle } from '../../domain/booking/special-services.ts';
import { type PlaceName, showPlace, showRoute } from '../../domain/booking/stations.ts';
import {
  type PaymentType,
  passengerTypeWord,
  segmentMeaning,
  segmentStatus,
  standing,
} from '../../domain/booking/status-codes.ts';
import { type SaidLine, type SaidPart, saidFlight, saidLimit, saidPerson, saidWords } from '../../domain/facts/said.ts';
import { fullName, type PersonName, type Traveler } from '../../domain/people/traveler.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import type { PaymentInput } from '../definition/input-fields.ts';
import { statusWithCode } from '../rules/why-not.ts';

/** Who is charged, in words (docs/wire/interface.md, Code lists). */
const PAYMENT_WORDS: Readonly<Record<PaymentType, string>> = {
  external: 'collected by the agency; the airline is only informed (external)',
  credit_card: 'by a card arranged with the airline; no card number is sent (credit_card)',
  cash: 'in cash (cash)',
  debit_credit_account: "from the agency's account with the airline (debit_credit_account)",
  invoice: 'by invoice to the agency (invoice)',
};

/** Makes a section; leaves out undefined lines. A line that is written from facts of the booking comes with what it says of them. */
export function section(kind: SectionKind, ...given: readonly (string | SaidLine | undefined)[]): TermsSection {
  const all = given.filter((line) => line !== undefined);
  const lines = all.map((line) => (typeof line === 'string' ? line : line.line));
  if (all.every((line) => typeof line === 'string')) return { kind, lines };
  return { kind, lines, said: all.map((line) => (typeof line === 'string' ? null : (line.said ?? null))) };
}

/** A line with what it says of facts of the booking. Undefined if there is no line. */
export function saidLine(line: string | undefined, ...said: readonly SaidPart[]): SaidLine | undefined {
  return line === undefined ? undefined : { line, said };
}

/** `Train` or `Flight`, for the beginning of a line. */
function vehicleWord({ settings }: Pick<ToolContext, 'settings'>): 'Train' | 'Flight' {
  return vehicleOf(settings) === 'train' ? 'Train' : 'Flight';
}

interface RideOptions {
  /** The beginning of its line. */
  readonly before: string;
  /** Also the status of one that is not confirmed. */
  readonly showsStatus: boolean;
  /** Without it, places are codes. */
  readonly placeName: PlaceName | undefined;
  /** The segment before it. */
  readonly previous: Segment | undefined;
}

function describeRide(
  segment: Segment,
  ctx: Pick<ToolContext, 'settings'>,
  { before, showsStatus, placeName, previous }: RideOptions,
): Ride {
  const { from, to, departs, arrives } = segment;
  const vehicle = vehicleWord(ctx);
  const bookingClass = segment.bookingClass === undefined ? '' : `, class ${cleanCode(segment.bookingClass)}`;

  return {
    kind: 'ride',
    ...(before === '' ? undefined : { before }),
    name: `${vehicle} ${flightName(segment)}`,
    vehicle,
    from: showPlace(from, placeName),
    to: showPlace(to, placeName),
    departs,
    arrives,
    more: [
      bookingClass,
      fareText(segment),
      rideText(segment),
      elsewhereText(segment, previous, { vehicle, placeName }),
      cancelledText(segment),
      showsStatus ? waitingText(segment) : '',
    ].join(''),
  };
}

/** `, operated by XY12, stops once`; empty for a direct flight of the carrier that sells it. */
function rideText(segment: Segment): string {
  const { stops } = segment;
  const carrier = operatedBy(segment);
  const operated = carrier === undefined ? '' : `, operated by ${carrier}`;
  return `${operated}${stops ? `, ${stopsText(stops)}` : ''}`;
}

/** `; change of airport: the flight before arrives at LHR`; empty unless a connection goes on from another place. */
function elsewhereText(
  { from, optionRef }: Segment,
  previous: Segment | undefined,
  { vehicle, placeName }: { readonly vehicle: 'Train' | 'Flight'; readonly placeName: PlaceName | undefined },
): string {
  if (previous === undefined || previous.optionRef !== optionRef || previous.to === from) return '';
  const place = vehicle === 'Train' ? 'station' : 'airport';
  return `; change of ${place}: the ${uncapitalized(vehicle)} before arrives at ${showPlace(previous.to, placeName)}`;
}

/** `Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y`. */
function rideLine({ before = '', name, from, to, departs, arrives, more }: Ride): string {
  return `${before}${name}: ${from} → ${to}, ${showTrip(departs, arrives)}${more}`;
}

/** Empty for a segment that runs: a cancelled one must not read as if it did. */
function cancelledText({ statusCode, owed }: Segment): string {
  if (segmentStatus(statusCode) !== 'cancelled') return '';
  return owed === true ? '; cancelled by the airline' : '; cancelled';
}

/** `; waitlisted, HL`: a segment that the airline has not confirmed must not read as if it had. */
function waitingText(segment: Segment): string {
  return standing(segment) === 'other' ? `; ${statusWithCode(segment)}` : '';
}

/** `, fare YSAVE “Economy Saver”`; empty where the airline names none. */
function fareText({ fareBasis, fareName }: Segment): string {
  const name = fareName === undefined ? '' : quoted(fareName, 40);
  const words = joined([cleanCode(fareBasis ?? '', 30), name], ' ');
  return words && `, fare ${words}`;
}

/** One line a segment. `before`: the beginning of each line. `showsStatus`: says of a segment that it is not confirmed. */
export function tripSection(
  segments: readonly Segment[],
  ctx: Pick<ToolContext, 'settings' | 'airline'>,
  { before = '', showsStatus = false }: { readonly before?: string; readonly showsStatus?: boolean } = {},
): TermsSection {
  const rides = (placeName: PlaceName | undefined) =>
    segments.map((segment, i) =>
      describeRide(segment, ctx, { before, showsStatus, placeName, previous: segments[i - 1] }),
    );

  const drawn = rides(ctx.airline.placeName);
  const said = segments.map((segment, i) => [
    saidRide(segment, ctx, { before, showsStatus, previous: segments[i - 1] }),
  ]);
  return { kind: 'trip', lines: drawn.map(rideLine), said, drawn };
}

/** The names of places are not said: they come from a list of routes, which may be missing when the terms are read again. */
function saidRide(
  segment: Segment,
  ctx: Pick<ToolContext, 'settings'>,
  { before, showsStatus, previous }: Omit<RideOptions, 'placeName'>,
): SaidPart {
  const elsewhere = elsewhereText(segment, previous, { vehicle: vehicleWord(ctx), placeName: undefined });
  const more = [elsewhere, cancelledText(segment), showsStatus ? waitingText(segment) : ''].join('');
  return saidFlight(segment, before, more);
}

/** The segments that the passengers have or may still get, with the status of each that is not simply confirmed. */
export function tripTerms(booking: Booking, ctx: Pick<ToolContext, 'settings' | 'airline'>): TermsSection {
  return tripSection(standingSegments(booking), ctx, { showsStatus: true });
}

/** The segments of a booking that are neither cancelled nor over: the airline may still confirm some of them. */
export function standingSegments(booking: Booking): readonly Segment[] {
  const isOver = ({ statusCode }: Segment) => ['flown', 'no_show'].includes(segmentMeaning(statusCode));
  return segmentsOf(booking).filter((segment) => standing(segment) !== 'cancelled' && !isOver(segment));
}

/** The segments that a payment is for: the active ones, and those of which nobody knows whether they are confirmed. */
export function paidSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter((segment) => {
    return standing(segment) === 'active' || segmentMeaning(segment.statusCode) === 'unknown';
  });
}

/** Names the segments that are not known to be confirmed: for the end of the first line of a payment, and as cautions. */
export function paidStatusWords(booking: Booking, ctx: Pick<ToolContext, 'settings'>) {
  const name = (segment: Segment) => `${vehicleOf(ctx.settings)} ${flightName(segment)} ${showRoute(segment)}`;
  const place = ({ ref }: Segment) => `segment ${cleanRef(ref)}`;
  const unconfirmed = unconfirmedSegments(booking);

  const unclear = unclearSegments(booking);
  const without = unconfirmed.map((segment) => `${name(segment)} (${place(segment)}: ${statusWithCode(segment)})`);
  const unclearText = unclear.map(
    (segment) => ` The status of ${name(segment)} (${place(segment)}) is ${statusWithCode(segment)}.`,
  );

  return {
    act: `${without.length === 0 ? '' : `, without ${listed(without)}`}.${unclearText.join('')}`,
    caution: [
      ...without.map((segment) => `${capitalized(segment)} is not confirmed: it is not paid for, and gets no ticket.`),
      ...unclear.map(
        (segment) =>
          `WARNING: The status of ${name(segment)} (${place(segment)}) is ${statusWithCode(segment)}: ask the airline whether it is confirmed.`,
      ),
    ],
  };
}

/** For the details page: `Jeddah (JED) → Riyadh (RUH), Mon 7 Dec 2026, 08:00 (UTC+3)`, one line a segment. */
export function tripLines(segments: readonly Segment[], { airline }: Pick<ToolContext, 'airline'>): readonly string[] {
  return segments.map((segment) => {
    const { departs } = segment;
    const zone = zoneOf(departs);
    const time = `${departs.slice(11, 16)}${zone === '' ? '' : ` (${zone})`}`;
    return `${showRoute(segment, airline.placeName)}, ${dayText(departs)}, ${time}`;
  });
}

export function quotedName(name: PersonName | undefined): string {
  return quoted(fullName(name), 70);
}

/** `Passenger 1: “Amal Haddad”, adult`. */
export function personLine(traveler: Traveler): SaidLine {
  const line = lineOf({ who: passengerOf(traveler), what: nameAndType(traveler) });
  return { line, said: [saidPerson(traveler)] };
}

const lineOf = ({ who, what }: PersonWords): string => `${who}: ${what}`;
const passengerOf = ({ ref }: Traveler): string => `Passenger ${cleanRef(ref)}`;

function nameAndType({ name, type }: Traveler): string {
  return `${name === undefined ? 'not named yet' : quotedName(name)}, ${passengerTypeWord(cleanCode(type))}`;
}

/** `Special service for passenger 1: VGML vegetarian meal, “no nuts”`. The question names the passenger beside it. */
export function serviceLine(ref: string, { code, text }: ServiceWish): SaidLine {
  const words = text === undefined ? '' : `, ${quoted(text, 70)}`;
  const service = `${serviceTitle(code)}${words}`;
  return { line: `Special service for passenger ${cleanRef(ref)}: ${service}`, said: [saidWords('service', service)] };
}

/** Who of the booking an act is about; by default all. */
export function peopleSection(booking: Booking, travelers = booking.travelers): TermsSection {
  const people = travelers.map((traveler) => personWords(booking, traveler));
  const said = travelers.map((traveler) => [saidOf(booking, traveler)]);
  return { kind: 'people', lines: people.map(lineOf), said, people };
}

/** A person, as what the line says that they are: `stays`. */
export function saidOf(booking: PeopleAndTickets, traveler: Traveler, as = ''): SaidPart {
  return saidPerson(traveler, as, hasNamesake(booking, traveler) ? ticketEnd(booking, traveler) : undefined);
}

/** The line of a person. */
export function personOf(booking: Booking, traveler: Traveler): string {
  return lineOf(personWords(booking, traveler));
}

type PeopleAndTickets = Pick<Booking, 'travelers' | 'tickets'>;

function hasNamesake({ travelers }: PeopleAndTickets, { ref, name }: Traveler): boolean {
  const written = name && fullName(name);
  return travelers.some((other) => other.ref !== ref && other.name && fullName(other.name) === written);
}

/** If another one on the booking has the same name, the end of the ticket tells them apart. */
function personWords(booking: PeopleAndTickets, traveler: Traveler): PersonWords {
  const [who, what] = [passengerOf(traveler), nameAndType(traveler)];
  const end = hasNamesake(booking, traveler) ? ticketEnd(booking, traveler) : undefined;
  return { who, what: end === undefined ? what : `${what}, ticket \u2026${end}` };
}

function ticketEnd({ tickets }: PeopleAndTickets, { ref }: Traveler): string | undefined {
  const ticket = tickets.find(({ number, travelerRefs }) => number !== '' && travelerRefs.includes(ref));
  return ticket && cleanCode(ticket.number).slice(-4);
}

/** Who a change was about, by name. Refs can mean others afterwards, so they name only those of the request. */
export function namesBefore(before: PeopleAndTickets | undefined, refs: readonly string[]): string {
  const people = before?.travelers.filter(({ ref }) => refs.includes(ref)) ?? [];
  if (before === undefined || people.length === 0)
    return `${refs.length === 1 ? 'passenger' : 'passengers'} ${refs.map(cleanRef).join(', ')} of the request`;

  const names = people.map((traveler) => {
    if (traveler.name === undefined) return 'an unnamed passenger';
    // One with a namesake is told with type and ticket.
    return hasNamesake(before, traveler) ? personWords(before, traveler).what : quotedName(traveler.name);
  });
  return names.join(names.some((name) => name.includes(',')) ? '; ' : ', ');
}

/** Says who stays, in one line. */
export function stayingLine(where: string, booking: Booking, staying: readonly Traveler[]): SaidLine {
  return {
    line: `Stays on ${where}: ${staying.map((traveler) => personOf(booking, traveler)).join('; ')}`,
    said: staying.map((traveler) => saidOf(booking, traveler, 'stays')),
  };
}

/** `names can be changed until …`, in the local time of the first departure. */
export function limitLine(what: string, limit: string | undefined, booking: Booking): SaidLine | undefined {
  if (limit === undefined) return undefined;
  const line = `${what} can be changed until ${showDeadline(limit, activeSegments(booking)[0]?.departs)}.`;
  return { line, said: [saidLimit(`until when ${uncapitalized(what)} can be changed`, limit)] };
}

/** The agency's accounts as the airline listed them; `unknown` if it did not answer, `not_concerned` if the payment is not made on account. */
export type AccountsRead = readonly AgencyAccount[] | 'unknown' | 'not_concerned';

/** What the terms of a payment say about it. */
export interface PaymentTerms {
  readonly payment: PaymentInput;
  readonly total: Money;
  readonly accounts: AccountsRead;
}

/** The note of a payment: how it is paid, then what the account has, then `others`. */
export function paymentNote(
  { payment }: Pick<PaymentTerms, 'payment'>,
  { settings }: ToolContext,
  ...others: Parameters<typeof section>[1][]
): TermsSection {
  return section('note', paymentText(payment, settings.account), ...others);
}

/** Says how it is paid and who pays: the configured account for debit_credit_account, or the holder of the arguments. */
function paymentText({ type, holder_name: holder }: PaymentInput, account: string | undefined): string {
  return `Payment: ${PAYMENT_WORDS[type]}${payerText(type, holder, account)}.`;
}

function payerText(type: PaymentType, holder: string | undefined, account: string | undefined): string {
  if (type === 'debit_credit_account' && account !== undefined)
    return `, account ${quoted(account, ACCOUNT_NAME_CHARS)}`;
  return holder === undefined ? '' : `, holder ${quoted(holder, ACCOUNT_NAME_CHARS)}`;
}

/**
 * What the airline says of the account that a debit_credit_account payment charges: that of the settings, or the holder; without a name,
 * all accounts in the currency of the payment. Undefined for any other payment.
 */
export function chargedAccount(
  { payment, total, accounts }: PaymentTerms,
  ctx: ToolContext,
): ChargedAccount | undefined {
  if (accounts === 'not_concerned') return undefined;
  const name = ctx.settings.account ?? payment.holder_name;
  if (accounts === 'unknown') return { name, isUnknown: true };

  const fitting = accounts.filter((account) => isInCurrency(account, total.currency));
  if (name === undefined) return { listed: fitting.map(listedAccount) };

  // An airline may list an account in several currencies under one name.
  const account = [...fitting, ...accounts].find((each) => each.name.trim() === name.trim());
  return { name, listed: account === undefined ? [] : [listedAccount(account)] };
}

/** Also if the airline does not say in which currency the account is. */
function isInCurrency({ available, currency = available?.currency }: AgencyAccount, wanted: string): boolean {
  return currency === undefined || currency === wanted;
}

function listedAccount({ name, available, isActive = true }: AgencyAccount): ListedAccount {
  return { name, available, isActive };
}
