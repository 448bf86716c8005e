/**
 * The last gate before anything is shown or written: a server that echoes what it was sent must not make us print it.
 */
import type { AirlineConfig } from '../../config/load.ts';

const MASK = '[secret]';
/** Shorter ones are words of the language: they are masked only where they stand alone. */
const SHORT = 6;

export class Secrecy {
  readonly #secrets = new Set<string>();

  /** A secret in every way that it could be written. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret === '') return;
    const bytes = Buffer.from(secret);
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
    for (const form of [...forms, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]) {
      this.#secrets.add(form);
    }
  }

  addAll({ apiKey, login }: Pick<AirlineConfig, 'apiKey' | 'login'>): void {
    this.add(apiKey?.reveal());
    this.add(login?.clientSecret.reveal());
    this.add(login?.password.reveal());
    // Our own name is in every second sentence, and no secret where it is somebody's.
    if (login?.username.toLowerCase() !== 'fareclerk') this.add(login?.username);
  }

  /** The address of a database, and what admits to it. */
  addDatabase(address: string | undefined): void {
    const url = address === undefined ? null : URL.parse(address);
    if (url === null) return;
    this.add(address);
    this.add(decodeURIComponent(url.password));
    this.add(url.password);
  }

  /** The text without any of them. */
  masked(text: string): string {
    let clean = text;
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      const pattern = secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
      clean = clean.replace(new RegExp(secret.length < SHORT ? `(?<!\\w)${pattern}(?!\\w)` : pattern, 'gi'), MASK);
    }
    return clean;
  }

  /** Every text within, keys included. */
  maskedTree<T>(value: T): T {
    if (typeof value === 'string') return this.masked(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.maskedTree(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [this.masked(key), this.maskedTree(item)]);
    return Object.fromEntries(entries) as T;
  }
}
