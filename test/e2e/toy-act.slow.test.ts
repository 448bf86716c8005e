/**
 * What belongs to one act lies in one place: an act that the program does not have is added to a copy of the sources in three
 * files. The program then runs from the copy, at an airline whose replies are written here by hand.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Call, type Front, startFront } from '../cli/doctor/front.ts';
import { temporary } from '../cli/screen.ts';
import type { Person } from '../http/support/clients.ts';
import { flight, itinerary, option, order, person, type Wire } from '../ota/support/wire.ts';
import { enter, headingOf, visible } from '../pages/approval/support/page-client.ts';
import { dateIn } from '../support/people.ts';
import { connect, type ReadingClient, yes } from './clients.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ACT = 'src/tools/acts/request-meal.ts';

/** New lines, each after the one line of the file that ends with `after`. */
type Added = readonly (readonly [after: string, line: string])[];

const ADDED: Readonly<Record<string, Added>> = {
  'src/ota/messages/modify.ts': [
    [
      'interface BookingChanges {',
      '    request_meal: ServicePlace & { readonly code: string; readonly quantity: number };',
    ],
    [
      'ChangeMessage<K> } = {',
      `  request_meal: {
    type: TYPE.specialRequest,
    fields: () => ({ travelerInfo: serviceRequest({ ...LINKED_SERVICE, serviceQuantity: COUNT }) }),
    write: (change) => {
      const meal = { ...writeService({ code: change.code }), serviceQuantity: change.quantity };
      return { travelerInfo: writeServiceRequest({ ...meal, ...writePlace(change) }) };
    },
    spelling: 'isoCurrency',
  },`,
    ],
    ["from './request.ts';", "import { COUNT } from './request.ts';"],
  ],
  'src/tools/index.ts': [
    ["from './acts/rebook-segment.ts';", "import { requestMeal } from './acts/request-meal.ts';"],
    ['  split_booking: splitBooking,', '  request_meal: requestMeal,'],
  ],
};

function withLines(text: string, added: Added): string {
  return added.reduce((before, [after, line]) => {
    const [start, end, ...others] = before.split(`${after}\n`);
    if (end === undefined || others.length > 0) throw new Error(`not one line ends with: ${after}`);
    return `${start}${after}\n${line}\n${end}`;
  }, text);
}

/** The sources with the toy, and what a run from sources needs. */
function copyWithToy(): string {
  const folder = temporary('toy-act');
  for (const path of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(ROOT, 'test/e2e/toy-act/request-meal.ts'), join(folder, ACT));
  for (const [file, added] of Object.entries(ADDED))
    writeFileSync(join(folder, file), withLines(readFileSync(join(ROOT, file), 'utf8'), added));
  const start = "import process from 'node:process';\nimport { main } from './src/main.ts';\n";
  writeFileSync(join(folder, 'start.js'), `${start}process.exitCode = await main(process.argv.slice(2), process);\n`);
  return folder;
}

function sourcesOf(folder: string): Map<string, string> {
  const files = globSync('src/**/*.*', { cwd: folder });
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

const LINA = person('1', 'LINA');

const serviceOf = (rph: string, ssrCode: string): Wire => ({
  ...{ ssrCode, serviceQuantity: 1, status: '30' },
  ...{ flightRefNumberRPHList: ['1'], travelerRefNumberRPHList: [rph] },
});

/** A paid booking as the airline has it. */
interface Kept {
  readonly services: Wire[];
  passengers: readonly Wire[];
}

/** What the airline does with the request to change a booking. */
interface Deed {
  /** What readings show before. */
  readonly services?: readonly Wire[];
  readonly notesMeal?: true;
  /** Whom readings show afterwards. */
  readonly passengers?: readonly Wire[];
  readonly losesReply?: true;
}

const DEEDS: Readonly<Record<string, Deed>> = {
  TOLD11: { notesMeal: true },
  PAGE22: { notesMeal: true },
  // Readings prove nothing as long as they show no passengers.
  LOST33: { notesMeal: true, passengers: [], losesReply: true },
  // The airline shows services, and no meal among them.
  NONE44: { services: [serviceOf('1', 'WCHR')], losesReply: true },
  WHOM55: { passengers: [person('1', 'OMAR')], losesReply: true },
};

const bookings = new Map(
  Object.entries(DEEDS).map(([locator, { services = [] }]): [string, Kept] => [
    locator,
    { services: [...services], passengers: [LINA] },
  ]),
);

/** Requests for changes, as the airline received them. */
const changes: Wire[] = [];

function keptAs(locator: string): Kept {
  const kept = bookings.get(locator);
  if (kept === undefined) throw new Error(`the airline has no booking ${locator}`);
  return kept;
}

/** The reply to a reading and to a change, written by hand. */
function replyAbout(locator: string): Answer {
  const { services, passengers } = keptAs(locator);
  const day = dateIn(Date.now(), 30);
  const times = { departureDateTime: `${day}T08:10:00.000+03:00`, arrivalDateTime: `${day}T09:02:00.000+03:00` };
  const airReservation = {
    bookingReferenceID: [{ companyName: { code: 'RR' }, type: '14', id: locator }],
    airItinerary: itinerary(option('1', flight({ ...times, rph: '1' }))),
    travelerInfo: {
      airTraveler: passengers,
      specialReqDetails: [{ specialServiceRequests: { specialServiceRequest: services } }],
    },
    offer: { priced: [order('900001', { totalAmount: '40.00' })] },
  };
  return { status: 200, body: { success: {}, airReservation } };
}

function changed(body: Wire): Answer | 'drop' {
  changes.push(body);
  const { airReservation } = body as { airReservation: { bookingReferenceID: [{ id: string }] } };
  const [{ id }] = airReservation.bookingReferenceID;
  const { notesMeal, passengers, losesReply } = DEEDS[id] ?? {};
  if (notesMeal) keptAs(id).services.push(serviceOf('1', 'VGML'));
  if (passengers !== undefined) keptAs(id).passengers = passengers;
  return losesReply ? 'drop' : replyAbout(id);
}

function answered({ headers, body }: Call): Answer | 'drop' {
  const request = JSON.parse(body);
  if (headers['local-name'] === 'OTA_AirBookModifyRQ') return changed(request);
  return replyAbout(request.readRequests.readRequest[0].uniqueID.id);
}

const run = promisify(execFile);
const folder = copyWithToy();
const program = join(folder, 'start.js');
/** Checked while the other tests run. */
const types = run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).then(
  () => 'they fit',
  (failed: Error & { readonly stdout: string }) => failed.stdout || failed.message,
);
let front: Front;
let env: Record<string, string>;
let client: ReadingClient;
/** Requests that later readings settle: lost before the other tests run, which wait for them no longer than they must. */
let unsettled: readonly Awaited<ReturnType<typeof lost>>[];
/** How the person behind the client answers. */
let answer: Person = yes;

const no: Person = () => ({ action: 'accept', content: { decision: 'no' } });

beforeAll(async () => {
  front = await startFront(answered);
  env = {
    FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA`,
    FARECLERK_CREDENTIALS: 'key',
    FARECLERK_API_KEY: 'key-0123456789',
    FARECLERK_AGENT_ID: 'desk7',
    FARECLERK_AGENCY_ID: 'agency7',
    FARECLERK_CURRENCY: 'EUR',
    FARECLERK_STATE_DIR: join(folder, 'state'),
    XDG_STATE_HOME: folder,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  client = await connect('v2-auto', {
    env,
    program,
    args: ['serve', '--rehearsal', '6'],
    person: (dialog) => answer(dialog),
  });
  unsettled = [await lost('NONE44'), await lost('WHOM55')];
});

afterAll(async () => {
  await client.close();
  await front.close();
  await types;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** What a command of the program prints. */
async function printed(...argv: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [program, ...argv], {
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });
  return stdout;
}

const mealOn = (locator: string) => ({ locator, passenger_ref: '1', meal: 'VGML' });
const requestMeal = (args: object) => client.call('request_meal', { ...args });
const refusals = async (locator: string) =>
  (await client.call('read_booking', { locator, detail: 'full' })).structuredContent.booking.not_allowed;
const textOf = async (tool: string, args: object = {}) => (await client.call(tool, { ...args })).content[0]?.text;
const sentFor = (locator: string) => changes.filter((body) => JSON.stringify(body).includes(locator));
const asked = async (condition: string) =>
  (await client.call('query_ledger', { sql: `select id, act, tool, locator from operation where ${condition}` }))
    .structuredContent.rows;

/** A request whose reply is lost, and how to ask for its outcome. */
async function lost(locator: string) {
  const { structuredContent } = await requestMeal(mealOn(locator));
  expect(structuredContent.status).toBe('pending');
  const { operation_id: id, approval } = structuredContent;
  const again = async () => (await requestMeal({ ...mealOn(locator), approval_id: approval.id })).structuredContent;
  return { id, again };
}

test('a new act is offered, described for people, and listed among what a booking allows', async () => {
  const listed = await client.list();
  expect(listed.find(({ name }) => name === 'request_meal')).toMatchObject({
    inputSchema: { required: ['locator', 'passenger_ref', 'meal'] },
    outputSchema: { properties: { booking: {}, meal: { type: 'string' } } },
    annotations: { readOnlyHint: false, destructiveHint: true },
  });
  // What all acts answer is listed once.
  expect(listed.find(({ name }) => name === 'create_booking')).toMatchObject({
    outputSchema: { properties: { operation_id: { type: 'string' } } },
  });
  expect(await refusals('TOLD11')).not.toHaveProperty('request_meal');
  expect(await printed('call', 'request_meal', '--help')).toContain('VGML vegetarian, KSML kosher');
});

test('a new act is asked for, sent once after the yes, settled by the reply, told and reported', async () => {
  answer = no;
  expect((await requestMeal(mealOn('TOLD11'))).structuredContent.error.code).toBe('E_APPROVAL_DECLINED');
  let sentBefore: number | undefined;
  answer = (dialog) => {
    sentBefore = sentFor('TOLD11').length;
    return yes(dialog);
  };
  const { structuredContent, content, _meta } = await requestMeal(mealOn('TOLD11'));
  answer = yes;
  expect(sentBefore).toBe(0);
  expect(client.dialogs.at(-1)).toMatchObject({
    message: expect.stringMatching(
      /^Request meal VGML on TOLD11\.\nLINA BERG · AAA → BBB, \w{3} \d+ \w{3}\nAirline: .*\nPassenger 1: “LINA BERG”, adult\nTrain /,
    ),
    requestedSchema: { properties: { decision: { enum: ['no', 'Request meal VGML on TOLD11'] } } },
  });
  const service = { ...serviceOf('1', 'VGML'), status: 'Requested' };
  const specialReqDetails = [{ specialServiceRequests: { specialServiceRequest: [service] } }];
  expect(sentFor('TOLD11').map(({ airBookModifyRQ }) => airBookModifyRQ)).toEqual([
    { modificationType: '5', travelerInfo: { specialReqDetails } },
  ]);
  expect(structuredContent).toMatchObject({
    status: 'done',
    meal: 'VGML',
    booking: { locator: 'TOLD11' },
  });
  expect(content[0]?.text).toContain('Meal requested in booking TOLD11.\nMeal VGML for “LINA BERG”.');
  expect(await refusals('TOLD11')).toMatchObject({ request_meal: 'it has a meal already' });

  const id = String(_meta?.['io.github.fareclerk/operation_id']);
  expect(JSON.parse(await printed('journal', 'show', id))).toMatchObject({
    tool: 'request_meal',
    locator: 'TOLD11',
    state: 'succeeded',
    basis: 'reply',
    assurance: 'person',
  });
  expect(await asked("outcome = 'done'")).toContainEqual([id, 'change', 'request_meal', 'TOLD11']);
});

test('the approval page asks for a new act and shows its outcome in its own words', async () => {
  const browser = join(folder, 'browser');
  writeFileSync(browser, `#!/bin/sh\necho "$1" > '${browser}.url'\n`, { mode: 0o755 });
  const page = await connect('v2-auto', { env: { ...env, FARECLERK_APPROVAL: 'page', BROWSER: browser }, program });
  try {
    const { structuredContent } = await page.call('request_meal', mealOn('PAGE22'));
    expect(structuredContent.status).toBe('approval_required');
    await expect.poll(() => existsSync(`${browser}.url`) && readFileSync(`${browser}.url`, 'utf8')).toContain('http');
    const visitor = await enter(readFileSync(`${browser}.url`, 'utf8').trim());
    expect(visible(visitor.page)).toContain('Request meal VGML on PAGE22');
    expect(sentFor('PAGE22')).toEqual([]);
    const outcome = await visitor.decide('yes');
    expect(headingOf(outcome)).toBe('Meal requested');
    expect(visible(outcome)).toContain('A meal is noted');
    expect(sentFor('PAGE22')).toHaveLength(1);
  } finally {
    await page.close();
  }
});

test('a new act whose reply is lost is in doubt, is settled by a reading that shows it, and is not sent again', async () => {
  const { id, again } = await lost('LOST33');
  expect(await asked("outcome = 'in_doubt'")).toContainEqual([id, 'change', 'request_meal', 'LOST33']);
  expect(await textOf('list_bookings')).toContain('the outcome of request_meal is not known yet');
  const read = await textOf('read_booking', { locator: 'LOST33', detail: 'full' });
  expect(read).toContain('The meal request on booking LOST33 is not settled: its outcome is still being checked.');
  expect(read).toContain(`Open operation: request_meal ${id}\n`);

  keptAs('LOST33').passengers = [LINA];
  await expect.poll(again).toMatchObject({ status: 'done', meal: 'VGML' });
  expect(JSON.parse(await printed('journal', 'show', id))).toMatchObject({ state: 'succeeded', basis: 'read' });
  expect(await asked("outcome = 'done'")).toContainEqual([id, 'change', 'request_meal', 'LOST33']);
  expect((await requestMeal(mealOn('LOST33'))).structuredContent.error.message).toContain('it has a meal already');
  expect(sentFor('LOST33')).toHaveLength(1);
});

test('readings settle a new act as not carried out, or hand it to a person in its own words', async () => {
  const [none, whom] = unsettled;
  await expect.poll(() => none?.again()).toMatchObject({ error: { code: 'E_AIRLINE_TIMEOUT', effect: 'none' } });
  await expect.poll(() => whom?.again()).toMatchObject({ status: 'needs_person' });
  expect(await printed('journal', 'show', String(whom?.id))).toContain('booking WHOM55 which meal the passenger gets');

  answer = no;
  await requestMeal(mealOn('WHOM55'));
  answer = yes;
  expect(client.dialogs.at(-1)?.message).toContain('Caution: an earlier meal request of this booking');
  expect([sentFor('NONE44').length, sentFor('WHOM55').length]).toEqual([1, 1]);
});

test('a new act is one new file, its message and its line in the catalog, and the types fit', async () => {
  const [before, after] = [sourcesOf(ROOT), sourcesOf(folder)];
  const differing = [...after].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
  expect(differing.sort()).toEqual([ACT, ...Object.keys(ADDED)].sort());
  expect([...before.keys()].filter((file) => !after.has(file))).toEqual([]);
  expect(await types).toBe('they fit');
});
