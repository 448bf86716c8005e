/**
 * Who may call: the api key header and the access token, both by default (docs/wire/interface.md, Authentication;
 * docs/wire/notes.md, Addressing).
 */
import { timingSafeEqual } from 'node:crypto';
import type { SandboxContext } from '../context.ts';
import { isLiveToken } from '../identity.ts';
import { Fault } from '../refusal.ts';
import type { Incoming } from '../reply.ts';

function same(given: string, due: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(due)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Throws 175 for the key, 497 for the token. */
export function checkCredentials(house: SandboxContext, incoming: Incoming): void {
  const { 'x-api-key': key, authorization } = incoming.headers;
  if (house.accepts !== 'token' && !(typeof key === 'string' && same(key, house.credentials.apiKey))) {
    throw new Fault('175', 'header x-api-key missing or unknown');
  }
  if (house.accepts === 'key') return;
  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Fault('497', 'header authorization: a bearer token is due');
  if (!isLiveToken(house.state, token, house.clock.now()))
    throw new Fault('497', 'the access token is unknown or expired');
}
