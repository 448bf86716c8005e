/**
 * Keys of details forms in a folder beside the state file, `fareclerk.sqlite.keys`, one file for each. A file is overwritten before it is removed, and both are on the
 * disk when that returns.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { assertOwn, openOwn } from '../../files/own-files.ts';
import type { FormKeys } from '../details.ts';
import { forceFolder } from '../journal/second-record.ts';
import { ofThisUser } from '../opening.ts';
import type { SqliteDatabase } from './database.ts';

const KEY_BYTES = 32;

export class SqliteFormKeys implements FormKeys {
  readonly #folder: string;
  readonly #db: SqliteDatabase;
  readonly #now: () => number;

  /** @param file of the state */
  constructor(file: string, db: SqliteDatabase, now: () => number) {
    this.#folder = `${file}.keys`;
    this.#db = db;
    this.#now = now;
  }

  find(idHash: string): Uint8Array | undefined {
    const path = this.#pathOf(idHash);
    if (!isThere(path)) return undefined;
    assertOwn(path);
    const key = readFileSync(path);
    // Another process may be erasing it.
    return key.length === KEY_BYTES && key.some((byte) => byte !== 0) ? key : undefined;
  }

  make(idHash: string): Uint8Array {
    const present = this.find(idHash);
    if (present !== undefined) return present;
    const key = randomBytes(KEY_BYTES);
    const unfinished = this.#pathOf(`${idHash}.${randomBytes(8).toString('hex')}`);
    overwrite(unfinished, key);
    try {
      // Only one of several processes makes it, and nobody finds a part of it.
      linkSync(unfinished, this.#pathOf(idHash));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      overwrite(unfinished, new Uint8Array(KEY_BYTES));
    } finally {
      rmSync(unfinished, { force: true });
    }
    forceFolder(this.#folder);
    return this.find(idHash) ?? key;
  }

  eraseOver(): void {
    if (!isThere(this.#folder)) return;
    const open = 'select 1 from details where id_hash = ? and operation_id is null and expires_at > ?';
    for (const name of readdirSync(this.#folder)) {
      const [idHash = ''] = name.split('.', 1);
      if (this.#db.get(open, idHash, this.#now()) === undefined) this.#erase(name);
    }
  }

  #erase(name: string): void {
    const path = this.#pathOf(name);
    // Another process may have erased it.
    if (!isThere(path)) return;
    overwrite(path, new Uint8Array(KEY_BYTES));
    rmSync(path, { force: true });
    forceFolder(this.#folder);
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function overwrite(path: string, bytes: Uint8Array): void {
  const fd = ofThisUser('The folder of keys', 'FARECLERK_STATE_DIR', () => openOwn(path, 'keep'));
  try {
    writeSync(fd, bytes, 0, bytes.length, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
