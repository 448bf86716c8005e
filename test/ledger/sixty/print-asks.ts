/**
 * Prints the sixty questions, or the thirty, for the reader who writes their statements, with what a clerk of the desk would know:
 * node test/ledger/sixty/print-asks.ts [thirty] > FILE
 */
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { QUESTIONS as THIRTY } from '../thirty/questions.ts';
import { booksOf } from './ask.ts';
import { DESKS, dayOn, END, LATER_DAYS } from './people.ts';
import type { DeskQuestion } from './question.ts';
import { QUESTIONS as SIXTY } from './questions.ts';
import { withLocators } from './statements.ts';
import { playStory } from './story.ts';

const weekday = (day: string) => new Date(day).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });
const [today, laterDay] = [dayOn(END.day), dayOn(END.day + LATER_DAYS)];

const ASKERS = {
  lea: `lea, supervisor of the desk in Berlin (${DESKS.hanse.zone}): she sees the whole desk`,
  jon: `jon, clerk of the desk in Berlin (${DESKS.hanse.zone}): he sees what is his`,
  noa: `noa, supervisor of the desk in New York (${DESKS.hudson.zone}): she sees that desk only`,
} as const;

const QUESTIONS = process.argv[2] === 'thirty' ? THIRTY : SIXTY;

const FACTS = `# ${QUESTIONS.length} questions for query_ledger

Each question is answered by one call of the tool, with one statement, as written first.

What everybody at the desks knows:

- The questions are asked on ${weekday(today)} ${today} at ${END.clock} in Berlin, noon in New York; those under "Later" on
  ${weekday(laterDay)} ${laterDay}. Days and times are those of the desk that asks.
- Weeks are Monday to Sunday. "Last week" is ${dayOn(8)} to ${dayOn(14)}; the week before is ${dayOn(1)} to ${dayOn(7)}. In Berlin the clocks
  went back on ${dayOn(7)}, in New York on ${dayOn(14)}.
- In Berlin ida and jon sell in EUR, kit in KWD, lea in JPY and is the supervisor: clerks are called by these names. In New York
  another jon, and noa, the supervisor, sell in USD. Berlin began to work in September.
- A sale is the payment of a booking. An exchange replaces a train of a paid booking: it may cost money, refund money, or both.
- A hold is a booking that is not paid. Amounts are in the units of their currency (12.34 EUR, 1.234 KWD, 1234 JPY), of one currency in
  each row. People are all who travel: adults, children and infants.
- Stations are named by codes: QCA is Makkah, XMD Madinah. Trains are named as tickets show them, such as HHR0101.
- The cells that an answer must have stand in brackets, a day as YYYY-MM-DD. Their order and names, and further cells, do not matter.
`;

const line = (question: DeskQuestion, locator: (name: string) => string) =>
  `- \`${question.id}\`: ${withLocators(question.asks, locator)}${question.ordered ? ' The order of the rows counts.' : ''}`;

const played = await playStory((now) => openSqliteState(':memory:', { now }));
const parts = [FACTS];
for (const [heading, isLater] of [
  [`Today, ${today}`, false],
  [`Later, ${laterDay}`, true],
] as const) {
  parts.push(`## ${heading}\n`);
  for (const [asker, who] of Object.entries(ASKERS)) {
    const questions = QUESTIONS.filter((one) => one.asker === asker && (one.later === true) === isLater);
    if (questions.length === 0) continue;
    const lines = questions.map((question) => line(question, booksOf(played, question).locator));
    parts.push(`### Asked by ${who}\n`, `${lines.join('\n')}\n`);
  }
}
process.stdout.write(parts.join('\n'));
await played.close();
