/**
 * The program as it is published, beside an airline that repeats in every place of free text what travellers entered on the details
 * page, in the spellings of airlines: none of it is in a result, a question, the log, a trace, an event, the recording, the state file or its
 * write-ahead file, and the airline gets back what it sent, byte for byte.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/addresses/start.ts';
import type { Wire } from '../../src/sandbox/wire.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import { startRelay } from '../campaigns/support/relay.ts';
import { ended } from '../campaigns/support/stage.ts';
import { startCollector } from '../cli/runtime/support/collector.ts';
import { freePort, PAGE, startOpenId, tokenOf } from '../http/support/openid.ts';
import { reply } from '../ota/support/wire-server.ts';
import { PersonAt } from '../pages/approval/support/person.ts';
import { CONTACT, dateIn } from '../support/people.ts';
import { DATES, PLACES, repeating } from '../support/repeated-details.ts';
import { inDialect } from '../support/sandbox/forms.ts';
import { type Door, Heard, onHttp, serveHttp, startReceiver } from './details/desks.ts';
import { cardFor, NINE } from './details/travellers.ts';

const contact = { ...CONTACT, phone: { country_code: '966', number: '551234567' } };
const SPELLINGS = Object.keys(DATES).length;
const VIEWS = ['booking', 'segment', 'passenger', 'operation', 'question', 'change', 'history'];
const [{ name, born = '', number = '', expires = '' } = { name: '' }] = NINE;

async function ok(door: Door, tool: string, args: object) {
  const { structured, text } = await door.call(tool, args);
  if (structured.error !== undefined) throw new Error(`${tool}: ${text}`);
  return structured;
}

/** On the first route and day that has any. */
async function offersFor(door: Door, routes: readonly { readonly from: string; readonly to: readonly string[] }[]) {
  for (let day = 30; day < 40; day++) {
    for (const { from, to } of routes.slice(0, 3)) {
      const legs = [{ from, to: to[0], date: dateIn(Date.now(), day) }];
      const { structured } = await door.call('search_fares', { legs, passengers: { adults: 1 }, max_results: 5 });
      if (structured.offers?.length > 0) return structured.offers;
    }
  }
  throw new Error('no offers');
}

test.each(['rail', 'airline'] as const)(
  'in the %s dialect, in each of fourteen places and in every spelling of airlines',
  async (dialect) => {
    const [heard, folder, noted] = [new Heard(), newFolder('repeats'), new Set<string>()];
    let turn = 0;
    const sandbox = await startSandbox({
      dialect,
      rewrite(answer) {
        return repeating(inDialect(dialect, answer as Wire), { birth_date: born, number, expires }, turn, { noted });
      },
    });
    const relay = await startRelay(sandbox.settings);
    /** As they were on the wire: the newest reading, and each message that has a reservation beside the reading before it. */
    let read = '';
    const sentBack: (readonly [sent: string, read: string])[] = [];
    relay.interfere(async ({ name, request, forward, socket }) => {
      if (name === 'OTA_AirBookModifyRQ') sentBack.push([request.text, read]);
      const { status, body, bytes, headers } = await forward();
      if (name === 'OTA_ReadRQ') read = body;
      socket.write(reply(status, bytes, headers));
      return true;
    });
    const [collector, receiver, port] = [await startCollector(), await startReceiver(heard), await freePort()];
    const publicUrl = `http://127.0.0.1:${port}`;
    const openId = await startOpenId(`${publicUrl}/mcp`, { pageRedirect: `${publicUrl}/approve/signed-in` });
    const settings = {
      ...relay.settings,
      ...{ FARECLERK_ISSUER: openId.issuer, FARECLERK_PUBLIC_URL: publicUrl },
      ...{ FARECLERK_PAGE_CLIENT_ID: PAGE.clientId, FARECLERK_PAGE_CLIENT_SECRET: PAGE.clientSecret },
      ...{ FARECLERK_PRIVATE_HOSTS: '127.0.0.1', FARECLERK_WEBHOOKS: `http://127.0.0.1:${receiver.port}/` },
      ...{ FARECLERK_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`, FARECLERK_ASSUMED_OPERATIONS: 'true' },
      ...{ FARECLERK_RECORD_FILE: join(folder, 'record.ndjson'), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    };
    const server = await serveHttp(port, folder, settings, heard);
    const person = new PersonAt('ann', openId.issuer);
    const token = await tokenOf(openId, 'ann', `${publicUrl}/mcp`);
    const door = await onHttp('v2-2026', { url: `${publicUrl}/mcp`, token, person }, heard);
    const look = async () => heard.folder('file', folder);

    const locators: string[] = [];
    const { routes } = await ok(door, 'list_routes', {});
    for (turn = 0; turn < SPELLINGS; turn++) {
      const offers = await offersFor(door, routes);
      door.cards = [cardFor({ name, born, number, expires }, 0)];
      const create = { contact, passenger_counts: { adults: 1 }, details: 'page' };
      const made = await ok(door, 'create_booking', { ...create, offer_ids: [offers[0].offer_id] });
      const { locator } = made.booking;
      locators.push(locator);
      for (const detail of ['concise', 'full', 'history'])
        await ok(door, 'read_booking', { locator, detail, reveal_personal: true });
      await ok(door, 'list_bookings', { locators: [locator], refresh: true });
      expect((await ok(door, 'pay_booking', { locator, payment: { type: 'cash' } })).status).toBe('done');
      await ok(door, 'quote_cancellation', { locator });
      await ok(door, 'get_seat_map', { locator });
      await ok(door, 'cancel_segment', { locator, all: true });
      await ok(door, 'read_booking', { locator, detail: 'full', reveal_personal: true });
      await look();
    }
    for (const view of VIEWS) await ok(door, 'query_ledger', { sql: `select * from ${view}` });
    for (const { body } of person.steps) heard.add('approval page', body);
    await door.close();
    await ended(server);
    await look();
    for (const body of collector.bodies) heard.add('traces', body);
    for (const one of [relay, collector, receiver, openId, sandbox]) await one.close();

    expect([...noted].sort()).toEqual(Object.keys(PLACES).sort());
    const ways = [...heard.count.keys()];
    for (const way of ['client', 'server', 'stderr', 'approval page', 'traces', 'posted', 'file record.ndjson'])
      expect(ways.filter((name) => name.startsWith(way)).length, `nothing from ${way}`).toBeGreaterThan(0);
    for (const end of [/sqlite$/, /sqlite-wal$/]) expect(ways.some((way) => end.test(way))).toBe(true);
    expect(heard.leaks.slice(0, 12)).toEqual([]);
    expect(sentBack.length).toBeGreaterThanOrEqual(SPELLINGS);
    for (const [sent, came] of sentBack) {
      const reservation = JSON.stringify(JSON.parse(came).airReservation);
      expect(came).toContain(reservation);
      expect(sent).toContain(reservation);
    }
  },
);
