/** The words in which a create is refused because of an earlier one, and in which a result names a booking of the same name. */
import { quoted } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { showMoney } from '../core/money.ts';
import { joined, present } from '../core/words.ts';
import { activeSegments, type Booking } from '../domain/booking/booking.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import {
  type ComparedPerson,
  isNamedOtherwise,
  isUnsure,
  type PeopleComparison,
} from '../domain/booking/same-people.ts';
import { isMasked } from '../domain/people/identity-text.ts';
import { numberEnd } from '../domain/people/mask-text.ts';
import { nameText, type Traveler } from '../domain/people/traveler.ts';
import { isActive, locatorOf, type Operation } from '../journal/operation.ts';
import type { ActCall } from './consent-call.ts';

/** How many travellers of a booking are named. */
const MOST_NAMES = 9;

/** An earlier create whose booking may exist, beside the create that a call asks for. */
export interface EarlierCreate {
  readonly operation: Operation;
  /** As the airline shows it now. Absent: it could not be read. */
  readonly booking?: Booking | undefined;
  readonly people: PeopleComparison;
  readonly isOtherOffer: boolean;
}

const WHOM: Readonly<Partial<Record<PeopleComparison['kind'], string>>> = {
  unsure: 'a traveller of the same name',
  partly: 'some of the same travellers',
};

/** The booking of another caller, of whom the call may learn no more than that it exists. */
export function bookedByAnother(kind: PeopleComparison['kind']): ClerkError {
  const whom = WHOM[kind] ?? 'the same travellers';
  return refused(
    `These flights are booked, or being booked, for ${whom} by another user of this desk. Nothing was sent.`,
    'Ask at the desk who made it; with its locator and a surname read_booking shows it.',
  );
}

/** The same person by the document, under another name or with another birth date. */
export function bookedUnderOtherDetails({ operation, people }: EarlierCreate): ClerkError {
  const differences = people.pairs.filter(isNamedOtherwise).flatMap(detailDifferences);
  const where = locatorOf(operation);
  const what = `is booked with the same document, but ${differences.join(', and ')}. Nothing was sent.`;
  if (where === undefined) return notKnownYet(operation, `This trip ${what}`);

  return refused(
    `This trip ${what.replace('is booked', `is booked in ${where}`)}`,
    `Ask the person which is right. To correct ${where}: change_names for a name, update_passenger for a birth date. Only if they want one more booking, pass again_after: "${operation.id}".`,
  );
}

/** `under another name (there “Mohamed Ali”, here “Mohammed Aly”)`. */
function detailDifferences({ isSameName, isSameBirthDate, asked, booked }: ComparedPerson): readonly string[] {
  const nameOf = (traveler: Traveler | undefined) => traveler && quoted(nameText(traveler));
  return present([
    !isSameName && `under another name${bothSides(nameOf(booked), nameOf(asked))}`,
    isSameBirthDate === false && `with another birth date${bothSides(booked?.birthDate, asked?.birthDate)}`,
  ]);
}

/** Somebody is on this trip already, by the document, with other people. */
export function bookedWithOthers({ operation, people }: EarlierCreate): ClerkError {
  const names = people.pairs.flatMap(({ asked }) => (asked === undefined ? [] : quoted(nameText(asked))));
  const whom =
    names.length === 0 ? 'a traveller with the same document' : `${names.join(', ')}, with the same document`;
  const where = locatorOf(operation);
  if (where === undefined) return notKnownYet(operation, `This trip is being booked for ${whom}. Nothing was sent.`);

  return refused(
    `This trip is booked in ${where} for ${whom}, in another party. Nothing was sent.`,
    `Ask the person. Leave out who is booked already and call create_booking again. Only if they want one more booking for them, pass again_after: "${operation.id}".`,
  );
}

/** The same name with another document: a person must say whether it is the same person. */
export function sameNameOtherDocument({ operation, people }: EarlierCreate): ClerkError {
  const ends = people.pairs
    .filter(isUnsure)
    .map(({ asked, booked }) => bothSides(endOfDocument(booked), endOfDocument(asked)));
  const what = `for a traveller of the same name with another document${ends.join('')}`;
  const where = locatorOf(operation);
  if (where === undefined) return notKnownYet(operation, `This trip is being booked ${what}. Nothing was sent.`);

  return refused(
    `This trip is booked in ${where} ${what}. Nothing was sent.`,
    `Ask the person whether it is the same traveller. If so, and the document is another one now: update_passenger on ${where}. If they are two people, pass again_after: "${operation.id}".`,
  );
}

/** Undefined if the airline shows the number masked, or not at all. */
function endOfDocument(traveler: Traveler | undefined): string | undefined {
  const { number } = traveler?.document ?? {};
  return number === undefined || isMasked(number) ? undefined : numberEnd(number);
}

/** ` (there …4417, here …9921)`. Empty unless both are known. */
function bothSides(booked: string | undefined, asked: string | undefined): string {
  return booked === undefined || asked === undefined ? '' : ` (there ${booked}, here ${asked})`;
}

function notKnownYet({ id }: Operation, what: string): ClerkError {
  return refused(
    `${what} Its outcome is not known yet.`,
    `Wait and call create_booking again. Only if the person wants another booking, pass again_after: "${id}".`,
  );
}

/** Names the earlier booking with its price and refund, and how to hold the other one. */
export function heldInAnotherOffer({ act, runtime }: ActCall, { operation, booking }: EarlierCreate): ClerkError {
  const locator = locatorOf(operation);
  const toHaveBoth = `pass again_after: "${operation.id}" to have both`;
  if (isActive(operation.state) || locator === undefined) {
    const message =
      'The same trip in another fare or at another price is being booked, and the outcome is not known yet. Nothing was sent.';
    return refused(message, `Wait and call create_booking again, or ${toHaveBoth}.`);
  }

  const state = booking === undefined ? undefined : bookingState(booking, runtime.clock.now()).state;
  const isHold = state === 'held';
  const end = isHold
    ? `release ${locator} with cancel_booking, which is free,`
    : `cancel ${locator} with cancel_booking (quote_cancellation says what comes back)`;

  const refund = booking && act.refundWords?.(booking);
  const priced = booking === undefined ? '' : priceOf(booking);
  const refundIf = isHold ? 'Refund if it is paid and then cancelled' : 'Refund if it is cancelled now';

  const sentences = [
    `You already ${isHold ? 'hold' : 'have'} ${locator} for this trip${priced}.`,
    refund && `${refundIf}: ${refund}`,
    'This offer is another fare or price. Nothing was sent.',
  ];
  return refused(joined(sentences, ' '), `Ask the person: ${end} and call create_booking again, or ${toHaveBoth}.`);
}

/** ` (HHR101) at SAR 172.50`. */
function priceOf(booking: Booking): string {
  const flights = activeSegments(booking).map((segment) => flightName(segment));
  const total = booking.pricing?.total?.total;
  return `${flights.length === 0 ? '' : ` (${flights.join(', ')})`}${total === undefined ? '' : ` at ${showMoney(total)}`}`;
}

/** Names the booking of a traveller of the same name, as far as the caller may know it. */
export function namesakeSentence(
  { operation, booking }: Pick<EarlierCreate, 'operation' | 'booking'>,
  isTold: boolean,
): string {
  const locator = locatorOf(operation);
  if (!isTold) return 'Another traveller of the same name is booked on this trip by another user of this desk.';
  if (locator === undefined) return 'This trip is being booked for another traveller of the same name, too.';

  const travelers = booking?.travelers ?? [];
  const names = travelers.slice(0, MOST_NAMES).map((traveler) => quoted(nameText(traveler)));
  const whom = names.length > 0 ? `another ${names.join(', ')}` : 'another traveller of the same name';
  return `Booking ${locator} of this trip is for ${whom}: tell the two apart by the locator.`;
}

function refused(message: string, next: string): ClerkError {
  return new ClerkError('E_ALREADY_DONE', message, { next });
}
