/** Which numbers are of one ticket, and the tickets that a payment issued, beside those that the booking shows. */
import type { Booking } from '../booking/booking.ts';

/** The digits that tell tickets apart: some airlines leave out those of the airline before them, or add a check digit. */
const SERIAL = 10;
/** More flights have several ticket numbers for each person, which airlines write in many ways: nothing is compared there. */
const MOST_FLIGHTS = 4;

/** A ticket number as it is in each of its spellings: `065-2400 123456` is `0652400123456`. */
export function plainNumber(number: string): string {
  const plain = number.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return plain === '' ? number : plain;
}

const digitsOf = (number: string): string => number.replace(/\D/g, '');

export function isSameTicket(a: string, b: string): boolean {
  const contains = (one: string, other: string) => {
    const serial = digitsOf(other).slice(-SERIAL);
    return serial.length === SERIAL && digitsOf(one).includes(serial);
  };
  return plainNumber(a) === plainNumber(b) || contains(a, b) || contains(b, a);
}

/** The numbers of the tickets that a booking shows. */
export const ticketNumbers = ({ tickets }: Booking): readonly string[] =>
  tickets.map(({ number }) => number).filter((number) => number !== '');

/** Whether the tickets that were issued can be compared with the booking: it may not show all of them yet. */
export function areComparable(issued: readonly string[], booking: Booking): boolean {
  const flights = booking.options.flatMap(({ segments }) => segments);
  const countOf = (numbers: readonly string[]) => new Set(numbers).size;
  return flights.length <= MOST_FLIGHTS && countOf(ticketNumbers(booking)) >= countOf(issued);
}

/** Numbers of the one side that are not on the other. */
export function otherTickets(numbers: readonly string[], known: readonly string[]): readonly string[] {
  return numbers.filter((number) => number !== '' && !known.some((one) => isSameTicket(one, number)));
}
