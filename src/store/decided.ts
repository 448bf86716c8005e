/** Finds what a person, or anybody of a tenant, asked or answered last, of the questions that nobody can answer any more: for the page "Decided". */
import { APPROVAL_MS } from '../approvals/expiry.ts';
import type { DecidedQuery, DecidedQuestion, DecidedQuestions } from '../ledger/ports.ts';
import type { Database, Row } from './database.ts';
import { pastQuestions, recentQuestions, toQuestion } from './ledger-rows.ts';

/** SQL: nobody can answer it any more. Its one value is now. Leaves out what nobody was asked: a hold needs no yes. */
const DECIDED = `(decision <> 'pending' or expires_at <= ?)
  and coalesce(assurance, '') <> 'none'`;

export class StoredDecidedQuestions implements DecidedQuestions {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async lastOf({ tenant, person, since, now, limit }: DecidedQuery): Promise<readonly DecidedQuestion[]> {
    const { dialect } = this.#db;
    const about = (field: string) => `${dialect.text('terms', ['about', field])} as ${field}`;
    const isOf = (column: string) => `${column} = ? or ${dialect.position}(${column}, ?) = 1`;
    const ofPerson = person === undefined ? 'true' : `(${isOf('caller')} or ${isOf('approver')})`;
    const stale = `case when void_why = 'terms_changed' then 1 else 0 end as stale`;

    const recent = recentQuestions(dialect, about('route'), about('departs'), about('people'), stale, '1 as recent');

    const past = pastQuestions(
      dialect,
      'null as route',
      'null as departs',
      'null as people',
      '0 as stale',
      '0 as recent',
    );

    const pastOfPerson = `select asked_at as found_at, operation_id as found from ${dialect.prefix}past_question
      where tenant = ? and asked_at >= ? and ${ofPerson}`;

    const newest = `order by asked_at desc, operation_id desc limit ${limit}`;
    const halves = [
      // No index of the newer questions begins with the tenant.
      `${recent} and ${dialect.unindexed}tenant = ? and expires_at >= ? and ${ofPerson} and ${DECIDED} ${newest}`,
      // Found by the index alone, which has who asked and answered: without it SQLite reads each row of the table.
      `select kept.* from (${pastOfPerson}) as own join (${past}) as kept on operation_id = found
        where ${DECIDED} order by found_at desc, found desc limit ${limit}`,
    ];

    // A half that has enough is read no further.
    const limited = halves.map((half) => `select * from (${half}) as kept`);
    const sql = `select * from (${limited.join(' union all ')}) as kept ${newest}`;

    const ofPersonNow = person === undefined ? [now] : [person, `${person}:`, person, `${person}:`, now];
    const values = [tenant, since, ...ofPersonNow, tenant, since - APPROVAL_MS, ...ofPersonNow];

    const rows = await this.#db.all(sql, ...values);
    return this.#withSteps(rows.map(toDecided));
  }

  /** Adds the acts to questions about plans, while the acts are kept. */
  async #withSteps(rows: readonly DecidedQuestion[]): Promise<readonly DecidedQuestion[]> {
    const asked = rows.filter((row) => row.plan !== undefined && row.decision === 'granted');
    if (asked.length === 0) return rows;

    const { prefix: s, elements } = this.#db.dialect;
    const sql = `select plan_question as question, decision, operation_id from ${s}approval
      where plan in (select value from ${elements}) and plan_question in (select value from ${elements})
      and plan_line > 0 order by plan_line, operation_id`;

    const lists = [asked.map(({ plan = '' }) => plan), asked.map(({ operationId }) => operationId)];
    const steps = await this.#db.all(sql, ...lists.map((each) => JSON.stringify(each)));
    const byQuestion = Map.groupBy(steps, ({ question }) => question);
    return rows.map((row) => {
      const ofRow = byQuestion.get(row.operationId);
      return ofRow === undefined ? row : { ...row, steps: ofRow.map(toStep) };
    });
  }
}

function toDecided({ route, departs, people, stale, recent, ...row }: Row): DecidedQuestion {
  return {
    ...toQuestion(row),
    ...(route !== null && { route: String(route) }),
    ...(departs !== null && { departs: String(departs) }),
    people: people === null ? [] : (JSON.parse(String(people)) as readonly string[]),
    isStale: Number(stale) === 1,
    isRecent: Number(recent) === 1,
  };
}

function toStep({ decision, operation_id: operationId }: Row) {
  return { decision: String(decision), operationId: String(operationId) };
}
