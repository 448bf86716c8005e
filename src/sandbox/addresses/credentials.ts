/**
 * Who may call: the api key header and the access token, both by default (docs/wire/interface.md, Authentication;
 * docs/wire/notes.md, Addressing).
 */
import { timingSafeEqual } from 'node:crypto';
import type { SandboxContext } from '../context.ts';
import { isLiveToken } from '../identity.ts';
import { Refusal } from '../refusal.ts';
import type { Incoming } from '../reply.ts';

function same(given: string, due: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(due)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Throws 175 for the key, 497 for the token. */
export function checkCredentials(context: SandboxContext, incoming: Incoming): void {
  const { 'x-api-key': key, authorization } = incoming.headers;
  if (context.accepts !== 'token' && !(typeof key === 'string' && same(key, context.credentials.apiKey))) {
    throw new Refusal('175', 'header x-api-key missing or unknown');
  }
  if (context.accepts === 'key') return;
  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal('497', 'header authorization: a bearer token is due');
  if (!isLiveToken(context.state, token, context.clock.now()))
    throw new Refusal('497', 'the access token is unknown or expired');
}
