/** Figures of the thirty: parts, prices, and bookings as they were sold. */
import type { Books } from '../sixty/books.ts';

export const rounded = (number: number, digits: number): number => Number(number.toFixed(digits));
export const percent = (part: number, all: number): number => rounded((100 * part) / all, 1);
/** Minor units that a booking costs. */
export const price = ({ booking }: Books['all'][number]): number =>
  booking.orders.find(({ direction }) => direction === 'PAYMENT')?.amount.minor ?? 0;
export const soldBooking = ({ all }: Books, locator: string) =>
  all.find((one) => one.locator === locator)?.sold?.booking;
