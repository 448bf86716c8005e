/**
 * A person who books, pays, changes, plans, is refused and lets questions expire, and then is forgotten; and all that is kept of
 * the state afterwards, but for its key.
 */

import crypto from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { csvLine, jsonLine } from '../../../../src/cli/journal/export.ts';
import { refundableTrip } from '../../../clerk/calls/bookings.ts';
import { accept, type Desk, dialogHow, openDesk } from '../../../clerk/calls/desk.ts';
import { newOperation } from '../../../store/support/new-operation.ts';
import { allRows } from '../../../support/ledger-rows.ts';
import type { State } from '../../support/office.ts';

const DAY = 86_400_000;

/** Each is one of the {@link candidatesFor} its kind. */
export const PERSON = {
  ...{ 'given name': 'Namiro', surname: 'Tokeba', 'birth date': '1987-03-14', 'document number': 'P7654321' },
  ...{ 'e-mail address': 'namiro@forgotten.example', 'telephone number': '555917264' },
  'customer key': 'CRM-8654321',
} as const;
export type Kind = keyof typeof PERSON;

const SYLLABLES = [...'bcdfghjklmnpqrstvwyz'].flatMap((one) => [...'aeiou'].map((vowel) => one + vowel));
const NAMES = SYLLABLES.length ** 3;

/** `Baba…` to `Zuzuzu`: three syllables each. */
function nameOf(n: number): string {
  const at = (place: number) => SYLLABLES[Math.floor(n / SYLLABLES.length ** place) % SYLLABLES.length] ?? '';
  const name = `${at(2)}${at(1)}${at(0)}`;
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

const numbered = (prefix: string) => [1_000_000, (n: number) => `${prefix}${String(n).padStart(6, '0')}`] as const;
const CANDIDATES: Readonly<Record<Kind, readonly [most: number, written: (n: number) => string]>> = {
  'given name': [NAMES, nameOf],
  surname: [NAMES, nameOf],
  'birth date': [36_525, (n) => new Date(Date.UTC(1926, 0, 1) + n * DAY).toISOString().slice(0, 10)],
  'document number': numbered('P7'),
  'e-mail address': [NAMES, (n) => `${nameOf(n).toLowerCase()}@forgotten.example`],
  'telephone number': numbered('555'),
  'customer key': numbered('CRM-8'),
};

/** All that the value can be for who knows its form: the names, the days of a hundred years, the numbers of a prefix. */
export function* candidatesFor(kind: Kind): Iterable<string> {
  const [most, written] = CANDIDATES[kind];
  for (let n = 0; n < most; n += 1) yield written(n);
}

export function fewFor(kind: Kind): readonly string[] {
  return [...Array.from({ length: 10 }, (_, n) => CANDIDATES[kind][1](n)), PERSON[kind]];
}

const { 'given name': GIVEN, surname: SURNAME, 'e-mail address': EMAIL, 'document number': DOCUMENT } = PERSON;
const PHONE = { country_code: '966', number: PERSON['telephone number'] };
const CONTACT = { given_name: GIVEN, surname: SURNAME, email: EMAIL, phone: PHONE };
const PASSENGER = {
  ...{ type: 'ADT', given_name: GIVEN, surname: SURNAME, gender: 'Female', birth_date: PERSON['birth date'] },
  ...{ email: EMAIL, phone: PHONE },
  document: { type: 'passport', number: DOCUMENT, nationality: 'SA', expires: '2031-01-01' },
};

export interface Kept {
  /** Every file and row, without the state's key. */
  readonly text: string;
  /** Every text that was hashed. */
  readonly hashed: readonly string[];
  /** What an attacker may take for the key. */
  readonly keys: readonly string[];
}

export interface Grounds {
  /** Everything in it is kept. */
  readonly folder: string;
  open(now: () => number): Promise<State>;
  /** All rows, once the state is closed. */
  rows(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export async function keptOfForgotten({ folder, open, rows }: Grounds): Promise<Kept> {
  let exported = '';
  const hashed = await hashedDuring(async () => {
    let opened: Promise<State> | undefined;
    const openState = (now: () => number) => {
      opened = open(now);
      return opened;
    };
    const page = { canOpen: () => true, open: async () => ({ opened: true }) };
    const desk = await openDesk({ startsAt: '2026-12-01T06:00:00Z', page, openState });
    const state = (await opened) as unknown as State;
    const now = () => desk.parts.clock.now();
    const locators = [await live(desk)];
    desk.advance(70 * DAY);
    // The first trip is long over: what stays of it is in tables of its own.
    await state.clean();
    const over = await allRows(state.ledgerRows, { tenant: 'desk', from: 0, to: now() });
    must(over.bookings.length > 0 && over.bookings.every(({ isPast }) => isPast === true), 'the first trip is over');
    must(over.questions.length > 0, 'its questions are kept');
    locators.push(await live(desk));
    const listed = await state.operations.page({ limit: 1_000 });
    exported = listed.flatMap((one) => [jsonLine(one), csvLine(one)]).join('');
    await closedWithNote(desk, state);
    for (const locator of locators) {
      const person = { locator, name: `${SURNAME}/${GIVEN}`, customer: PERSON['customer key'] };
      const traces = await state.forgetting.find(person);
      must(traces.open.length === 0, 'nothing is open');
      await state.forgetting.erase(person, traces, now());
    }
    must((await state.operations.verify()) === undefined, 'the journal is whole');
    await desk.close();
  });
  const all = await rows();
  const journal = all.find(({ key }) => key === 'journal_id')?.value;
  const names = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  const files = names.filter((path) => statSync(path).isFile());
  const contents = files.map((path) => {
    const bytes = readFileSync(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  });
  const withoutKey = all.filter(({ key }) => key !== 'digest_key');
  must(withoutKey.length === all.length - 1, 'the state has one key');
  const written = withoutKey.map((row) => Object.values(row).map(String).join('\n'));
  const text = [...contents, ...files, exported, ...written].join('\n');
  // The salt of a note is random and erased with the note: nobody who lacks it can put the text together.
  const canBeKnown = (one: string) => text.includes(/^\["([\w-]{22})",/.exec(one)?.[1] ?? '');
  return { text, hashed: hashed.filter(canBeKnown), keys: [String(journal), 'fareclerk'] };
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`It must be so: ${what}`);
}

/** Every way in which the person's data enters: by acts, by plans, by refusals and by questions that nobody answers. */
async function live(desk: Desk): Promise<string> {
  const { offer_id: offer } = await refundableTrip(desk, 1);
  const made = await desk.result('create_booking', {
    ...{ offer_ids: [offer], contact: CONTACT, passengers: [PASSENGER] },
    customer: PERSON['customer key'],
  });
  const { locator } = made.structured.booking as { locator: string };
  const { birth_date, document } = PASSENGER;
  const renamed = (given: string) => ({
    locator,
    changes: [{ passenger_ref: '1', given_name: given, birth_date, document }],
  });
  const details = { email: `x${EMAIL}`, phone: PHONE };
  for (const [tool, args] of [
    ['pay_booking', { locator, payment: { type: 'invoice' } }],
    ['change_names', renamed(`${GIVEN}n`)],
    ['update_passenger', { locator, changes: [{ passenger_ref: '1', ...details }] }],
    ['update_contact', { locator, ...details }],
  ] as const) {
    const { structured, text } = await desk.say(tool, args, accept);
    must(structured.status === 'done', text);
  }
  await desk.say('change_names', renamed(`${GIVEN}m`), { action: 'decline' });
  await planned(desk, renamed(GIVEN));
  const reason = `${GIVEN} ${SURNAME} is ill`;
  await desk.say('cancel_segment', { locator, all: true, reason }, { action: 'decline' });
  await desk.call('change_names', renamed(`${GIVEN}s`), dialogHow);
  desk.advance(11 * 60_000);
  return locator;
}

async function planned(desk: Desk, args: object): Promise<void> {
  const steps = [{ tool: 'change_names', arguments: args }];
  const { plan_id: plan } = (await desk.result('propose_plan', { steps })).structured;
  await desk.result('run_plan', { plan_id: plan });
  const question = (await desk.clerk.waiting()).find(({ part }) => part?.plan === plan);
  await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' }, [1]);
  let view = await desk.clerk.plan(String(plan));
  for (; view?.state !== 'over'; view = await desk.clerk.plan(String(plan))) await wait(20);
  must(view.lines[0]?.state === 'done', `the plan's line is ${view.lines[0]?.state}: ${view.lines[0]?.why}`);
}

/** A person who closed an operation wrote a name, and nothing else. */
async function closedWithNote({ parts: { journal, clock } }: Desk, { operations }: State): Promise<void> {
  const [now, id] = [clock.now(), 'with-a-note'];
  await operations.insert(newOperation(id, { locator: 'NOTED1' }), { now, owner: 'p', leaseUntil: now });
  const meta = { now, actor: 'p' };
  await operations.transition(id, { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } }, meta);
  await operations.transition(id, { from: ['dispatched'], to: 'needs_person', patch: {} }, meta);
  const operation = await operations.get(id);
  must(operation !== undefined && (await journal.resolve(operation, 'os:ann', `${GIVEN} ${SURNAME}`)), 'it is closed');
}

interface Hashing {
  update(...given: never): Hashing;
}

/** Every text that is hashed in this process while something runs: what an attacker who has the code can put together. */
async function hashedDuring(work: () => Promise<void>): Promise<readonly string[]> {
  const texts = new Set<string>();
  const { createHash, createHmac, hash } = crypto;
  const heard = <T extends Hashing>(hashing: T): T => {
    const update = hashing.update.bind(hashing) as (...given: unknown[]) => unknown;
    hashing.update = (...given: unknown[]) => {
      texts.add(String(given[0]));
      update(...given);
      return hashing;
    };
    return hashing;
  };
  Object.assign(crypto, {
    createHash: (...given: Parameters<typeof createHash>) => heard(createHash(...given)),
    createHmac: (...given: Parameters<typeof createHmac>) => heard(createHmac(...given)),
    hash: (...given: Parameters<typeof hash>) => {
      texts.add(String(given[1]));
      return hash(...given);
    },
  });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(crypto, { createHash, createHmac, hash });
    syncBuiltinESMExports();
  }
  return [...texts];
}
