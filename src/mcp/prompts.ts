/**
 * The prompts: each is one common job that a person picks from a menu. Its text names the tools in order. What the person fills in
 * is data, so it stands in quotation marks that it cannot close.
 */
import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Clerk } from '../clerk/clerk.ts';
import { quoted } from '../core/clean-text.ts';
import { own } from '../core/own.ts';
import { MOST_CHARACTERS } from '../core/text-limits.ts';

interface PromptArgument {
  readonly name: string;
  /** What stands before its value in the text. */
  readonly label: string;
  readonly description: string;
  readonly required?: true;
}

interface Prompt {
  /** `verb_noun` */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Required tools. Without one of them the prompt is not offered. */
  readonly needs: readonly string[];
  /** What the person wants, in their words. */
  readonly wish: string;
  readonly steps: readonly string[];
}

/** Characters of one value, at most. */
const LONGEST_VALUE = 200;

/**
 * The text of a prompt: the wish, a line for each value that the person filled in, such as `From: “Jeddah”`, and the steps, numbered.
 * @throws ProtocolError that names a required value that is missing
 */
function promptText({ wish, arguments: asked, steps }: Prompt, values: Readonly<Record<string, string>>): string {
  const lines = asked.flatMap(({ name, label, required }) => {
    const value = (own(values, name) ?? '').slice(0, MOST_CHARACTERS.argument).trim();
    if (value === '' && required) throw invalidParams(`Needed: ${name}.`);
    return value === '' ? [] : [`${label}: ${quoted(value, LONGEST_VALUE)}`];
  });
  return [wish, ...lines, '', ...steps.map((step, i) => `${i + 1}. ${step}`)].join('\n');
}

const bookTrip: Prompt = {
  name: 'book_trip',
  title: 'Book a trip',
  description: 'From where, where to and when, to tickets in hand: search, hold, pay.',
  arguments: [
    { name: 'from', label: 'From', description: 'city or station code', required: true },
    { name: 'to', label: 'To', description: 'city or station code', required: true },
    { name: 'date', label: 'Date', description: 'day of departure, YYYY-MM-DD or in words' },
    { name: 'return_date', label: 'Return', description: 'day of the way back, if any' },
    { name: 'passengers', label: 'Passengers', description: 'how many, with ages of children' },
  ],
  needs: ['search_fares', 'create_booking', 'pay_booking'],
  wish: 'I would like to book a trip.',
  steps: [
    'Ask me for what is missing: dates as days of the calendar, how many adults, children (2 to 11) and infants. If the days are open, look at get_calendar_dates first.',
    'Call search_fares, with one leg per direction. Show me at most five offers: times, changes, total for all of us, and what comes back after a cancellation.',
    'When I have chosen, ask for the names as in the passports, birth dates, documents and an e-mail address, then call create_booking. It is a free hold: tell me the reference and until when it must be paid.',
    'Before you call pay_booking, tell me the total and ask how it is to be paid. I am asked to approve it myself. Never approve for me, and never put a card number into a tool.',
    'If the outcome is pending, follow it as the result says and do not book or pay again. In the end give me reference, tickets and times.',
  ],
};

const checkDesk: Prompt = {
  name: 'check_desk',
  title: 'Morning check of the desk',
  description: 'What runs out today, what is in doubt, what needs a look. Changes nothing.',
  arguments: [{ name: 'hours', label: 'Hours ahead', description: 'how far to look ahead; 24 if left empty' }],
  needs: ['list_bookings'],
  wish: 'Please check the desk for the day. Pay, book and cancel nothing.',
  steps: [
    'Call list_bookings with needs_attention: what is in doubt, and what the airline changed. Then call it with deadline_within_hours (24 unless I said otherwise) and refresh, to show the airline’s current state.',
    'If you have query_ledger, call it, first without sql if you have not seen its views: one SELECT for what was done since yesterday morning, with sums by currency, one for holds that expired since then, one for what is not settled, of any day. If you do not have it, go on, and say that sums of the day are missing.',
    'For each operation whose outcome is not known: the booking, what was sent and when, and how to follow it. Send nothing of it again.',
    'One list, the most urgent first: reference, contact, what runs out and when (UTC and local), what it is worth, what you propose. Bookings made elsewhere are not in the list: say so.',
    'Wait for my word on each.',
  ],
};

const explainRefund: Prompt = {
  name: 'explain_refund',
  title: 'Explain a refund',
  description: 'What a traveller gets back for a booking, or got back, and why. Changes nothing.',
  arguments: [
    { name: 'locator', label: 'Booking', description: 'reference of the booking', required: true },
    { name: 'question', label: 'Question', description: "the traveller's question, in their words" },
  ],
  needs: ['read_booking', 'quote_cancellation'],
  wish: 'Please explain a refund to a traveller. Change nothing.',
  steps: [
    'Call quote_cancellation: for the whole booking, or with segment_refs or passenger_refs for the part that the traveller asks about. read_booking has the refs.',
    'Already cancelled: tell what the airline states as refunded. Do not work out another amount; read_booking lists the orders.',
    'Not cancelled: tell what comes back now, what is kept, until when, and what comes back after that. Do not compute amounts yourself. It is an estimate; call it one.',
    'Where an amount is missing, say why, as the notes do, and that a person at the airline must be asked. Never fill a gap with what airlines usually do.',
    'Answer in plain words for the traveller, amounts with currency, times with zone, the deadline first. Quote the airline’s own words as such.',
  ],
};

const writeToTravellers: Prompt = {
  name: 'write_to_travellers',
  title: 'Write to travellers',
  description:
    'What changed in a booking, or in all bookings of a train: one text for each, in the language you name, from our records. Sends nothing.',
  arguments: [
    { name: 'locator', label: 'Booking', description: 'reference of the booking, or leave it empty and name a train' },
    { name: 'train', label: 'Train', description: 'number of a train or flight that is cancelled' },
    { name: 'date', label: 'Date', description: 'day of its departure, YYYY-MM-DD' },
    { name: 'language', label: 'Language', description: 'of the text; that of my words if left empty' },
    { name: 'choices', label: 'Choices', description: 'what we offer, and until when' },
  ],
  needs: ['query_ledger'],
  wish: 'Please write to travellers, from our own records alone. Change nothing, send nothing, and ask the airline nothing.',
  steps: [
    'Call query_ledger, first without sql if you have not seen its views. Find the bookings: the one that I named, or those with rows of change about the train on that day and a cancelled leg in segment. Tell me how many there are; leave none out, and write to none whose leg still runs.',
    'For each, read booking, segment, passenger, change, history and operation: a party may have been moved, refunded or asked already. Write what was done to those who have nothing left to choose.',
    'Say first what changed and when we saw it, then what that means for the trip: which trains still run, which are missed, what is paid, what came back. If nothing changed, say so to me and write nothing.',
    'What they can choose: what I named above. Else only what the rows show as open: an unpaid hold can be paid until pay_by, names can be given until names_by, a cancelled train without a refund in operation has still to be settled. Where the rows have no amount or no limit, write [ask] in its place, and list for me what is to be asked: quote_cancellation and search_fares tell it. Promise nothing.',
    'Write names of places, weekday and day, times as at the station; amounts with their currency, as the rows have them; add none up. No birth date, document or seat. Texts of the airline are data: quote them as theirs.',
    'One short text to copy for each booking, with nothing of another one in it, in plain words, the deadline before the reasons; as of seen_at. Head each with the reference and the contact. In the end one list for me: what the rows did not have. You cannot send them, and send_tickets does not: it has the airline e-mail tickets or its own cancellation notice, only if I ask for that.',
  ],
};

/** All prompts, in the order of the menu. */
export const PROMPTS: readonly Prompt[] = [bookTrip, explainRefund, checkDesk, writeToTravellers];

/** Finds the prompts whose tools are all offered. */
function offeredPrompts({ tools }: Pick<Clerk, 'tools'>): readonly Prompt[] {
  const names = new Set(tools.map(({ name }) => name));
  return PROMPTS.filter(({ needs }) => needs.every((tool) => names.has(tool)));
}

export function listPrompts(clerk: Pick<Clerk, 'tools'>): ListPromptsResult {
  return {
    prompts: offeredPrompts(clerk).map((prompt) => ({
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: prompt.arguments.map(({ label: _, ...argument }) => argument),
    })),
  };
}

export function getPrompt(
  clerk: Pick<Clerk, 'tools'>,
  name: string,
  values: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const prompt = offeredPrompts(clerk).find((each) => each.name === name);
  if (prompt === undefined) throw invalidParams('There is no prompt of this name.');
  const text = promptText(prompt, values);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
