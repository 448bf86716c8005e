/**
 * Erases what the state stores about one person, and erases it again after an older copy was restored. The journal has
 * no names.
 */

import type { LedgerEntry } from '../domain/booking/booking-ledger.ts';
import { locatorOf, OPEN_STATES, type Operation } from '../journal/operation.ts';
import type { OperationStore } from '../journal/ports.ts';
import { PLAN_YES_MS } from '../plans/plan.ts';
import type { Database, Row } from './database.ts';
import type { ForgetList, Forgotten } from './forget-list.ts';
import { isMentionedIn, isNamedIn, nameWords, type PersonToForget, shortForm, shortForms } from './person-to-forget.ts';
import { hasRest } from './plans.ts';

/** Everything that the state stores about a person. */
export interface Traces {
  /** Their bookings without open operations. */
  readonly locators: readonly string[];
  /** Bookings among these that only a traveller's surname and initial matched: another person can have both. */
  readonly byInitial: readonly string[];
  /** How many entries the ledger has of these bookings: one for each caller who made or read one. */
  readonly listed: number;
  /** How many claims of these bookings there are. */
  readonly claims: number;
  /** How many one-time addresses for their tickets there are. */
  readonly ticketKeys: number;
  /** Questions to people that still have names. */
  readonly questions: readonly string[];
  /** Plans with a line about the person, without an open operation of theirs. */
  readonly plans: readonly string[];
  /** Plans with an open operation of theirs. These plans are stopped. */
  readonly openPlans: readonly string[];
  /** Operations closed with a note that names the person, or that are about one of their bookings. */
  readonly notes: readonly string[];
  /** Open details forms of all callers: sealed cards cannot be searched for a person. */
  readonly forms: number;
  /** Open operations, which must be settled first: nothing that belongs to them is erased. */
  readonly open: readonly Operation[];
}

/** How many rows of the ledger are read at once. */
const PAGE = 500;

/** A question that mentions the person. */
interface QuestionMention {
  readonly operationId: string;
  readonly locator: string | undefined;
}

export class Forgetting {
  readonly #db: Database;
  readonly #operations: Pick<OperationStore, 'list'>;
  readonly #list: ForgetList;
  readonly #whenErased: () => void;
  #appliedAgain = 0;

  /** @param whenErased called when rows were erased */
  constructor(
    db: Database,
    operations: Pick<OperationStore, 'list'>,
    list: ForgetList,
    whenErased: () => void = () => undefined,
  ) {
    this.#db = db;
    this.#operations = operations;
    this.#list = list;
    this.#whenErased = whenErased;
  }

  /** Entries of the list that were applied again since the state was opened. */
  get again(): number {
    return this.#appliedAgain;
  }

  async find(person: PersonToForget): Promise<Traces> {
    this.#db.catchUp();
    const { locators, byInitial } = await this.#locatorsOf(person);
    const questions = await this.#questionsOf(person, locators);
    const unsettled = await this.#operations.list({ states: OPEN_STATES });
    const ids = new Set(questions.map(({ operationId }) => operationId));
    const open = unsettled.filter((operation) => locators.has(locatorOf(operation) ?? '') || ids.has(operation.id));
    // Ids and locators of open operations.
    const busy = new Set(open.flatMap((operation) => [operation.id, locatorOf(operation) ?? operation.id]));
    const free = [...locators].filter((locator) => !busy.has(locator));
    const toBlank = questions.filter(({ operationId, locator = '' }) => !busy.has(operationId) && !busy.has(locator));
    return {
      locators: free,
      byInitial: free.filter((locator) => byInitial.has(locator)),
      listed: await this.#count('booking', free),
      claims: await this.#count('claim', free),
      ticketKeys: (await this.#ticketKeysOf(free)).length,
      questions: toBlank.map(({ operationId }) => operationId),
      ...(await this.#plansOf(person, locators, busy)),
      notes: await this.#notesOf(person, free),
      forms: Number((await this.#db.get(`select count(*) as n from ${this.#openForms}`))?.n),
      open,
    };
  }

  /**
   * Enters the person in the list, then erases these traces. If this process dies in between, the next one completes
   * it.
   * @throws ClerkError or an error of the file system
   */
  async erase(person: PersonToForget, traces: Traces, now: number): Promise<void> {
    const { locators, questions, plans, openPlans, notes } = traces;
    const entries = this.#list.entriesOf(person, traces, now);
    this.#list.write(entries);
    // Before the plans are blanked, so that a running plan ends with a stop and not because its lines are missing.
    await this.#stopPlans([...plans, ...openPlans], now);
    await this.#eraseBookings(locators);
    await this.#blankQuestions(questions);
    await this.#blankPlans(plans);
    await this.#eraseNotes(notes);
    await this.#eraseForms(now);
    await this.#list.enter(entries);
    this.#whenErased();
  }

  /**
   * Erases again what an older copy of the state brought back. Keeps the list the same in the file and the database.
   */
  async sync(): Promise<void> {
    const missing = await this.#list.missing();
    if (missing.length > 0) await this.#apply(missing);
    this.#appliedAgain += missing.length;
    await this.#list.copy();
  }

  /** Copies what another machine entered. Erases nothing: only a state that was just opened may be an older copy. */
  copyList(): Promise<void> {
    return this.#list.copy();
  }

  /** Erases what belongs to these entries, as far as digests can tell, and enters them. */
  async #apply(missing: readonly Forgotten[]): Promise<void> {
    const isMeant = this.#list.matcher(missing);
    const locators = new Set<string>();
    for await (const entry of this.#ledger()) if (isMeant.booking(entry)) locators.add(entry.locator);
    await this.#eraseBookings([...locators]);
    await this.#eraseNotes((await this.#notes()).map(({ id }) => String(id)).filter(isMeant.note));
    // Names in questions and plans cannot be compared with digests, so all of the copy are blanked. They are few, and
    // people are asked again.
    const latestAt = Math.max(...missing.map(({ at }) => at));
    const { prefix: s } = this.#db.dialect;
    const rows = await this.#db.all(
      `select operation_id from ${s}approval where created_at <= ? and (carried is not null or terms is not null)`,
      latestAt,
    );
    const plans = await this.#db.all(`select id from ${s}plan where created_at <= ? and body is not null`, latestAt);
    const ids = plans.map(({ id }) => String(id));
    await this.#stopPlans(ids, latestAt);
    await this.#blankQuestions(rows.map(({ operation_id }) => String(operation_id)));
    await this.#blankPlans(ids);
    await this.#eraseForms(latestAt);
    await this.#list.enter(missing);
    this.#whenErased();
  }

  async #locatorsOf({ locator, name = '' }: PersonToForget) {
    const named = new Set(locator === undefined ? [] : [locator]);
    const byShortForm = new Set<string>();
    const words = nameWords(name);
    const forms = shortForms(name);
    if (words.length > 0)
      for await (const { locator: found, contactName = '', travelers = [] } of this.#ledger()) {
        if ([contactName, ...travelers].some((text) => isNamedIn(words, text))) named.add(found);
        else if (travelers.some((text) => forms.has(shortForm(text)))) byShortForm.add(found);
      }
    return { locators: new Set([...named, ...byShortForm]), byInitial: byShortForm.difference(named) };
  }

  /** All entries of the ledger, page by page. */
  async *#ledger(): AsyncIterable<LedgerEntry> {
    const table = `${this.#db.dialect.prefix}booking`;
    const sql = `select tenant, caller, locator, body from ${table}
      where (tenant, caller, locator) > (?, ?, ?) order by tenant, caller, locator limit ${PAGE}`;
    for (let last = ['', '', '']; ; ) {
      const [tenant = '', caller = '', locator = ''] = last;
      const rows = await this.#db.all(sql, tenant, caller, locator);
      for (const row of rows) yield JSON.parse(String(row.body)) as LedgerEntry;
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = [String(end.tenant), String(end.caller), String(end.locator)];
    }
  }

  async #questionsOf(person: PersonToForget, locators: ReadonlySet<string>): Promise<readonly QuestionMention[]> {
    const { prefix: s } = this.#db.dialect;
    const rows = await this.#db.all(
      `select operation_id, carried, terms, stale_lines, why, body from ${s}approval
       where carried is not null or terms is not null or why is not null`,
    );
    const isMeant = (row: Row) =>
      [row.carried, row.terms, row.stale_lines, row.why && JSON.stringify(row.why)].some(
        (json) => (json ?? null) !== null && isMentionedIn(person, String(json)),
      );
    return rows.flatMap((row) => {
      const { locator } = JSON.parse(String(row.body)) as { locator?: string };
      const meant = (locator !== undefined && locators.has(locator)) || isMeant(row);
      return meant ? [{ operationId: String(row.operation_id), locator }] : [];
    });
  }

  async #plansOf(
    person: PersonToForget,
    locators: ReadonlySet<string>,
    busy: ReadonlySet<string>,
  ): Promise<Pick<Traces, 'plans' | 'openPlans'>> {
    const { prefix: s } = this.#db.dialect;
    const rows = await this.#db.all(`select id, body from ${s}plan where body is not null`);
    const steps = await this.#db.all(`select plan, operation_id from ${s}approval where plan is not null`);
    const open = new Set(steps.filter((row) => busy.has(String(row.operation_id))).map(({ plan }) => plan));
    const isMeant = ({ body }: Row) =>
      isMentionedIn(person, String(body)) ||
      [...locators].some((locator) => String(body).includes(JSON.stringify(locator)));
    const meant = rows.filter(isMeant).map(({ id }) => String(id));
    return { plans: meant.filter((id) => !open.has(id)), openPlans: meant.filter((id) => open.has(id)) };
  }

  /** Stops plans that are being carried out: they begin no further act. */
  async #stopPlans(ids: readonly string[], now: number): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `update ${s}plan as p set stopped_at = ?
      where p.id in (select value from ${elements}) and p.stopped_at is null and ${hasRest(s)}`;
    await this.#db.run(sql, now, JSON.stringify(ids), now - PLAN_YES_MS);
  }

  /** Blanks plans. A plan without its lines asks and begins nothing more. */
  async #blankPlans(ids: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `update ${s}plan set body = null where id in (select value from ${elements})`;
    await this.#db.run(sql, JSON.stringify(ids));
  }

  async #ticketKeysOf(locators: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#db.all(`select hash, body from ${this.#db.dialect.prefix}ticket_key`);
    const isMeant = ({ body }: Row) => locators.includes((JSON.parse(String(body)) as { locator: string }).locator);
    return rows.filter(isMeant).map(({ hash }) => String(hash));
  }

  async #notes(): Promise<readonly Row[]> {
    const { prefix: s, text } = this.#db.dialect;
    const locator = `coalesce(locator, ${text('outcome', ['locator'])})`;
    return this.#db.all(`select id, remark, ${locator} as locator from ${s}operation where remark is not null`);
  }

  /** Operations with a note that names the person, or that is about one of their bookings. */
  async #notesOf(person: PersonToForget, locators: readonly string[]): Promise<readonly string[]> {
    const isMeant = ({ remark, locator }: Row) =>
      locators.includes(String(locator)) || isMentionedIn(person, String(remark));
    return (await this.#notes()).filter(isMeant).map(({ id }) => String(id));
  }

  /** Erases notes. The hash chain has only their digests, so it still fits. */
  async #eraseNotes(ids: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `update ${s}operation set remark = null where id in (select value from ${elements})`;
    await this.#db.run(sql, JSON.stringify(ids));
  }

  /** SQL: the forms that may have cards. A used form has none. */
  get #openForms(): string {
    return `${this.#db.dialect.prefix}details where operation_id is null`;
  }

  /** Erases open forms, because what was entered may be the person's. Whoever fills one in starts again. */
  async #eraseForms(upTo: number): Promise<void> {
    await this.#db.run(`delete from ${this.#openForms} and created_at <= ?`, upTo);
  }

  async #count(table: 'booking' | 'claim', locators: readonly string[]): Promise<number> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `select count(*) as n from ${s}${table} where locator in (select value from ${elements})`;
    return Number((await this.#db.get(sql, JSON.stringify(locators)))?.n);
  }

  async #eraseBookings(locators: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    this.#db.catchUp();
    const these = `in (select value from ${elements})`;
    const keys = await this.#ticketKeysOf(locators);
    const named = JSON.stringify(locators);
    await this.#db.run(`delete from ${s}booking where locator ${these}`, named);
    for (const table of ['claim', 'watch', 'finding']) {
      await this.#db.run(`delete from ${s}${table} where locator ${these}`, named);
    }
    await this.#db.run(`update ${s}outbox set caller = null where caller is not null and locator ${these}`, named);
    await this.#db.run(`delete from ${s}ticket_key where hash ${these}`, JSON.stringify(keys));
  }

  /** Blanks questions. An open question expires, and a yes is spent unless its operation is in the journal. */
  async #blankQuestions(operationIds: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const entered = `exists (select 1 from ${s}operation o where o.id = operation_id)`;
    await this.#db.run(
      `update ${s}approval set carried = null, terms = null, stale_lines = null, why = null,
       expires_at = case when decision = 'pending' then created_at else expires_at end,
       decision = case when decision = 'granted' and not ${entered} then 'void' else decision end
       where operation_id in (select value from ${elements})`,
      JSON.stringify(operationIds),
    );
  }
}
