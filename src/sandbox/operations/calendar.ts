/** Dates on which a route is served (GET /schedule/calendar/availability). */
import type { Carrier } from '../carrier.ts';
import { isOnSale } from '../open-fares.ts';
import { Refusal } from '../refusal.ts';
import { isSellable, tripsOn } from '../trips.ts';
import { addDays, isDate } from '../zone.ts';

const LONGEST_DAYS = 366;

export interface CalendarQuery {
  readonly from: string;
  readonly to: string;
  /** YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
  readonly direct: boolean;
}

export function calendarDates(carrier: Carrier, query: CalendarQuery): readonly string[] {
  const { timetable, now } = carrier;
  const { from, to, startDate, endDate, direct } = query;
  if (!isDate(startDate) || !isDate(endDate) || endDate < startDate)
    throw new Refusal('15', `${startDate} to ${endDate}`);
  const days = Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000);
  if (days > LONGEST_DAYS) throw new Refusal('161', `at most ${LONGEST_DAYS} days`);
  if (!isSellable(timetable, from, to)) throw new Refusal('7', `${from}-${to} is not sold`);
  const last = timetable.lastSaleDate(now);
  const dates: string[] = [];
  for (let date = startDate; date <= endDate && date <= last; date = addDays(date, 1)) {
    const trips = tripsOn(timetable, from, to, date, direct);
    if (trips.some((trip) => trip.every((departure) => isOnSale(carrier, departure)))) dates.push(date);
  }
  return dates;
}
