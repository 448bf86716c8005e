/** What a payment comes to if its instance dies, if clocks are wrong, and while PostgreSQL is down. */
import { setTimeout as wait } from 'node:timers/promises';
import { dateIn } from '../../support/people.ts';
import { PAY } from '../support/acts.ts';
import { paymentOf, questionOf } from '../support/instances.ts';
import type { Proved } from '../support/report.ts';
import type { Fleet } from './support/fleet.ts';

const TEN_MINUTES = 600_000;
/** The airline acts this long after the request; its answer is lost. */
const LATE_MS = 2_000;
/** From sending to when it may be settled as not executed. */
const SETTLE_SECONDS = 4;

/** Compares what came with what was due, all at once. */
function proved(came: object, due: object): Proved {
  const [seen, meant] = [JSON.stringify(came), JSON.stringify(due)];
  return { seen, problems: seen === meant ? [] : [`${seen} instead of ${meant}`] };
}

/**
 * An instance dies during a payment: another reads the booking and settles the payment with its true outcome.
 * `arrives`: the airline gets the payment before. `waits`: for the minute in which a silent process is believed alive.
 */
export async function dieInMidPayment(fleet: Fleet, arrives: boolean, waits: boolean): Promise<Proved> {
  const { relay, stock, times } = fleet;
  const [first, second] = await fleet.start(2);
  const payment = await paymentOf(stock);
  const answered = await questionOf(first, payment);
  relay.clear();
  const { promise: dead, resolve: died } = Promise.withResolvers<void>();
  relay.interfere(async ({ name, forward }) => {
    if (name !== PAY) return false;
    if (arrives) await forward();
    await first.kill();
    died();
    return true;
  });
  const call = first.call(answered).catch(() => undefined);
  await dead;
  await call;
  relay.interfere(undefined);
  if (!waits) await fleet.lapse();
  const row = (await fleet.settled(waits ? 120_000 : 20_000, ({ locator }) => locator === payment.locator)).at(-1);
  const { code } = await second.call(answered);
  const [paid, sent] = [times('paid', payment.locator), relay.times(PAY)];
  if (arrives)
    return proved(
      { state: row?.state, basis: row?.basis, paid, sent, told: code },
      { state: 'succeeded', basis: 'read', paid: 1, sent: 1, told: 'done' },
    );
  return proved({ state: row?.state, paid, sent }, { state: 'not_executed', paid: 0, sent: 1 });
}

/**
 * Two instances whose machines' clocks are wrong, one ten minutes slow and one ten minutes fast: an approval asked at
 * one is good at the other, and what the airline does late is not given up early.
 */
export async function lateUnderSkew(fleet: Fleet): Promise<Proved> {
  const { relay, stock, times } = fleet;
  const more = { TEST_SETTLE_SECONDS: String(SETTLE_SECONDS), TEST_ANSWER_SECONDS: '1' };
  const skewed = (ms: number) => fleet.start(1, { ...more, FLEET_SKEW_MS: String(ms) });
  const [[slow], [fast]] = await Promise.all([skewed(-TEN_MINUTES), skewed(TEN_MINUTES)]);
  const [one, other] = [await paymentOf(stock), await paymentOf(stock)];
  const [bySlow, byFast] = [await questionOf(slow, one), await questionOf(fast, other)];
  relay.interfere(async ({ name, socket, forward }) => {
    if (name !== PAY) return false;
    socket.destroy();
    await wait(LATE_MS);
    await forward();
    return true;
  });
  // Each answers the other's question.
  const came = await Promise.all([fast.call(bySlow), slow.call(byFast)]);
  const rows = await fleet.settled(20_000, ({ locator }) => [one.locator, other.locator].includes(locator));
  await relay.quiet();
  relay.interfere(undefined);
  const paid = [one, other].map(({ locator }) => times('paid', locator));
  return proved(
    { codes: came.map(({ code }) => code), states: rows.map(({ state }) => state), paid },
    { codes: ['pending', 'pending'], states: ['succeeded', 'succeeded'], paid: [1, 1] },
  );
}

/** Reads routes and dates but pays nothing while PostgreSQL is down, and pays once it is back. */
export async function withoutDatabase({ start, stock, sandbox, relay, cluster, times }: Fleet): Promise<Proved> {
  const [instance] = await start(1);
  const { from, to } = await stock.pair();
  const [start_date, end_date] = [15, 20].map((days) => dateIn(sandbox.now(), days));
  const routes = { tool: 'list_routes', args: { from } };
  const dates = { tool: 'get_calendar_dates', args: { from, to, start_date, end_date } };
  const payment = await paymentOf(stock);
  const answered = await questionOf(instance, payment);
  relay.clear();
  await cluster.kill();
  const away = (await instance.calls([routes, dates, payment, answered])).map(({ code }) => code);
  const sent = relay.times(PAY);
  await cluster.start();
  const { code } = await instance.call(answered);
  return proved(
    { away, sent, afterwards: code, paid: times('paid', payment.locator) },
    { away: ['ok', 'ok', 'E_STATE_DOWN', 'E_STATE_DOWN'], sent: 0, afterwards: 'done', paid: 1 },
  );
}

/** Pays nothing while PostgreSQL has no room for a row of an operation, says so, and pays with the same yes once it has. */
export async function withFullDatabase({ start, stock, relay, cluster, database, times }: Fleet): Promise<Proved> {
  const [instance] = await start(1);
  const payment = await paymentOf(stock);
  const answered = await questionOf(instance, payment);
  relay.clear();
  await cluster.sql(
    database,
    `create function fareclerk.no_room() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
     create trigger no_room before insert on fareclerk.operation for each row execute function fareclerk.no_room()`,
  );
  const full = await instance.call(answered);
  const sent = relay.times(PAY);
  await cluster.sql(database, 'drop function fareclerk.no_room cascade');
  const { code } = await instance.call(answered);
  return proved(
    {
      full: full.code,
      says: /The database's disk is full\. Nothing was sent\./.test(full.text),
      sent,
      afterwards: code,
      paid: times('paid', payment.locator),
    },
    { full: 'E_STATE_DOWN', says: true, sent: 0, afterwards: 'done', paid: 1 },
  );
}

/** The answer comes while PostgreSQL is away: nobody hears that the airline is silent, and the outcome is there once it is back. */
export async function answeredWithoutDatabase({ start, stock, relay, cluster, times }: Fleet): Promise<Proved> {
  const [instance] = await start(1);
  const payment = await paymentOf(stock);
  const answered = await questionOf(instance, payment);
  relay.clear();
  relay.interfere(async ({ name }) => {
    if (name === PAY) await cluster.kill();
    return false;
  });
  const away = await instance.call(answered);
  relay.interfere(undefined);
  await cluster.start();
  let { code } = await instance.call(answered);
  for (let tries = 0; tries < 20 && code !== 'done' && code !== 'already_done'; tries++) {
    await wait(500);
    ({ code } = await instance.call(answered));
  }
  const isTrue = /cannot be recorded now/.test(away.text) && !/the airline has not answered/.test(away.text);
  return proved(
    {
      away: away.code,
      isTrue,
      afterwards: code.replace('already_', ''),
      paid: times('paid', payment.locator),
      sent: relay.times(PAY),
    },
    { away: 'pending', isTrue: true, afterwards: 'done', paid: 1, sent: 1 },
  );
}
