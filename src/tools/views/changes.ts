/** What the airline changed, as data: one change of a train with all its bookings. */
import * as z from 'zod';
import { cleanCode } from '../../core/clean-text.ts';
import { dateOf } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import type { Finding } from '../../domain/booking/finding.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings, optionalTexts, strings } from '../definition/field-notes.ts';
import { effectsOf, type FindingWords, findingText, trainText } from './finding-text.ts';

type InWords = Pick<ToolContext, 'settings' | 'airline'>;

export const wordsFor = ({ settings, airline }: InWords): FindingWords => ({
  vehicle: vehicleOf(settings),
  placeName: airline.placeName,
});

/** One change of a train, or of bookings as a whole, with the bookings that it is about. */
export function changeSchema() {
  return z.object({
    ...strings({ what: 'the change in words', kind: 'the kind of finding' }),
    ...optionalStrings({ train: 'number of the train or flight', date: 'local day of its departure' }),
    bookings: noted('how many bookings it is about', z.int()),
    locators: noted(`the bookings, at most ${MOST_NAMED}`, z.array(z.string())),
    also: optionalTexts('what it does to connections and deadlines of a booking'),
    finding_ids: noted('for `close_findings`', z.array(z.string())),
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
    one.segment === undefined ? findingText(one, words) : trainText(one.segment, one, words);
  const groups = [...Map.groupBy(found, whatOf)].map(([what, all]): ChangeGroup => {
    const [{ kind, segment } = {} as Finding] = all;
    const locators = [...new Set(all.map(({ locator }) => locator))];
    const named = all.slice(0, MOST_NAMED);
    // The words of a change without a train have its effects.
    const also = segment === undefined ? [] : named.flatMap((one) => alsoOf(one, words));
    return {
      what,
      kind,
      ...(segment && { train: cleanCode(segment.number, 12), date: dateOf(segment.departs) }),
      bookings: locators.length,
      locators: locators.slice(0, MOST_NAMED),
      ...(also.length > 0 && { also }),
      finding_ids: named.map(({ id }) => id.slice(0, SHOWN_ID)),
    };
  });
  return groups.toSorted((a, b) => b.bookings - a.bookings);
}

function alsoOf(finding: Finding, words: FindingWords): string[] {
  const effects = effectsOf(finding, words);
  return effects.length === 0 ? [] : [`${finding.locator}: ${effects.join('; ')}`];
}

/** `train 101 on Tue 1 Dec was cancelled by the airline: 2 bookings: ABC123, …; finding_ids …` */
export function changeText({ what, bookings, locators, also = [], finding_ids: ids }: ChangeGroup): string {
  const named = bookings > locators.length ? `, first ${locators.length}` : '';
  const parts = [`${counted(bookings, 'booking')}${named}: ${locators.join(', ')}`, ...also];
  return `  ${what}: ${parts.join('; ')}; finding_ids ${ids.join(', ')}`;
}
