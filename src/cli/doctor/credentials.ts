/**
 * Which credentials the airline takes: the set ones, each alone, and with the headers that some ask for besides. Each is
 * tried with one harmless reading of a booking that does not exist.
 */

import type { AirlineConfig } from '../../config/load.ts';
import { EXTRA_HEADERS } from '../../config/values.ts';
import type { AirlineTokens } from '../../ota/options.ts';
import { good, toMend, type Verdict } from './check.ts';
import { codeOf, said, statusOf, trouble } from './verdicts.ts';
import { type Asked, airlineWith, ask, type Watched } from './watch.ts';

/** No booking has this name: every answer but a booking says what we want to know. */
export const NO_BOOKING = 'ZQ0QZ0';

export type Mode = AirlineConfig['credentials'];

export interface Trial {
  readonly outcome: 'accepted' | 'refused' | 'unclear' | 'not_tried';
  readonly status?: number;
  readonly code?: string;
}

export interface CredentialFacts {
  readonly both: Trial;
  readonly key: Trial;
  readonly token: Trial;
  /** Taken only with the extra headers. */
  readonly extraHeaders?: Trial;
}

export interface Credentialed {
  readonly verdict: Verdict;
  /** The call did not get as far as credentials: the verdict is about the address or the seller. */
  readonly lost?: true;
  readonly facts: CredentialFacts;
  /** The reading in the set way. */
  readonly asked: Asked<unknown>;
  /** A way that the airline accepts, and the reading in that way. */
  readonly works?: { readonly changes: Partial<AirlineConfig>; readonly asked: Asked<unknown> };
}

const NOT_TRIED: Trial = { outcome: 'not_tried' };

/** @param tokens undefined where no token could be had */
export async function tryCredentials(
  airline: AirlineConfig,
  watched: Watched,
  tokens: AirlineTokens | undefined,
): Promise<Credentialed> {
  const read = (changes: Partial<AirlineConfig>): Promise<Asked<unknown>> =>
    ask(watched, () => airlineWith(airline, changes, watched, tokens).read(NO_BOOKING));
  const possible = (mode: Mode): boolean =>
    (mode === 'token' || airline.apiKey !== undefined) && (mode === 'key' || tokens !== undefined);
  const set = airline.credentials;
  const asked = await read({});
  const trials = { both: NOT_TRIED, key: NOT_TRIED, token: NOT_TRIED, [set]: trialOf(asked) };
  const lost =
    trials[set].outcome === 'unclear' ? trouble(asked, { setting: 'FARECLERK_BASE_URL', method: 'POST' }) : undefined;
  if (lost !== undefined) return { verdict: lost, lost: true, facts: trials, asked };
  let works: Credentialed['works'];
  for (const mode of ['both', 'key', 'token'] as const) {
    if (mode === set || !possible(mode)) continue;
    const other = await read({ credentials: mode });
    trials[mode] = trialOf(other);
    if (trials[mode].outcome === 'accepted') works ??= { changes: { credentials: mode }, asked: other };
  }
  if (trials[set].outcome !== 'refused') {
    return { verdict: taken(set, trials, asked), facts: trials, asked, works: { changes: {}, asked } };
  }
  const { login, extraHeaders } = airline;
  if (login === undefined || extraHeaders.length === EXTRA_HEADERS.length)
    return { verdict: refusal(set, trials, asked), facts: trials, asked, ...(works && { works }) };
  const changes = { extraHeaders: EXTRA_HEADERS };
  const more = await read(changes);
  const facts = { ...trials, extraHeaders: trialOf(more) };
  if (facts.extraHeaders.outcome === 'accepted') works = { changes, asked: more };
  const verdict = works?.changes === changes ? wantsHeaders() : refusal(set, trials, asked);
  return { verdict, facts, asked, ...(works && { works }) };
}

function trialOf(asked: Asked<unknown>): Trial {
  const { exchange, answer } = asked;
  const status = statusOf(exchange);
  const code = codeOf(exchange);
  const facts = { ...(status > 0 && { status }), ...(code !== undefined && { code }) };
  if (answer !== undefined) return { outcome: 'accepted', ...facts };
  // 189 and 183 are about the seller: whoever says so has let the credentials pass.
  if ((status === 401 || status === 403) && code !== '189' && code !== '183') return { outcome: 'refused', ...facts };
  const lost = trouble(asked, { setting: '', method: 'POST' });
  return { outcome: lost === undefined ? 'accepted' : 'unclear', ...facts };
}

const NAMES: Readonly<Record<Mode, string>> = { both: 'key and token', key: 'the key alone', token: 'the token alone' };

function taken(set: Mode, trials: CredentialFacts, asked: Asked<unknown>): Verdict {
  const told = (['both', 'key', 'token'] as const)
    .filter((mode) => mode !== set && trials[mode].outcome !== 'not_tried')
    .map((mode) => `${NAMES[mode]}: ${trials[mode].outcome}`);
  const others = told.length === 0 ? '' : ` Tried besides: ${told.join(', ')}.`;
  return good(`Accepted: ${NAMES[set]} (${said(asked.exchange)}).${others}`);
}

/** Refused, and nothing else has been found out: which of the two is it? */
function refusal(set: Mode, trials: CredentialFacts, asked: Asked<unknown>): Verdict {
  const words = `The airline refuses ${NAMES[set]} (${said(asked.exchange)}).`;
  if (set !== 'key' && trials.key.outcome === 'accepted') {
    return toMend(
      'token_refused',
      `${words} It accepts the key alone.`,
      'Set FARECLERK_CREDENTIALS=key; or, where a token is wanted, check FARECLERK_TENANT and FARECLERK_AUTH_URL: it may be the token of another system.',
    );
  }
  if (set !== 'token' && trials.token.outcome === 'accepted') {
    return toMend(
      'key_refused',
      `${words} It accepts the token alone.`,
      'Check FARECLERK_API_KEY, or set FARECLERK_CREDENTIALS=token.',
    );
  }
  if (set !== 'both' && trials.both.outcome === 'accepted') {
    return toMend(
      'credentials_refused',
      `${words} It accepts key and token together.`,
      'Set FARECLERK_CREDENTIALS=both.',
    );
  }
  if (set === 'key')
    return toMend(
      'key_refused',
      words,
      'Check FARECLERK_API_KEY, and that it is meant for this address; or this airline wants a token too (FARECLERK_CREDENTIALS).',
    );
  if (set === 'token')
    return toMend(
      'token_refused',
      words,
      'Check FARECLERK_TENANT and FARECLERK_AUTH_URL; or this airline wants an api key too (FARECLERK_CREDENTIALS).',
    );
  return together(words, trials);
}

const same = (a: Trial, b: Trial): boolean => a.outcome !== 'not_tried' && a.status === b.status && a.code === b.code;

/** Refused with both and with each: whose absence changes nothing is the one that is not accepted. */
function together(words: string, trials: CredentialFacts): Verdict {
  const asWithoutKey = same(trials.both, trials.token);
  const asWithoutToken = same(trials.both, trials.key);
  if (asWithoutToken && !asWithoutKey) {
    return toMend(
      'token_refused',
      `${words} Without the token it says the same, without the key something else: the token is what it does not accept.`,
      'Check FARECLERK_TENANT and FARECLERK_AUTH_URL: the token may be of another system than FARECLERK_BASE_URL.',
    );
  }
  if (asWithoutKey && trials.key.outcome !== 'not_tried') {
    return toMend(
      'key_refused',
      `${words} Without the key it says the same: the key is what it does not accept.`,
      'Check FARECLERK_API_KEY: all of it, no quotation marks, and of this system (test and production keys differ).',
    );
  }
  return toMend(
    'credentials_refused',
    words,
    'Check FARECLERK_API_KEY first, then FARECLERK_TENANT; ask the airline which of the two it wants (FARECLERK_CREDENTIALS).',
  );
}

function wantsHeaders(): Verdict {
  return toMend(
    'extra_headers_needed',
    'The airline accepts the credentials only with the headers X-Realm and X-Refresh-Token.',
    'Set FARECLERK_EXTRA_HEADERS=X-Realm,X-Refresh-Token; one of the two may be enough.',
  );
}
