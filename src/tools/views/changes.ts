/** What the airline changed, as data: one change of a train with all its bookings. */
import * as z from 'zod';
import { cleanCode } from '../../core/clean-text.ts';
import { dateOf } from '../../core/times.ts';
import type { Finding } from '../../domain/booking/finding.ts';
import { optionalStrings, strings, type ToolContext, vehicleOf } from '../definition/define.ts';
import { type FindingWords, findingText, trainText } from './finding-text.ts';

type InWords = Pick<ToolContext, 'settings' | 'airline'>;

export const wordsFor = ({ settings, airline }: InWords): FindingWords => ({
  vehicle: vehicleOf(settings),
  placeName: airline.placeName,
});

/** One change of a train, or of one booking, with the bookings that it is about. `date`: of its departure, local. */
export function changeSchema() {
  return z.object({
    ...strings('what', 'kind'),
    ...optionalStrings('train', 'date'),
    bookings: z.int(),
    locators: z.array(z.string()),
    finding_ids: z.array(z.string()),
  });
}

type ChangeGroup = z.output<ReturnType<typeof changeSchema>>;

/** Bookings of a group that are named: as many as a plan has lines. */
const MOST_NAMED = 50;
/** Enough of an id to tell findings apart. */
export const SHOWN_ID = 8;

/** The same change of the same train is one. The largest group comes first. */
export function changeGroups(found: readonly Finding[], ctx: InWords): ChangeGroup[] {
  const words = wordsFor(ctx);
  const whatOf = (one: Finding) =>
    one.segment === undefined ? `${one.locator}: ${findingText(one, words)}` : trainText(one.segment, one, words);
  const groups = [...Map.groupBy(found, whatOf)].map(([what, all]): ChangeGroup => {
    const [{ kind, segment } = {} as Finding] = all;
    const locators = [...new Set(all.map(({ locator }) => locator))];
    return {
      what,
      kind,
      ...(segment && { train: cleanCode(segment.number, 12), date: dateOf(segment.departs) }),
      bookings: locators.length,
      locators: locators.slice(0, MOST_NAMED),
      finding_ids: all.slice(0, MOST_NAMED).map(({ id }) => id.slice(0, SHOWN_ID)),
    };
  });
  return groups.toSorted((a, b) => b.bookings - a.bookings);
}

/** `train 101 on Tue 1 Dec was cancelled by the airline: 2 bookings: ABC123, …; finding_ids …` */
export function changeText({ what, bookings, locators, finding_ids: ids }: ChangeGroup): string {
  const count = bookings === 1 ? '1 booking' : `${bookings} bookings`;
  const named = bookings > locators.length ? `, first ${locators.length}` : '';
  return `  ${what}: ${count}${named}: ${locators.join(', ')}; finding_ids ${ids.join(', ')}`;
}
