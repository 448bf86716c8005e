/**
 * Stores details forms and their sealed cards. Each form is one row, so that no statement finds it half changed. The
 * column `asked` has how many cards the form has, and the column `cards` has a line for each one that was entered: its
 * place in the form, a space, and the sealed card. If only the second of three is missing, `asked` is 3 and `cards` is
 * `0 SEALED\n2 SEALED\n`. Where the store has {@link FormKeys}, SEALED is sealed once more with the key of its form.
 */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { shareUsedUp } from '../approvals/shares-of-one-person.ts';
import { MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { DETAILS_MS, type KeptDetails, type NewDetails } from '../details/details-form.ts';
import type { DetailsStore } from '../details/ports.ts';
import { withoutApplication } from '../domain/people/caller.ts';
import { type Columns, type Database, insertParts, isOfPerson, toFields, toRow } from './database.ts';

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

/**
 * Keys of forms, 32 random bytes each, where no log and no unused page of a database has them: what a database has erased may stay there. A key is gone for good
 * once it is erased, and with it what is left of the cards, also for who has the id.
 */
export interface FormKeys {
  find(idHash: string): Awaitable<Uint8Array | undefined>;
  /** The key that the form has, or a new one. */
  make(idHash: string): Awaitable<Uint8Array>;
  /** Erases the keys of forms that are not open any more. */
  eraseOver(): Awaitable<void>;
}

type Awaitable<T> = T | Promise<T>;

/** Precedes a card that is sealed with the key of its form. No card begins with it, because the text of a card is base64url. */
const KEYED = 'k.';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class StoredDetails implements DetailsStore {
  readonly #db: Database;
  /** For statements before anything is sent: their errors say so. */
  readonly #beforehand: Database;
  readonly #table: string;
  /** SQL: whether a form is open. {@link openTimes} gives its parameters. */
  readonly #isOpen: string;
  /** Undefined for a state in memory. */
  readonly #keys: FormKeys | undefined;

  constructor(db: Database, keys?: FormKeys) {
    this.#db = db;
    this.#beforehand = db.beforehand;
    this.#table = `${db.dialect.prefix}details`;
    this.#isOpen = `expires_at > ? and expires_at <= ? and ${db.dialect.isAhead('expires_at')}`;
    this.#keys = keys;
  }

  async open(details: NewDetails): Promise<void> {
    const { columns, marks, values } = insertParts({ ...toRow(COLUMNS, details), asked: details.form.cards.length });
    const { tenant, id } = withoutApplication({ tenant: details.tenant, id: details.caller });
    const fromFormsOfPerson = `from ${this.#table} where ${isOfPerson(this.#db.dialect)} and expires_at > ?`;
    const personValues = [tenant, id, `${id}:`, details.createdAt];
    const sql = `insert into ${this.#table}(${columns}) select ${marks}
      where (select count(*) ${fromFormsOfPerson}) < ${MOST_OPEN}`;
    if ((await this.#beforehand.run(sql, ...values, ...personValues)) === 1) return;
    const first = await this.#beforehand.get(`select min(expires_at) as at ${fromFormsOfPerson}`, ...personValues);
    throw shareUsedUp(
      `${counted(MOST_OPEN, 'details form')} of this caller are kept. Nothing was sent.`,
      'Call again with the id of one that is open, or wait until the first is over, half an hour after it was asked for, or after its last card or call.',
      Number(first?.at) - details.createdAt,
    );
  }

  async find(idHash: string, now: number): Promise<KeptDetails | undefined> {
    const sql = `select * from ${this.#table} where id_hash = ? and ${this.#isOpen}`;
    const row = await this.#beforehand.get(sql, idHash, ...openTimes(now));
    const cards = row && (await this.#openAll(idHash, cardsIn(String(row.cards))));
    return cards && { ...(toFields(COLUMNS, row) as NewDetails), cards };
  }

  async submit(idHash: string, card: number, sealed: string, now: number): Promise<boolean> {
    if (!Number.isSafeInteger(card) || card < 0) return false;
    const { position, durably } = this.#db.dialect;
    // Each card ends with a line break.
    const cardCount = `(length(cards) - length(replace(cards, '\n', '')))`;
    const onlyOneIsMissing = `asked - ${cardCount} = 1`;
    // The added line break lets the first line begin with one too, so that `\n2 ` finds card 2 and not card 12.
    const thisIsMissing = `${position}('\n' || cards, ?) = 0`;
    // One statement, so that the second of two calls finds the card of the first.
    const sql = `update ${this.#table} set cards = cards || ?,
        expires_at = case when ${onlyOneIsMissing} and expires_at < ? then ? else expires_at end
      where id_hash = ? and ${this.#isOpen} and operation_id is null and asked > ? and ${thisIsMissing} and ${durably}`;
    const sealedTwice = await this.#sealTwice(idHash, sealed);
    if (sealedTwice === undefined) return false;
    const newLine = `${card} ${sealedTwice}\n`;
    const newEnd = now + DETAILS_MS;
    const changes = [newLine, newEnd, newEnd];
    const conditions = [idHash, ...openTimes(now), card, `\n${card} `];
    return (await this.#beforehand.run(sql, ...changes, ...conditions)) === 1;
  }

  async extend(idHash: string, now: number): Promise<void> {
    const sql = `update ${this.#table} set expires_at = ? where id_hash = ? and expires_at < ? and ${this.#isOpen}`;
    const newEnd = now + DETAILS_MS;
    await this.#beforehand.run(sql, newEnd, idHash, newEnd, ...openTimes(now));
  }

  async use(idHash: string, operationId: string, usedDigest: string): Promise<void> {
    const sql = `update ${this.#table} set cards = '', operation_id = ?, used_digest = ?
      where id_hash = ? and operation_id is null and ${this.#db.dialect.durably}`;
    await this.#db.run(sql, operationId, usedDigest, idHash);
    await this.#keys?.eraseOver();
  }

  /** Seals a card once more, with the key of its form. Undefined if the form is not open, or lost its key. */
  async #sealTwice(idHash: string, sealed: string): Promise<string | undefined> {
    if (this.#keys === undefined) return sealed;
    const sql = `select cards from ${this.#table} where id_hash = ? and operation_id is null`;
    const row = await this.#beforehand.get(sql, idHash);
    if (row === undefined) return undefined;
    // With another key than the cards before, the form could not be opened.
    const key = await (isAnyKeyed(cardsIn(String(row.cards))) ? this.#keys.find(idHash) : this.#keys.make(idHash));
    if (key === undefined) return undefined;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    const parts = [nonce, cipher.update(sealed), cipher.final(), cipher.getAuthTag()];
    return `${KEYED}${Buffer.concat(parts).toString('base64url')}`;
  }

  /** The cards as they were submitted. Undefined if the key that some need is gone: the form is over. */
  async #openAll(idHash: string, cards: ReadonlyMap<number, string>): Promise<ReadonlyMap<number, string> | undefined> {
    if (!isAnyKeyed(cards)) return cards;
    const key = await this.#keys?.find(idHash);
    return (
      key && new Map([...cards].map(([place, card]) => [place, card.startsWith(KEYED) ? openOnce(key, card) : card]))
    );
  }
}

/** A card without a key is of an earlier version. */
function isAnyKeyed(cards: ReadonlyMap<number, string>): boolean {
  return [...cards.values()].some((card) => card.startsWith(KEYED));
}

/** @throws Error if the card was changed */
function openOnce(key: Uint8Array, card: string): string {
  const bytes = Buffer.from(card.slice(KEYED.length), 'base64url');
  const tagAt = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(tagAt));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]).toString();
}

/** The values of `#isOpen`: the end of an open form is after the first and not after the second. */
function openTimes(now: number): readonly [now: number, latestEnd: number] {
  return [now, now + LONGEST_MS];
}

/** The sealed cards of the column `cards`, by their place in the form. */
function cardsIn(lines: string): ReadonlyMap<number, string> {
  const cards = lines.split('\n').filter((line) => line !== '');
  return new Map(cards.map((line) => [Number.parseInt(line, 10), line.slice(line.indexOf(' ') + 1)]));
}
