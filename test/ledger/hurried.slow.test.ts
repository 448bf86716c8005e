/**
 * Questions of a hurried reader about a desk that refunds, exchanges, releases and waits, against what the airline's own ledger says. In the
 * night the same on PostgreSQL.
 */
import { expect, test } from 'vitest';
import { formatMoney, type Money } from '../../src/core/money.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { heldBooking, preparedFor, rebookableBooking, ticketedBooking } from '../clerk/calls/bookings.ts';
import { accept, type Desk, type DeskOptions, openDesk } from '../clerk/calls/desk.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { atNight } from '../support/whole.ts';

const { open } = suiteDatabase();
type Databases = Readonly<Record<string, DeskOptions['openState']>>;
const SQLITE = { SQLite: (now) => openSqliteState(':memory:', { now }) } satisfies Databases;
const DATABASES: Databases = { ...SQLITE, ...atNight<Databases>({ PostgreSQL: (now) => open({ now }) as never }, {}) };
const DAY = 86_400_000;

type Rows = readonly (readonly (string | number | null)[])[];

async function rowsOf(desk: Desk, sql: string): Promise<Rows> {
  const { structured, isError, text } = await desk.result('query_ledger', { sql });
  if (isError) throw new Error(text);
  return structured.rows as Rows;
}

const hintsOf = async (desk: Desk, sql: string) =>
  (await desk.result('query_ledger', { sql })).structured.hints as readonly string[] | undefined;

const major = (money: Money) => Number(formatMoney(money));

/** What the airline's own ledger says that an event moved on these bookings. */
function moved(desk: Desk, event: 'paid' | 'refunded', ...locators: readonly string[]): number {
  const amounts = desk.sandbox
    .ledger()
    .flatMap((entry) => (entry.event === event && locators.includes(entry.locator) && entry.amount) || []);
  const minor = amounts.reduce((sum, amount) => sum + amount.minor, 0);
  return major({ minor, currency: amounts[0]?.currency ?? 'SAR' });
}

const rounded = (number: number) => Math.round(number * 100) / 100;

test.each(Object.entries(DATABASES))('%s: a hurried reader of a busy desk is not misled', async (_, openState) => {
  const desk = await openDesk({
    sql: true,
    openState,
    settings: { timeZone: () => 'Asia/Riyadh' },
  });
  try {
    const cancelled = await ticketedBooking(desk);
    const [wholeRoute] = (await rowsOf(desk, `select route from booking where locator = '${cancelled}'`))[0] ?? [];
    const shown = (await desk.result('read_booking', { locator: cancelled, detail: 'full' })).structured.booking as {
      class: string;
      segments: { flight: string; from: string; to: string; departs: string }[];
    };
    // The airline will pay out later.
    desk.sandbox.disturb({ kind: 'refund-pending', locator: cancelled });
    const gone = await desk.say('cancel_segment', { locator: cancelled, segment_refs: ['2'] }, accept);
    expect(gone.isError).toBeFalsy();

    // What is still to come follows the last reading, of each booking.
    const back = moved(desk, 'refunded', cancelled);
    expect(back).toBeGreaterThan(0);
    const untouched = await ticketedBooking(desk);
    const toCome = `select locator, still_to_come from booking where locator in ('${cancelled}', '${untouched}')`;
    const asPairs = (rows: Rows) => Object.fromEntries(rows.map(([name, cell]) => [name, cell]));
    expect(asPairs(await rowsOf(desk, toCome))).toEqual({ [cancelled]: back, [untouched]: 0 });
    const views = (await desk.result('query_ledger', {})).structured;
    const { sql: example = '' } =
      (views.examples as { question: string; sql: string }[]).find(({ question }) =>
        question.includes('still to come'),
      ) ?? {};
    expect((await rowsOf(desk, example)).map((row) => row.slice(2, 5))).toEqual([[back, 0, back]]);
    // An entry that an earlier version stored does not say what is to come, and so does the question.
    const [kept] = (await desk.parts.state.ledger.findOfTenant('desk', { query: cancelled, limit: 1 })).entries;
    if (kept === undefined) throw new Error('not kept');
    const { toCome: dropped, ...sums } = kept.sums ?? {};
    expect(dropped).toBeDefined();
    await desk.parts.state.ledger.record({ tenant: 'desk', id: 'ann' }, { ...kept, sums });
    expect(asPairs(await rowsOf(desk, toCome))).toEqual({ [cancelled]: null, [untouched]: 0 });
    expect((await rowsOf(desk, example)).map((row) => row.slice(2, 5))).toEqual([[back, null, null]]);

    // Net by route: what comes back is of the route that was sold.
    const changed = await rebookableBooking(desk);
    const soldTrains = (await rowsOf(desk, `select train from segment where locator = '${changed}' order by n`)).flat();
    const done = await desk.say(
      'rebook_segment',
      { locator: changed, ...preparedFor('rebook_segment', changed).args },
      accept,
    );
    expect(done.isError).toBeFalsy();
    const net = await rowsOf(
      desk,
      'select route, sum(paid), sum(refunded) from operation where paid is not null or refunded is not null group by route',
    );
    const all = [cancelled, untouched, changed];
    expect(net).toEqual([[wholeRoute, moved(desk, 'paid', ...all), moved(desk, 'refunded', ...all)]]);
    const difference = rounded(moved(desk, 'paid', ...all) - moved(desk, 'refunded', ...all));
    const netSql = 'select sum(coalesce(paid, 0)) - sum(coalesce(refunded, 0)) as net from operation';
    expect(await rowsOf(desk, netSql)).toEqual([[difference]]);

    // The legs of each act as sold; those of the booking are of now.
    const legs = await rowsOf(
      desk,
      `select o.act, l.n, l.train from operation o join operation_leg l using (id)
       where o.locator = '${changed}' and o.act in ('hold', 'payment', 'exchange') order by o.act = 'exchange', o.act, l.n`,
    );
    const nowTrains = (await rowsOf(desk, `select train from segment where locator = '${changed}' order by n`)).flat();
    const fresh = nowTrains.find((train) => !soldTrains.includes(train));
    expect(fresh).toBeDefined();
    expect(legs).toEqual([
      ...['hold', 'payment'].flatMap((act) => soldTrains.map((train, i) => [act, i + 1, train])),
      ['exchange', 1, fresh],
    ]);
    const [replaced] = soldTrains.filter((train) => !nowTrains.includes(train));
    const onTrain = `select count(*) from operation o join operation_leg l using (id) where l.train = '${replaced}' and o.act = 'payment'`;
    expect((await rowsOf(desk, onTrain))[0]?.[0]).toBeGreaterThan(0);
    expect(
      await rowsOf(
        desk,
        `select l.train, l.from_code, l.to_code, l.departs_at, o.class from operation_leg l join operation o using (id)
         where o.locator = '${cancelled}' and o.act = 'payment' order by n`,
      ),
    ).toEqual(shown.segments.map(({ flight, from, to, departs }) => [flight, from, to, departs, shown.class]));

    // Holds: open, given up, in doubt, past their limit.
    const held = await heldBooking(desk);
    const released = await heldBooking(desk);
    await desk.say('cancel_booking', { locator: released }, accept);
    const doubtful = await heldBooking(desk);
    desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'lose-before' });
    await desk.say('pay_booking', { locator: doubtful, payment: { type: 'invoice' } }, accept);
    const states = async (...locators: readonly string[]) => {
      const rows = await rowsOf(
        desk,
        `select locator, state from booking where locator in ('${locators.join("','")}')`,
      );
      const found = asPairs(rows);
      return locators.map((locator) => found[locator]);
    };
    expect(await states(held, released, doubtful, cancelled)).toEqual([
      ...['held', 'released', 'in_doubt', 'partly_cancelled'],
    ]);
    expect(await rowsOf(desk, "select locator from booking where state = 'held'")).toEqual([[held]]);

    // How long it took from one act to the next, to the second.
    const [[from, to] = []] = await rowsOf(
      desk,
      `select unixepoch(h.at), unixepoch(p.at) from operation h join operation p using (locator)
       where h.act = 'hold' and p.act = 'payment' and locator = '${untouched}'`,
    );
    const journal = await desk.parts.state.operations.list({ tenant: 'desk', limit: 99 });
    const [sale] = journal.filter(({ locator, tool }) => locator === untouched && tool === 'pay_booking');
    const [hold] = journal.filter(({ outcome }) => outcome?.locator === untouched);
    const seconds = [hold, sale].map((operation) => Math.floor((operation?.createdAt ?? 0) / 1000));
    expect([from, to]).toEqual(seconds);

    // A question that nobody answered.
    await desk.ask('pay_booking', { locator: held, payment: { type: 'cash' } });
    expect(await rowsOf(desk, "select locator from question where decision = 'lapsed'")).toEqual([]);
    desk.advance(20 * DAY);
    expect(await rowsOf(desk, "select tool, asked_by, locator from question where decision = 'lapsed'")).toEqual([
      ['pay_booking', 'ann', held],
    ]);
    expect(await states(held)).toEqual(['expired']);
    expect(await hintsOf(desk, "select count(*) from question where decision = 'LAPSED'")).toHaveLength(1);
  } finally {
    await desk.close();
  }
});
