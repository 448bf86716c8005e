/** Counts what is open in the whole state, for the metrics. */
import type { OpenCounts } from '../approvals/ports.ts';
import { ACTIVE, type Database } from './database.ts';

const HOUR_MS = 3_600_000;

/** @param now to leave out expired approvals */
export async function openCounts(db: Database, now: number): Promise<OpenCounts> {
  const { prefix: s } = db.dialect;
  const lapsed = "decision = 'pending' and expires_at > ? and expires_at <= ?";
  const row = await db.brief(
    `select (select count(*) from ${s}operation where ${ACTIVE} and state = 'in_doubt') as in_doubt,
     (select count(*) from ${s}operation where state = 'needs_person') as needs_person,
     (select min(updated_at) from ${s}operation where state = 'needs_person') as since,
     (select count(*) from ${s}approval where decision = 'pending' and expires_at > ?) as waiting,
     (select count(*) from ${s}approval where ${lapsed} and asked_by in ('elicit', 'either')) as lapsed_dialog,
     (select count(*) from ${s}approval where ${lapsed} and asked_by = 'page') as lapsed_page,
     (select count(*) from ${s}meta where key = 'hold') as held,
     (select count(*) from ${s}meta where key = 'pause') as paused`,
    ...[now, now - HOUR_MS, now, now - HOUR_MS, now],
  );
  if (row === undefined) throw new Error('the database returned no counts');
  return {
    inDoubt: Number(row.in_doubt),
    needsPerson: Number(row.needs_person),
    ...(row.since !== null && { needsPersonSince: Number(row.since) }),
    approvalsWaiting: Number(row.waiting),
    approvalsLapsed: { dialog: Number(row.lapsed_dialog), page: Number(row.lapsed_page) },
    ...(Number(row.held) > 0 && { held: true }),
    ...(Number(row.paused) > 0 && { paused: true }),
  };
}
