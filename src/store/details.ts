/** Stores details forms and their sealed cards. Each form is one row, so that no statement finds it half changed. */
import { shareUsedUp } from '../approvals/limits.ts';
import { MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { DETAILS_MS, type DetailsStore, type KeptDetails, type NewDetails } from '../details/ports.ts';
import { withoutApplication } from '../domain/people/caller.ts';
import { type Columns, type Database, ofPerson, toFields, toRow } from './database.ts';

const COLUMNS: Columns<Omit<KeptDetails, 'cards'>> = {
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
  readonly #beforehand: Database;
  readonly #table: string;
  /** SQL: whether a form is open. Its parameters: `now`, and the latest plausible end. */
  readonly #isOpen: string;

  constructor(db: Database) {
    this.#db = db;
    this.#beforehand = db.beforehand;
    this.#table = `${db.dialect.prefix}details`;
    this.#isOpen = `expires_at > ? and expires_at <= ? and ${db.dialect.isAhead('expires_at')}`;
  }

  async open(details: NewDetails): Promise<void> {
    const row = { ...toRow(COLUMNS, details), asked: details.form.cards.length };
    const columns = Object.keys(row);
    const { tenant, id } = withoutApplication({ tenant: details.tenant, id: details.caller });
    const formsOfPerson = `from ${this.#table} where ${ofPerson(this.#db.dialect)} and expires_at > ?`;
    const person = [tenant, id, `${id}:`, details.createdAt];
    const sql = `insert into ${this.#table}(${columns.join()}) select ${columns.map(() => '?').join()}
      where (select count(*) ${formsOfPerson}) < ${MOST_OPEN}`;
    if ((await this.#beforehand.run(sql, ...Object.values(row), ...person)) === 1) return;
    const first = await this.#beforehand.get(`select min(expires_at) as at ${formsOfPerson}`, ...person);
    throw shareUsedUp(
      `${counted(MOST_OPEN, 'details form')} of this caller are kept. Nothing was sent.`,
      'Call again with the id of one that is open, or wait until the first is over, half an hour after it was asked for, or after its last card or call.',
      Number(first?.at) - details.createdAt,
    );
  }

  async find(idHash: string, now: number): Promise<KeptDetails | undefined> {
    const sql = `select * from ${this.#table} where id_hash = ? and ${this.#isOpen}`;
    const row = await this.#beforehand.get(sql, idHash, now, now + LONGEST_MS);
    return row && { ...(toFields(COLUMNS, row) as NewDetails), cards: cardsIn(String(row.cards)) };
  }

  async submit(idHash: string, card: number, sealed: string, now: number): Promise<boolean> {
    if (!Number.isSafeInteger(card) || card < 0) return false;
    const { position, durably } = this.#db.dialect;
    // One statement, so that the second of two calls finds the card of the first.
    const missingCount = `asked - (length(cards) - length(replace(cards, '\n', '')))`;
    const sql = `update ${this.#table} set cards = cards || ?,
        expires_at = case when ${missingCount} = 1 and expires_at < ? then ? else expires_at end
      where id_hash = ? and ${this.#isOpen} and operation_id is null and asked > ?
        and ${position}('\n' || cards, ?) = 0 and ${durably}`;
    const place = `${card} `;
    const end = now + DETAILS_MS;
    const changes = [`${place}${sealed}\n`, end, end];
    const conditions = [idHash, now, now + LONGEST_MS, card, `\n${place}`];
    return (await this.#beforehand.run(sql, ...changes, ...conditions)) === 1;
  }

  async extend(idHash: string, now: number): Promise<void> {
    const sql = `update ${this.#table} set expires_at = ? where id_hash = ? and expires_at < ? and ${this.#isOpen}`;
    const end = now + DETAILS_MS;
    await this.#beforehand.run(sql, end, idHash, end, now, now + LONGEST_MS);
  }

  async use(idHash: string, operationId: string, usedDigest: string): Promise<void> {
    const sql = `update ${this.#table} set cards = '', operation_id = ?, used_digest = ?
      where id_hash = ? and operation_id is null and ${this.#db.dialect.durably}`;
    await this.#db.run(sql, operationId, usedDigest, idHash);
  }
}

/** Reads the cards of a row: each line has the place in the form and the sealed card. */
function cardsIn(lines: string): ReadonlyMap<number, string> {
  const cards = lines.split('\n').filter((line) => line !== '');
  return new Map(cards.map((line) => [Number.parseInt(line, 10), line.slice(line.indexOf(' ') + 1)]));
}
