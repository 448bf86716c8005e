/**
 * What the views say of bookings, legs and passengers, against what the airline of the sandbox did and shows. The same on both
 * databases.
 */
import { expect, test } from 'vitest';
import { formatMoney, type Money, showMoney } from '../../src/core/money.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { heldBooking, preparedFor, refundableTrip, seatedBooking } from '../clerk/calls/bookings.ts';
import { accept, type Desk, type DeskOptions, openDesk, PAY } from '../clerk/calls/desk.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { inDialect } from '../support/sandbox/forms.ts';
import { atNight } from '../support/whole.ts';

const { open } = suiteDatabase();

type Cells = Record<string, string | number | null>;

async function rowsOf(desk: Desk, sql: string): Promise<readonly Cells[]> {
  const { structured, isError, text } = await desk.result('query_ledger', { sql });
  if (isError) throw new Error(text);
  const { columns, rows } = structured as { columns: string[]; rows: Cells[string][][] };
  return rows.map((cells) => Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? null])));
}

/** The booking as a reading shows it now. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
const read = async (desk: Desk, locator: string): Promise<any> =>
  (await desk.result('read_booking', { locator, detail: 'full' })).structured.booking;

async function groupBooking(desk: Desk): Promise<string> {
  const { offer_id: offer } = await refundableTrip(desk, 4);
  const group = { passenger_counts: { adults: 4 }, group_name: 'Choir of the North' };
  const made = await desk.result('create_booking', {
    ...{ offer_ids: [offer], contact: { given_name: 'Amal', surname: 'Haddad', email: 'amal@example.com' } },
    ...group,
  });
  if (made.isError) throw new Error(made.text);
  return (made.structured.booking as { locator: string }).locator;
}

type Answered = NonNullable<NonNullable<DeskOptions['sandbox']>['rewrite']>;

/** An airline that shows services with these statuses, where the sandbox confirms them all. */
function answering(dialect: 'rail' | 'airline', statuses: Readonly<Record<string, string | undefined>>): Answered {
  const shown = (_: string, value: unknown) => {
    const { ssrcode: code } = (value ?? {}) as { readonly ssrcode?: string };
    return code !== undefined && code in statuses ? { ...(value as object), status: statuses[code] } : value;
  };
  return (reply) => JSON.parse(JSON.stringify(inDialect(dialect, reply)), shown);
}

const major = (money: Money | undefined) => money && Number(formatMoney(money));
const moneyText = (money: Money | undefined) => money && showMoney(money);

const sqlite: DeskOptions['openState'] = (now) => openSqliteState(':memory:', { now });
const postgres: DeskOptions['openState'] = (now) => open({ now }) as never;

type Way = readonly ['rail' | 'airline', string, DeskOptions['openState']];
/** Both databases and both dialects; the parts play two of them. */
const ways = (two: readonly Way[], more: readonly Way[]) => atNight([...two, ...more], two);

test.each(
  ways(
    [
      ['rail', 'PostgreSQL', postgres],
      ['airline', 'SQLite', sqlite],
    ],
    [['rail', 'SQLite', sqlite]],
  ),
)('%s, %s: every column of booking, segment and passenger is what the airline shows', async (dialect, _, openState) => {
  const desk = await openDesk({ sql: true, openState, sandbox: { dialect } });
  try {
    const paid = await seatedBooking(desk);
    const { seats } = preparedFor('assign_seats', paid).args as { seats: { seat: string }[] };
    await desk.say('assign_seats', { locator: paid, seats }, accept);
    for (const service of [{ code: 'WCHC', text: 'NO STEPS' }, { code: 'VGML' }])
      await desk.say('request_service', { locator: paid, passenger_ref: '1', service }, accept);
    const [held, group] = [await heldBooking(desk), await groupBooking(desk)];
    const cancelled = await desk.say('cancel_segment', { locator: paid, segment_refs: ['2'] }, accept);
    const { refund } = cancelled.structured as unknown as { refund: { stated: { back: string; kept?: string } } };
    const moved = (event: string) =>
      desk.sandbox.ledger().filter((entry) => entry.event === event && entry.locator === paid);
    const [shown, hold, choir] = [await read(desk, paid), await read(desk, held), await read(desk, group)];

    const isRail = dialect === 'rail';
    await desk.result('update_contact', { locator: held, customer: 'CRM-1' });
    const bookings = await rowsOf(desk, 'select * from booking order by made_at, locator');
    const row = (locator: string) => bookings.find((each) => each.locator === locator);
    // What its segments share stands once.
    const { class: bookingClass, fare } = shown;
    const [out, back] = shown.segments.map((segment: object) => ({ class: bookingClass, fare, ...segment }));
    expect(row(paid)).toMatchObject({
      state: 'partly_cancelled',
      made_by: 'ann',
      route: `${out.from}-${out.to}`,
      departs_at: out.departs,
      ...{
        passengers: 2,
        is_group: 0,
        unnamed: 0,
        contact: isRail ? 'Amal Haddad' : null,
      },
      ...{ price: Number(shown.total), paid: major(moved('paid')[0]?.amount), currency: shown.currency },
      payment_type: PAY.payment.type,
      ...{
        refunded: Number(refund.stated.back),
        // This airline pays out later.
        still_to_come: isRail ? 0 : Number(refund.stated.back),
        received: isRail ? Number(refund.stated.back) : 0,
      },
      pay_by: null,
    });
    // The airline dialect states no penalty.
    if (isRail) expect(Number(refund.stated.kept)).toBeGreaterThan(0);
    const returned = `select kept, payment_type from operation where locator = '${paid}' and act = 'refund'`;
    const kept = refund.stated.kept === undefined ? null : Number(refund.stated.kept);
    expect(await rowsOf(desk, returned)).toEqual([{ kept, payment_type: PAY.payment.type }]);
    expect(
      Object.entries(row(paid) ?? {})
        .filter(([, cell]) => cell === null)
        .map(([name]) => name),
    ).toEqual([
      ...(isRail ? ['customer'] : ['contact', 'customer']),
      'pay_by',
      'lapsed_at',
      ...(isRail ? [] : ['names_by']),
    ]);
    expect(row(held)).toMatchObject({
      ...{
        state: 'held',
        customer: 'CRM-1',
        price: Number(hold.total),
        paid: null,
        refunded: null,
        received: null,
        payment_type: null,
        minutes_held: null,
        unnamed: 0,
      },
      pay_by: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(row(group)).toMatchObject({
      passengers: 4,
      is_group: 1,
      unnamed: 4,
      names_by: isRail ? expect.any(String) : null,
    });

    const nameOf = (code: string) => desk.parts.airline.placeName?.(code) ?? null;
    const legs = await rowsOf(desk, `select * from segment where locator = '${paid}' order by n`);
    expect(legs).toEqual(
      [out, back].map((leg, i) => ({
        ...{ locator: paid, n: i + 1, train: leg.flight, from_code: leg.from, from_name: nameOf(leg.from) },
        ...{ to_code: leg.to, to_name: nameOf(leg.to), departs_at: leg.departs, arrives_at: leg.arrives },
        ...{ departs_on: leg.departs.slice(0, 10), class: leg.class },
        status: i === 0 ? 'confirmed' : 'cancelled',
        ...{ state: 'partly_cancelled', passengers: 2, contact: row(paid)?.contact },
      })),
    );

    const people = await rowsOf(desk, `select * from passenger where locator = '${paid}' order by n`);
    const short = (name: string) => name.replace(/^(\p{L})\S* (.*)$/u, '$2 $1.');
    const [first] = shown.passengers[0].tickets[0].coupons;
    expect(people).toEqual(
      shown.passengers.map(({ name }: { name: string }, i: number) => ({
        ...{ locator: paid, n: i + 1, type: 'adult', name: short(name) },
        seat: i === 0 ? `${first.coach}/${first.seat}, -` : people[1]?.seat,
        services: i === 0 ? 'WCHC confirmed, VGML confirmed' : null,
      })),
    );
    expect(
      await rowsOf(desk, "select locator, n from passenger where services like '%WCHC%' and services like '%VGML%'"),
    ).toEqual([{ locator: paid, n: 1 }]);
    expect(await rowsOf(desk, `select distinct type, name, seat from passenger where locator = '${group}'`)).toEqual([
      { type: 'adult', name: null, seat: null },
    ]);
    expect(choir.passengers).toHaveLength(4);
    const { structured, text } = await desk.result('read_booking', { locator: paid, detail: 'history' });
    const history = structured.history as { at: string; what: string }[];
    const said = history.map(({ what }) => what.replace(/ \(operation [0-9a-f-]+\)/, ''));
    expect(said.filter((each) => each.includes('payment'))).toEqual([
      'Approval of the payment requested for ann',
      'ann approved the payment in the dialog',
      'The payment of ann was sent',
      `The payment: done; charged ${moneyText(moved('paid')[0]?.amount)}`,
    ]);
    expect(said[0]).toBe('The booking of ann was sent');
    expect(said.at(-1)).toContain(`: done; refunded ${moneyText(moved('refunded')[0]?.amount)}`);
    expect(history.map(({ at }) => at)).toEqual(history.map(({ at }) => at).toSorted());
    expect(text).toContain('History:\n  ');
    for (const { what } of history) expect(text).toContain(what);
    expect((await desk.result('read_booking', { locator: paid })).structured.history).toBeUndefined();
  } finally {
    await desk.close();
  }
});

test.each(
  ways(
    [
      ['rail', 'SQLite', sqlite],
      ['airline', 'PostgreSQL', postgres],
    ],
    [
      ['rail', 'PostgreSQL', postgres],
      ['airline', 'SQLite', sqlite],
    ],
  ),
)('%s, %s: services are kept by code and answer, in the words of the reading', async (dialect, _, openState) => {
  const later = { WCHS: 'HN', VGML: 'UN', DEAF: 'HX', MAAS: 'QQ', BLND: undefined };
  const statuses: Record<string, string | undefined> = {};
  const rewrite = answering(dialect, statuses);
  const desk = await openDesk({ sql: true, openState, sandbox: { dialect, rewrite } });
  try {
    const locator = await heldBooking(desk);
    for (const code of [...Object.keys(later), 'WCHR'])
      await desk.say('request_service', { locator, passenger_ref: '2', service: { code, text: 'Ramp 7' } }, accept);
    Object.assign(statuses, later);
    const { special_services: shown } = await read(desk, locator);
    const [amal, noor] = await rowsOf(desk, `select services from passenger where locator = '${locator}' order by n`);
    expect(amal).toEqual({ services: null });
    const kept = String(noor?.services).split(', ');
    expect(kept).toEqual([
      ...['WCHS requested', 'VGML refused (UN)', 'DEAF cancelled', 'MAAS QQ', 'BLND', 'WCHR confirmed'],
    ]);
    const lines = (shown as string[]).filter((line) => line.includes('passenger 2'));
    for (const each of kept) {
      const [code = '', ...answer] = each.split(' ');
      const words = lines.find((line) => line.startsWith(code));
      expect(words).toContain(': Ramp 7 ');
      expect(words?.includes(`, ${answer.join(' ')}: `)).toBe(answer.length > 0);
    }
    const found = (where: string) => rowsOf(desk, `select n from passenger where ${where}`);
    expect(await found("services like '%WCHS requested%'")).toEqual([{ n: 2 }]);
    expect(await found("services like '%refused%'")).toEqual([{ n: 2 }]);
    expect(await found("services like '%Ramp%'")).toEqual([]);
  } finally {
    await desk.close();
  }
});

test('what the airline left of a hold has lapsed at its limit, though nobody read it since', async () => {
  const desk = await openDesk({ sql: true, openState: sqlite });
  try {
    const [left, paid] = [await heldBooking(desk), await seatedBooking(desk)];
    // Both are on that train.
    desk.sandbox.disturb({ kind: 'cancel', locator: left });
    for (const locator of [left, paid]) expect((await read(desk, locator)).segments[0].status).toBe('cancelled');
    const cells = 'state, pay_by, lapsed_at';
    const rows = () =>
      rowsOf(desk, `select ${cells} from booking where locator in ('${left}', '${paid}') order by made_at`);
    const [before, ticketed] = await rows();
    expect(before).toMatchObject({ state: 'partly_cancelled', pay_by: expect.any(String), lapsed_at: null });
    expect(ticketed).toMatchObject({ pay_by: null, lapsed_at: null });
    desk.advance(3_600_000);
    expect(await rows()).toMatchObject([{ state: 'expired', lapsed_at: before?.pay_by }, { ...ticketed }]);
  } finally {
    await desk.close();
  }
});
