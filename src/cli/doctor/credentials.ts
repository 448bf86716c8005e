/**
 * Finds which credentials the airline accepts: those that are set, each alone, and with the headers that some airlines
 * need. Tries each with one reading of a booking that does not exist.
 */
import type { AirlineConfig } from '../../config/load.ts';
import { EXTRA_HEADERS } from '../../config/values.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { type CheckOutcome, good } from './check.ts';
import { type FindingKey, finding } from './findings.ts';
import { problemOf, said } from './reply-problem.ts';
import type { Asked, Changes, Visit } from './visit.ts';

/** No booking has this locator. */
export const NO_BOOKING = 'ZQ0QZ0';

export const readNothing = (visit: Visit, changes: Changes = {}): Promise<Asked> =>
  visit.ask((airline) => airline.read(NO_BOOKING), changes);

type Mode = AirlineConfig['credentials'];

type Trial = ReturnType<typeof trialOf>;
export type CredentialFacts = Readonly<Record<Mode, Trial>> & { readonly extraHeaders?: Trial };

export interface CredentialResult {
  readonly verdict: CheckOutcome;
  /** The reply is not about credentials: the verdict is about the address or the seller. */
  readonly lost: boolean;
  readonly facts: CredentialFacts;
  readonly asked: Asked;
  /** Other settings that the airline accepts, and the reading with them. */
  readonly works?: { readonly changes: Changes; readonly asked: Asked };
}

const NAMES: Readonly<Record<Mode, string>> = { both: 'key and token', key: 'the key alone', token: 'the token alone' };
const MODES = ['both', 'key', 'token'] as const;

export async function tryCredentials(visit: Visit): Promise<CredentialResult> {
  const { apiKey, credentials: set, login, extraHeaders } = visit.airline;
  const asked = await readNothing(visit);
  const [own, none] = [trialOf(asked), trialOf(undefined)];
  const facts: { -readonly [K in keyof CredentialFacts]: CredentialFacts[K] } = { both: none, key: none, token: none };
  facts[set] = own;
  if (own.outcome === 'unclear') return { verdict: problemOf(asked, 'FARECLERK_BASE_URL'), lost: true, facts, asked };
  const possible = (mode: Mode): boolean =>
    (mode === 'token' || apiKey !== undefined) && (mode === 'key' || visit.tokens !== undefined);
  let works: CredentialResult['works'];
  for (const mode of MODES.filter((one) => one !== set && possible(one))) {
    const other = await readNothing(visit, { credentials: mode });
    facts[mode] = trialOf(other);
    if (facts[mode].outcome === 'accepted') works ??= { changes: { credentials: mode }, asked: other };
  }
  if (own.outcome === 'accepted') return { verdict: accepted(set, facts, asked), lost: false, facts, asked };
  if (login !== undefined && extraHeaders.length < EXTRA_HEADERS.length) {
    const changes = { extraHeaders: EXTRA_HEADERS };
    const other = await readNothing(visit, changes);
    facts.extraHeaders = trialOf(other);
    if (facts.extraHeaders.outcome === 'accepted') works = { changes, asked: other };
  }
  return { verdict: refusal(set, facts, asked), lost: false, facts, asked, ...omitUndefined({ works }) };
}

/** @param asked undefined if it was not tried */
function trialOf(asked: Asked | undefined) {
  const code = asked?.fault?.code;
  const { finding } = asked ? problemOf(asked, 'FARECLERK_BASE_URL') : {};
  const isRefused =
    [401, 403].includes(asked?.status ?? 0) && finding !== 'agent_refused' && finding !== 'agency_suspended';
  const accepts = asked?.answer !== undefined || finding === 'refused';
  const outcome = asked === undefined ? 'not_tried' : accepts ? 'accepted' : isRefused ? 'refused' : 'unclear';
  return { outcome, ...omitUndefined({ status: asked?.status || undefined, code }) } as const;
}

function accepted(set: Mode, facts: CredentialFacts, asked: Asked): CheckOutcome {
  const others = MODES.filter((mode) => mode !== set && facts[mode].outcome !== 'not_tried');
  const tried = others.map((mode) => `${NAMES[mode]}: ${facts[mode].outcome}`).join(', ');
  return good(`Accepted: ${NAMES[set]} (${said(asked)}).${tried === '' ? '' : ` Also tried: ${tried}.`}`);
}

const same = (a: Trial, b: Trial): boolean => a.outcome !== 'not_tried' && a.status === b.status && a.code === b.code;

/** Blames the token if the key alone is accepted or the reply stays the same without the token; and the reverse. */
function refusal(set: Mode, { both, key, token, extraHeaders }: CredentialFacts, asked: Asked): CheckOutcome {
  const signs: readonly (readonly [boolean, FindingKey])[] = [
    [extraHeaders?.outcome === 'accepted', 'extra_headers_needed'],
    [set !== 'key' && key.outcome === 'accepted', 'token_refused.key_accepted'],
    [set !== 'token' && token.outcome === 'accepted', 'key_refused.token_accepted'],
    [set !== 'both' && both.outcome === 'accepted', 'credentials_refused.both_accepted'],
    [set === 'key', 'key_refused.alone'],
    [set === 'token', 'token_refused.alone'],
    [same(both, key) && !same(both, token), 'token_refused'],
    [same(both, token) && key.outcome !== 'not_tried', 'key_refused'],
  ];
  const found = signs.find(([applies]) => applies)?.[1] ?? 'credentials_refused';
  return finding(found, { refused: `The airline refuses ${NAMES[set]} (${said(asked)}).` });
}
