/**
 * Every act, refused in every way, by an airline that did it all the same or did not: through the whole clerk, over real
 * sockets. The airline's own books and the requests that reached it judge what the clerk says.
 */
import { type Before, jsonReply } from '../../../src/sandbox/calls.ts';
import { findBooking } from '../../../src/sandbox/record.ts';
import { ACTS, type Act, createArgs, isOpen } from '../../campaigns/support/acts.ts';
import { type OpenAirline, openAirline } from '../../campaigns/support/airline.ts';
import { codeOf, type Office, openOffice, type Result } from '../../campaigns/support/office.ts';
import { dateIn } from '../../support/people.ts';

export const SETTLE_MS = 800;
export const BOOK = 'OTA_AirBookRQ';

/** What the airline answers in place of its own answer. */
export interface Answer {
  readonly name: string;
  readonly status: number;
  readonly body: object | string;
  /**
   * What it is: `proof`, it proves that nothing was done; `refusal`, the airline refuses, which proves nothing; `failure`,
   * its system failed. Absent for an act: as for all.
   */
  readonly is: 'proof' | 'refusal' | 'failure';
  /** The code of the error that a proof ends in. */
  readonly code?: string;
}

const flat = (status: number, code: string | undefined, title: string) => ({ status, code, title, error: 'Error' });
const refusal = (name: string, status: number, body: object | string): Answer => ({
  name,
  status,
  body,
  is: 'refusal',
});
const proof = (name: string, status: number, body: object, code: string): Answer => ({
  ...{ name, status, body, code },
  is: 'proof',
});

export const ANSWERS: readonly Answer[] = [
  refusal('400 without a code', 400, flat(400, undefined, 'Bad request')),
  refusal('402', 402, flat(402, '167', 'Payment rejected')),
  refusal('403', 403, flat(403, 'FORBIDDEN', 'Access denied')),
  refusal('404', 404, flat(404, undefined, 'Not found')),
  refusal('409', 409, flat(409, '4711', 'Conflict')),
  refusal('409 done already', 409, flat(409, '127', 'Exists')),
  refusal('410', 410, flat(410, undefined, 'Gone')),
  refusal('422', 422, flat(422, '172', 'Payment received, ticketing failed')),
  refusal('424', 424, flat(424, undefined, 'Failed dependency')),
  refusal('an unlisted code', 400, { errors: [{ type: 'business', code: 'UNHEARD_OF', message: 'No' }] }),
  refusal('an error body with 200', 200, { errors: { error: [{ type: '3', code: '76', shortText: 'No' }] } }),
  refusal('sold out, and charged', 422, flat(422, '1053', 'Not enough seats. Your card was charged.')),
  refusal('has been created', 400, flat(400, '320', 'Host booking has been created')),
  { name: '500', status: 500, body: flat(500, '448', 'System error'), is: 'failure' },
  proof('sold out', 422, flat(422, '1053', 'Not enough seats'), 'E_SOLD_OUT'),
  proof('invalid', 400, flat(400, '320', 'Invalid value'), 'E_INPUT'),
  proof('not complete', 200, { errors: [{ code: 'MISSING_REQUIRED_FIELD', message: 'Field missing' }] }, 'E_INPUT'),
  proof('a bare 401', 401, {}, 'E_AUTH'),
];

export interface Case {
  /** Undefined: a new booking. */
  readonly act: Act | undefined;
  readonly answer: Answer;
  /** The airline acts before it refuses. */
  readonly acted: boolean;
}

/** All acts with all these answers. What proves that nothing was done is not answered by an airline that acted. */
export function casesOf(answers: readonly Answer[], acts: readonly (Act | undefined)[] = [undefined, ...ACTS]): Case[] {
  return acts.flatMap((act) =>
    answers.flatMap((answer) => {
      const notActed = { act, answer, acted: false };
      return answer.is === 'proof' ? [notActed] : [notActed, { ...notActed, acted: true }];
    }),
  );
}

/** An airline whose answers a test replaces: to one message about one booking or traveller. */
export interface RefusingAirline extends OpenAirline {
  /** Replaces the answer to the next message that has this text in it. */
  refuse(
    text: string,
    message: string,
    how: Pick<Case, 'acted'> & { readonly answer: Pick<Answer, 'status' | 'body'> },
  ): void;
  /** Lets it act, and answers with what this makes of the locator in its own answer. */
  refuseNaming(text: string, message: string, answer: (locator: string) => Pick<Answer, 'status' | 'body'>): void;
  /** How many bookings it made for this surname. */
  made(surname: string): number;
  /** How many requests of this name with this text in them reached it. */
  reached(text: string, message?: string): number;
  /** How many requests with this text in them reached it from the first of this name on. */
  reachedFrom(text: string, message: string): number;
}

export async function openRefusing(dialect: 'rail' | 'airline'): Promise<RefusingAirline> {
  const requests: { readonly name: string; readonly body: string }[] = [];
  const refusals: { readonly text: string; readonly message: string; readonly answer: Before }[] = [];
  const before: Before = (call) => {
    const { name, body } = call;
    requests.push({ name, body });
    const at = refusals.findIndex(({ text, message }) => message === name && body.includes(text));
    return at < 0 ? undefined : refusals.splice(at, 1)[0]?.answer(call);
  };
  const airline = await openAirline({ dialect, before });
  return {
    ...airline,
    refuse(text, message, { acted, answer }) {
      const reply = jsonReply(answer.status, answer.body);
      refusals.push({
        ...{ text, message },
        answer: (call) => {
          if (acted) call.act();
          return reply;
        },
      });
    },
    refuseNaming(text, message, answer) {
      refusals.push({
        ...{ text, message },
        answer: (call) => {
          const [reference] = [JSON.parse(String(call.act().body)).airReservation.bookingReferenceID].flat();
          const { status, body } = answer(reference.id);
          return jsonReply(status, body);
        },
      });
    },
    made(surname) {
      const created = airline.sandbox.ledger().filter(({ event }) => event === 'created');
      const { state } = airline.sandbox.carrier();
      const isFor = (locator: string) => JSON.stringify(findBooking(state, locator)?.travelers ?? []).includes(surname);
      return created.filter(({ locator }) => isFor(locator)).length;
    },
    reachedFrom(text, message) {
      const about = requests.filter(({ body }) => body.includes(text));
      return about.length - about.findIndex(({ name }) => name === message);
    },
    reached: (text, message) =>
      requests.filter(({ name, body }) => body.includes(text) && (message === undefined || name === message)).length,
  };
}

export const officeAt = (world: RefusingAirline, dialect: 'rail' | 'airline', more: object = {}): Promise<Office> =>
  openOffice({ airline: world.airline, dialect, settleMs: SETTLE_MS, waitMs: 10_000, ...more });

/** The arguments of a new booking, and the surname that its requests have in them. */
export async function newBooking(world: RefusingAirline, office: Office) {
  const { stock, sandbox } = world;
  const leg = { ...(await stock.pair()), date: dateIn(sandbox.now(), 20) };
  const { offers } = await office.look('search_fares', { legs: [leg], passengers: { adults: 1 } });
  const args = createArgs(offers[0].offer_id, sandbox.now());
  const [{ surname }] = args.passengers as readonly [{ surname: string }];
  return { args, surname };
}

/** Calls, and says yes where a question comes. */
export async function carryOut(office: Office, tool: string, args: object): Promise<Result> {
  const asked = await office.call(tool, args);
  if (asked.kind === 'ask') return office.yes(tool, args, asked);
  if (asked.kind === 'result') return asked;
  throw new Error(`${tool} asked on a page`);
}

export const effectOf = ({ structured }: Result) => (structured.error as { effect?: string } | undefined)?.effect;

/** What is wrong with how the clerk took the answer; nothing if all is right. */
export async function problemsOf(world: RefusingAirline, office: Office, one: Case): Promise<readonly string[]> {
  const { act, answer, acted } = one;
  const name = `${act?.name ?? 'create_booking'}, ${acted ? 'done' : 'not done'}, ${answer.name}`;
  const problems =
    act === undefined ? await createProblems(world, office, one) : await actProblems(world, office, act, one);
  return problems.flatMap(([isGood, problem]) => (isGood ? [] : [`${name}: ${problem}`]));
}

type Rules = readonly (readonly [boolean, string])[];

async function actProblems(world: RefusingAirline, office: Office, act: Act, { answer, acted }: Case): Promise<Rules> {
  const { stock } = world;
  const locator = act.on === 'held' ? (await stock.held()).locator : await stock.ticketed();
  const args = await act.args(locator, office.look);
  world.refuse(locator, act.message, { acted, answer });
  const asked = await office.call(act.tool, args);
  if (asked.kind !== 'ask') return [[false, `did not ask: ${codeOf(asked)}`]];
  const result = await office.yes(act.tool, args, asked);
  const again = { ...args, approval_id: asked.handle };
  // What no reading can show stays open: nobody waits for it here.
  const staysOpen = (acted && act.named) || (!acted && act.unshown);
  const last = codeOf(result) === 'pending' && !staysOpen ? await office.result(act.tool, again) : result;
  const [operation] = await office.parts.state.operations.list({ locator });
  const told = `told ${codeOf(result)}, then ${codeOf(last)}: ${last.text.split('\n')[0]}; journal ${operation?.state}`;
  // In the airline dialect a contact is changed with the passengers' details.
  const events = act.event === 'contact_updated' ? ([act.event, 'renamed', 'passenger_updated'] as const) : [act.event];
  const books = events.reduce((sum, event) => sum + world.times(event, locator), 0);
  const sent = world.reached(locator, act.message);
  return [
    [books === (acted ? 1 : 0), `done ${books} times`],
    [sent === 1, `sent ${sent} times`],
    [isTaken(act, { answer, acted }, { result, last, operation }), told],
  ];
}

interface Taken {
  readonly result: Result;
  readonly last: Result;
  readonly operation: Awaited<ReturnType<Office['operations']>>[number] | undefined;
}

const UNCHANGED = /\. The booking shows no change\./;

function isTaken(act: Act, { answer, acted }: Omit<Case, 'act'>, { result, last, operation }: Taken): boolean {
  const { state = 'none', outcome } = operation ?? {};
  const isDone = ['done', 'already_done'].includes(codeOf(last)) && state === 'succeeded';
  if (answer.is === 'proof') {
    const isRefused = codeOf(result) === answer.code && effectOf(result) === 'none' && state === 'refused';
    return isRefused && outcome?.provisional === undefined && operation?.lastReadAt === undefined;
  }
  if (acted && act.named) return ['pending', 'needs_person'].includes(codeOf(last));
  if (!acted && act.unshown) return codeOf(last) === 'pending' && isOpen(state);
  if (answer.is === 'failure') return acted ? isDone : effectOf(last) === 'none' && state === 'not_executed';
  // A booking that shows nothing any more is read several times (evidence.ts, `bare`).
  const isAtOnce = codeOf(result) === 'done' || (codeOf(result) === 'pending' && act.event === 'cancelled');
  if (acted) return isAtOnce && isDone && /The airline refused it/.test(last.text);
  const isRefused = effectOf(result) === 'none' && state === 'refused' && outcome?.provisional === true;
  const { message = '' } = (result.structured.error ?? {}) as { message?: string };
  return isRefused && UNCHANGED.test(message);
}

async function createProblems(world: RefusingAirline, office: Office, { answer, acted }: Case): Promise<Rules> {
  const { args, surname } = await newBooking(world, office);
  world.refuse(surname, BOOK, { acted, answer });
  const result = await office.result('create_booking', args);
  const again = await office.result('create_booking', args);
  const books = world.made(surname);
  const sent = world.reached(surname, BOOK);
  const told = `told ${codeOf(result)}, then ${codeOf(again)}: ${result.text.split('\n')[0]}`;
  if (answer.is === 'proof')
    return [
      [codeOf(result) === answer.code && effectOf(result) === 'none' && codeOf(again) === 'done', told],
      [sent === 2 && books === 1, `sent ${sent} times, made ${books}`],
    ];
  const last = answer.is === 'failure' ? 'pending' : 'needs_person';
  return [
    [books === (acted ? 1 : 0), `made ${books} times`],
    [sent === 1, `sent ${sent} times`],
    [codeOf(result) === last && ['pending', 'needs_person'].includes(codeOf(again)), told],
  ];
}
