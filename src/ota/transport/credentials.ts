/** The headers that authenticate a call: API key, bearer token, or both (docs/wire/interface.md, Authentication). */

import { normalized } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import { memoize } from '../../core/memoize.ts';
import type { HttpReply } from './http.ts';
import type { Credentials } from './options.ts';

/** A token must outlive a payment: a send starts with at least this much of its life left, milliseconds. */
const SEND_LIFE_MS = 10 * 60_000;
/** Characters. A shorter secret is hidden only as a word of its own. */
const LONG_SECRET = 12;
/** A shorter secret is not hidden: good replies can hold it by chance. */
const LEAST_SECRET = 6;
/** How many lists of secrets have their pattern kept: a token changes every few minutes, and each point of sale has its own. */
const SECRET_LISTS = 20;
/** Takes the place of a text with a secret. */
const SECRET_MARK = '[secret]';
/** A string of a JSON text (RFC 8259, section 7). One that nothing closes goes to the end, so that none is read twice. */
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/g;
/** Beyond these signs some stand for letters and digits of ASCII, such as full-width ones: their text is normalized first. */
const NOT_PLAIN = /[^\t\n\r -~\u0600-\u06ff\u2010-\u2027]/;

export interface CallCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The token in the headers: after a 401 it is invalidated. */
  readonly token?: string;
  /** {@link Credentials.secrets} */
  readonly secrets?: readonly string[];
}

/** Throws E_CONFIG if the mode needs credentials that are not set. */
export function assertCredentials({ mode, apiKey, tokens }: Credentials): void {
  const lacksKey = mode !== 'token' && apiKey === undefined;
  const lacksToken = mode !== 'key' && tokens === undefined;
  if (!lacksKey && !lacksToken) return;
  const missing = lacksKey ? 'FARECLERK_API_KEY' : 'the token settings (FARECLERK_AUTH_URL and those with it)';
  throw new ClerkError('E_CONFIG', `FARECLERK_CREDENTIALS=${mode} needs ${missing}. Nothing was sent.`, {
    next: `Ask the operator to set ${missing}, or to change FARECLERK_CREDENTIALS.`,
  });
}

/**
 * Gets the headers of one call.
 * @param purpose a send gets a token that outlives it
 */
export async function callCredentials(credentials: Credentials, purpose: 'read' | 'send'): Promise<CallCredentials> {
  const { mode, apiKey, tokens, extraHeaders, sendsRefreshToken, secrets = [] } = credentials;
  const key: Readonly<Record<string, string>> = mode === 'token' || apiKey === undefined ? {} : { 'x-api-key': apiKey };
  if (mode === 'key' || tokens === undefined) return { headers: { ...extraHeaders, ...key }, secrets };

  const token = await (purpose === 'send' ? tokens.ensureLife(SEND_LIFE_MS) : tokens.token());
  const refreshToken = sendsRefreshToken ? tokens.refreshToken?.() : undefined;
  const refresh: Readonly<Record<string, string>> =
    refreshToken === undefined ? {} : { 'x-refresh-token': refreshToken };
  return { headers: { ...extraHeaders, ...refresh, ...key, authorization: `Bearer ${token}` }, token, secrets };
}

/**
 * Hides our own credentials in a reply: an airline may repeat our request in its error, and errors are shown and stored. A text of a
 * JSON reply that holds one becomes {@link SECRET_MARK}, and so does all of any other reply: in any case, escaped, in full-width
 * letters, with signs in between.
 */
export function withoutCredentials(
  reply: HttpReply,
  { headers, token, secrets: loginSecrets = [] }: CallCredentials,
): HttpReply {
  const credentials = [headers['x-api-key'], headers['x-refresh-token'], token, ...loginSecrets];
  const pattern = secretPattern(JSON.stringify(credentials.filter((secret) => secret !== undefined)));

  const holdsSecret = (words: string): boolean => {
    const isPlain = Buffer.byteLength(words) === words.length || !NOT_PLAIN.test(words);
    return pattern.test(isPlain ? words : normalized(words, 'NFKC'));
  };

  const { text } = reply;
  const words = text.includes('\\') ? text.replace(JSON_STRING, readString) : text;
  if (!holdsSecret(words)) return reply;
  if (!/^\s*[[{]/.test(text)) return { ...reply, text: SECRET_MARK };

  const hide = (literal: string) => (holdsSecret(readString(literal)) ? `"${SECRET_MARK}"` : literal);
  return { ...reply, text: text.replace(JSON_STRING, hide) };
}

/**
 * Matches each secret of a JSON list: its letters and digits in any case, with any signs in between, or one without letters as it
 * is. A long one anywhere, a shorter one as a word of its own.
 */
const secretPattern = memoize((secretList: string): RegExp => {
  const secrets: readonly string[] = JSON.parse(secretList);
  const patterns = secrets.flatMap((secret) => {
    if (secret.length < LEAST_SECRET) return [];
    const letters = secret.replace(/[^A-Za-z0-9]/g, '');
    const spelled =
      letters.length < LEAST_SECRET ? secret.replace(/[^\w\s]/g, '\\$&') : [...letters].join('[^A-Z0-9]*');
    return secret.length < LONG_SECRET ? `(?<![\\w-])${spelled}(?![\\w-])` : spelled;
  });

  // Without a secret it matches nothing.
  return new RegExp(patterns.length === 0 ? '(?!)' : patterns.join('|'), 'i');
}, SECRET_LISTS);

/** The text of a JSON string, or the literal as it is if it cannot be parsed. */
function readString(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
