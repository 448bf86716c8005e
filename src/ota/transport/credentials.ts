/** The headers that authenticate a call: API key, bearer token, or both (docs/wire/interface.md, Authentication). */
import { ClerkError } from '../../errors.ts';
import type { Credentials } from '../options.ts';
import type { HttpReply } from './http.ts';

/** A token must outlive a payment: a send starts with this much life in it. */
const SEND_LIFE_MS = 10 * 60_000;

export interface CallCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The token in them, for a 401. */
  readonly token?: string;
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
  const { mode, apiKey, tokens, extraHeaders, sendsRefreshToken } = credentials;
  const key = mode === 'token' || apiKey === undefined ? {} : { 'x-api-key': apiKey };
  if (mode === 'key' || tokens === undefined) return { headers: { ...extraHeaders, ...key } };
  const token = await (sending ? tokens.ensureLife(SEND_LIFE_MS) : tokens.token());
  const refresh = sendsRefreshToken ? tokens.refreshToken?.() : undefined;
  const beside = refresh === undefined ? {} : { 'x-refresh-token': refresh };
  return { headers: { ...extraHeaders, ...beside, ...key, authorization: `Bearer ${token}` }, token };
}

/** A shorter secret is hidden only as a whole word. */
const LONG_SECRET = 12;
/** A shorter one may be a word that good replies hold by chance. */
const LEAST_SECRET = 6;

/**
 * Hides our own credentials in a reply, however its JSON spells them (`\/`, `\u0041`). An airline may repeat our
 * request in its error, and errors are shown and stored.
 */
export function withoutCredentials(reply: HttpReply, { headers, token }: CallCredentials): HttpReply {
  const secrets = [headers['x-api-key'], headers['x-refresh-token'], token];
  const text = secrets.reduce<string>((told, secret) => hidden(told, secret), reply.text);
  return text === reply.text ? reply : { ...reply, text };
}

function hidden(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < LEAST_SECRET) return text;
  // Only an escape can spell it in another way.
  if (!text.includes(secret) && !text.includes('\\')) return text;
  const spelled = spellingsOf(secret);
  return text.replace(secret.length < LONG_SECRET ? wholeWord(spelled, secret) : new RegExp(spelled, 'g'), '[secret]');
}

/** Each character as it is, as `\uXXXX`, or with a backslash before it where JSON allows one (RFC 8259, section 7). */
function spellingsOf(secret: string): string {
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
function wholeWord(spelled: string, secret: string): RegExp {
  const number = /^[\d.eE+-]+$/.test(secret) ? '(?<![:,[]\\s*)' : '';
  return new RegExp(`${number}(?<![\\w-])${spelled}(?![\\w-])`, 'g');
}
