/** The headers that authenticate a call: API key, bearer token, or both (docs/wire/interface.md, Authentication). */

import { ClerkError } from '../../core/errors.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import type { Credentials } from '../options.ts';
import type { HttpReply } from './http.ts';

/** A token must outlive a payment: a send starts with this much life in it. */
const SEND_LIFE_MS = 10 * 60_000;

export interface CallCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The token in them, for a 401. */
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

export async function callCredentials(credentials: Credentials, sending: boolean): Promise<CallCredentials> {
  const { mode, apiKey, tokens, extraHeaders, sendsRefreshToken, secrets = [] } = credentials;
  const key: Readonly<Record<string, string>> = mode === 'token' || apiKey === undefined ? {} : { 'x-api-key': apiKey };
  if (mode === 'key' || tokens === undefined) return { headers: { ...extraHeaders, ...key }, secrets };
  const token = await (sending ? tokens.ensureLife(SEND_LIFE_MS) : tokens.token());
  const refresh = sendsRefreshToken ? tokens.refreshToken?.() : undefined;
  const beside: Readonly<Record<string, string>> = refresh === undefined ? {} : { 'x-refresh-token': refresh };
  return { headers: { ...extraHeaders, ...beside, ...key, authorization: `Bearer ${token}` }, token, secrets };
}

/** A shorter secret is hidden only as a whole word. */
const LONG_SECRET = 12;
/** A shorter one may be a word that good replies hold by chance. */
const LEAST_SECRET = 6;

/**
 * Hides our own credentials in a reply, however its JSON spells them (`\/`, `\u0041`), and with invisible characters in
 * between. An airline may repeat our request in its error, and errors are shown and stored.
 */
export function withoutCredentials(
  reply: HttpReply,
  { headers, token, secrets: others = [] }: CallCredentials,
): HttpReply {
  const secrets = [headers['x-api-key'], headers['x-refresh-token'], token, ...others];
  const hide = (text: string) => secrets.reduce<string>((hiddenSoFar, secret) => hidden(hiddenSoFar, secret), text);
  const [text, visible] = [hide(reply.text), withoutInvisible(reply.text)];
  // Names may need their joiners: they go only from a reply that has a secret among them.
  const exact = visible === reply.text || hide(visible) === visible ? text : hide(visible);
  const shown = withoutFolded(exact, secrets);
  return shown === reply.text ? reply : { ...reply, text: shown };
}

/**
 * Replaces texts that are a secret once they are folded: in capitals, in full-width letters, with signs in between. An airline
 * can make a surname of it, and names are compared and stored folded.
 */
function withoutFolded(text: string, secrets: readonly (string | undefined)[]): string {
  const folded = secrets.map((secret = '') => foldName(secret)).filter((secret) => secret.length >= LEAST_SECRET);
  const everything = foldName(text.includes('\\') ? text.replace(STRING, (written) => readString(written)) : text);
  if (!folded.some((secret) => everything.includes(secret))) return text;
  const isSecret = (words: string) => {
    const [joined, alone] = [foldName(words), words.split(/[^\p{L}\p{N}]+/u).map(foldName)];
    return folded.some((secret) =>
      secret.length < LONG_SECRET ? joined === secret || alone.includes(secret) : joined.includes(secret),
    );
  };
  if (!/^\s*[[{]/.test(text)) return isSecret(text) ? '[secret]' : text;
  return text.replace(STRING, (written) => (isSecret(readString(written)) ? '"[secret]"' : written));
}

/** A string of a JSON text (RFC 8259, section 7). */
const STRING = /"(?:[^"\\]|\\.)*"/g;

function readString(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

/** A reply without characters that nobody sees, as they are or as `\uXXXX`. */
function withoutInvisible(text: string): string {
  if (/^[\t\n\r -~]*$/.test(text) && !text.includes('\\u')) return text;
  return text
    .replace(/\\u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4}/g, (written) => {
      const character = JSON.parse(`"${written}"`) as string;
      return INVISIBLE.test(character) ? '' : written;
    })
    .replace(new RegExp(INVISIBLE, 'gu'), '');
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/u;

function hidden(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < LEAST_SECRET) return text;
  // Only an escape can spell it in another way.
  if (!text.includes(secret) && !text.includes('\\')) return text;
  const spelled = escapedSpellings(secret);
  return text.replace(
    secret.length < LONG_SECRET ? wordPattern(spelled, secret) : new RegExp(spelled, 'g'),
    '[secret]',
  );
}

/** Each character as it is, as `\uXXXX`, or with a backslash before it where JSON allows one (RFC 8259, section 7). */
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

/** A short secret that could be a number is not searched for among the numbers of a reply. */
function wordPattern(spelled: string, secret: string): RegExp {
  const number = /^[\d.eE+-]+$/.test(secret) ? '(?<![:,[]\\s*)' : '';
  return new RegExp(`${number}(?<![\\w-])${spelled}(?![\\w-])`, 'g');
}
