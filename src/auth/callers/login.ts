/**
 * Browser sign-in: the authorization code flow of OpenID Connect Core 1.0, section 3.1, with PKCE (RFC 7636), state and
 * nonce. What is due between leaving and coming back lies sealed in the browser's own cookie.
 */
import { createHash, randomBytes } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { BrowserLogin, LoginEnd, Person } from '../../domain/people/browser-login.ts';
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import { callerOfClaims, isSameSubject } from './caller.ts';
import { type IssuerMetadata, issuerMetadata } from './discovery.ts';
import { type GetJson, getJson, type PostForm, postForm } from './get-json.ts';
import { type IssuerKeys, KeysUnavailable } from './keys.ts';
import { createSeal, type Seal } from './seal.ts';
import { ALGORITHMS, LEEWAY_SECONDS } from './sign-in.ts';

export interface LoginOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
  readonly clientSecret?: string;
  /** Where the provider sends browsers back; registered there to the letter. */
  readonly redirect: string;
  readonly tenantClaim?: string;
  /** Role of those who may decide for others; absent: nobody may. */
  readonly approverRole?: string;
  readonly keys: IssuerKeys;
  /** Secret of the installation, shared by its instances: cookies are sealed with what is derived of it. */
  secret(): Promise<Uint8Array>;
  readonly get?: GetJson;
  readonly post?: PostForm;
  /** Told why nobody can sign in just now: the provider is away, or refuses this program itself (`error.code`). */
  readonly failed?: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const TICKET_SECONDS = 600;
const SESSION_SECONDS = 900;
/** Metadata is asked for again after this long, milliseconds. */
const FRESH_MS = 10 * 60_000;
const MAX_NAME = 60;

export function createLogin(options: LoginOptions): BrowserLogin {
  const { issuer, clientId, redirect, get = getJson, now = Date.now } = options;
  const seal = createSeal(options.secret, JSON.stringify([issuer, clientId, redirect]), () => new Date(now()));
  const failed = (error: unknown): undefined => void options.failed?.(error);
  const metadata = remembered(() => issuerMetadata(issuer, get), now);

  return {
    ticketSeconds: TICKET_SECONDS,
    sessionSeconds: SESSION_SECONDS,
    isSame: isSameSubject,
    async begin(place, anew) {
      const authorize = (await metadata().catch(failed))?.authorize;
      if (authorize === undefined) return undefined;
      const [state, nonce, verifier] = [word(), word(), word()];
      const address = new URL(authorize);
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirect,
        scope: 'openid',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(anew && { prompt: 'login' }),
      };
      for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
      const ticket = await seal.close({ state, nonce, verifier, place }, 'ticket', TICKET_SECONDS);
      return { address: address.href, ticket };
    },
    async end(answer, tickets): Promise<LoginEnd> {
      const ticket = await ticketOf(seal, answer.get('state'), tickets);
      if (ticket === undefined) return { kind: 'unfit' };
      const { place } = ticket;
      try {
        const known = await metadata();
        if (!isFrom(answer.get('iss'), issuer, known)) return { kind: 'unfit' };
        const code = answer.get('code');
        if (answer.has('error') || code === null) return { kind: 'denied', place };
        const token = await exchange(options, known, code, ticket.verifier);
        const person = token && (await personOf(options, token, ticket.nonce, new Date(now())));
        if (!person) return { kind: 'unfit' };
        return {
          kind: 'signed_in',
          place,
          session: await seal.close({ ...person, place }, 'session', SESSION_SECONDS),
        };
      } catch (error) {
        failed(error);
        return { kind: 'unavailable' };
      }
    },
    async person(session, place) {
      const content = (await seal.open(session, 'session')) as (Person & { place: string }) | undefined;
      if (content === undefined || content.place !== place) return undefined;
      const { tenant, id, approver, name } = content;
      return { tenant, id, approver, name };
    },
  };
}

interface Ticket {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly place: string;
}

/** The ticket of this very journey: a browser may have begun several. */
async function ticketOf(seal: Seal, state: string | null, tickets: readonly string[]): Promise<Ticket | undefined> {
  for (const sealed of tickets) {
    const ticket = (await seal.open(sealed, 'ticket')) as Ticket | undefined;
    if (ticket !== undefined && ticket.state === state) return ticket;
  }
  return undefined;
}

/** RFC 9207, section 2.4: another provider's answer must not be taken for this one's. */
function isFrom(named: string | null, issuer: string, { namesItself }: IssuerMetadata): boolean {
  return named === null ? !namesItself : named === issuer;
}

/** Refusals of the client, not of the person (RFC 6749, section 5.2): its id or its secret is wrong. */
const OURS = ['invalid_client', 'unauthorized_client'];

/** The ID token; undefined where the provider refused the code. */
async function exchange(
  options: LoginOptions,
  { token: address, clientAuth }: IssuerMetadata,
  code: string,
  verifier: string,
): Promise<string | undefined> {
  const { clientId, clientSecret, redirect, post = postForm } = options;
  if (address === undefined) throw new Error('no token endpoint');
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
  });
  const headers: Record<string, string> = {};
  if (clientSecret === undefined) form.set('client_id', clientId);
  else if (clientAuth.includes('client_secret_basic')) headers.authorization = basic(clientId, clientSecret);
  else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const { status, value } = await post(address, form, headers);
  if (status >= 500 || status === 429) throw new Error(`HTTP ${status}`);
  const { id_token: token, error } = (value ?? {}) as { id_token?: unknown; error?: unknown };
  if (OURS.includes(String(error))) throw Object.assign(new Error('the provider refuses the client'), { code: error });
  return status === 200 && typeof token === 'string' ? token : undefined;
}

/** RFC 6749, section 2.3.1: both words are form-encoded first. */
function basic(clientId: string, secret: string): string {
  const encoded = [clientId, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

/** OpenID Connect Core, section 3.1.3.7. Undefined where the token does not hold. */
async function personOf(
  { issuer, clientId, tenantClaim, approverRole, keys }: LoginOptions,
  token: string,
  nonce: string,
  currentDate: Date,
): Promise<Person | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      currentDate,
      maxTokenAge: TICKET_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
    });
    if (payload.nonce !== nonce || !isForUs(payload, clientId)) return undefined;
    const caller = callerOfClaims({ ...payload, iss: issuer, client_id: clientId }, tenantClaim);
    if (caller === undefined) return undefined;
    const approver = approverRole !== undefined && rolesIn(payload, clientId).includes(approverRole);
    return { ...caller, approver, name: nameIn(payload) };
  } catch (error) {
    if (error instanceof KeysUnavailable || !(error instanceof errors.JOSEError)) throw error;
    return undefined;
  }
}

function isForUs({ aud, azp }: JWTPayload, clientId: string): boolean {
  if (azp !== undefined) return azp === clientId;
  return !Array.isArray(aud) || aud.length === 1;
}

/** `roles` or `groups`; Keycloak: `realm_access.roles` and `resource_access.<client>.roles`. */
function rolesIn(claims: JWTPayload, clientId: string): readonly unknown[] {
  const { roles, groups, realm_access: realm, resource_access: clients } = claims;
  const lists = [roles, groups, field(realm, 'roles'), field(field(clients, clientId), 'roles')];
  return lists.flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function nameIn({ name, preferred_username: username, email, sub }: JWTPayload): string {
  const [first = ''] = [name, username, email, sub].filter((one) => typeof one === 'string' && one !== '');
  return cleanText(String(first), MAX_NAME);
}

/** 256 bits, base64url: state, nonce and code verifier alike (RFC 7636, section 4.1: 43 characters). */
function word(): string {
  return randomBytes(32).toString('base64url');
}

/** One answer for a while; a failure is not kept. */
function remembered<T>(ask: () => Promise<T>, now: () => number): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; readonly at: number } | undefined;
  return () => {
    if (kept !== undefined && now() - kept.at < FRESH_MS) return kept.answer;
    const answer = ask().catch((error) => {
      if (kept?.answer === answer) kept = undefined;
      throw error;
    });
    kept = { answer, at: now() };
    return answer;
  };
}
