/** Finds the secrets of a set-up, and masks them in texts: a server may echo what it was sent. */
import querystring from 'node:querystring';
import type { Config } from '../../config/load.ts';
import { MASK, Secret } from '../../config/values.ts';
import type { TokenSet } from '../../domain/login-store.ts';

/** Characters of a secret that is masked inside of words, too. A shorter one may be a part of common words. */
const MASKED_ANYWHERE = 6;

/** Finds every secret of the settings, and the tokens that the airline issued. */
export function secretsOf(config: Config, tokens: TokenSet | undefined): readonly string[] {
  const { username = '' } = config.airline?.login ?? {};
  // Our own name is not secret as a user name, and our sentences need it.
  const user = username.toLowerCase() === 'fareclerk' ? '' : username;
  return [...secretsIn(config), user, tokens?.accessToken ?? '', tokens?.refreshToken ?? ''];
}

function secretsIn(tree: unknown): readonly string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  if (!(tree instanceof Secret)) return Object.values(tree).flatMap(secretsIn);
  const secret = tree.reveal();
  const { password = '' } = URL.parse(secret) ?? {};
  // Some are lists with commas. A short part could be a common word.
  const parts = secret.split(',').filter((part) => part.length >= MASKED_ANYWHERE);
  return [secret, ...parts, password, querystring.unescape(password)];
}

/** Masks the secrets in every text of a record, also in their common encodings. */
export function masked<T>(value: T, secrets: readonly string[]): T {
  const forms = new Set(secrets.flatMap(encodings));
  forms.delete('');
  const patterns = [...forms].toSorted((a, b) => b.length - a.length).map(secretPattern);
  const mask = (text: string) => patterns.reduce((clean, pattern) => clean.replace(pattern, MASK), text);
  return JSON.parse(JSON.stringify(value), (_, item: unknown) => (typeof item === 'string' ? mask(item) : item));
}

function secretPattern(secret: string): RegExp {
  const pattern = secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(secret.length < MASKED_ANYWHERE ? `(?<!\\w)${pattern}(?!\\w)` : pattern, 'gi');
}

function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const encoded = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding));
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded];
}
