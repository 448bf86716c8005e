/**
 * Stores details forms and their sealed cards. A row of `details` is a form: `asked` is how many cards it has, and `entered`
 * how many of them `card` had after the last one. The cards stand apart, so that PostgreSQL can keep them out of its log: a
 * crash of the server empties `card`, and `entered` shows that some are lost.
 */

import { shareUsedUp } from '../approvals/shares-of-one-person.ts';
import { MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { DETAILS_MS, type KeptDetails, type NewDetails } from '../details/details-form.ts';
import type { DetailsStore } from '../details/ports.ts';
import { withoutApplication } from '../domain/people/caller.ts';
import { type Columns, type Database, insertParts, isOfPerson, toFields, toRow } from './database.ts';

const COLUMNS: Columns<NewDetails & Pick<KeptDetails, 'operationId' | 'usedDigest'>> = {
  idHash: ['id_hash', 'text'],
  tenant: ['tenant', 'text'],
  caller: ['caller', 'text'],
  tool: ['tool', 'text'],
  argsDigest: ['args_digest', 'text'],
  locator: ['locator', 'text'],
  form: ['form', 'json'],
  createdAt: ['created_at', 'number'],
  expiresAt: ['expires_at', 'number'],
  operationId: ['operation_id', 'text'],
  usedDigest: ['used_digest', 'text'],
};

/**
 * A form whose end is further ahead was opened before the clock was set back. Allows for clocks that differ a little.
 */
const LONGEST_MS = DETAILS_MS + MINUTE_MS;

/** How many open forms one person may have, from all applications, so that nobody fills the disk. */
const MOST_OPEN = 100;

export class StoredDetails implements DetailsStore {
  readonly #db: Database;
  /** For statements before anything is sent: their errors say so. */
  readonly #dbBeforeSending: Database;
  readonly #table: string;
  readonly #cardTable: string;
  /** SQL: whether a form is open. {@link openTimes} gives its parameters. */
  readonly #isOpen: string;
  readonly #whenErased: () => void;

  /** @param whenErased called when cards were erased */
  constructor(db: Database, whenErased = () => {}) {
    this.#db = db;
    this.#dbBeforeSending = db.beforeSending;
    this.#table = `${db.dialect.prefix}details`;
    this.#cardTable = `${db.dialect.prefix}card`;
    this.#isOpen = `expires_at > ? and expires_at <= ? and ${db.dialect.isAhead('expires_at')}`;
    this.#whenErased = whenErased;
  }

  async open(details: NewDetails): Promise<void> {
    const { columns, marks, values } = insertParts({ ...toRow(COLUMNS, details), asked: details.form.cards.length });
    const { tenant, id } = withoutApplication({ tenant: details.tenant, id: details.caller });
    const fromFormsOfPerson = `from ${this.#table} where ${isOfPerson(this.#db.dialect)} and expires_at > ?`;
    const personValues = [tenant, id, `${id}:`, details.createdAt];
    const sql = `insert into ${this.#table}(${columns}) select ${marks}
      where (select count(*) ${fromFormsOfPerson}) < ${MOST_OPEN}`;
    if ((await this.#dbBeforeSending.write(sql, ...values, ...personValues)) === 1) return;

    const first = await this.#dbBeforeSending.get(`select min(expires_at) as at ${fromFormsOfPerson}`, ...personValues);
    throw shareUsedUp(
      `${counted(MOST_OPEN, 'details form')} of this caller are kept. Nothing was sent.`,
      'Call again with the id of one that is open, or wait until the first is over, half an hour after it was asked for, or after its last card or call.',
      Number(first?.at) - details.createdAt,
    );
  }

  async find(idHash: string, now: number): Promise<KeptDetails | undefined> {
    const sql = `select f.*, c.place, c.sealed from ${this.#table} f
      left join ${this.#cardTable} c on c.id_hash = f.id_hash and f.operation_id is null
      where f.id_hash = ? and ${this.#isOpen} order by c.place`;
    const rows = await this.#dbBeforeSending.all(sql, idHash, ...openTimes(now));
    const [form] = rows;
    if (form === undefined) return undefined;

    const entered = rows.filter(({ sealed }) => sealed !== null);
    const cards = new Map(entered.map(({ place, sealed }) => [Number(place), String(sealed)]));
    const isLost = form.operation_id === null && form.closed_at === null && Number(form.entered) > cards.size;
    const closed = form.closed_at === null ? undefined : ({ isClosed: true } as const);
    return { ...(toFields(COLUMNS, form) as NewDetails), cards, isLost, ...closed };
  }

  async submit(idHash: string, card: number, sealed: string, now: number): Promise<boolean> {
    if (!Number.isSafeInteger(card) || card < 0) return false;
    const { durably, forUpdate } = this.#db.dialect;

    // Locks the form, so that a call that uses it at this moment erases the card, or this finds it used.
    const enter = `insert into ${this.#cardTable}(id_hash, place, sealed) select id_hash, ?, ? from ${this.#table}
      where id_hash = ? and ${this.#isOpen} and operation_id is null and closed_at is null and asked > ? ${forUpdate}
      on conflict do nothing`;
    const isEntered = await this.#dbBeforeSending.write(enter, card, sealed, idHash, ...openTimes(now), card);
    if (isEntered === 0) return false;

    // A statement of its own, so that the later of two that enter cards at once counts both.
    const count = `(select count(*) from ${this.#cardTable} c where c.id_hash = ${this.#table}.id_hash)`;
    const moveEnd = `update ${this.#table} set entered = ${count},
        expires_at = case when ${count} = asked and expires_at < ? then ? else expires_at end
      where id_hash = ? and ${durably}`;
    const newEnd = now + DETAILS_MS;
    await this.#dbBeforeSending.write(moveEnd, newEnd, newEnd, idHash);

    return true;
  }

  async extend(idHash: string, now: number): Promise<void> {
    const sql = `update ${this.#table} set expires_at = ? where id_hash = ? and expires_at < ? and ${this.#isOpen}`;
    const newEnd = now + DETAILS_MS;
    await this.#dbBeforeSending.write(sql, newEnd, idHash, newEnd, ...openTimes(now));
  }

  async use(idHash: string, operationId: string, usedDigest: string): Promise<void> {
    const sql = `update ${this.#table} set operation_id = ?, used_digest = ?
      where id_hash = ? and operation_id is null and ${this.#db.dialect.durably}`;
    await this.#db.write(sql, operationId, usedDigest, idHash);
    await this.#db.write(`delete from ${this.#cardTable} where id_hash = ?`, idHash);
    this.#whenErased();
  }
}

/** The values of `#isOpen`: the end of an open form is after the first and not after the second. */
function openTimes(now: number): readonly [now: number, latestEnd: number] {
  return [now, now + LONGEST_MS];
}
