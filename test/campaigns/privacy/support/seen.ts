/** Everything that came out of the clerk, by the way it came out, and the short list of what may be in it. */
import { Canaries, type CanaryName, PLANTED } from './canaries.ts';

export type Channel =
  | ('result' | 'error' | "the airline's title" | 'protocol' | 'dialog' | 'stderr' | 'command' | 'page')
  | ('table' | 'state file' | 'state file, running' | 'state file, something open')
  | ('metrics' | 'traces' | 'event' | 'notice');

interface Sight {
  readonly channel: Channel;
  /** The tool, table, command or file. */
  readonly of: string;
  readonly text: string;
}

const NAMES: readonly CanaryName[] = ['given name', 'surname'];
const CONTACT: readonly CanaryName[] = ['contact given name', 'contact surname'];
/** A traveller is in it by surname and initial. */
const LISTED: readonly CanaryName[] = [...CONTACT, 'surname'];
const PEOPLE: readonly CanaryName[] = [...NAMES, ...CONTACT];
/** What the desk keeps for itself: the airline gets none of it, and so repeats none. */
const KEY: readonly CanaryName[] = ['customer key'];
const REASON: readonly CanaryName[] = ['reason'];
/** What passes for a booking reference. */
const AS_LOCATOR: readonly CanaryName[] = [
  ...(['api key', 'client secret', 'password', 'database password'] as const),
  ...([...PEOPLE, ...KEY, 'document number', 'phone', 'birth date', 'service code'] as const),
];
const REACH: readonly CanaryName[] = ['document number', 'e-mail', 'phone'];
/** What terms may name. */
const TERMS: readonly CanaryName[] = [...PEOPLE, 'birth date', 'holder name'];
/** A special service, which is about health. */
const SERVICE: readonly CanaryName[] = ['service code', 'service text'];
const ALL_PERSONAL: readonly CanaryName[] = [...TERMS, ...REACH, ...SERVICE];

/** Tools that ask give the terms and the booking, which name the people, and the handle to follow them by. */
const ASKING = [
  ...['create_booking', 'pay_booking', 'cancel_segment', 'cancel_passenger', 'cancel_booking', 'change_names'],
  ...[
    'assign_seats',
    'update_contact',
    'update_passenger',
    'rebook_segment',
    'split_booking',
    'request_service',
    'run_plan',
  ],
];
const FILES = ['fareclerk.sqlite', 'fareclerk.sqlite-wal'];

type Allowed = readonly [channel: Channel, of: readonly string[], canaries: readonly CanaryName[], why: string];

/** All that is allowed. What is not here is a leak. */
const ALLOWED: readonly Allowed[] = [
  ['result', ['read_booking'], [...PEOPLE, 'birth date'], 'the booking that was asked for; ways of contact are masked'],
  ['result', ['read_booking, reveal_personal'], [...PEOPLE, 'birth date', ...REACH], 'reveal_personal asks for it'],
  ['result', ['quote_cancellation'], NAMES, 'what comes back for whom, by name'],
  ['result', ['get_tickets'], NAMES, 'whose ticket each is'],
  ['result', ASKING, [...PEOPLE, 'approval handle'], 'terms, tickets, names; the handle'],
  ['result', ['update_contact', 'update_passenger'], REACH, 'the new value, in the terms of the call that gives it'],
  ['dialog', ['update_contact', 'update_passenger'], REACH, 'the new value: the person decides on it'],
  ['result', ['create_booking', 'update_passenger', 'change_names'], ['birth date'], 'just made; what is changed'],
  ['result', ['pay_booking'], ['holder name'], 'the terms name the holder'],
  ['result', ['read_booking', 'read_booking, reveal_personal', 'list_bookings', 'query_ledger'], KEY, 'the desk asks'],
  ['result', ['update_contact'], KEY, 'just set'],
  ['result', ['read_booking', 'query_ledger'], REASON, 'the history of the booking, and of the desk, which asks'],
  ...(['result', 'error', 'dialog'] as const).map(
    (way): Allowed => [way, ASKING, REASON, 'the terms: the person decides on it'],
  ),
  ['command', ['approve', 'approve --json'], REASON, 'pending terms, in a terminal'],
  ['table', ['approval.terms', 'approval.void_lines', 'plan'], REASON, 'terms, until an hour after they lapsed'],
  [
    'table',
    ['approval.carried'],
    [...KEY, ...REASON],
    'what an open question would carry out; erased when it is spent',
  ],
  ['table', ['operation'], REASON, 'beside the operation, until the booking is long over'],
  ['table', ['operation'], KEY, 'beside a hold that is not settled'],
  ['table', ['customer'], KEY, 'the table of keys'],
  ['state file', FILES.slice(0, 1), [...KEY, ...REASON], 'as the tables'],
  ['state file, running', FILES, [...KEY, ...REASON], 'as the tables'],
  ['state file, something open', FILES, [...KEY, ...REASON], 'as the tables'],
  ['result', ['read_booking', 'create_booking', 'request_service'], SERVICE, 'what the booking shows, or is asked for'],
  ['result', ['read_booking, reveal_personal', 'pay_booking'], SERVICE, 'what the booking shows'],
  ['result', ['query_ledger'], ['service code'], 'passenger.services of the ledger, without the text'],
  ['dialog', ['create_booking', 'request_service'], SERVICE, 'the terms: the person decides on it'],
  ['result', ['get_seat_map'], NAMES, 'who has which seat of the booking'],
  ['result', ['list_bookings', 'query_ledger'], LISTED, 'contact_name and travelers of the ledger'],
  [
    'result',
    ['list_bookings, malformed'],
    AS_LOCATOR,
    'what this call named as a locator: the airline has no such booking',
  ],
  [
    ...([
      'error',
      ['query_ledger'],
      [...PEOPLE, ...SERVICE, ...KEY, ...REASON, 'document number', 'phone', 'holder name'],
    ] as const),
    'SQLite names the word of this very call that it does not understand',
  ],
  ['error', ASKING, [...NAMES, 'holder name'], 'the new terms of an approval that is stale'],
  [
    ...(['protocol', ['resources/read', 'tools/call'], Object.keys(PLANTED) as CanaryName[]] as const),
    'the SDK repeats the name of a resource or tool to the caller who asked for what is not there',
  ],
  ["the airline's title", ['error'], ALL_PERSONAL, "the airline's own words, as data, to the caller; never a secret"],
  ['dialog', ASKING, TERMS, 'the terms, shown to the person who decides'],
  ['page', ['page'], TERMS, 'the terms, shown to the person who decides'],
  [
    'command',
    ['approve', 'approve --json'],
    [...PEOPLE, ...SERVICE, 'holder name', 'e-mail'],
    'pending terms, in a terminal',
  ],
  ['table', ['booking'], LISTED, 'contact_name and travelers of the ledger'],
  ['table', ['booking'], ['service code'], 'services of the ledger, without the text, as long as the names'],
  [
    'table',
    ['approval.terms', 'approval.void_lines'],
    [...TERMS, ...SERVICE, 'e-mail'],
    'until an hour after they lapsed',
  ],
  ['table', ['approval.carried'], ALL_PERSONAL, 'what an open question would carry out; erased when it is spent'],
  ['table', ['plan'], [...TERMS, 'e-mail'], 'lines of a plan with their terms, until an hour after it lapsed'],
  ['state file, something open', FILES, ALL_PERSONAL, 'as approval.carried, while open'],
  [
    'state file',
    FILES.slice(0, 1),
    [...TERMS, ...SERVICE, 'e-mail'],
    'ledger and terms, as above; nothing that was erased',
  ],
  [
    'state file, running',
    FILES,
    [...TERMS, ...SERVICE, 'e-mail'],
    'ledger and terms, as above; nothing that was erased',
  ],
];

export class Seen {
  readonly canaries = new Canaries();
  readonly sights: Sight[] = [];

  add(channel: Channel, of: string, text: string): void {
    if (text !== '') this.sights.push({ channel, of, text });
  }

  leaks() {
    return this.sights.flatMap(({ channel, of, text }) => {
      const mayHold = (canary: CanaryName) =>
        ALLOWED.some(([way, whose, some]) => way === channel && whose.includes(of) && some.includes(canary));
      const found = [...this.canaries.foundIn(text)].filter(([canary]) => !mayHold(canary));
      return found.map(([canary, at]) => {
        return { channel, of, canary, around: text.slice(Math.max(0, at - 80), at + 60) };
      });
    });
  }
}
