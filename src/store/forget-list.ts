/**
 * The list of forgotten people, as keyed digests: in the database, and in a file beside the second records, which no
 * restored backup overwrites. What the file has and the database lacks was forgotten after the backup was made.
 *
 * An entry is the digest of one of these texts:
 *
 * | kind    | text                                        | `words`                    |
 * | ------- | ------------------------------------------- | -------------------------- |
 * | name    | the sorted words of the full name           | their number               |
 * | short   | a surname and an initial, as a list shows   | 0                          |
 * | locator | a booking in which the person was found     | 0                          |
 * | note    | an operation whose note names the person    | 0                          |
 * | form    | empty: open details forms were erased       | 0                          |
 * | key     | the tenant, or nothing, and a customer's key | 0                         |
 */
import { closeSync, fsyncSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { keyedDigest } from '../approvals/digest.ts';
import type { LedgerEntry } from '../domain/booking/booking-ledger.ts';
import { openOwn } from '../files/own-files.ts';
import type { CustomerRow } from './customers.ts';
import type { Database, Row } from './database.ts';
import { nameWords, type PersonToForget, shortForm, shortForms, wordChoices } from './person-to-forget.ts';

/** An entry of the list. */
export interface Forgotten {
  readonly digest: string;
  /** How many words a full name has: so many words of a stored text are compared with it. 0 for other kinds. */
  readonly words: number;
  /** Milliseconds since 1970. Only what was stored before is meant. */
  readonly at: number;
}

type EntryKind = 'name' | 'short' | 'locator' | 'note' | 'form' | 'key';

/** Where a person was found. */
interface PersonalData {
  readonly locators: readonly string[];
  /** Operations with a note that names the person. */
  readonly notes: readonly string[];
  /** How many details forms may have been the person's. */
  readonly forms: number;
}

/** Decides what belongs to a person on the list. */
interface Matcher {
  /** Whether the booking was seen before its person was forgotten. */
  booking(entry: LedgerEntry): boolean;
  note(operationId: string): boolean;
  /** Whether the key was set before its customer was forgotten. */
  customer(row: Pick<CustomerRow, 'tenant' | 'key' | 'at'>): boolean;
}

export class ForgetList {
  readonly #db: Database;
  readonly #key: Uint8Array;
  readonly #folder: string | undefined;
  readonly #idOf: () => string;

  /** @param idOf the journal's id, which names the file */
  constructor(db: Database, key: Uint8Array, folder: string | undefined, idOf: () => string) {
    this.#db = db;
    this.#key = key;
    this.#folder = folder;
    this.#idOf = idOf;
  }

  /** The entries for a person, for the bookings and notes in which they were found, and for open forms. */
  entriesOf(
    { name, customer, tenant = '' }: PersonToForget,
    { locators, notes, forms }: PersonalData,
    at: number,
  ): readonly Forgotten[] {
    const entry = (kind: EntryKind, text: string, words = 0): Forgotten => {
      return { digest: this.#digestOf(kind, text), words, at };
    };
    const found = [
      ...locators.map((locator) => entry('locator', locator)),
      ...notes.map((id) => entry('note', id)),
      ...(forms > 0 ? [entry('form', '')] : []),
      ...(customer === undefined ? [] : [entry('key', keyText(tenant, customer))]),
    ];
    const words = nameWords(name ?? '');
    const [fullName] = wordChoices(name ?? '', words.length);
    if (fullName === undefined || words.length === 0) return found;
    const short = [...shortForms(name ?? '')].map((form) => entry('short', form));
    return [...found, entry('name', fullName, words.length), ...short];
  }

  /** Decides by these entries. A digest counts for what was stored up to its latest time. */
  matcher(entries: readonly Forgotten[]): Matcher {
    const latestAt = new Map<string, number>();
    for (const { digest, at } of entries) latestAt.set(digest, Math.max(at, latestAt.get(digest) ?? 0));
    const wordCounts = [...new Set(entries.map(({ words }) => words))].filter((count) => count > 0);
    const isListed = (digest: string, seenAt: number) => seenAt <= (latestAt.get(digest) ?? Number.NEGATIVE_INFINITY);
    const isNamed = (text: string, seenAt: number) =>
      wordCounts.some((count) =>
        wordChoices(text, count).some((name) => isListed(this.#digestOf('name', name), seenAt)),
      );
    return {
      booking: ({ locator, contactName = '', travelers = [], seenAt }) =>
        isListed(this.#digestOf('locator', locator), seenAt) ||
        [contactName, ...travelers].some((text) => isNamed(text, seenAt)) ||
        travelers.some((text) => isListed(this.#digestOf('short', shortForm(text)), seenAt)),
      note: (operationId) => latestAt.has(this.#digestOf('note', operationId)),
      customer: ({ tenant, key, at }) =>
        [tenant, ''].some((one) => isListed(this.#digestOf('key', keyText(one, key)), at)),
    };
  }

  /** Entries that are in the file but not in the database, because an older copy of the state was restored. */
  async missingInDatabase(): Promise<readonly Forgotten[]> {
    const known = new Map((await this.#inDatabase()).map(({ digest, at }) => [digest, at]));
    return this.#inFile().filter(({ digest, at }) => at > (known.get(digest) ?? Number.NEGATIVE_INFINITY));
  }

  async enterInDatabase(entries: readonly Forgotten[]): Promise<void> {
    const sql = `insert into ${this.#db.dialect.prefix}forgotten as known(digest, words, at) values (?, ?, ?)
      on conflict (digest) do update set at = excluded.at where excluded.at > known.at`;
    for (const { digest, words, at } of entries) await this.#db.run(sql, digest, words, at);
  }

  /** Adds to the file entries that another machine made in the database. @throws if the file cannot be written */
  async copyToFile(): Promise<void> {
    const written = new Set(this.#inFile().map(({ digest, at }) => `${digest} ${at}`));
    this.appendToFile((await this.#inDatabase()).filter(({ digest, at }) => !written.has(`${digest} ${at}`)));
  }

  /** They are on the disk when this returns. @throws if the file cannot be written */
  appendToFile(entries: readonly Forgotten[]): void {
    const path = this.#path;
    if (path === undefined || entries.length === 0) return;
    const fd = openOwn(path, 'append');
    try {
      // Starts on a new line, because a power failure may have cut the one before.
      writeSync(fd, `\n${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  get #path(): string | undefined {
    return this.#folder === undefined ? undefined : join(this.#folder, `${this.#idOf()}.forgotten`);
  }

  /** The newest entry of each digest in the file. It covers older ones of the same person. */
  #inFile(): readonly Forgotten[] {
    if (this.#path === undefined) return [];
    const newest = new Map<string, Forgotten>();
    for (const line of readLines(this.#path)) {
      const entry = entryIn(line);
      if (entry !== undefined && entry.at >= (newest.get(entry.digest)?.at ?? 0)) newest.set(entry.digest, entry);
    }
    return [...newest.values()];
  }

  async #inDatabase(): Promise<readonly Forgotten[]> {
    const rows: readonly Row[] = await this.#db.all(
      `select digest, words, at from ${this.#db.dialect.prefix}forgotten`,
    );
    return rows.map(({ digest, words, at }) => ({ digest: String(digest), words: Number(words), at: Number(at) }));
  }

  #digestOf(kind: EntryKind, text: string): string {
    return keyedDigest(this.#key, `forgotten ${kind} ${text}`);
  }
}

function keyText(tenant: string, key: string): string {
  return JSON.stringify([tenant, key]);
}

/** The lines of a file. None if there is no such file. */
function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    // A list that exists but cannot be read must not count as empty.
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return [];
  }
}

/** The entry of a line. Undefined if the line is incomplete. */
function entryIn(line: string): Forgotten | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Forgotten);
  } catch {
    return undefined;
  }
}
