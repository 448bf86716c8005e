/**
 * Everything that came out of the clerk, by the way it came out, and the short list of what may be in it.
 */
import { Canaries, type CanaryName, PLANTED } from './canaries.ts';

export type Channel =
  | 'result'
  | 'error'
  | "the airline's title"
  | 'protocol'
  | 'dialog'
  | 'stderr'
  | 'table'
  | 'state file'
  | 'state file, running'
  | 'state file, something open'
  | 'command'
  | 'page'
  | 'metrics'
  | 'traces'
  | 'record file';

export interface Sight {
  readonly channel: Channel;
  /** The tool, table, command or file. */
  readonly of: string;
  readonly text: string;
}

const NAMES: readonly CanaryName[] = ['given name', 'surname'];
const CONTACT: readonly CanaryName[] = ['contact given name', 'contact surname'];
const PEOPLE: readonly CanaryName[] = [...NAMES, ...CONTACT];

/** Guarded tools give the terms and the booking, which name the people, and the handle to follow them by. */
const GUARDED = [
  'create_booking',
  'pay_booking',
  'cancel_segment',
  'cancel_passenger',
  'cancel_booking',
  'change_names',
  'assign_seats',
  'update_contact',
  'update_passenger',
  'rebook_segment',
  'split_booking',
  'run_plan',
];

interface Allowed {
  readonly channel: Channel;
  readonly of: readonly string[];
  readonly canaries: readonly CanaryName[];
  readonly why: string;
}

/** All that is allowed. What is not here is a leak. */
export const ALLOWED: readonly Allowed[] = [
  {
    channel: 'result',
    of: ['read_booking'],
    canaries: [...PEOPLE, 'birth date'],
    why: 'the booking that was asked for; documents and ways of contact are masked',
  },
  {
    channel: 'result',
    of: ['read_booking, reveal_personal'],
    canaries: [...PEOPLE, 'birth date', 'document number', 'e-mail', 'phone'],
    why: 'reveal_personal asks for exactly that',
  },
  { channel: 'result', of: ['quote_cancellation'], canaries: NAMES, why: 'what comes back for whom, by name' },
  {
    channel: 'result',
    of: ['get_tickets'],
    canaries: NAMES,
    why: 'whose ticket each is',
  },
  {
    channel: 'result',
    of: GUARDED,
    canaries: [...PEOPLE, 'approval handle'],
    why: 'terms, tickets, names; the handle',
  },
  ...(['result', 'dialog'] as const).map((channel) => ({
    channel,
    of: ['update_contact', 'update_passenger'],
    canaries: ['e-mail', 'phone', 'document number'] as const,
    why: 'the new value, in the terms of the call that gives it: the person decides on it',
  })),
  {
    channel: 'result',
    of: ['create_booking', 'update_passenger', 'change_names'],
    canaries: ['birth date'],
    why: 'the booking just made; what is changed, in the terms',
  },
  { channel: 'result', of: ['pay_booking'], canaries: ['holder name'], why: 'the terms name the holder' },
  { channel: 'result', of: ['get_seat_map'], canaries: NAMES, why: 'who has which seat of the booking' },
  { channel: 'result', of: ['list_bookings'], canaries: CONTACT, why: 'contact_name of the ledger' },
  {
    channel: 'error',
    of: GUARDED,
    canaries: [...NAMES, 'holder name'],
    why: 'the new terms of an approval that is stale',
  },
  {
    channel: 'protocol',
    of: ['resources/read', 'tools/call'],
    canaries: [...(Object.keys(PLANTED) as CanaryName[])],
    why: 'the SDK repeats the name of a resource or tool to the caller who asked for what is not there',
  },
  {
    channel: "the airline's title",
    of: ['error'],
    canaries: [...PEOPLE, 'birth date', 'document number', 'e-mail', 'phone', 'holder name'],
    why: "the airline's own words, shown as data to the caller whose call it answers; never a secret",
  },
  {
    channel: 'dialog',
    of: GUARDED,
    canaries: [...PEOPLE, 'birth date', 'holder name'],
    why: 'the terms, shown to the person who decides',
  },
  {
    channel: 'page',
    of: ['page'],
    canaries: [...PEOPLE, 'birth date', 'holder name'],
    why: 'the terms, shown to the person who decides',
  },
  {
    channel: 'command',
    of: ['approve', 'approve --json'],
    canaries: [...PEOPLE, 'holder name', 'e-mail'],
    why: 'the terms of pending approvals, in a terminal',
  },
  { channel: 'table', of: ['booking'], canaries: CONTACT, why: 'contact_name of the ledger' },
  {
    channel: 'table',
    of: ['approval.terms', 'approval.stale_lines'],
    canaries: [...PEOPLE, 'birth date', 'holder name', 'e-mail'],
    why: 'the terms, until an hour after they lapsed',
  },
  {
    channel: 'table',
    of: ['approval.carried'],
    canaries: [...PEOPLE, 'birth date', 'holder name', 'document number', 'e-mail', 'phone'],
    why: 'what an open question would carry out; erased when it is spent',
  },
  {
    channel: 'table',
    of: ['plan'],
    canaries: [...PEOPLE, 'birth date', 'holder name', 'e-mail'],
    why: 'lines of a plan with their terms, until an hour after it lapsed',
  },
  {
    channel: 'table',
    of: ['reply'],
    canaries: [...PEOPLE, 'birth date', 'document number', 'e-mail', 'phone', 'holder name'],
    why: 'the raw reply, while its operation is not settled',
  },
  {
    channel: 'state file, something open',
    of: ['fareclerk.sqlite', 'fareclerk.sqlite-wal'],
    canaries: [...PEOPLE, 'birth date', 'holder name', 'document number', 'e-mail', 'phone'],
    why: 'as the tables reply and approval.carried, while a question or an operation is open',
  },
  {
    channel: 'state file',
    of: ['fareclerk.sqlite'],
    canaries: [...PEOPLE, 'birth date', 'holder name', 'e-mail'],
    why: 'ledger and terms, as above; nothing that was erased',
  },
  {
    channel: 'state file, running',
    of: ['fareclerk.sqlite', 'fareclerk.sqlite-wal'],
    canaries: [...PEOPLE, 'birth date', 'holder name', 'e-mail'],
    why: 'ledger and terms, as above; nothing that was erased',
  },
];

export interface Leak {
  readonly channel: Channel;
  readonly of: string;
  readonly canary: CanaryName;
  readonly around: string;
}

export class Seen {
  readonly canaries = new Canaries();
  readonly sights: Sight[] = [];

  add(channel: Channel, of: string, text: string): void {
    if (text !== '') this.sights.push({ channel, of, text });
  }

  count(channel: Channel): number {
    return this.sights.filter((sight) => sight.channel === channel).length;
  }

  leaks(): readonly Leak[] {
    return this.sights.flatMap((sight) => leaksIn(sight, this.canaries));
  }
}

function mayHold({ channel, of }: Sight, canary: CanaryName): boolean {
  return ALLOWED.some((each) => each.channel === channel && each.of.includes(of) && each.canaries.includes(canary));
}

function leaksIn(sight: Sight, canaries: Canaries): readonly Leak[] {
  const found = [...canaries.foundIn(sight.text)].filter(([canary]) => !mayHold(sight, canary));
  return found.map(([canary, at]) => ({
    channel: sight.channel,
    of: sight.of,
    canary,
    around: sight.text.slice(Math.max(0, at - 80), at + 60),
  }));
}
