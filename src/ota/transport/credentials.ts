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
/** Beyond ASCII, a plain text has Arabic and dashes and quotes alone: none of them folds to a letter or digit of ASCII, as full-width ones does. */
const NOT_PLAIN = /[^\p{ASCII}\u0600-\u06ff\u2010-\u2027]/u;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/u;
/** A character as JSON escapes it: a pair of surrogates, or one code unit. */
const UNICODE_ESCAPE = /\\u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4}/g;

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
 * Hides our own credentials in a reply: an airline may repeat our request in its error, and errors are shown and stored.
 * Two passes look for them:
 *
 * 1. as they are, however the JSON spells them (`\/`, `\u0041`), and with invisible characters in between;
 * 2. folded, because an airline can make a surname of one, and names are compared and stored folded.
 *
 * A secret of 12 characters or more is hidden anywhere, one of 6 to 11 as a whole word, a shorter one nowhere. Almost all replies
 * can be seen to hold none by one look, and are not folded ({@link mayHoldSecret}).
 */
export function withoutCredentials(
  reply: HttpReply,
  { headers, token, secrets: loginSecrets = [] }: CallCredentials,
): HttpReply {
  const credentials = [headers['x-api-key'], headers['x-refresh-token'], token, ...loginSecrets];
  const secrets = credentials.filter((secret) => secret !== undefined);
  if (!mayHoldSecret(reply.text, secrets)) return reply;
  const safeText = hideFoldedSecrets(hideSpelledSecrets(reply.text, secrets), secrets);
  return safeText === reply.text ? reply : { ...reply, text: safeText };
}

/**
 * Whether a text may hold a secret in a form that the two passes find. In a plain text those are its letters and digits, in any case
 * and with others in between, which one pattern finds. Any other text may.
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

/** Hides the secrets as they are, escaped, or with invisible characters in between. */
function hideSpelledSecrets(text: string, secrets: readonly string[]): string {
  const visibleText = withoutInvisible(text);
  if (visibleText === text) return hideAll(text, secrets);
  const safeVisibleText = hideAll(visibleText, secrets);
  // Names may need their joiners, so that these are removed only from a reply that has a secret among them.
  return safeVisibleText === visibleText ? hideAll(text, secrets) : safeVisibleText;
}

function hideAll(text: string, secrets: readonly string[]): string {
  let safeText = text;
  for (const secret of secrets) safeText = hideSecret(safeText, secret);
  return safeText;
}

function hideSecret(text: string, secret: string): string {
  if (secret.length < LEAST_SECRET) return text;
  // A text without an escape can hold the secret only as it is.
  if (!text.includes(secret) && !text.includes('\\')) return text;
  const spellings = escapedSpellings(secret);
  const pattern = secret.length < LONG_SECRET ? wordPattern(spellings, secret) : new RegExp(spellings, 'g');
  return text.replace(pattern, SECRET_MARK);
}

/** Matches each character as it is, as `\uXXXX`, or with a backslash where JSON allows one (RFC 8259, section 7). */
function escapedSpellings(secret: string): string {
  return [...secret]
    .map((character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
      const escaped = '"\\/'.includes(character) ? `\\\\?${plain}` : plain;
      return `(?:${escaped}|\\\\u${digits})`;
    })
    .join('');
}

/** Matches a short secret as a whole word. One that could be a number is not searched for among the reply's numbers. */
function wordPattern(spellings: string, secret: string): RegExp {
  const isNumber = /^[\d.eE+-]+$/.test(secret);
  const notANumber = isNumber ? '(?<![:,[]\\s*)' : '';
  // Looks back over blanks only where the secret stands, and not from each character.
  return new RegExp(`(?<![\\w-])(?=${spellings})${notANumber}${spellings}(?![\\w-])`, 'g');
}

/** Replaces texts that are a secret once they are folded: in capitals, in full-width letters, with signs in between. */
function hideFoldedSecrets(text: string, secrets: readonly string[]): string {
  const foldedSecrets = secrets.map(foldName).filter((secret) => secret.length >= LEAST_SECRET);
  const foldedText = foldName(text.includes('\\') ? text.replace(JSON_STRING, readString) : text);
  if (!foldedSecrets.some((secret) => foldedText.includes(secret))) return text;
  const isJson = /^\s*[[{]/.test(text);
  if (!isJson) return hasFoldedSecret(text, foldedSecrets) ? SECRET_MARK : text;
  return text.replace(JSON_STRING, (literal) =>
    hasFoldedSecret(readString(literal), foldedSecrets) ? `"${SECRET_MARK}"` : literal,
  );
}

/** Whether words hold a long secret anywhere, or a short one as a word or as all that they say. */
function hasFoldedSecret(words: string, foldedSecrets: readonly string[]): boolean {
  const folded = foldName(words);
  const foldedWords = words.split(/[^\p{L}\p{N}]+/u).map(foldName);
  return foldedSecrets.some((secret) =>
    secret.length < LONG_SECRET ? folded === secret || foldedWords.includes(secret) : folded.includes(secret),
  );
}

/** The text of a JSON string, or the literal as it is if it cannot be parsed. */
function readString(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

/** A reply without characters that nobody sees, as they are or as `\uXXXX`. */
function withoutInvisible(text: string): string {
  if (/^[\t\n\r -~]*$/.test(text) && !text.includes('\\u')) return text;
  return text
    .replace(UNICODE_ESCAPE, (escaped) => (INVISIBLE.test(readString(`"${escaped}"`)) ? '' : escaped))
    .replace(new RegExp(INVISIBLE, 'gu'), '');
}
