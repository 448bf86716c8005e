/**
 * Enters questions about acts on SQLite. The transaction that enters one also finds or replaces the open question about
 * the same topic.
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

/** SQL: the condition of the one open question. Its parameters: topic, tool, tenant and caller. */
const OPEN_ON_TOPIC = `topic = ? and tool = ? and tenant = ? and caller = ? and decision = 'pending'`;

/** Each value is bound as a parameter, in the order of {@link ReplacedSql}. */
const REPLACED_MARKS: ReplacedSql = { topic: '?', tenant: '?', caller: '?', since: '?' };

/** A power failure may undo this transaction: the question before is then open again, and this one was never asked. */
export async function askInTransaction(db: SqliteDatabase, asked: NewQuestionRow): Promise<AskingRow> {
  return db.lightly(() => db.transaction<AskingRow>(() => enterQuestion(db, asked)));
}

function enterQuestion(db: SqliteDatabase, asked: NewQuestionRow): AskingRow {
  const open = openQuestion(db, asked.question);
  const answer = open === undefined ? tooManyOpen(db, asked) : whyNotReplace(db, asked, open);
  if (answer !== undefined) return answer;
  if (open !== undefined) markReplaced(db, asked.question);
  insertApproval(db, asked.row);
  return open === undefined ? { kind: 'asked' } : { kind: 'asked', replaced: open };
}

/** Refuses if the person has too many open questions. The parameters are those of {@link isOpenOfPerson}. */
function tooManyOpen(db: SqliteDatabase, { question, person, limits }: NewQuestionRow): AskingRow | undefined {
  const sql = `select count(*) as open from approval where ${isOpenOfPerson(DIALECT)}`;
  const row = db.get(sql, question.tenant, person, `${person}:`, question.createdAt);
  return Number(row?.open) >= limits.open ? { kind: 'too_many_open' } : undefined;
}

/**
 * Why the open question stays: it is the same one, or such questions were replaced too often. Undefined: replace it.
 */
function whyNotReplace(
  db: SqliteDatabase,
  { question, until, limits }: NewQuestionRow,
  open: Row,
): AskingRow | undefined {
  const { argsDigest, termsDigest, expiresAt } = toApproval(open);
  // Nobody can answer a question that was asked before the clock was set back.
  if (expiresAt > until) return undefined;
  if (argsDigest === question.argsDigest)
    return termsDigest === question.termsDigest ? { kind: 'found', open } : undefined;
  const { tenant, caller, topic = null } = question;
  const isCounted = isReplacedByOther('', bodyField, REPLACED_MARKS);
  const replacedBefore = db.get(
    `select count(*) as replaced, min(decided_at) as oldest from approval gone where ${isCounted}`,
    ...[topic, tenant, caller, limits.since],
  );
  if (Number(replacedBefore?.replaced) < limits.replaced) return undefined;
  return { kind: 'replaced_too_often', open, oldest: Number(replacedBefore?.oldest) };
}

function markReplaced(db: SqliteDatabase, question: Approval): void {
  const { tenant, caller, topic = null, tool, operationId, createdAt: now } = question;
  const sql = `update approval set decision = 'replaced', carried = null, decided_at = ?, replaced_by = ?
    where ${OPEN_ON_TOPIC}`;
  db.run(sql, now, operationId, topic, tool, tenant, caller);
}

export function insertApproval(db: SqliteDatabase, row: Readonly<Record<string, Value>>): void {
  const { columns, marks, values } = insertParts(row);
  db.run(`insert into approval(${columns}) values (${marks})`, ...values);
}

/** Finds the open question about the same topic. Frees the topic of one that nobody answered in time. */
function openQuestion(db: SqliteDatabase, question: Approval): Row | undefined {
  const { tenant, caller, topic = null, tool, createdAt: now } = question;
  const row = db.get(`select * from approval where ${OPEN_ON_TOPIC}`, topic, tool, tenant, caller);
  if (row === undefined || Number(row.expires_at) > now) return row;
  db.run('update approval set topic = null where handle_hash = ?', String(row.handle_hash));
  return undefined;
}

/** SQL of a field of an approval's body. */
export function bodyField(name: string, of = ''): string {
  return DIALECT.text(`${of}body`, [name]);
}
