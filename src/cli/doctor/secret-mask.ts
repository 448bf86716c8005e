/** Masks secrets in everything that is shown or written: a server may echo what it was sent. */
import type { Config } from '../../config/load.ts';

const MASK = '[secret]';
/** Shorter secrets may be parts of common words: only whole words are masked. */
const SHORT = 6;

export class SecretMask {
  readonly #secrets = new Set<string>();

  /** Adds each secret with its common encodings. */
  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      if (secret === undefined || secret === '') continue;
      const bytes = Buffer.from(secret);
      const encoded = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding));
      const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded];
      for (const form of forms) this.#secrets.add(form);
    }
  }

  addAirline({ apiKey, login }: Pick<NonNullable<Config['airline']>, 'apiKey' | 'login'>): void {
    this.add(apiKey?.reveal(), login?.clientSecret.reveal(), login?.password.reveal());
    // Our own name is not secret as a user name, and our sentences need it.
    if (login?.username.toLowerCase() !== 'fareclerk') this.add(login?.username);
  }

  addDatabase({ databaseUrl }: Config['state']): void {
    const url = databaseUrl && URL.parse(databaseUrl.reveal());
    if (url) this.add(databaseUrl.reveal(), url.password, decodeURIComponent(url.password));
  }

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
