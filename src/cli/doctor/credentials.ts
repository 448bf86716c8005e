/**
 * Which credentials the airline accepts: those that are set, each alone, and with the headers that some airlines ask
 * for. Each is tried with one reading of a booking that does not exist.
 */

import type { AirlineConfig } from '../../config/load.ts';
import { EXTRA_HEADERS } from '../../config/values.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { good, type Verdict } from './check.ts';
import { type FindingKey, finding } from './findings.ts';
import { problemOf, said } from './reply-problem.ts';
import type { Asked, Changes, Visit } from './visit.ts';

/** No booking has this locator: every answer but a booking says what we want to know. */
export const NO_BOOKING = 'ZQ0QZ0';

export const readNothing = (visit: Visit, changes: Changes = {}): Promise<Asked> =>
  visit.ask((airline) => airline.read(NO_BOOKING), changes);

type Mode = AirlineConfig['credentials'];

interface Trial {
  readonly outcome: 'accepted' | 'refused' | 'unclear' | 'not_tried';
  readonly status?: number;
  readonly code?: string;
}

export interface CredentialFacts extends Readonly<Record<Mode, Trial>> {
  /** Accepted only with the extra headers. */
  readonly extraHeaders?: Trial;
}

export interface CredentialResult {
  readonly verdict: Verdict;
  /** The call did not get as far as credentials: the verdict is about the address or the seller. */
  readonly lost?: true;
  readonly facts: CredentialFacts;
  /** The reading with the credentials that are set. */
  readonly asked: Asked;
  /** Settings that the airline accepts, and the reading with them. */
  readonly works?: { readonly changes: Changes; readonly asked: Asked };
}

const NOT_TRIED: Trial = { outcome: 'not_tried' };
const NAMES: Readonly<Record<Mode, string>> = { both: 'key and token', key: 'the key alone', token: 'the token alone' };
const MODES = ['both', 'key', 'token'] as const;

export async function tryCredentials(visit: Visit): Promise<CredentialResult> {
  const { apiKey, credentials: set, login, extraHeaders } = visit.airline;
  const asked = await readNothing(visit);
  const facts = { both: NOT_TRIED, key: NOT_TRIED, token: NOT_TRIED, [set]: trialOf(asked) };
  if (facts[set].outcome === 'unclear')
    return { verdict: problemOf(asked, 'FARECLERK_BASE_URL'), lost: true, facts, asked };
  let works: CredentialResult['works'];
  for (const mode of MODES) {
    const possible = (mode === 'token' || apiKey !== undefined) && (mode === 'key' || visit.tokens !== undefined);
    if (mode === set || !possible) continue;
    const other = await readNothing(visit, { credentials: mode });
    facts[mode] = trialOf(other);
    if (facts[mode].outcome === 'accepted') works ??= { changes: { credentials: mode }, asked: other };
  }
  if (facts[set].outcome !== 'refused')
    return { verdict: accepted(set, facts, asked), facts, asked, works: { changes: {}, asked } };
  if (login !== undefined && extraHeaders.length < EXTRA_HEADERS.length) {
    const changes = { extraHeaders: EXTRA_HEADERS };
    const more = await readNothing(visit, changes);
    const withHeaders = { ...facts, extraHeaders: trialOf(more) };
    if (withHeaders.extraHeaders.outcome === 'accepted')
      return { verdict: finding('extra_headers_needed'), facts: withHeaders, asked, works: { changes, asked: more } };
    return { verdict: refusal(set, facts, asked), facts: withHeaders, asked, ...omitUndefined({ works }) };
  }
  return { verdict: refusal(set, facts, asked), facts, asked, ...omitUndefined({ works }) };
}

function trialOf(asked: Asked): Trial {
  const { status, fault } = asked;
  const facts = omitUndefined({ status: status || undefined, code: fault?.code });
  if (asked.answer !== undefined) return { outcome: 'accepted', ...facts };
  const { finding } = problemOf(asked, 'FARECLERK_BASE_URL');
  // Whoever judges the seller by 189 and 183 has accepted the credentials.
  const seller = fault?.code === '189' || fault?.code === '183';
  if ((status === 401 || status === 403) && !seller) return { outcome: 'refused', ...facts };
  return { outcome: finding === 'refused' ? 'accepted' : 'unclear', ...facts };
}

function accepted(set: Mode, facts: CredentialFacts, asked: Asked): Verdict {
  const others = MODES.filter((mode) => mode !== set && facts[mode].outcome !== 'not_tried');
  const tried = others.map((mode) => `${NAMES[mode]}: ${facts[mode].outcome}`).join(', ');
  return good(`Accepted: ${NAMES[set]} (${said(asked)}).${tried === '' ? '' : ` Tried besides: ${tried}.`}`);
}

const same = (a: Trial, b: Trial): boolean => a.outcome !== 'not_tried' && a.status === b.status && a.code === b.code;

/** Tells which of the two is wrong: the one that is accepted alone, or whose absence changes nothing. */
function refusal(set: Mode, { both, key, token }: CredentialFacts, asked: Asked): Verdict {
  const signs: readonly (readonly [boolean, FindingKey])[] = [
    [set !== 'key' && key.outcome === 'accepted', 'token_refused.key_accepted'],
    [set !== 'token' && token.outcome === 'accepted', 'key_refused.token_accepted'],
    [set !== 'both' && both.outcome === 'accepted', 'credentials_refused.both_accepted'],
    [set === 'key', 'key_refused.alone'],
    [set === 'token', 'token_refused.alone'],
    [same(both, key) && !same(both, token), 'token_refused'],
    [same(both, token) && key.outcome !== 'not_tried', 'key_refused'],
  ];
  const found = signs.find(([applies]) => applies)?.[1] ?? 'credentials_refused';
  return finding(found, { set: NAMES[set], said: said(asked) });
}
