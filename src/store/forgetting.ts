/**
 * Erases what the state stores about one person. The journal has no names. After the steps: bookings, questions, plans,
 * notes and details forms, each with how they are found and how they are erased.
 */

import type { LedgerEntry } from '../domain/booking/booking-ledger.ts';
import { locatorOf, OPEN_STATES, type Operation } from '../journal/operation.ts';
import type { OperationStore } from '../journal/ports.ts';
import { PLAN_YES_MS } from '../plans/plan.ts';
import { locatorOfClaim } from './access.ts';
import type { CustomerRow, StoredCustomers } from './customers.ts';
import type { Database, Row } from './database.ts';
import { isMentionedIn, isNamedIn, mayBeShortFor, nameWords, type PersonToForget } from './person-to-forget.ts';
import { hasStepToBegin } from './plans.ts';

/** Everything that the state stores about a person. */
export interface Traces {
  /** Their bookings without open operations. */
  readonly locators: readonly string[];
  /** Bookings among these that only a traveller's surname and initial matched: another person can have both. */
  readonly byInitial: readonly string[];
  /** Questions to people that still have names. */
  readonly questions: readonly string[];
  /** Plans with a line about the person, without an open operation of theirs. */
  readonly plans: readonly string[];
  /** Plans with an open operation of theirs. These plans are stopped. */
  readonly openPlans: readonly string[];
  /** Operations with a note or a reason that names the person, or closed with a note and about one of their bookings. */
  readonly notes: readonly string[];
  /** The tenants whose desks have the key of the customer. */
  readonly tenants: readonly string[];
  /** How many keys of the customer there are, one for each booking. */
  readonly keys: number;
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

/** What belongs to a person's open operations: nothing of it is erased. */
interface InUse {
  readonly operationIds: ReadonlySet<string>;
  readonly locators: ReadonlySet<string>;
}

interface ForgettingParts {
  readonly db: Database;
  readonly operations: Pick<OperationStore, 'list'>;
  readonly customers: StoredCustomers;
}

export class Forgetting {
  readonly #db: Database;
  readonly #operations: Pick<OperationStore, 'list'>;
  readonly #customers: StoredCustomers;
  readonly #whenErased: () => void;

  /** @param whenErased called when rows were erased */
  constructor({ db, operations, customers }: ForgettingParts, whenErased = () => {}) {
    this.#db = db;
    this.#operations = operations;
    this.#customers = customers;
    this.#whenErased = whenErased;
  }

  async find(person: PersonToForget): Promise<Traces> {
    const { locators, byInitial } = await this.#findBookings(person);
    const questions = await this.#findQuestions(person, locators);
    const open = await this.#findOpen(locators, questions);

    const inUse: InUse = {
      operationIds: new Set(open.map(({ id }) => id)),
      locators: new Set(open.flatMap((operation) => locatorOf(operation) ?? [])),
    };

    const toErase = [...locators].filter((locator) => !inUse.locators.has(locator));
    const toBlank = questions.filter(
      ({ operationId, locator = '' }) => !inUse.operationIds.has(operationId) && !inUse.locators.has(locator),
    );

    return {
      locators: toErase,
      byInitial: toErase.filter((locator) => byInitial.has(locator)),
      questions: toBlank.map(({ operationId }) => operationId),
      ...(await this.#findPlans(person, locators, inUse)),
      notes: await this.#findNotes(person, toErase),
      ...(await this.#countKeys(person)),
      forms: await this.#countOpenForms(),
      open,
    };
  }

  /** Erases these traces. @throws ClerkError */
  async erase(person: PersonToForget, traces: Traces, now: number): Promise<void> {
    const { locators, questions, plans, openPlans, notes } = traces;
    // Before the plans are blanked, so that a running plan ends with a stop and not because its lines are missing.
    await this.#stopPlans([...plans, ...openPlans], now);
    await this.#eraseBookings(locators);

    await this.#blankQuestions(questions);
    await this.#blankPlans(plans);
    await this.#eraseNotes(notes);
    await this.#eraseKeys(await this.#keysOf(person), person);
    await this.#eraseForms();
    this.#whenErased();
  }

  /** The open operations about these bookings, or whose question mentions the person. */
  async #findOpen(locators: ReadonlySet<string>, questions: readonly QuestionMention[]): Promise<readonly Operation[]> {
    const asked = new Set(questions.map(({ operationId }) => operationId));
    const unsettled = await this.#operations.list({ states: OPEN_STATES });
    return unsettled.filter((operation) => locators.has(locatorOf(operation) ?? '') || asked.has(operation.id));
  }

  /** The person's bookings, and which of them only a surname and an initial matched. */
  async #findBookings(person: PersonToForget) {
    const { locator, name = '' } = person;
    const named = new Set(locator === undefined ? [] : [locator]);
    const byShortForm = new Set<string>();
    const words = nameWords(name);
    const keys = await this.#keysOf(person);

    if (words.length > 0 || keys.length > 0)
      for await (const { tenant, entry } of this.#ledger()) {
        const { locator: found, contactName = '', travelers = [] } = entry;
        const isNamed = words.length > 0 && [contactName, ...travelers].some((text) => isNamedIn(words, text));
        if (isNamed || this.#isOfOne(keys, tenant, entry)) named.add(found);
        else if (travelers.some((text) => mayBeShortFor(name, text))) byShortForm.add(found);
      }

    return { locators: new Set([...named, ...byShortForm]), byInitial: byShortForm.difference(named) };
  }

  /** All entries of the ledger with their tenants, page by page. */
  async *#ledger(): AsyncIterable<{ readonly tenant: string; readonly entry: LedgerEntry }> {
    const table = `${this.#db.dialect.prefix}booking`;
    const sql = `select tenant, caller, locator, body from ${table}
      where (tenant, caller, locator) > (?, ?, ?) order by tenant, caller, locator limit ${PAGE}`;

    for (let last = ['', '', '']; ; ) {
      const [tenant = '', caller = '', locator = ''] = last;
      const rows = await this.#db.all(sql, tenant, caller, locator);
      for (const row of rows) yield { tenant: String(row.tenant), entry: JSON.parse(String(row.body)) as LedgerEntry };
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = [String(end.tenant), String(end.caller), String(end.locator)];
    }
  }

  /** The rows with the key of the customer. */
  async #keysOf({ customer, tenant }: PersonToForget): Promise<readonly CustomerRow[]> {
    if (customer === undefined) return [];
    const rows = await this.#customers.rows(customer);
    return rows.filter((row) => tenant === undefined || row.tenant === tenant);
  }

  /** Whether the booking that an entry shows has one of these keys. */
  #isOfOne(keys: readonly CustomerRow[], tenant: string, entry: LedgerEntry): boolean {
    return keys.some((row) => row.tenant === tenant && this.#customers.isOf(row, entry));
  }

  async #countKeys(person: PersonToForget): Promise<Pick<Traces, 'keys' | 'tenants'>> {
    const rows = await this.#keysOf(person);
    return { keys: rows.length, tenants: [...new Set(rows.map((row) => row.tenant))] };
  }

  /** Erases keys, and what operations keep of the customer. */
  async #eraseKeys(rows: readonly CustomerRow[], { customer, tenant }: PersonToForget): Promise<void> {
    await this.#customers.erase(rows);
    if (customer === undefined) return;
    const ofTenant = tenant === undefined ? '' : 'and tenant = ?';
    const sql = `update ${this.#db.dialect.prefix}operation set customer = null where customer = ? ${ofTenant}`;
    await this.#db.write(sql, customer, ...(tenant === undefined ? [] : [tenant]));
  }

  async #findTicketKeys(locators: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#db.all(`select hash, body from ${this.#db.dialect.prefix}ticket_key`);
    const isForBooking = ({ body }: Row) =>
      locators.includes((JSON.parse(String(body)) as { locator: string }).locator);
    return rows.filter(isForBooking).map(({ hash }) => String(hash));
  }

  /** Erases bookings, and everything that is stored by their locators. */
  async #eraseBookings(locators: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const inList = `in (select value from ${elements})`;
    const keys = await this.#findTicketKeys(locators);
    const locatorList = JSON.stringify(locators);
    await this.#db.write(`delete from ${s}claim where ${locatorOfClaim('locator')} ${inList}`, locatorList);

    for (const table of ['booking', 'customer', 'watch', 'finding']) {
      await this.#db.write(`delete from ${s}${table} where locator ${inList}`, locatorList);
    }

    await this.#db.write(
      `update ${s}outbox set caller = null where caller is not null and locator ${inList}`,
      locatorList,
    );

    await this.#db.write(`delete from ${s}ticket_key where hash ${inList}`, JSON.stringify(keys));
    await this.#erasePeople(`locator ${inList}`, locatorList);
  }

  /** Erases what operations keep of the people who were asked for and of the customer. */
  async #erasePeople(condition: string, value: string): Promise<void> {
    // One statement each: each column has an index of its own.
    for (const column of ['asked', 'reason', 'customer']) {
      const table = `${this.#db.dialect.prefix}operation`;
      await this.#db.write(`update ${table} set ${column} = null where ${column} is not null and ${condition}`, value);
    }
  }

  /** The questions about these bookings, and others whose texts mention the person. */
  async #findQuestions(person: PersonToForget, locators: ReadonlySet<string>): Promise<readonly QuestionMention[]> {
    const { prefix: s } = this.#db.dialect;
    const rows = await this.#db.all(
      `select operation_id, tenant, carried, terms, void_lines, body from ${s}approval
       where carried is not null or terms is not null or void_lines is not null`,
    );

    const mentionsPerson = (row: Row) =>
      [row.carried, row.terms, row.void_lines].some(
        (json) => (json ?? null) !== null && isMentionedIn(ofTenant(person, row), String(json)),
      );

    return rows.flatMap((row) => {
      const { locator } = JSON.parse(String(row.body)) as { locator?: string };
      const isAboutBooking = locator !== undefined && locators.has(locator);
      return isAboutBooking || mentionsPerson(row) ? [{ operationId: String(row.operation_id), locator }] : [];
    });
  }

  /** Blanks questions. An open question expires, and a yes is spent unless its operation is in the journal. */
  async #blankQuestions(operationIds: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const entered = `exists (select 1 from ${s}operation o where o.id = operation_id)`;

    await this.#db.write(
      `update ${s}approval set carried = null, terms = null, void_lines = null,
       expires_at = case when decision = 'pending' then created_at else expires_at end,
       decision = case when decision = 'granted' and not ${entered} then 'void' else decision end
       where operation_id in (select value from ${elements})`,
      JSON.stringify(operationIds),
    );

    await this.#erasePeople(`id in (select value from ${elements})`, JSON.stringify(operationIds));
  }

  /** The plans that mention the person or one of these bookings. Open: a step of theirs is an open operation. */
  async #findPlans(
    person: PersonToForget,
    locators: ReadonlySet<string>,
    inUse: InUse,
  ): Promise<Pick<Traces, 'plans' | 'openPlans'>> {
    const { prefix: s } = this.#db.dialect;
    const rows = await this.#db.all(`select id, body from ${s}plan where body is not null`);
    const steps = await this.#db.all(`select plan, operation_id from ${s}approval where plan is not null`);
    const openSteps = steps.filter((row) => inUse.operationIds.has(String(row.operation_id)));
    const withOpenStep = new Set(openSteps.map(({ plan }) => plan));

    const isAboutPerson = ({ body }: Row) =>
      isMentionedIn(person, String(body)) ||
      [...locators].some((locator) => String(body).includes(JSON.stringify(locator)));

    const ids = rows.filter(isAboutPerson).map(({ id }) => String(id));
    return { plans: ids.filter((id) => !withOpenStep.has(id)), openPlans: ids.filter((id) => withOpenStep.has(id)) };
  }

  /** Stops plans that are being carried out: they begin no further act. */
  async #stopPlans(ids: readonly string[], now: number): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `update ${s}plan as p set stopped_at = ?
      where p.id in (select value from ${elements}) and p.stopped_at is null and ${hasStepToBegin(s)}`;
    await this.#db.write(sql, now, JSON.stringify(ids), now - PLAN_YES_MS);
  }

  /** Blanks plans. A plan without its lines asks and begins nothing more. */
  async #blankPlans(ids: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `update ${s}plan set body = null where id in (select value from ${elements})`;
    await this.#db.write(sql, JSON.stringify(ids));
  }

  /** Operations that were closed with a note, or that a customer gave a reason for. */
  async #readNotes(): Promise<readonly Row[]> {
    const { prefix: s, text } = this.#db.dialect;
    const locator = `coalesce(locator, ${text('outcome', ['locator'])})`;
    const columns = `id, remark, reason, ${locator} as locator`;
    return this.#db.all(`select ${columns} from ${s}operation where remark is not null or reason is not null`);
  }

  /** Operations with a note or a reason that names the person, or that is about one of these bookings. */
  async #findNotes(person: PersonToForget, locators: readonly string[]): Promise<readonly string[]> {
    const isAboutPerson = ({ remark, reason, locator }: Row) =>
      locators.includes(String(locator)) ||
      [remark ?? 'null', JSON.stringify(reason ?? null)].some((json) => isMentionedIn(person, String(json)));
    return (await this.#readNotes()).filter(isAboutPerson).map(({ id }) => String(id));
  }

  /** Erases notes and reasons. The hash chain has only the digests of notes, and no reason, so it still fits. */
  async #eraseNotes(ids: readonly string[]): Promise<void> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `update ${s}operation set remark = null, reason = null where id in (select value from ${elements})`;
    await this.#db.write(sql, JSON.stringify(ids));
  }

  /** SQL: the forms that may have cards. A used form has none. */
  get #openForms(): string {
    return `${this.#db.dialect.prefix}details where operation_id is null`;
  }

  async #countOpenForms(): Promise<number> {
    return Number((await this.#db.get(`select count(*) as n from ${this.#openForms}`))?.n);
  }

  /** Erases open forms, because what was entered may be the person's. Whoever fills one in starts again. */
  async #eraseForms(): Promise<void> {
    await this.#db.write(`delete from ${this.#openForms}`);
  }
}

/** The person as far as a row may be about them: a key of one desk means somebody else in the rows of another. */
function ofTenant(person: PersonToForget, row: Row): PersonToForget {
  return person.tenant === undefined || person.tenant === row.tenant ? person : { ...person, customer: undefined };
}
