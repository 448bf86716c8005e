/**
 * A person who books, pays, changes, plans, is refused and lets questions expire, and then is forgotten; and all that is kept of
 * the state afterwards, but for its key.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { csvLine, jsonLine } from '../../../../src/cli/journal/export.ts';
import type { State } from '../../../../src/store/state.ts';
import { refundableTrip } from '../../../server/calls/bookings.ts';
import { accept, type Desk, dialogHow, openDesk } from '../../../server/calls/desk.ts';
import { newOperation } from '../../../store/new-operation.ts';
import { hashedDuring } from './hashed.ts';

export const DAY = 86_400_000;

/** Each is one of the {@link candidatesFor} its kind. */
export const PERSON = {
  'given name': 'Namiro',
  surname: 'Tokeba',
  'birth date': '1987-03-14',
  'document number': 'P7654321',
  'e-mail address': 'namiro@forgotten.example',
  'telephone number': '555917264',
} as const;
export type Kind = keyof typeof PERSON;

const SYLLABLES = [...'bcdfghjklmnpqrstvwyz'].flatMap((one) => [...'aeiou'].map((vowel) => one + vowel));

function* counted(most: number, write: (n: number) => string): Iterable<string> {
  for (let n = 0; n < most; n += 1) yield write(n);
}

/** `Baba…` to `Zuzuzu`: three syllables each. */
function nameOf(n: number): string {
  const at = (place: number) => SYLLABLES[Math.floor(n / SYLLABLES.length ** place) % SYLLABLES.length] ?? '';
  const name = `${at(2)}${at(1)}${at(0)}`;
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

const NAMES = SYLLABLES.length ** 3;

/** All that the value can be for who knows its form: the names, the days of a hundred years, the numbers of a prefix. */
export function candidatesFor(kind: Kind): Iterable<string> {
  switch (kind) {
    case 'given name':
    case 'surname':
      return counted(NAMES, nameOf);
    case 'birth date':
      return counted(36_525, (n) => new Date(Date.UTC(1926, 0, 1) + n * DAY).toISOString().slice(0, 10));
    case 'document number':
      return counted(1_000_000, (n) => `P7${String(n).padStart(6, '0')}`);
    case 'e-mail address':
      return counted(NAMES, (n) => `${nameOf(n).toLowerCase()}@forgotten.example`);
    case 'telephone number':
      return counted(1_000_000, (n) => `555${String(n).padStart(6, '0')}`);
  }
}

/** Some of the candidates, and the right one. */
export function fewFor(kind: Kind): readonly string[] {
  const few: string[] = [];
  for (const candidate of candidatesFor(kind)) if (few.push(candidate) === 10) break;
  return [...few, PERSON[kind]];
}

const PHONE = { country_code: '966', number: PERSON['telephone number'] };
const CONTACT = {
  given_name: PERSON['given name'],
  surname: PERSON.surname,
  email: PERSON['e-mail address'],
  phone: PHONE,
};

const NO_BROWSER = { canOpen: () => true, open: async () => ({ opened: true }) };

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
    let state: State | undefined;
    const openState = async (now: () => number) => {
      state = await open(now);
      return state;
    };
    const desk = await openDesk({ startsAt: '2026-12-01T06:00:00Z', page: NO_BROWSER, openState });
    try {
      const locators = [await live(desk, PERSON['birth date'])];
      if (state === undefined) throw new Error('the desk has a state');
      desk.advance(70 * DAY);
      const now = desk.parts.clock.now();
      const archive = { file: join(folder, 'archive.jsonl.gz'), before: now - 60 * DAY, by: 'os:ann', now };
      if ((await state.operations.archive(archive)).operations === 0) throw new Error('nothing was archived');
      locators.push(await live(desk, PERSON['birth date']));
      exported = await exportOf(state);
      await closedWithNote(desk, state);
      await forgotten(state, locators, desk.parts.clock.now());
      if ((await state.operations.verify()) !== undefined) throw new Error('the journal is not whole');
    } finally {
      await desk.close();
    }
  });
  const all = await rows();
  const journal = all.find(({ key }) => key === 'journal_id')?.value;
  const files = filesIn(folder).map((path) => {
    const bytes = readFileSync(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  });
  const withoutKey = all.filter(({ key }) => key !== 'digest_key');
  if (withoutKey.length !== all.length - 1) throw new Error('the state has one key');
  const written = withoutKey.map((row) => Object.values(row).map(String).join('\n'));
  const text = [...files, ...filesIn(folder), exported, ...written].join('\n');
  return { text, hashed: hashed.filter(canBeKnown(text)), keys: [String(journal), 'fareclerk'] };
}

/** The salt of a note is random and erased with the note: nobody who lacks it can put the text together. */
function canBeKnown(kept: string): (text: string) => boolean {
  return (text) => {
    const [, salt] = /^\["([\w-]{22})",/.exec(text) ?? [];
    return salt === undefined || kept.includes(salt);
  };
}

/** Every way in which the person's data enters: by acts, by plans, by refusals and by questions that nobody answers. */
async function live(desk: Desk, birthDate: string): Promise<string> {
  const { offer_id: offer } = await refundableTrip(desk, 1);
  const passenger = {
    ...{ type: 'ADT', given_name: PERSON['given name'], surname: PERSON.surname, gender: 'Female' },
    ...{ birth_date: birthDate, email: PERSON['e-mail address'], phone: PHONE },
    document: { type: 'passport', number: PERSON['document number'], nationality: 'SA', expires: '2031-01-01' },
  };
  const made = await desk.result('create_booking', { offer_ids: [offer], contact: CONTACT, passengers: [passenger] });
  const { locator } = made.structured.booking as { locator: string };
  const done = (result: { structured: Readonly<Record<string, unknown>>; text: string }) => {
    if (result.structured.status !== 'done') throw new Error(result.text);
  };
  const changed = (given: string) => ({
    locator,
    changes: [{ passenger_ref: '1', given_name: given, birth_date: birthDate, document: passenger.document }],
  });
  done(await desk.say('pay_booking', { locator, payment: { type: 'invoice' } }, accept));
  done(await desk.say('change_names', changed(`${PERSON['given name']}n`), accept));
  const details = { email: `x${PERSON['e-mail address']}`, phone: PHONE };
  done(await desk.say('update_passenger', { locator, changes: [{ passenger_ref: '1', ...details }] }, accept));
  done(await desk.say('update_contact', { locator, ...details }, accept));
  await desk.say('change_names', changed(`${PERSON['given name']}m`), { action: 'decline' });
  await planned(desk, changed(PERSON['given name']));
  await desk.call('change_names', changed(`${PERSON['given name']}s`), dialogHow);
  desk.advance(11 * 60_000);
  return locator;
}

async function planned(desk: Desk, args: object): Promise<void> {
  const steps = [{ tool: 'change_names', arguments: args }];
  const { plan_id: plan } = (await desk.result('propose_plan', { steps })).structured;
  await desk.result('run_plan', { plan_id: plan });
  const question = (await desk.clerk.waiting()).find(({ part }) => part?.plan === plan);
  await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' }, [1]);
  for (;;) {
    const view = await desk.clerk.plan(String(plan));
    if (view?.state === 'over' && view.lines[0]?.state === 'done') return;
    if (view?.state === 'over') throw new Error(`the plan's line is ${view.lines[0]?.state}: ${view.lines[0]?.why}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function exportOf(state: State): Promise<string> {
  const listed = await state.operations.page({ limit: 1_000 });
  return listed.flatMap((one) => [jsonLine(one), csvLine(one)]).join('');
}

/** A person who closed an operation wrote a name, and nothing else. */
async function closedWithNote({ parts: { journal, clock } }: Desk, { operations }: State): Promise<void> {
  const [now, id] = [clock.now(), 'with-a-note'];
  await operations.insert(newOperation(id, { locator: 'NOTED1' }), { now, owner: 'p', leaseUntil: now });
  const meta = { now, actor: 'p' };
  await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: now }, meta);
  await operations.transition(id, ['dispatched'], 'needs_person', {}, meta);
  const operation = await operations.get(id);
  const note = `${PERSON['given name']} ${PERSON.surname}`;
  if (operation === undefined || !(await journal.resolve(operation, 'os:ann', note))) throw new Error('not closed');
}

async function forgotten({ forgetting }: State, locators: readonly string[], now: number): Promise<void> {
  const { 'given name': given, surname, 'e-mail address': email, 'document number': document } = PERSON;
  for (const locator of locators) {
    const person = { locator, name: `${surname}/${given}`, email, document };
    const traces = await forgetting.find(person);
    if (traces.open.length > 0) throw new Error('something is open');
    await forgetting.erase(person, traces, now);
  }
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return names.filter((path) => statSync(path).isFile());
}
