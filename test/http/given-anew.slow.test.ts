/**
 * A locator that the airline gives anew, over HTTP and with an airline that remembers, on each database: who had the booking
 * before reaches nothing of the stranger's, neither with the locator nor with the surname that was right once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBooking } from '../../src/sandbox/record.ts';
import { heldBooking } from '../clerk/calls/bookings.ts';
import { type Desk, failures, openDesk, PAY } from '../clerk/calls/desk.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import type { McpCaller } from '../support/mcp-http.ts';
import { about, BOOKING_TOOLS } from './support/booking-tools.ts';
import { type SignedServed, serveSigned, UNLIMITED } from './support/serve.ts';

const DAY = 86_400_000;
const database = suiteDatabase();

/** The airline gives the locator of one booking to another one, and the first is no more. */
function giveAnew({ sandbox }: Desk, locator: string, stranger: string): void {
  const { state } = sandbox.carrier();
  const record = findBooking(state, stranger);
  state.change(() => {
    state.run('DELETE FROM claims WHERE locator = ?', locator);
    state.run('DELETE FROM bookings WHERE locator = ?', locator);
    state.run('UPDATE claims SET locator = ? WHERE locator = ?', locator, stranger);
    const sql = 'UPDATE bookings SET locator = ?, record = ? WHERE locator = ?';
    state.run(sql, locator, JSON.stringify({ ...record, locator }), stranger);
  });
}

describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  let desk: Desk;
  let at: SignedServed;
  const callers: McpCaller[] = [];
  beforeAll(async () => {
    desk = await openDesk({ approval: 'echo', ...(kind === 'PostgreSQL' && database.ofDesk()) });
    at = (await serveSigned({ tenantClaim: 'org', limits: UNLIMITED }, {}, desk)) as never;
  });
  afterAll(async () => {
    for (const one of callers) one.close();
    await at.close();
  });
  const as = async (sub: string) => {
    const fresh = await at.caller({ sub, org: 'one' });
    callers.push(fresh);
    return fresh;
  };

  const forget = async (locator: string) => {
    const { forgetting } = desk.parts.state;
    await forgetting.erase({ locator }, await forgetting.find({ locator }), desk.parts.clock.now());
  };
  /** Asks, and lets the model's word be the yes. */
  const said = async (by: McpCaller, tool: string, args: object): Promise<void> => {
    const asked = await by.call(tool, args);
    expect((await by.call(tool, { ...args, approval_id: asked.structured.approval?.id })).outcome).toBe('done');
  };

  it.each([
    ['a cancelled', (amy: McpCaller, locator: string) => said(amy, 'cancel_booking', { locator })],
    [
      'a flown',
      async (amy: McpCaller, locator: string) => {
        await said(amy, 'pay_booking', { locator, ...PAY });
        desk.advance(200 * DAY);
      },
    ],
    [
      'a forgotten',
      async (amy: McpCaller, locator: string) => {
        // The journal shows for ever who acted on it.
        await said(amy, 'pay_booking', { locator, ...PAY });
        desk.advance(10 * DAY);
        await forget(locator);
      },
    ],
    [
      'a flown and cleaned',
      async (amy: McpCaller, locator: string) => {
        await said(amy, 'pay_booking', { locator, ...PAY });
        desk.advance(500 * DAY);
        await desk.parts.state.clean();
      },
    ],
  ] as const)('after %s booking its earlier caller reaches nothing of the stranger', async (what, ending) => {
    const [amy, bob] = [await as('amy'), await as('bob')];
    const locator = await heldBooking(desk);
    const surname = await desk.surnameIn(locator);
    expect((await amy.call('read_booking', { locator, surname })).outcome).toBe('ok');
    await ending(amy, locator);
    giveAnew(desk, locator, await heldBooking(desk));
    const strangers = await desk.surnameIn(locator);
    expect(strangers).not.toBe(surname);
    const before = desk.acts().length;
    for (const [tool, args] of BOOKING_TOOLS) {
      const told = await amy.call(tool, about(tool, locator, args));
      expect([tool, told.outcome]).toEqual([tool, 'E_NOT_FOUND']);
      expect(JSON.stringify([told.structured, told.text])).not.toContain(strangers);
    }
    expect((await amy.call('read_booking', { locator, surname })).outcome).toBe('E_NOT_FOUND');
    // The list has what was, and a refresh brings nothing of the stranger.
    const list = await amy.call('list_bookings', { refresh: true, max_results: 200 });
    expect(JSON.stringify([list.structured, list.text])).not.toContain(strangers);
    expect(desk.acts().length).toBe(before);
    expect(await desk.clerk.waiting()).toEqual([]);
    // Whoever knows the stranger's surname has the booking; the earlier caller too, and nobody else of the desk.
    expect((await bob.call('read_booking', { locator, surname: strangers })).outcome).toBe('ok');
    expect([what, (await amy.call('read_booking', { locator })).outcome]).toEqual([what, 'E_NOT_FOUND']);
    // What the airline changes on it is news of the stranger's, which the earlier caller neither reads nor closes.
    const { createdAt } = await desk.parts.airline.read(locator);
    const id = `N${locator}NEWS`;
    const foundAt = desk.parts.clock.now();
    const news = {
      id,
      tenant: `${at.issuer.issuer}#one`,
      locator,
      kind: 'class_changed',
      seenAt: foundAt,
      since: foundAt,
    } as const;
    await desk.parts.state.findings.add([{ ...news, ...(createdAt !== undefined && { bookedAt: createdAt }) }]);
    const told = async (by: McpCaller) => JSON.stringify(await by.call('list_bookings', { max_results: 200 }));
    expect([(await told(bob)).includes(id.slice(0, 8)), (await told(amy)).includes(id.slice(0, 8))]).toEqual([
      true,
      false,
    ]);
    expect((await amy.call('close_findings', { finding_ids: [id] })).outcome).toBe('E_NOT_FOUND');
    expect((await bob.call('close_findings', { finding_ids: [id] })).structured.closed).toBe(1);
    expect((await amy.call('read_booking', { locator, surname: strangers })).outcome).toBe('ok');
    expect((await amy.call('read_booking', { locator })).outcome).toBe('ok');
    expect(failures).toEqual([]);
  });
});
