/**
 * The headers that say who calls: api key, bearer token, or both (docs/wire/interface.md, Authentication).
 */
import { ClerkError } from '../errors.ts';
import type { HttpReply } from './http.ts';
import type { Credentials } from './options.ts';

/** A 401 in the middle of a payment must not happen: a send starts with this much life in its token. */
const SEND_LIFE_MS = 10 * 60_000;

export interface CallCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The token in them, so that a 401 can be told of it. */
  readonly token?: string;
}

/** Throws E_CONFIG where the mode asks for what is not there. */
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

/** Shorter ones could be words of a good reply. */
const LEAST_SECRET = 12;

/** What an airline says of an error is shown and kept: one that repeats its request must not make us tell a secret. */
export function withoutCredentials(reply: HttpReply, { headers, token }: CallCredentials): HttpReply {
  const secrets = [headers['x-api-key'], headers['x-refresh-token'], token].filter((secret) => secret !== undefined);
  const told = secrets.filter((secret) => secret.length >= LEAST_SECRET && reply.text.includes(secret));
  return told.length === 0
    ? reply
    : { ...reply, text: told.reduce((text, secret) => text.replaceAll(secret, '[secret]'), reply.text) };
}
