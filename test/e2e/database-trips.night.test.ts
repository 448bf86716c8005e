/**
 * How often a call waits for PostgreSQL: a database that is five milliseconds away makes each wait five milliseconds longer, and
 * each write for which its disk is waited for longer still. The program as it is published, over HTTP, with sign-in.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../campaigns/support/folders.ts';
import { type Cluster, startCluster } from '../campaigns/support/postgres.ts';
import { ended, sandboxProcess, startMember } from '../campaigns/support/stage.ts';
import { pairOf, searchArgs } from '../campaigns/support/trip.ts';
import { freePort, PAGE, startOpenId, tokenOf } from '../http/support/openid.ts';
import { PersonAt } from '../pages/approval/support/person.ts';
import { type AskedOf, type TappedPostgres, tapPostgres } from '../store/support/tapped-postgres.ts';
import { type McpCaller, mcpCaller } from '../support/mcp-http.ts';
import { CONTACT, newPassenger } from '../support/people.ts';

const PAY = { payment: { type: 'invoice' } };
/**
 * A process does work of its own now and then, and a busy machine answers late, which only adds to what is counted: the least of
 * some trips is the trip's own.
 */
const [LEAST_TRIPS, MOST_TRIPS] = [3, 12];

/** How often each step may wait for the database: once for each message to the airline, whose pause all instances keep, and once before. */
const MOST = { search: 2, hold: 18, ask: 11, yes: 22, page: 23, tickets: 7 } as const;
type Step = keyof typeof MOST;
const STEPS = Object.keys(MOST) as Step[];

let cluster: Cluster;
let tap: TappedPostgres;
const closing: (() => Promise<unknown>)[] = [];
const least = new Map<Step, AskedOf>();
const leastDurable = new Map<Step, readonly string[]>();

beforeAll(async () => {
  cluster = await startCluster();
  closing.push(() => cluster.close());
  tap = await tapPostgres(await cluster.database('trips'));
  closing.push(() => tap.close());
  const sandbox = await sandboxProcess(`${newFolder('airline')}/airline.sqlite`);
  closing.push(() => sandbox.close());
  const [asking, echo] = [await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${asking}`;
  const openId = await startOpenId(`${publicUrl}/mcp`, { pageRedirect: `${publicUrl}/approve/signed-in` });
  closing.push(() => openId.close());
  const settings = {
    ...sandbox.settings,
    FARECLERK_DATABASE_URL: tap.url,
    FARECLERK_ISSUER: openId.issuer,
    FARECLERK_PUBLIC_URL: publicUrl,
    FARECLERK_PAGE_CLIENT_ID: PAGE.clientId,
    FARECLERK_PAGE_CLIENT_SECRET: PAGE.clientSecret,
    FARECLERK_LIMIT_PER_DAY: '1000000',
    FARECLERK_WATCH_READS_PER_HOUR: '0',
  };
  const token = await tokenOf(openId, 'ann', `${publicUrl}/mcp`);
  for (const [port, approval] of [
    [asking, 'page'],
    [echo, 'echo'],
  ] as const) {
    const member = await startMember({ ...settings, FARECLERK_APPROVAL: approval }, newFolder('instance'), port);
    closing.push(() => ended(member.process));
  }
  const [onPage, inCalls] = [asking, echo].map((port) => mcpCaller(`http://127.0.0.1:${port}/mcp`, token)) as [
    McpCaller,
    McpCaller,
  ];
  const ann = new PersonAt('ann', openId.issuer);
  const pair = await pairOf(inCalls);
  const isAbove = (step: Step) =>
    (least.get(step)?.inARow ?? Number.POSITIVE_INFINITY) > MOST[step] ||
    leastDurable.get(step)?.some((sql) => sql.includes('.lease '));
  for (let trip = 0; trip < LEAST_TRIPS || (trip < MOST_TRIPS && STEPS.some(isAbove)); trip++) {
    const found = await counted('search', () => inCalls.call('search_fares', searchArgs(pair, 12 + trip)));
    const offer = found.structured.offers.at(-1);
    const hold = (name: string) => ({
      offer_ids: [offer.offer_id],
      contact: CONTACT,
      passengers: [{ ...newPassenger(), given_name: name }],
    });
    const held = await counted('hold', () => inCalls.call('create_booking', hold('Amal')));
    const { locator } = held.structured.booking;
    const asked = await counted('ask', () => inCalls.call('pay_booking', { locator, ...PAY }));
    const approval_id = asked.structured.approval.id;
    const paid = await counted('yes', () => inCalls.call('pay_booking', { locator, ...PAY, approval_id }));
    expect(paid.outcome).toBe('done');
    await counted('tickets', () => inCalls.call('get_tickets', { locator }));

    const other = (await onPage.call('create_booking', hold('Nour'))).structured.booking.locator;
    const question = await onPage.call('pay_booking', { locator: other, ...PAY });
    // With the sign-in that the yes to each question needs.
    const page = await ann.open(`${question.structured.approval.url}?to=approve`);
    const after = await counted('page', () => ann.press(page, 'yes'));
    expect(after.body).toContain('Paid ');
  }
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function counted<T>(step: Step, work: () => Promise<T>): Promise<T> {
  const { result, ...asked } = await tap.during(work);
  if (asked.durable.length <= (leastDurable.get(step)?.length ?? Number.POSITIVE_INFINITY))
    leastDurable.set(step, asked.durable);
  if (asked.inARow <= (least.get(step)?.inARow ?? Number.POSITIVE_INFINITY)) least.set(step, asked);
  return result;
}

test.each(STEPS)('a %s waits for the database as often as it may, at most', (step) => {
  const { inARow, statements } = least.get(step) ?? { inARow: 99, statements: [] };
  expect(inARow, statements.join('\n')).toBeLessThanOrEqual(MOST[step]);
});

test('a trip is forced to the disk by its question, and as often as its operations are entered, sent and settled', () => {
  const durable = (['search', 'hold', 'ask', 'yes', 'tickets'] as const).flatMap(
    (step) => leastDurable.get(step)?.map((sql) => `${step}: ${sql.slice(0, 60)}`) ?? [],
  );
  const operation = (step: string) => ['enter', 'move', 'move'].map((what) => `${step}: ${what}_operation`);
  expect(durable.map((each) => each.replace(/ (?:select|insert into) \w+\.(\w+)\(.*/, ' $1'))).toEqual([
    ...operation('hold'),
    'ask: approval',
    ...operation('yes'),
  ]);
});
