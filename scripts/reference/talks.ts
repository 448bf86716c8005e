/**
 * The conversations of the guides: a person's words, the tool call, its result, and the assistant's answer. The calls are real;
 * only the sentences of person and assistant are written here.
 */
import { addDays } from '../../src/core/times.ts';
import { counted } from '../../src/core/words.ts';
import { assertDone, type Example } from './examples.ts';
import type { Office } from './office.ts';
import { steadily } from './tools-page.ts';

// biome-ignore lint/suspicious/noExplicitAny: the next call takes whatever handle the last one gave
type Fields = any;

interface Turn {
  readonly says: string;
  readonly tool: string;
  /** Builds the arguments from the results of earlier calls, newest first. */
  with(before: readonly Fields[]): object;
  /** The answer of the person who is asked. */
  readonly person?: 'yes' | 'no';
  /** Why they answer so, in a sentence, where the talk does not show it. */
  readonly because?: string;
  /** How many lines of the result are shown. Default: all. */
  readonly lines?: number;
  /** The same of the question. */
  readonly questionLines?: number;
  answers(now: Fields, before: readonly Fields[]): string;
}

interface Talk {
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
      lines: 4,
      answers: ({ cheapest, days, currency }) => {
        const best = days.find(({ date }: Fields) => date === cheapest.date);
        return `${day(cheapest.date)}: ${currency} ${best.total} for both, there and back.`;
      },
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
        `The cheapest leaves at ${first.legs[0].departs.slice(11, 16)} and costs ${currency} ${first.total} for both. The airline shows the refund rule once it is held; a hold is free. Shall I hold it? I need names, birth dates and passports.`,
    },
    {
      says: 'Laila and Omar Haddad; here are their passports. Contact is layla@haddad.example.',
      tool: 'create_booking',
      with: ([found]) => ({
        offer_ids: [found.offers[0].offer_id],
        contact: { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' },
        passengers: [person('Laila', 'P4402917', 'Female'), person('Omar', 'P4402918', 'Male')],
      }),
      lines: 4,
      answers: ({ booking }) =>
        `Held as ${booking.locator}. Nothing is paid yet. The hold expires if no one pays. If you cancel after payment, the airline keeps a fee. Pay by invoice?`,
    },
    {
      says: 'Yes, by invoice.',
      tool: 'pay_booking',
      with: ([held]) => ({
        locator: held.booking.locator,
        payment: { type: 'invoice' },
        expected_total: held.booking.total,
      }),
      person: 'yes',
      questionLines: 6,
      lines: 3,
      answers: ({ tickets }) => `Paid. Tickets ${tickets.map(({ number }: Fields) => number).join(' and ')}.`,
    },
  ],
};

/** Customer support changes a paid booking. */
const CHANGING: Talk = {
  who: 'Support',
  turns: [
    {
      says: 'Ms Haddad writes about {locator}: her husband has to stay at home. What does she get back for him?',
      tool: 'quote_cancellation',
      with: (before) => ({ locator: locatorOf(before), passenger_refs: ['2'] }),
      lines: 2,
      answers: ({ currency, refund_now: back, kept_now: kept }) =>
        `${currency} ${back} comes back for him now, and the airline keeps ${currency} ${kept}. Less comes back later. Nothing is cancelled yet.`,
    },
    {
      says: 'Remove passenger 2. She still travels.',
      tool: 'cancel_passenger',
      with: (before) => ({ locator: locatorOf(before), passenger_refs: ['2'] }),
      person: 'yes',
      questionLines: 3,
      answers: ({ refund }) =>
        `Omar is removed. The airline refunds ${refund.currency} ${refund.stated.back}. Ms Haddad's own ticket is unchanged.`,
    },
    {
      says: 'Now she wants to stay at home too. Cancel the whole booking.',
      tool: 'cancel_booking',
      with: (before) => ({ locator: locatorOf(before) }),
      person: 'no',
      because: 'She writes that she will travel after all.',
      questionLines: 1,
      lines: 1,
      answers: () => 'You declined, so nothing was sent. Her ticket is unchanged.',
    },
  ],
};

/** The desk's morning. */
const WATCHING: Talk = {
  who: 'Desk',
  turns: [
    {
      says: 'What must be dealt with today?',
      tool: 'list_bookings',
      with: () => ({ deadline_within_hours: 24 }),
      answers: ({ bookings }) =>
        bookings.length === 1
          ? `One booking: ${bookings[0].locator} is held and not paid. It expires soon.`
          : `${bookings.length} bookings have a deadline within a day.`,
    },
    {
      says: 'The customer no longer wants it. Release it.',
      tool: 'cancel_booking',
      with: ([list]) => ({ locator: list.bookings[0].locator }),
      person: 'yes',
      questionLines: 1,
      answers: () => 'Released. Nothing was paid, so there is no refund.',
    },
  ],
};

/** A traveller's train does not run. */
const DISRUPTED: Talk = {
  who: 'Support',
  turns: [
    {
      says: 'Ms Saleh writes: “My train was cancelled, what now?” Her booking is {locator}.',
      tool: 'read_booking',
      with: (before) => ({ locator: locatorOf(before) }),
      lines: 2,
      answers: () =>
        'She is right: the airline cancelled her train and has not refunded her yet. It sends no refund rule for that, so it states the amount only after you cancel.',
    },
    {
      says: 'She wants her money back. Cancel her booking.',
      tool: 'cancel_booking',
      with: (before) => ({ locator: locatorOf(before) }),
      person: 'yes',
      questionLines: 1,
      answers: ({ refund }) =>
        `The booking is cancelled. The airline refunds ${refund.currency} ${refund.stated.back}, which it has ${refund.stated.order}.`,
    },
  ],
};

const TALKS = { selling: SELLING, changing: CHANGING, watching: WATCHING, disrupted: DISRUPTED } as const;
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
  if (lines.length <= most) return text;
  return [...lines.slice(0, most), `… ${counted(lines.length - most, 'more line')}`].join('\n');
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
    if (asked)
      parts.push(
        'You are asked:\n',
        fence(cut(asked.join('\n'), turn.questionLines)),
        `${turn.because === undefined ? '' : `${turn.because} `}You ${turn.person === 'yes' ? 'approve' : 'decline'}.\n`,
      );
    parts.push(fence(cut(result.text, turn.lines)), quote('Assistant', turn.answers(result.structured, before)));
    before.unshift(result.structured);
  }
  return parts.join('\n');
}

/** Plays all conversations. Returns their text by name. */
export async function playTalks(office: Office): Promise<Readonly<Record<TalkName, string>>> {
  const played: Example[] = [];
  const before: Fields[] = [];
  const selling = await play(office, TALKS.selling, before, played);
  const changing = await play(office, TALKS.changing, before, played);
  await holdAnother(office);
  const watching = await play(office, TALKS.watching, [], played);
  const locator = await sellOne(office);
  office.cancelTrain(locator);
  const disrupted = await play(office, TALKS.disrupted, [{ booking: { locator } }], played);
  const steady = steadily(played);
  return {
    ...{ selling: steady(selling), changing: steady(changing) },
    ...{ watching: steady(watching), disrupted: steady(disrupted) },
  };
}

/** Sells a ticket, and reads the booking once, as the server does that watches. */
async function sellOne(office: Office): Promise<string> {
  const legs = [{ from: FROM, to: TO, date: '2026-12-12' }];
  const search = { legs, passengers: { adults: 1 }, max_results: 1 };
  const found: Fields = (await office.call('search_fares', search)).result.structured;
  const held: Fields = (
    await office.call('create_booking', {
      offer_ids: [found.offers[0].offer_id],
      contact: { given_name: 'Muna', surname: 'Saleh', email: 'muna@saleh.example' },
      passengers: [{ ...person('Muna', 'P5500003', 'Female'), surname: 'Saleh' }],
    })
  ).result.structured;
  const { locator } = held.booking;
  await office.call('pay_booking', { locator, payment: { type: 'invoice' } }, 'yes');
  await office.call('read_booking', { locator });
  return locator;
}

/** Makes an unpaid booking for the desk's morning. */
async function holdAnother(office: Office): Promise<void> {
  const legs = [{ from: FROM, to: TO, date: '2026-12-11' }];
  const found: Fields = (await office.call('search_fares', { legs, ...TWO, max_results: 1 })).result.structured;
  await office.call('create_booking', {
    offer_ids: [found.offers[0].offer_id],
    contact: { given_name: 'Rania', surname: 'Haddad', email: 'rania@haddad.example' },
    passengers: [person('Rania', 'P5500001', 'Female'), person('Noor', 'P5500002', 'Female')],
  });
}

/** Puts a conversation into its page, between `<!-- talk: NAME -->` and `<!-- /talk -->`. */
export function withTalk(page: string, name: TalkName | 'questions', talk: string): string {
  const place = new RegExp(`(?<=<!-- talk: ${name} -->\\n)[\\s\\S]*?(?=<!-- /talk -->)`);
  if (!place.test(page)) throw new Error(`the page has no place for the conversation ${name}`);
  return page.replace(place, () => `\n${talk}\n`);
}
