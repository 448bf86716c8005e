/**
 * An airline that writes what travellers entered on the details page behind names, fares, rules, e-mail and telephones, in any spelling:
 * none of it is in a result, a question, the journal or the state, and the airline gets back exactly what it sent.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Wire } from '../../../src/sandbox/wire.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newFolder } from '../../campaigns/support/folders.ts';
import { detailsPage, enterDetails, newTraveller } from '../../support/details.ts';
import { CONTACT, type Traveler } from '../../support/people.ts';
import { DATES, needlesOf, PLACES, repeating, type Secret } from '../../support/repeated-details.ts';
import { inDialect } from '../../support/sandbox/forms.ts';
import { refundableTrip } from './bookings.ts';
import { type Desk, failures, openDesk } from './desk.ts';

const SECRET: Secret = { birth_date: '1971-03-29', number: 'QX7719402', expires: '2034-08-27' };
const NEEDLES = needlesOf(SECRET);
/** Spellings of each kind; test/e2e/repeated-details.night.test.ts plays all. */
const TURNS = ['ISO', 'airlines, short', 'American', 'spaced', 'Arabic'].map((name) =>
  Object.keys(DATES).indexOf(name),
);
const ANY = new RegExp(NEEDLES.map((needle) => RegExp.escape(needle)).join('|'));
/** Megabytes are read through: by each needle only where there is one of them. */
const leaksIn = (text: string) => {
  const small = text.toLowerCase();
  return ANY.test(small) ? NEEDLES.filter((needle) => small.includes(needle)) : [];
};

function traveller() {
  const { birth_date, number, expires } = SECRET;
  return newTraveller({ birth_date, document: { type: 'passport', number, nationality: 'SA', expires } });
}

let desk: Desk;
afterEach(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

it.each(['rail', 'airline'] as const)(
  'in the %s dialect, in each of fourteen places, in spellings of every kind',
  async (dialect) => {
    const folder = newFolder('door');
    const heard: string[] = [];
    const noted = new Set<string>();
    const read: unknown[] = [];
    const sentBack: unknown[] = [];
    const sent: (readonly Traveler[])[] = [];
    let turn = 0;
    const log = {
      call: (fields: object) => void heard.push(JSON.stringify(fields)),
      failure: (fields: object) => void heard.push(JSON.stringify(fields)),
      unrecorded: ({ error }: { error: unknown }) => void heard.push(String(error)),
    };
    desk = await openDesk({
      detailsPage,
      log,
      page: { canOpen: () => true, open: async () => ({ opened: true }) },
      openState: (now) => openSqliteState(join(folder, 'state.sqlite'), { now }),
      before: (airline) => ({
        ...airline,
        modify(change) {
          const { modification } = change.send;
          if ('travelers' in modification) sent.push(modification.travelers);
          return airline.modify(change);
        },
      }),
      sandbox: {
        dialect,
        rewrite: (reply, { name, request }) => {
          const repeated = repeating(inDialect(dialect, reply as Wire), SECRET, turn, { noted });
          if (name === 'OTA_ReadRQ') read.push(JSON.stringify(repeated.airReservation));
          if (name === 'OTA_AirBookModifyRQ') sentBack.push(JSON.stringify((request as Wire).airReservation));
          return repeated;
        },
      },
    });
    const hear = async (tool: string, args: object) => {
      const answer = await desk.call(tool, args);
      heard.push(`${tool} ${JSON.stringify(answer)}`);
      return answer.kind === 'result' ? answer.structured : {};
    };
    const look = () => {
      for (const end of ['', '-wal'])
        heard.push(`state${end} ${readFileSync(join(folder, `state.sqlite${end}`)).toString()}`);
    };
    const approve = async (tool: string, args: object) => {
      const asked = await hear(tool, args);
      const [question] = await desk.clerk.waiting();
      heard.push(`page ${JSON.stringify(question)}`);
      await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' });
      return hear(tool, { ...args, approval_id: (asked.approval as { id: string }).id });
    };

    const locators: string[] = [];
    for (turn of TURNS) {
      const { offer_id } = await refundableTrip(desk, 1);
      const contact = { ...CONTACT, phone: { country_code: '966', number: '551234567' } };
      const create = { offer_ids: [offer_id], contact, passenger_counts: { adults: 1 } };
      const page = await desk.result('create_booking', { ...create, details: 'page' });
      const { id } = page.structured.details as { id: string };
      await enterDetails(desk.parts.state, id, [traveller()], desk.parts.clock.now());
      const made = await hear('create_booking', { ...create, details: id });
      expect(made.status, heard.at(-1)).toBe('done');
      const { locator } = made.booking as { locator: string };
      locators.push(locator);
      for (const detail of ['concise', 'full', 'history'])
        await hear('read_booking', { locator, detail, reveal_personal: true });
      await hear('read_booking', { locator, reveal_contact: true });
      await hear('list_bookings', { locators: [locator], refresh: true });
      expect((await approve('pay_booking', { locator, payment: { type: 'cash' } })).status, heard.at(-1)).toBe('done');
      await hear('quote_cancellation', { locator });
      await hear('get_seat_map', { locator });
      expect((await approve('cancel_segment', { locator, all: true })).status, heard.at(-1)).toBe('done');
      await hear('read_booking', { locator, detail: 'full', reveal_personal: true });
      look();
    }
    // People are sent back under the names that the airline gives them, also in a part of the message.
    const party = await refundableTrip(desk, 2);
    const two = { offer_ids: [party.offer_id], contact: CONTACT, passenger_counts: { adults: 2 } };
    const page = await desk.result('create_booking', { ...two, details: 'page' });
    const { id } = page.structured.details as { id: string };
    await enterDetails(desk.parts.state, id, [traveller(), newTraveller()], desk.parts.clock.now());
    const { booking } = await hear('create_booking', { ...two, details: id });
    const { locator } = booking as { locator: string };
    await approve('pay_booking', { locator, payment: { type: 'cash' } });
    await approve('cancel_passenger', { locator, passenger_refs: ['1'] });
    // This airline then finds that its record has no such name.
    const [going] = sent.at(-1) ?? [];
    expect(leaksIn(going?.name?.surname ?? '')).not.toEqual([]);
    expect(read.at(-1)).toContain(JSON.stringify(going?.name?.surname));
    sentBack.pop();

    await hear('propose_plan', { steps: [{ tool: 'cancel_bookings', arguments: { locators: locators.slice(0, 5) } }] });
    for (const view of ['booking', 'segment', 'passenger', 'operation', 'question', 'change', 'history'])
      await hear('query_ledger', { sql: `select * from ${view}` });
    for (const operation of await desk.parts.state.operations.list({}))
      heard.push(`operation ${JSON.stringify(operation)}`);
    look();

    expect([...noted].sort()).toEqual(Object.keys(PLACES).sort());
    expect(heard.flatMap((text) => leaksIn(text).map((needle) => `${needle} in ${text.slice(0, 60)}`))).toEqual([]);
    expect(sentBack).toHaveLength(locators.length);
    for (const reservation of sentBack) expect(read).toContain(reservation);
  },
);
