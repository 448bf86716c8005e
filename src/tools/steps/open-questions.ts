/** Questions about bookings that wait for a person: a list and a reading tell them, so that nobody asks or pays beside them. */
import { isPlanQuestion } from '../../approvals/approval.ts';
import { utcText } from '../../core/times.ts';
import { showClock } from '../../domain/booking/deadlines.ts';
import { actWord } from '../../journal/act.ts';
import type { ToolContext } from '../definition/define.ts';

/** The next step for a question that waits: the tool that asked shows it again. */
export function answerStep(locators: readonly string[]): string {
  return `Tell the person to answer the question about ${locators.join(', ')} in time; the same call of its tool shows it again.`;
}

/**
 * Writes the open questions of a booking, whoever's call asked them, without names: `a question about the payment waits until
 * 14:05 (UTC+3)`.
 * @param bookings each with a departure, whose offset gives the local time
 * @returns by locator; only bookings that have one
 */
export async function waitingQuestions(
  bookings: readonly { readonly locator: string; readonly departs?: string | undefined }[],
  { state, acts }: Pick<ToolContext, 'state' | 'acts'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (bookings.length === 0) return new Map();

  const departures = new Map(bookings.map(({ locator, departs }) => [locator, departs]));
  const open = await state.openQuestions?.([...departures.keys()]);

  const texts = (open ?? []).flatMap(({ question, locators }) => {
    const word = isPlanQuestion(question) ? 'plan' : actWord(acts, question.tool);
    const until = utcText(question.expiresAt);

    return locators
      .filter((locator) => departures.has(locator))
      .map((locator) => {
        const time = showClock(until, departures.get(locator));
        return { locator, text: `a question about the ${word} waits until ${time}` };
      });
  });
  const byLocator = [...Map.groupBy(texts, ({ locator }) => locator)];
  return new Map(byLocator.map(([locator, same]) => [locator, same.map(({ text }) => text)]));
}
