/** The headers that authenticate a call: API key, bearer token, or both (docs/wire/interface.md, Authentication). */

import { ClerkError } from '../../core/errors.ts';
import { memoize } from '../../core/memoize.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import type { HttpReply } from './http.ts';
import type { Credentials } from './options.ts';

/** A token must outlive a payment: a send starts with at least this much of its life left, milliseconds. */
const SEND_LIFE_MS = 10 * 60_000;
/** A shorter secret is hidden only as a whole word. */
const LONG_SECRET = 12;
/** A shorter secret is not hidden: good replies can hold it by chance. */
const LEAST_SECRET = 6;
/** How many lists of secrets have their pattern kept: a token changes every few minutes, and each point of sale has its own. */
const SECRET_LISTS = 20;
/** Takes the place of a secret. */
const SECRET_MARK = '[secret]';
/** A string of a JSON text (RFC 8259, section 7). One that nothing closes goes to the end, so that none is read twice. */
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/g;
/**
 * Beyond ASCII, a plain text has Arabic and dashes and quotes alone: none of them folds to a letter or digit of ASCII, as full-width ones
 * do. Without `u`, which takes five times as long: a half of a pair is not plain, either.
 */
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
 * Hides our own credentials in a reply: an airline may repeat our request in its error, and errors are shown and stored. A text of the
 * reply that holds one becomes {@link SECRET_MARK}, in whatever spelling: escaped, in capitals, in full-width letters, with signs in
 * between. Names are compared and stored folded, and an airline can make a surname of a secret.
 *
 * A secret of 12 characters or more counts anywhere, one of 6 to 11 as a whole word, a shorter one nowhere. Almost all replies can be
 * seen to hold none by one look ({@link mayHoldSecret}).
 */
export function withoutCredentials(
  reply: HttpReply,
  { headers, token, secrets: loginSecrets = [] }: CallCredentials,
): HttpReply {
  const credentials = [headers['x-api-key'], headers['x-refresh-token'], token, ...loginSecrets];
  const secrets = credentials.filter((secret) => secret !== undefined);
  if (!mayHoldSecret(reply.text, secrets)) return reply;
  const safeText = hideSecrets(reply.text, secrets);
  return safeText === reply.text ? reply : { ...reply, text: safeText };
}

/**
 * Whether a text may hold a secret. In a plain text its letters and digits stand in any case and with others in between, which one
 * pattern finds. Any other text may.
 */
function mayHoldSecret(text: string, secrets: readonly string[]): boolean {
  const isPlain = !text.includes('\\') && (Buffer.byteLength(text) === text.length || !NOT_PLAIN.test(text));
  return !isPlain || secretPattern(JSON.stringify(secrets)).test(text);
}

/** Matches the beginning of each secret in a plain text, and maybe other words: both passes then look closer. */
const secretPattern = memoize((secretList: string): RegExp => {
  const secrets: readonly string[] = JSON.parse(secretList);
  const beginnings = secrets.flatMap((secret) => {
    const letters = foldName(secret);
    if (secret.length < LEAST_SECRET && letters.length < LEAST_SECRET) return [];
    // Too few letters, or others than a plain text can be trusted with.
    if (!/^[A-Z0-9]{6}/.test(letters)) return '';
    return [...letters.slice(0, LONG_SECRET)].join('[^A-Z0-9]*');
  });
  // Without a secret it matches nothing.
  return new RegExp(beginnings.length === 0 ? '(?!)' : beginnings.join('|'), 'i');
}, SECRET_LISTS);

/** Hides each text of a JSON reply that holds a secret, and all of any other reply. */
function hideSecrets(text: string, secrets: readonly string[]): string {
  const words = text.includes('\\') ? text.replace(JSON_STRING, readString) : text;
  const folded = foldName(words);
  const isInside = (secret: string) => words.includes(secret) || folded.includes(foldName(secret));
  const secretsInside = secrets.filter(isInside);
  const holdsOne = (part: string) => secretsInside.some((secret) => holdsSecret(part, secret));
  if (secretsInside.length === 0) return text;
  if (!/^\s*[[{]/.test(text)) return holdsOne(text) ? SECRET_MARK : text;
  return text.replace(JSON_STRING, (literal) => (holdsOne(readString(literal)) ? `"${SECRET_MARK}"` : literal));
}

/** Whether words hold a long secret anywhere, or a short one as a word or as all that they say. */
function holdsSecret(words: string, secret: string): boolean {
  const visible = words.replace(/\p{Cf}+/gu, '');
  const [folded, foldedSecret] = [foldName(visible), foldName(secret)];
  if (secret.length >= LONG_SECRET && visible.includes(secret)) return true;
  if (foldedSecret.length >= LONG_SECRET) return folded.includes(foldedSecret);
  if (secret.length >= LEAST_SECRET && standsAlone(visible, secret)) return true;
  if (foldedSecret.length < LEAST_SECRET) return false;
  return (
    folded === foldedSecret ||
    visible
      .split(/[^\p{L}\p{N}]+/u)
      .map(foldName)
      .includes(foldedSecret)
  );
}

/** Whether a text stands somewhere in words as a word of its own. */
function standsAlone(words: string, text: string): boolean {
  const parts = words.split(text);
  return parts.slice(1).some((after, i) => !/[\w-]$/.test(parts[i] ?? '') && !/^[\w-]/.test(after));
}

/** The text of a JSON string, or the literal as it is if it cannot be parsed. */
function readString(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
