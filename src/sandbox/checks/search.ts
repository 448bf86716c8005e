/** What a fare search may ask. */
import type { Carrier } from '../carrier.ts';
import { Refusal } from '../refusal.ts';
import type { Search, SearchLeg } from '../requests/search.ts';
import { isSellable } from '../trips.ts';
import { addDays, isDate, localDate } from '../zone.ts';
import { checkCounts } from './party.ts';

const MOST_LEGS = 6;
const WIDEST_WINDOW = 7;

export function checkSearch(carrier: Carrier, query: Search): void {
  checkCounts(query.counts);
  if (query.legs.length > MOST_LEGS) throw new Refusal('161', `at most ${MOST_LEGS} legs`);
  let before = '';
  for (const leg of query.legs) {
    checkLeg(carrier, leg);
    if (addDays(leg.date, leg.daysAfter) < before)
      throw new Refusal('15', `leg on ${leg.date} comes before the one before it`);
    before = leg.date;
  }
}

function checkLeg(carrier: Carrier, leg: SearchLeg): void {
  const { timetable, now } = carrier;
  const from = timetable.station(leg.from);
  if (from === undefined || timetable.station(leg.to) === undefined || !isSellable(timetable, leg.from, leg.to)) {
    throw new Refusal('7', `${leg.from}-${leg.to} is not sold`);
  }
  if (!isDate(leg.date)) throw new Refusal('15', `${leg.date} is no date`);
  if (leg.date < localDate(from.zone, now)) throw new Refusal('353', `${leg.date} is past in ${from.city}`);
  if (leg.date > timetable.lastSaleDate(now)) throw new Refusal('107', `sale ends with ${timetable.lastSaleDate(now)}`);
  if (leg.daysBefore > WIDEST_WINDOW || leg.daysAfter > WIDEST_WINDOW) {
    throw new Refusal('161', `windows of at most ${WIDEST_WINDOW} days`);
  }
}

/** The dates of a leg's window that are on sale. */
export function datesOf(carrier: Carrier, leg: SearchLeg): readonly string[] {
  const zone = carrier.timetable.station(leg.from)?.zone ?? 'UTC';
  const first = localDate(zone, carrier.now);
  const last = carrier.timetable.lastSaleDate(carrier.now);
  const days = Array.from({ length: leg.daysBefore + leg.daysAfter + 1 }, (_, i) =>
    addDays(leg.date, i - leg.daysBefore),
  );
  return days.filter((date) => date >= first && date <= last);
}
