/**
 * Every reply written by hand, with what reads it.
 */
import { type Hear, hearerOf } from '../../support/asked.ts';
import { told } from '../../support/told.ts';
import { fixture } from '../fixture.ts';
import { golden } from '../golden.ts';

export interface ReplyFixture {
  readonly name: string;
  readonly wire: unknown;
  readonly hear: Hear;
}

/** Replies that are no message to read. */
export const UNREAD: ReadonlySet<string> = new Set(['error-forms']);

/** Fields of the readings that no paper names: they must go back with a change. */
export const UNNAMED: ReadonlySet<string> = new Set([
  'ledger',
  'serviceLevel',
  'frequency',
  'loungeAccess',
  'emailType',
]);

/** An error form by its name; what it means after a payment. */
function errorFixture(form: string, body: unknown): ReplyFixture {
  const hear = async (wire: unknown) => {
    const { code, effect, airline } = told(422, (wire as Readonly<Record<string, unknown>>)[form], 'pay');
    return { code, effect, airline };
  };
  return { name: form, wire: { [form]: body }, hear };
}

/** The published replies in fixtures. */
export const PUBLISHED = [
  ...[
    'accounts-reply',
    'availability-reply',
    'book-reply',
    'calendar-reply',
    'cancel-reply',
    'fare-search-reply',
    'modify-reply',
  ],
  ...['read-reply', 'routes-reply', 'seat-map-reply', 'ticket-reply'],
];

export function replyFixtures(files: readonly string[]): ReplyFixture[] {
  const of = (name: string, wire: unknown) => ({ name, wire, hear: hearerOf(name, wire) });
  const whole = PUBLISHED.filter((name) => name !== 'modify-reply');
  const replies = files.filter((name) => !UNREAD.has(name)).map((name) => of(name, golden('replies', name)));
  const forms = Object.entries(golden('replies', 'error-forms') as Readonly<Record<string, unknown>>);
  return [
    ...whole.map((name) => of(name, fixture(name))),
    ...replies,
    ...forms.map(([form, body]) => errorFixture(form, body)),
  ];
}
