/**
 * Which rows of the tables are no longer needed, and what becomes of them: each rule has the whole condition of its
 * rows. cleaning.ts applies them.
 */
import { TRIES_MS } from '../access/booking-access.ts';
import { KEEP_NAMES_MS } from '../approvals/expiry.ts';
import { DAY_MS, HOUR_MS } from '../core/times.ts';
import { locatorOfClaim } from './access.ts';
import { OPEN, type SqlDialect } from './database.ts';
import { OFFER_LIFE_MS } from './offers.ts';
import { QUESTION } from './tables.ts';

/** How long its caller can find an expired question, without names and documents, milliseconds. */
export const KEEP_QUESTIONS_MS = 7 * DAY_MS;
/** How long a booking stays listed with names after the last departure, milliseconds. */
export const KEEP_PERSONAL_MS = 30 * DAY_MS;

/** How long an event is kept, milliseconds. */
const KEEP_EVENTS_MS = 7 * DAY_MS;
/** How long an event is kept that an address has not received, milliseconds. */
const KEEP_UNDELIVERED_MS = 30 * DAY_MS;
/** How long counts of failed calls, and of requests to the airline, are kept, milliseconds. */
const KEEP_COUNTS_MS = 30 * DAY_MS;

/** How many offers one statement changes: a page of them is large. */
const OFFERS_PIECE = 50;

/** Which rows of a table are no longer needed, and what to do with them. */
export interface CleaningRule {
  readonly table: string;
  /** The columns of its primary key, with commas. */
  readonly key: string;
  /** SQL that sets columns of the rows. Default: the rows are deleted. */
  readonly set?: string;
  /** SQL with one `?`, for `before`. */
  readonly condition: string;
  /** Milliseconds since 1970. */
  readonly before: number;
  /** How many rows one statement changes, if not as many as of other tables. */
  readonly piece?: number;
}

/** Rules that run every hour. @param now milliseconds since 1970 */
export function hourlyRules(dialect: SqlDialect, now: number): readonly CleaningRule[] {
  return [
    ...questionRules(dialect, now),
    ...bookingRules(dialect, now),
    ...operationRules(dialect, now),
    ...eventRules(dialect, now),
    ...countRules(now),
  ];
}

/** Rules of personal data, which must be gone a minute after its time. */
export function rulesOfNames({ prefix: s }: SqlDialect, now: number): readonly CleaningRule[] {
  const before = now - KEEP_NAMES_MS;

  return [
    {
      table: 'approval',
      key: 'handle_hash',
      set: 'carried = null, terms = null, void_lines = null',
      condition: 'expires_at < ? and (carried is not null or terms is not null)',
      before,
    },
    {
      table: 'plan',
      key: 'id',
      set: 'body = null',
      condition: 'expires_at < ? and body is not null',
      before,
    },
    // Nobody was asked about it: it was a quote.
    {
      table: 'plan',
      key: 'id',
      set: 'body = null',
      condition: 'expires_at <= ? and body is not null and question is null',
      before: now,
    },
    {
      table: 'details',
      key: 'id_hash',
      condition: 'expires_at <= ?',
      before: now,
    },
    // Cards of a process that died after it used their form.
    {
      table: 'card',
      key: 'id_hash, place',
      condition: `exists (
        select 1 from ${s}details f
        where f.id_hash = card.id_hash and f.operation_id is not null and f.created_at <= ?)`,
      before: now,
    },
  ];
}

/** The rule of offers, which are large. */
export function offerRule(now: number): CleaningRule {
  return {
    table: 'offer',
    key: 'tenant, handle',
    condition: 'shown_at < ?',
    before: now - OFFER_LIFE_MS,
    piece: OFFERS_PIECE,
  };
}

/** Steps of plans, and plans. Questions are not deleted, but moved. */
function questionRules({ prefix: s }: SqlDialect, now: number): readonly CleaningRule[] {
  const before = now - KEEP_QUESTIONS_MS;

  return [
    { table: 'approval', key: 'handle_hash', condition: `${isOver(s)} and not ${QUESTION}`, before },
    { table: 'plan', key: 'id', condition: 'expires_at < ?', before },
  ];
}

/** What is known of bookings, while the ledger has them. */
function bookingRules({ prefix: s }: SqlDialect, now: number): readonly CleaningRule[] {
  return [
    {
      table: 'claim',
      key: 'tenant, caller, locator',
      condition: `at < ? and not exists (
        select 1 from ${s}booking b
        where b.tenant = claim.tenant and b.caller = claim.caller and b.locator = ${locatorOfClaim('claim.locator')})`,
      before: now - KEEP_PERSONAL_MS,
    },
    {
      table: 'finding',
      key: 'id',
      set: "closed_at = departs_at, closed_by = 'departed'",
      condition: 'closed_at is null and departs_at <= ?',
      before: now,
    },
    // Findings without a departure, whose bookings are over.
    {
      table: 'finding',
      key: 'id',
      set: "closed_at = seen_at, closed_by = 'departed'",
      condition: `closed_at is null and departs_at is null and seen_at < ? and not exists (
        select 1 from ${s}booking b where b.tenant = finding.tenant and b.locator = finding.locator)`,
      before: now - KEEP_PERSONAL_MS,
    },
    // One that is just read, or wanted for the first time, may not be in the ledger yet: its row there is written a little later.
    {
      table: 'watch',
      key: 'tenant, locator',
      condition: `read_at <= ? and (read_at > 0 or coalesce(next_at, 0) <= ${now - HOUR_MS}) and not exists (
        select 1 from ${s}booking b where b.tenant = watch.tenant and b.locator = watch.locator)`,
      before: now - HOUR_MS,
    },
    // Keys of bookings that no list has any more, not even that of past ones.
    {
      table: 'customer',
      key: 'tenant, locator, booking',
      condition: `at < ? and not exists (
          select 1 from ${s}booking b where b.tenant = customer.tenant and b.locator = customer.locator)
        and not exists (
          select 1 from ${s}past_booking b where b.tenant = customer.tenant and b.locator = customer.locator)`,
      before: now - KEEP_PERSONAL_MS,
    },
  ];
}

/** What operations keep of people. */
function operationRules({ prefix: s, unindexed }: SqlDialect, now: number): readonly CleaningRule[] {
  // The last reading of the booking shows a hold that can still be paid, and nobody has paid it. A locator has few rows.
  const isHeld = `coalesce((
    select case when b.state in ('held', 'unknown', 'partly_cancelled') and coalesce(b.pay_by_at, ${now}) >= ${now}
      and not exists (
        select 1 from ${s}operation p
        where p.tenant = b.tenant and p.locator = b.locator and p.state = 'succeeded' and p.direction = 'payment')
      then 1 else 0 end
    from ${s}booking b where b.locator = operation.locator and ${unindexed}b.tenant = operation.tenant
    order by b.seen_at desc limit 1), 0) = 1`;

  return [
    // People of holds that are paid, lapsed or forgotten. One that was just made may not be in the ledger yet.
    {
      table: 'operation',
      key: 'id',
      set: 'asked = null',
      condition: `asked is not null and updated_at < ? and not (${OPEN}) and not (${isHeld})`,
      before: now - HOUR_MS,
    },
    // Why customers cancelled, once nobody's list has the booking.
    {
      table: 'operation',
      key: 'id',
      set: 'reason = null',
      condition: `reason is not null and updated_at < ? and not (${OPEN}) and not exists (
        select 1 from ${s}booking b where b.tenant = operation.tenant and b.locator = operation.locator)`,
      before: now - HOUR_MS,
    },
  ];
}

/** Events for other systems. */
function eventRules({ prefix: s }: SqlDialect, now: number): readonly CleaningRule[] {
  return [
    {
      table: 'outbox',
      key: 'n',
      condition: `at < ? and (at < ${now - KEEP_UNDELIVERED_MS} or not exists (
        select 1 from ${s}delivery d where d.n = outbox.n and d.state <> 'delivered'))`,
      before: now - KEEP_EVENTS_MS,
    },
  ];
}

/** Counts, tries, leases and keys, which end by their time alone. */
function countRules(now: number): readonly CleaningRule[] {
  return [
    {
      table: 'failure',
      key: 'tenant, caller, tool, code, hour',
      condition: 'hour < ?',
      before: now - KEEP_COUNTS_MS,
    },
    { table: 'claim_try', key: 'id', condition: 'at < ?', before: now - TRIES_MS },
    // Leases of killed programs.
    { table: 'lease', key: 'name', condition: 'lease_until < ?', before: now - HOUR_MS },
    { table: 'ticket_key', key: 'hash', condition: 'expires_at < ?', before: now },
  ];
}

/** SQL: the condition of questions and steps of plans that expired before a time (`?`) and have no open operation. */
export function isOver(s: string): string {
  return `expires_at < ? and not exists (
    select 1 from ${s}operation o where o.id = operation_id and o.${OPEN})`;
}
