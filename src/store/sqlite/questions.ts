/**
 * Enters questions about acts on SQLite. The function `ask_question` in postgres/functions.ts does the same.
 *
 * A caller has at most one open question about a topic and tool. What becomes of a new one, in one transaction:
 *
 * | the open question                       | the new question                                              |
 * | --------------------------------------- | ------------------------------------------------------------- |
 * | none, or it has expired                 | is entered, unless the person has too many: `too_many_open`   |
 * | was asked before the clock was set back | replaces it                                                   |
 * | asks the same                           | is not entered: `found`                                       |
 * | is about other terms                    | replaces it                                                   |
 * | is about other arguments                | replaces it, unless that was done often: `replaced_too_often` |
 */
import type { Approval } from '../../approvals/ports.ts';
import {
  type AskingRow,
  isOpenOfPerson,
  isReplacedByOther,
  type NewQuestionRow,
  type ReplacedSql,
  toApproval,
} from '../approvals.ts';
import { insertParts, type Row, type Value } from '../database.ts';
import type { SqliteDatabase } from './database.ts';
import { DIALECT } from './schema.ts';

/** SQL: the condition of the one pending question about a topic. {@link topicValues} gives its parameters. */
const PENDING_ON_TOPIC = `topic = ? and tool = ? and tenant = ? and caller = ? and decision = 'pending'`;

/** Each value is bound as a parameter, in the order of {@link ReplacedSql}. */
const REPLACED_MARKS: ReplacedSql = { topic: '?', tenant: '?', caller: '?', since: '?' };

/** A power failure may undo this transaction: the question before is then open again, and this one was never asked. */
export async function askInTransaction(db: SqliteDatabase, asked: NewQuestionRow): Promise<AskingRow> {
  return db.lightly(() => db.transaction<AskingRow>(() => enterQuestion(db, asked)));
}

function enterQuestion(db: SqliteDatabase, asked: NewQuestionRow): AskingRow {
  const { question } = asked;
  const pending = db.get(`select * from approval where ${PENDING_ON_TOPIC}`, ...topicValues(question));
  const hasExpired = pending !== undefined && Number(pending.expires_at) <= question.createdAt;
  if (hasExpired) freeTopic(db, pending);
  if (pending === undefined || hasExpired) return enterFirst(db, asked);
  return enterInstead(db, asked, pending);
}

/** The values of {@link PENDING_ON_TOPIC}. */
function topicValues(question: Approval): readonly Value[] {
  const { topic = null, tool, tenant, caller } = question;
  return [topic, tool, tenant, caller];
}

/** Takes the topic from a question that nobody answered in time, because a pending one has its topic alone. */
function freeTopic(db: SqliteDatabase, expired: Row): void {
  db.run('update approval set topic = null where handle_hash = ?', String(expired.handle_hash));
}

/** Enters a question about a topic that has no open one, unless the person has too many open questions. */
function enterFirst(db: SqliteDatabase, asked: NewQuestionRow): AskingRow {
  if (countOpen(db, asked) >= asked.limits.open) return { kind: 'too_many_open' };
  insertApproval(db, asked.row);
  return { kind: 'asked' };
}

/**
 * Counts the open questions of the person, asked through any application: the caller is the person's id, alone or with a
 * colon and the application behind it. The parameters are those of {@link isOpenOfPerson}.
 */
function countOpen(db: SqliteDatabase, { question, person }: NewQuestionRow): number {
  const sql = `select count(*) as open from approval where ${isOpenOfPerson(DIALECT)}`;
  return Number(db.get(sql, question.tenant, person, `${person}:`, question.createdAt)?.open);
}

/** Enters a question in place of the open one about its topic, unless that one stays. */
function enterInstead(db: SqliteDatabase, asked: NewQuestionRow, open: Row): AskingRow {
  const difference = differenceTo(toApproval(open), asked);
  if (difference === 'none') return { kind: 'found', open };
  if (difference === 'arguments') {
    const replaced = countReplaced(db, asked);
    if (replaced.count >= asked.limits.replaced) return { kind: 'replaced_too_often', open, oldest: replaced.oldest };
  }
  markReplaced(db, asked.question);
  insertApproval(db, asked.row);
  return { kind: 'asked', replaced: open };
}

/**
 * Tells in what the open question differs from the new one. `time`: it was asked before the clock was set back, so that
 * nobody can answer it, whatever it asks.
 */
function differenceTo(
  open: Approval,
  { question, latestExpiry }: NewQuestionRow,
): 'time' | 'arguments' | 'terms' | 'none' {
  if (open.expiresAt > latestExpiry) return 'time';
  if (open.argsDigest !== question.argsDigest) return 'arguments';
  return open.termsDigest === question.termsDigest ? 'none' : 'terms';
}

/** Counts the questions about the topic that a call with other arguments replaced since the limit's window began. */
function countReplaced(
  db: SqliteDatabase,
  { question, limits }: NewQuestionRow,
): { readonly count: number; readonly oldest: number } {
  const { topic = null, tenant, caller } = question;
  const isCounted = isReplacedByOther('', REPLACED_MARKS, bodyField);
  const row = db.get(
    `select count(*) as replaced, min(decided_at) as oldest from approval gone where ${isCounted}`,
    // In the order of REPLACED_MARKS.
    ...[topic, tenant, caller, limits.since],
  );
  return { count: Number(row?.replaced), oldest: Number(row?.oldest) };
}

function markReplaced(db: SqliteDatabase, question: Approval): void {
  const { operationId, createdAt: now } = question;
  const sql = `update approval set decision = 'replaced', carried = null, decided_at = ?, replaced_by = ?
    where ${PENDING_ON_TOPIC}`;
  db.run(sql, now, operationId, ...topicValues(question));
}

export function insertApproval(db: SqliteDatabase, row: Readonly<Record<string, Value>>): void {
  const { columns, marks, values } = insertParts(row);
  db.run(`insert into approval(${columns}) values (${marks})`, ...values);
}

/** SQL of a field of an approval's body. `of`: the table's name with a dot, if the statement needs one: `gone.`. */
export function bodyField(name: string, of = ''): string {
  return DIALECT.text(`${of}body`, [name]);
}
