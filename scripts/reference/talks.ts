/**
 * The conversations of the guides: the person's words, the assistant's calls with their results, and its answer. Calls are
 * real; only the sentences of the two are written by hand.
 */
import { addDays } from '../../src/domain/time-and-text/times.ts';
import { assertDone, type Example } from './examples.ts';
import type { Office } from './office.ts';
import { steadily } from './tools-page.ts';

// biome-ignore lint/suspicious/noExplicitAny: calls use handles from earlier results
type Fields = any;

interface Turn {
  readonly says: string;
  readonly tool: string;
  /** From results of earlier calls, newest first. */
  with(before: readonly Fields[]): object;
  /** What the person asked answers. */
  readonly person?: 'yes' | 'no';
  /** The lines of the result to show; default: all. */
  readonly lines?: number;
  answers(now: Fields, before: readonly Fields[]): string;
}

export interface Talk {
  /** Who speaks to the assistant. */
  readonly who: string;
  readonly turns: readonly Turn[];
}

const [FROM, TO] = ['QCA', 'XMD'];
const TWO = { passengers: { adults: 2 }, booking_classes: ['C'] };

function person(given: string, number: string, gender: string) {
  const document = { type: 'passport', number, nationality: 'SA', expires: '2031-08-30' };
  return { type: 'ADT', given_name: given, surname: 'Haddad', gender, birth_date: '1991-04-17', document };
}

const locatorOf = (before: readonly Fields[]): string => before.find(({ booking }) => booking)?.booking.locator;
const day = (date: string): string =>
  new Date(`${date.slice(0, 10)}T12:00:00Z`).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });

/** A travel agent sells two tickets. */
const SELLING: Talk = {
  who: 'Agent',
  turns: [
    {
      says: 'Two adults, Makkah to Madinah between the 10th and the 13th of December, back two days later, business class. Which day is cheapest?',
      tool: 'find_cheapest_dates',
      with: () => ({
        from: FROM,
        to: TO,
        start_date: '2026-12-10',
        end_date: '2026-12-13',
        return_after_days: 2,
        ...TWO,
      }),
      answers: ({ cheapest, currency }) =>
        `${day(cheapest.date)}: ${currency} ${cheapest.total} for both, there and back.`,
    },
    {
      says: 'Show me the trains of that day, back two days later.',
      tool: 'search_fares',
      with: ([{ cheapest }]) => ({
        legs: [
          { from: FROM, to: TO, date: cheapest.date },
          { from: TO, to: FROM, date: addDays(cheapest.date, 2) },
        ],
        ...TWO,
        max_results: 2,
      }),
      answers: ({ offers: [first], currency }) =>
        `The cheapest leaves at ${first.legs[0].departs.slice(11, 16)} and costs ${currency} ${first.total} for both. What a refund would cost, the airline says once it is held; holding is free. Shall I hold it? I need names, birth dates and passports.`,
    },
    {
      says: 'Laila and Omar Haddad; here are their passports. Contact is layla@haddad.example.',
      tool: 'create_booking',
      with: ([found]) => ({
        offer_ids: [found.offers[0].offer_id],
        contact: { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' },
        passengers: [person('Laila', 'P4402917', 'Female'), person('Omar', 'P4402918', 'Male')],
      }),
      lines: 8,
      answers: ({ booking }) =>
        `Held as ${booking.locator}. Nothing is paid; it lapses by itself if nobody pays. If you cancel after payment, the airline keeps a fee. Invoice?`,
    },
    {
      says: 'Yes, on invoice.',
      tool: 'pay_booking',
      with: ([held]) => ({
        locator: held.booking.locator,
        payment: { type: 'invoice' },
        expected_total: held.booking.total,
      }),
      person: 'yes',
      lines: 3,
      answers: ({ tickets }) => `Paid. Tickets ${tickets.map(({ number }: Fields) => number).join(' and ')}.`,
    },
  ],
};

/** Somebody at customer support changes a booking that is paid. */
const CHANGING: Talk = {
  who: 'Support',
  turns: [
    {
      says: 'Ms Haddad is on the line about {locator}: her husband stays at home. What does she get back for him?',
      tool: 'read_booking',
      with: (before) => ({ locator: locatorOf(before) }),
      answers: ({ booking }) =>
        `Both are ticketed, ${booking.currency} ${booking.total} together. For each person and train the airline keeps a fee and the tax on it; the fee doubles a day before the train. Before you agree, the terms give an estimate for him alone.`,
    },
    {
      says: 'Take passenger 2 out. She travels.',
      tool: 'cancel_passenger',
      with: (before) => ({ locator: locatorOf(before), passenger_refs: ['2'] }),
      person: 'yes',
      answers: ({ refund }) =>
        `Omar is out; the airline refunds ${refund.currency} ${refund.stated.amount}. Ms Haddad's own ticket is unchanged.`,
    },
    {
      says: 'Now she wonders about cancelling everything.',
      tool: 'cancel_booking',
      with: (before) => ({ locator: locatorOf(before) }),
      person: 'no',
      answers: () => 'You said no, so nothing was sent: her ticket is unchanged.',
    },
  ],
};

/** The morning check of the office. */
const WATCHING: Talk = {
  who: 'Desk',
  turns: [
    {
      says: 'What must be dealt with today?',
      tool: 'list_bookings',
      with: () => ({ deadline_within_hours: 24 }),
      answers: ({ bookings }) =>
        bookings.length === 1
          ? `One: ${bookings[0].locator} is held and not paid, and lapses soon.`
          : `${bookings.length} bookings have a deadline within a day.`,
    },
    {
      says: 'They do not want it any more. Release it.',
      tool: 'cancel_booking',
      with: ([list]) => ({ locator: list.bookings[0].locator }),
      person: 'yes',
      answers: () => 'Released. Nothing was paid, so nothing comes back.',
    },
    {
      says: 'And what did we sell and refund this month?',
      tool: 'report_activity',
      with: () => ({ group_by: 'tool', from: '2026-11-01' }),
      answers: () =>
        'Every line is from the journal; amounts in two currencies would stand apart, and nothing is in doubt.',
    },
  ],
};

export const TALKS = { selling: SELLING, changing: CHANGING, watching: WATCHING } as const;
export type TalkName = keyof typeof TALKS;

const LINE = 100;

/** Breaks a long line at spaces and indents the rest. Tables keep their gaps. */
function folded(text: string): string {
  const margin = `${/^ */.exec(text)?.[0] ?? ''}    `;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    if (line !== '' && line.length + word.length + 1 > LINE) {
      lines.push(line);
      line = margin + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

const callText = (tool: string, args: object): string => `${tool} ${JSON.stringify(args).replaceAll(',"', ', "')}`;

function cut(text: string, most = Number.POSITIVE_INFINITY): string {
  const lines = text.split('\n');
  return lines.length <= most ? text : [...lines.slice(0, most), `… ${lines.length - most} more lines`].join('\n');
}

const quote = (who: string, words: string): string => `> **${who}:** ${words}\n`;
const fence = (text: string): string => `\`\`\`text\n${text.split('\n').map(folded).join('\n')}\n\`\`\`\n`;

/** Plays one conversation; later ones find the bookings of earlier ones. */
async function play(office: Office, talk: Talk, before: Fields[], played: Example[]): Promise<string> {
  const parts: string[] = [];
  for (const turn of talk.turns) {
    const args = turn.with(before);
    const { result, asked } = await office.call(turn.tool, args, turn.person);
    if (turn.person !== 'no') assertDone(turn.tool, result);
    if (result.isError !== (turn.person === 'no') || (asked === undefined) !== (turn.person === undefined))
      throw new Error(`${turn.tool}: ${result.text}`);
    played.push({ tool: turn.tool, args, result });
    parts.push(
      quote(talk.who, turn.says.replace('{locator}', locatorOf(before) ?? '')),
      fence(callText(turn.tool, args)),
    );
    if (asked) parts.push('A person is asked:\n', fence(asked.join('\n')), `The person says ${turn.person}.\n`);
    parts.push(fence(cut(result.text, turn.lines)), quote('Assistant', turn.answers(result.structured, before)));
    before.unshift(result.structured);
  }
  return parts.join('\n');
}

/** All conversations as text for a page, by name. */
export async function playTalks(office: Office): Promise<Readonly<Record<TalkName, string>>> {
  const played: Example[] = [];
  const before: Fields[] = [];
  const selling = await play(office, TALKS.selling, before, played);
  const changing = await play(office, TALKS.changing, before, played);
  await holdAnother(office);
  const watching = await play(office, TALKS.watching, [], played);
  const steady = steadily(played);
  return { selling: steady(selling), changing: steady(changing), watching: steady(watching) };
}

/** An unpaid booking, which the morning check finds. */
async function holdAnother(office: Office): Promise<void> {
  const legs = [{ from: FROM, to: TO, date: '2026-12-11' }];
  const found: Fields = (await office.call('search_fares', { legs, ...TWO, max_results: 1 })).result.structured;
  await office.call('create_booking', {
    offer_ids: [found.offers[0].offer_id],
    contact: { given_name: 'Rania', surname: 'Haddad', email: 'rania@haddad.example' },
    passengers: [person('Rania', 'P5500001', 'Female'), person('Noor', 'P5500002', 'Female')],
  });
}

/** A page with its conversation between `<!-- talk: NAME -->` and `<!-- /talk -->`. */
export function withTalk(page: string, name: TalkName, talk: string): string {
  const place = new RegExp(`(?<=<!-- talk: ${name} -->\\n)[\\s\\S]*?(?=<!-- /talk -->)`);
  if (!place.test(page)) throw new Error(`the page has no place for the conversation ${name}`);
  return page.replace(place, () => `\n${talk}\n`);
}
