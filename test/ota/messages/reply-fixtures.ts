/**
 * Every reply written by hand, with what reads it.
 */
import { readFault } from '../../../src/ota/errors/fault-forms.ts';
import { type Decode, decoderOf, PUBLISHED } from './decoders.ts';
import { fixture } from './fixture.ts';
import { golden } from './golden.ts';

export interface ReplyFixture {
  readonly name: string;
  readonly wire: unknown;
  readonly decode: Decode;
}

/** Replies that are no message to read: error forms, and one that is spoilt on purpose. */
export const UNREAD: ReadonlySet<string> = new Set(['error-forms', 'search-unreadable']);

/** Fields of the readings that no paper names: they must go back with a change. */
export const UNNAMED: ReadonlySet<string> = new Set([
  'ledger',
  'serviceLevel',
  'frequency',
  'loungeAccess',
  'emailType',
]);

/** An error form by its name; what it means is what the fault says. */
function errorFixture(form: string, body: unknown): ReplyFixture {
  const decode = (wire: unknown) => readFault(422, (wire as Readonly<Record<string, unknown>>)[form]);
  return { name: form, wire: { [form]: body }, decode };
}

export function replyFixtures(files: readonly string[]): ReplyFixture[] {
  const whole = PUBLISHED.filter((name) => name !== 'modify-reply' && name !== 'group-book-reply');
  const full = whole.map((name) => ({ name, wire: fixture(name), decode: decoderOf(name) }));
  const replies = files
    .filter((name) => !UNREAD.has(name))
    .map((name) => ({ name, wire: golden('replies', name), decode: decoderOf(name) }));
  const forms = Object.entries(golden('replies', 'error-forms') as Readonly<Record<string, unknown>>);
  return [...full, ...replies, ...forms.map(([form, body]) => errorFixture(form, body))];
}
