/**
 * A recording holds no personal data: people with unmistakable names take a whole trip with an airline that repeats
 * everything that it received wherever it can.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Call, startFront } from '../../cli/doctor/front.ts';
import { inDays, ok, sellable } from '../../e2e/trip.ts';
import { needlesOf } from '../../support/repeated-details.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { clerkIn } from '../dialects/clerk.ts';

const PEOPLE = {
  given: 'Qanariella',
  middle: 'Wistaverna',
  surname: 'Zwitschervogelin',
  other: 'Xylophonos',
  contact: 'Kontaktinde',
  renamed: 'Umbenannterix',
  email: 'q.zwitschervogelin+trip@postfachheim.example',
  passengerEmail: 'ella.privatissima@zuhausen.example',
  phone: '5550147723',
  document: 'QX9044176Z',
  second: 'QX9044199Y',
  birth: '1987-03-29',
  expires: '2033-08-17',
  city: 'Hinterwinkelbach',
  holder: 'Kartenhalterix Zwitschervogelin',
};

const SECRETS = {
  apiKey: 'canary-api-key-7f3b',
  clientSecret: 'canary-client-secret-88c1',
  password: 'canary-password-d04e',
  username: 'canary.desk.user',
  agentId: 'CANARYAGENT77',
  agencyId: 'Canaryreisen Gesellschaft',
  tenant: 'canaryrealm',
};

/** In all spellings, as an airline may write them behind titles and names of taxes. */
const REPEATED = needlesOf({ birth_date: PEOPLE.birth, number: PEOPLE.document, expires: PEOPLE.expires }).map(
  (text) => (/\p{Script=Arabic}/u.test(text) ? text : text.toUpperCase()),
);

/** Whether the airline has got the details. */
let isSent = false;

/** What was sent, everywhere in what comes back: unknown fields, unknown names of fields, words, and links. */
function gossiping(answer: Answer, { body, headers }: Call): Answer {
  if (typeof answer.body !== 'string' || !answer.body.startsWith('{')) return answer;
  const reply = JSON.parse(answer.body) as Record<string, unknown>;
  isSent ||= body.includes(PEOPLE.document);
  const gossip = {
    note: `Sold to ${PEOPLE.surname}/${PEOPLE.given} ${PEOPLE.phone} ${PEOPLE.document} ${PEOPLE.birth}`,
    [PEOPLE.surname]: [PEOPLE.email, { [`of ${PEOPLE.given}`]: Number(PEOPLE.phone) }],
    passportHash: Buffer.from(PEOPLE.document).toString('base64'),
    remark: [`${PEOPLE.given.toUpperCase()} ${PEOPLE.surname.toUpperCase()}`],
    echoed: body,
    auth: headers.authorization ?? '',
    key: headers['x-api-key'] ?? '',
    status: PEOPLE.surname,
    name: PEOPLE.given,
    // In fields of the protocol, which are recorded as they are. Before it was sent, nobody knows that it is one.
    ...(isSent && { namePrefix: REPEATED, taxName: REPEATED, priceGroup: REPEATED, nameTitle: REPEATED }),
    href: `https://mirror.example/${PEOPLE.surname}?q=${encodeURIComponent(PEOPLE.email)}`,
    count: 7,
    long: 5550147723,
  };
  return { ...answer, body: JSON.stringify({ ...reply, gossip, vendorExtra: [gossip, PEOPLE.surname] }) };
}

let folder: string;
let text: string;
/** What the airline made up for these people: locators, tickets, orders. */
let made: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fareclerk-canary-'));
  const file = join(folder, 'calls.jsonl');
  const sandbox = await startSandbox({ dialect: 'airline', credentials: SECRETS });
  const front = await startFront(() => undefined, { to: sandbox.url, reply: gossiping });
  const { settings } = sandbox;
  const client = clerkIn({
    ...settings,
    FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA`,
    FARECLERK_AUTH_URL: settings.FARECLERK_AUTH_URL?.replace(sandbox.url, front.origin) ?? '',
    FARECLERK_GATEWAY_URL: front.origin,
    FARECLERK_RECORD_FILE: file,
  });
  made = await trip(client);
  // A booking that does not exist, and a payment of one that is already paid and cancelled.
  await client.call('read_booking', { locator: 'QANARI' });
  await client.call('pay_booking', { locator: made[0] ?? '', payment: { type: 'cash' } });
  await client.close();
  await front.close();
  await sandbox.close();
  text = readFileSync(file, 'utf8');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function trip(client: ReturnType<typeof clerkIn>): Promise<readonly string[]> {
  const { from, to, out } = await sellable(client);
  const found = await ok(client, 'search_fares', { legs: [{ from, to, date: out }], passengers: { adults: 2 } });
  const document = { type: 'passport', number: PEOPLE.document, nationality: 'DE', expires: PEOPLE.expires };
  const person = { type: 'ADT', surname: PEOPLE.surname, gender: 'Female', birth_date: PEOPLE.birth, document };
  const booked = await ok(client, 'create_booking', {
    offer_ids: found.structuredContent.offers[0].offer_id,
    contact: {
      given_name: PEOPLE.contact,
      surname: PEOPLE.surname,
      email: PEOPLE.email,
      phone: { country_code: '49', number: PEOPLE.phone },
      city: PEOPLE.city,
      country: 'DE',
    },
    passengers: [
      { ...person, given_name: PEOPLE.given, middle_name: PEOPLE.middle, email: PEOPLE.passengerEmail },
      { ...person, given_name: PEOPLE.other, document: { ...document, number: PEOPLE.second, expires: inDays(3650) } },
    ],
  });
  const { locator } = booked.structuredContent.booking;
  const payment = { type: 'credit_card', holder_name: PEOPLE.holder };
  const paid = (await ok(client, 'pay_booking', { locator, payment })).structuredContent;
  await ok(client, 'get_seat_map', { locator });
  await ok(client, 'send_tickets', { locator, what: 'tickets' });
  await ok(client, 'change_names', { locator, changes: [{ passenger_ref: '2', given_name: PEOPLE.renamed }] });
  const { booking } = (await ok(client, 'read_booking', { locator, detail: 'full', reveal_personal: true }))
    .structuredContent;
  await ok(client, 'cancel_segment', { locator, all: true });
  return [
    locator,
    ...booking.references.map((one: { locator: string }) => one.locator),
    ...paid.tickets.map((one: { number: string }) => one.number),
    ...booking.passengers.flatMap((one: { tickets: { coupons: { provider_ticket?: string }[] }[] }) =>
      one.tickets.flatMap(({ coupons }) => coupons.map((coupon) => coupon.provider_ticket ?? '')),
    ),
  ].filter((one) => one.length > 4);
}

const isTelling = (word: string): boolean =>
  word.length > 4 && !['example', 'canary', 'client', 'secret', 'password'].includes(word);

/** A text in the ways in which it could still be found. */
function forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const shapes = [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
  ];
  return [...shapes, ...secret.split(/[^\p{L}\p{N}]+/u).filter(isTelling)];
}

describe('a recording of a whole trip with an airline that repeats everything', () => {
  it('records every message of a trip', () => {
    const messages = new Set(text.match(/"message":"([^"]+)"/g));
    for (const message of [
      'AirBookRQ',
      'AirDemandTicketRQ',
      'AirBookModifyRQ',
      'AirSeatMapRQ',
      'ReadRQ',
      'LowFareSearchRQ',
    ]) {
      expect([...messages].join()).toContain(message);
    }
    expect(text).toContain('"gossip"');
    expect(text).toContain('"message":"email"');
    expect(made.length).toBeGreaterThan(4);
  });

  it.each(Object.entries({ ...PEOPLE, ...SECRETS }))('records no %s', (_, canary) => {
    for (const form of forms(canary)) expect(text.toLowerCase()).not.toContain(form.toLowerCase());
  });

  it('records no detail of a traveller in a field of the protocol, however it is spelt', () => {
    // A day by itself, which is no traveller's: times of the protocol are dates too.
    const found = REPEATED.filter((spelled) => text.toLowerCase().includes(spelled.toLowerCase()));
    expect(found).toEqual([]);
  });

  it('records no locator, ticket or provider ticket that the airline gave', () => {
    for (const one of made) expect(text).not.toContain(one);
  });

  it('records no token and no header that carries one', () => {
    expect(text).not.toMatch(/Bearer |eyJ[\w-]{8,}\.|access_token":"(?!\[dropped\])|refresh_token":"(?!\[dropped\])/);
    expect(text).toContain('"with":["x-api-key","authorization"]');
  });

  it('records no address', () => {
    expect(text).not.toMatch(/127\.0\.0\.1|localhost/);
    expect(text).toContain('"message":"routes"');
  });
});
