/**
 * Enters questions about acts, and about plans, on SQLite. The functions `ask_question` and `ask_plan` in
 * postgres/functions.ts do the same.
 *
 * A caller has at most one open question about a topic and tool, and about a booking one for all acts that decide it
 * (`deciding`): pay, cancel, move or split it, alone or in a plan. What becomes of a new one, in one transaction:
 *
 * | the open questions                      | the new question                                              |
 * | --------------------------------------- | ------------------------------------------------------------- |
 * | none, or it has expired                 | is entered, unless the person has too many: `too_many_open`   |
 * | was asked before the clock was set back | replaces it                                                   |
 * | asks the same                           | is not entered: `found`                                       |
 * | is about other terms                    | replaces it                                                   |
 * | is about another act or other arguments | replaces it, unless that was done often: `replaced_too_often` |
 *
 * A plan replaces the question before of its own, which does not count; then the same rows hold for each of its bookings.
 */
import type { Approval } from '../../approvals/approval.ts';
import type { AskingLimits } from '../../approvals/ports.ts';
import {
  type AskingRow,
  countReplacedSql,
  isOpenOfPerson,
  type NewQuestionRow,
  type OpenRow,
  openAboutQuery,
  type QuestionSql,
  type ReplacedSql,
  replaceSql,
  toApproval,
  toApprovalRow,
  toOpenQuestion,
} from '../approvals.ts';
import { insertParts, type Row, type Value } from '../database.ts';
import { ASKED_BEFORE, type AskedPlanRows, type AskingPlanRow, decidedBookings } from '../plans.ts';
import type { SqliteDatabase } from './database.ts';
import { DIALECT } from './schema.ts';

/** SQL: the condition of the one pending question about a topic. {@link topicValues} gives its parameters. */
const PENDING_ON_TOPIC = `topic = ? and tool = ? and tenant = ? and caller = ? and decision = 'pending'`;

/** Each value is bound as a parameter, in the order of {@link ReplacedSql}. */
const REPLACED_MARKS: ReplacedSql = { topic: '?', tenant: '?', caller: '?', since: '?' };

const SQL: QuestionSql = {
  field: bodyField,
  list: DIALECT.elementsIn,
  place: DIALECT.place,
  unindexed: DIALECT.unindexed,
};

const OPEN_ABOUT = openAboutQuery('', SQL);
const COUNT_REPLACED = countReplacedSql('', REPLACED_MARKS, SQL);
/** Its values: the operation that replaces, when, and the list of those replaced twice. */
const REPLACE = replaceSql('', SQL.list, { ids: '?', by: '?', at: '?' });

/** A power failure may undo this transaction: the question before is then open again, and this one was never asked. */
export async function askInTransaction(db: SqliteDatabase, asked: NewQuestionRow): Promise<AskingRow> {
  return db.lightly(() => db.transaction<AskingRow>(() => enterQuestion(db, asked)));
}

function enterQuestion(db: SqliteDatabase, asked: NewQuestionRow): AskingRow {
  const { question, limits, latestExpiry } = asked;
  const { topic = null, tool, createdAt: now } = question;
  let own = db.get(`select * from approval where ${PENDING_ON_TOPIC}`, ...topicValues(question));
  if (own !== undefined && Number(own.expires_at) <= now) {
    freeTopic(db, own);
    own = undefined;
  }
  const isDeciding = limits.deciding?.includes(tool) === true && topic !== null;
  const ofTool = own === undefined ? [] : [own];
  const open = isDeciding ? openAbout(db, question, [topic], limits) : ofTool;
  if (own !== undefined && isSameQuestion(toApproval(own), asked)) return { kind: 'found', open: own };
  if (open.length === 0 && countOpen(db, asked) >= limits.open) return { kind: 'too_many_open' };
  const tooOften = replacedTooOften(db, question, [topic], { open, limits, latestExpiry });
  if (tooOften !== undefined) return tooOften;
  replaceQuestions(db, open, question);
  insertApproval(db, asked.row);
  return { kind: 'asked', replaced: open };
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

/** The caller's open questions about acts that decide these bookings. */
function openAbout(
  db: SqliteDatabase,
  { tenant, caller, createdAt: now, part }: Approval,
  locators: readonly string[],
  { deciding = [] }: AskingLimits,
): readonly OpenRow[] {
  const lists = [JSON.stringify(locators), JSON.stringify(deciding)];
  return db.all(OPEN_ABOUT, tenant, caller, now, ...lists, part?.plan ?? null) as OpenRow[];
}

/**
 * Counts the open questions of the person, asked through any application: the caller is the person's id, alone or with a
 * colon and the application behind it. The parameters are those of {@link isOpenOfPerson}.
 */
function countOpen(db: SqliteDatabase, { question, person }: NewQuestionRow): number {
  const sql = `select count(*) as open from approval where ${isOpenOfPerson(DIALECT)}`;
  return Number(db.get(sql, question.tenant, person, `${person}:`, question.createdAt)?.open);
}

/** Whether the open question can be answered, and asks what the new one would. */
function isSameQuestion(open: Approval, { question, latestExpiry }: NewQuestionRow): boolean {
  const { argsDigest, termsDigest } = question;
  return open.expiresAt <= latestExpiry && open.argsDigest === argsDigest && open.termsDigest === termsDigest;
}

interface OpenNow {
  readonly open: readonly OpenRow[];
  readonly limits: AskingLimits;
  readonly latestExpiry: number;
}

/**
 * Refuses to replace what is open about a topic that was replaced often. Not if it was asked before the clock was set
 * back, so that nobody can answer it, nor by the same call, whose terms changed.
 */
function replacedTooOften(
  db: SqliteDatabase,
  { tenant, caller, tool, argsDigest }: Approval,
  topics: readonly (string | null)[],
  { open, limits, latestExpiry }: OpenNow,
): (AskingRow & { readonly kind: 'replaced_too_often' }) | undefined {
  const others = open.filter((row) => {
    const { expiresAt, tool: openTool, argsDigest: openArgs } = toApproval(row);
    return expiresAt <= latestExpiry && (openTool !== tool || openArgs !== argsDigest);
  });
  for (const topic of topics) {
    const other = others.find((row) => isAbout(row, topic));
    if (other === undefined) continue;
    // In the order of REPLACED_MARKS.
    const row = db.get(COUNT_REPLACED, topic, tenant, caller, limits.since);
    if (Number(row?.count) < limits.replaced) continue;
    return { kind: 'replaced_too_often', open: other, oldest: Number(row?.oldest) };
  }
  return undefined;
}

function isAbout(row: OpenRow, topic: string | null): boolean {
  const { question, locators } = toOpenQuestion(row);
  return topic !== null && (question.topic === topic || locators.includes(topic));
}

function replaceQuestions(db: SqliteDatabase, open: readonly Row[], by: Approval): void {
  if (open.length === 0) return;
  const ids = JSON.stringify(open.map(({ operation_id: id }) => id));
  db.run(REPLACE, by.operationId, by.createdAt, ids, ids);
}

/**
 * Asks a plan's question in place of the one before, and of what is open about its bookings, in one transaction.
 */
export function askPlan(
  db: SqliteDatabase,
  { plan, approvals, before, limits, latestExpiry }: AskedPlanRows,
): AskingPlanRow {
  return db.transaction<AskingPlanRow>(() => {
    const current = db.get(
      `select p.question, a.decision from plan p left join approval a on a.operation_id = p.question where p.id = ?`,
      plan.id,
    );
    const isAsSeen =
      current !== undefined &&
      (current.question ?? undefined) === before?.operationId &&
      (current.decision ?? undefined) === before?.decision;
    if (!isAsSeen) return { kind: 'meanwhile' };
    const [question] = approvals as [Approval];
    const locators = decidedBookings(approvals, limits);
    const open = openAbout(db, question, locators, limits);
    const tooOften = replacedTooOften(db, question, locators, { open, limits, latestExpiry });
    if (tooOften !== undefined) return tooOften;
    const sql = 'update plan set question = ?, expires_at = ?, body = ?, stopped_at = null where id = ?';
    db.run(sql, plan.question, plan.expiresAt, JSON.stringify(plan.body), plan.id);
    db.run(`update approval set decision = 'void', carried = null where ${ASKED_BEFORE}`, plan.id);
    replaceQuestions(db, open, question);
    for (const approval of approvals) insertApproval(db, toApprovalRow(approval));
    return { kind: 'asked', replaced: open };
  });
}

function insertApproval(db: SqliteDatabase, row: Readonly<Record<string, Value>>): void {
  const { columns, marks, values } = insertParts(row);
  db.run(`insert into approval(${columns}) values (${marks})`, ...values);
}

/** SQL of a field of an approval's body. `of`: the table's name with a dot, if the statement needs one: `gone.`. */
export function bodyField(name: string, of = ''): string {
  return DIALECT.text(`${of}body`, [name]);
}
