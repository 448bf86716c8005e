/**
 * Signs people in with their browser: the authorization code flow of OpenID Connect Core 1.0, section 3.1, with PKCE (RFC 7636), state and
 * nonce. The browser keeps what its return needs, sealed in a cookie.
 */
import type { JWTPayload } from 'jose';
import * as oidc from 'openid-client';
import { singleFlight } from '../../core/at-once.ts';
import { cleanText } from '../../core/clean-text.ts';
import { openSealed, type SealedWith, sealBytes } from '../../core/seal.ts';
import type { BrowserLogin, LoginEnd, LoginSession, SignedInPerson } from '../../domain/people/caller.ts';
import { ALGORITHMS, LEEWAY_SECONDS } from './access-tokens.ts';
import { callerOfClaims, hasRole, isSameSubject } from './caller.ts';
import {
  type IssuerMetadata,
  isSafeAddress,
  issuerMetadata,
  type ProviderFetch,
  ProviderUnavailable,
  providerFetch,
} from './identity-provider.ts';

export interface LoginOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
  readonly clientSecret?: string;
  /** Where the provider sends browsers back. It is registered there to the letter. */
  readonly redirect: string;
  readonly tenantClaim?: string;
  /** Role of those who may decide for others; absent: nobody may. */
  readonly approverRole?: string;
  /** Role of those who may see the questions of others; absent: nobody may. */
  readonly deskRole?: string;
  /** Secret of the installation, shared by its instances: the key of the cookies is derived from it. */
  secret(): Promise<Uint8Array>;
  readonly fetch?: ProviderFetch;
  /** Receives the reason if nobody can sign in: the provider is down, or refuses this client (`error.code`). */
  readonly failed?: (error: unknown) => void;
}

/** How long a person may take to sign in, seconds. */
const TICKET_SECONDS = 600;
/** How long a sign-in lasts, seconds. */
const SESSION_SECONDS = 900;
/** How many places a session remembers: it must fit a cookie. */
const MOST_PLACES = 12;
/** The provider's metadata is fetched again after this time, milliseconds. */
const FRESH_MS = 10 * 60_000;
/** Characters of a person's name that are shown. */
const MAX_NAME = 60;
/** Errors by which the provider refuses the client, not the person (RFC 6749, section 5.2): its id or secret is wrong. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client'];

/** Makes the browser sign-in for one issuer and client. */
export function createLogin(options: LoginOptions): BrowserLogin {
  const { issuer, clientId, redirect, fetch = providerFetch } = options;
  const seal = createSeal(options.secret, JSON.stringify([issuer, clientId, redirect]));
  const reportFailure = (error: unknown): undefined => void options.failed?.(error);

  const provider = singleFlight(async () => oidcClient(options, await issuerMetadata(issuer, fetch), fetch), {
    keepMs: FRESH_MS,
    tick: () => Date.now(),
  });

  /** Opens the first session of these that is ours, with the places whose sign-in has not expired. */
  async function openSession(sealed: readonly string[]): Promise<SessionContent | undefined> {
    for (const value of sealed) {
      const content = (await seal.open(value, 'session')) as SessionContent | undefined;
      if (content === undefined) continue;
      return { ...content, places: content.places.filter(({ until }) => until > Date.now()) };
    }
    return undefined;
  }

  /** Seals the session that begins. A person who signs in again keeps the places of their last sign-ins. */
  async function sealSession(person: SignedInPerson, place: string, sessions: readonly string[]): Promise<string> {
    const earlier = await openSession(sessions);
    const known = earlier?.person.tenant === person.tenant && earlier.person.id === person.id ? earlier : undefined;
    const others = known?.places.filter((other) => other.name !== place) ?? [];
    const places = [...others, { name: place, until: Date.now() + SESSION_SECONDS * 1_000 }].slice(-MOST_PLACES);
    return seal.close({ id: known?.id ?? oidc.randomState(), person, places }, 'session', SESSION_SECONDS);
  }

  return {
    ticketSeconds: TICKET_SECONDS,
    sessionSeconds: SESSION_SECONDS,
    isSame: isSameSubject,

    async begin(place, prompt) {
      const config = await provider().catch(reportFailure);
      if (config === undefined || !isSafeAddress(config.serverMetadata().authorization_endpoint ?? ''))
        return undefined;

      const ticket: LoginTicket = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        place,
      };

      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirect,
        scope: 'openid',
        state: ticket.state,
        nonce: ticket.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(ticket.verifier),
        code_challenge_method: 'S256',
        ...(prompt === 'anew' && { prompt: 'login' }),
      });
      return { address: address.href, ticket: await seal.close(ticket, 'ticket', TICKET_SECONDS) };
    },

    async end(answer, tickets, sessions): Promise<LoginEnd> {
      const ticket = await findTicket(seal, answer.get('state'), tickets);
      if (ticket === undefined) return { kind: 'unfit' };

      const { place, sealed } = ticket;
      try {
        const claims = await redeemCode(await provider(), returnAddress(redirect, answer), ticket);
        const person = claims && signedInPerson(options, claims);
        if (person === undefined) return { kind: 'unfit' };
        return { kind: 'signed_in', place, session: await sealSession(person, place, sessions), ticket: sealed };
      } catch (error) {
        if (error instanceof oidc.AuthorizationResponseError) return { kind: 'denied', place };
        const reason = providerFailure(error);
        if (reason === undefined) return { kind: 'unfit' };
        reportFailure(reason);
        return { kind: 'unavailable' };
      }
    },

    async session(sealed): Promise<LoginSession | undefined> {
      const content = await openSession(sealed);
      return content && { id: content.id, person: content.person, places: content.places.map(({ name }) => name) };
    },
  };
}

/** What is needed when the person returns from the provider. */
interface LoginTicket {
  /** Tells this sign-in from others of the same browser. */
  readonly state: string;
  /** Binds the ID token to this sign-in. */
  readonly nonce: string;
  /** Proves by PKCE that the same browser redeems the code. */
  readonly verifier: string;
  /** The page for which the person signs in. */
  readonly place: string;
}

/** What a session holds. */
interface SessionContent extends Pick<LoginSession, 'id' | 'person'> {
  /** With the end of each, milliseconds since 1970. The last one is the newest. */
  readonly places: readonly { readonly name: string; readonly until: number }[];
}

/** Finds the ticket with this state: a browser may have begun several sign-ins. */
async function findTicket(
  seal: Seal,
  state: string | null,
  tickets: readonly string[],
): Promise<(LoginTicket & { readonly sealed: string }) | undefined> {
  for (const sealed of tickets) {
    const ticket = (await seal.open(sealed, 'ticket')) as LoginTicket | undefined;
    if (ticket !== undefined && ticket.state === state) return { ...ticket, sealed };
  }
  return undefined;
}

function oidcClient(
  { clientId, clientSecret }: Pick<LoginOptions, 'clientId' | 'clientSecret'>,
  metadata: IssuerMetadata,
  fetch: ProviderFetch,
): oidc.Configuration {
  // The default of the metadata (RFC 8414, section 2).
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
  const config = new oidc.Configuration(
    { ...metadata, id_token_signing_alg_values_supported: ALGORITHMS },
    clientId,
    { [oidc.clockTolerance]: LEEWAY_SECONDS },
    clientSecret === undefined ? oidc.None() : authentication(clientSecret),
  );

  config[oidc.customFetch] = fetch;
  // `fetch` decides which addresses are safe: https, and http on loopback.
  oidc.allowInsecureRequests(config);

  // Without it the library trusts the connection and does not check the signature of the ID token.
  oidc.enableNonRepudiationChecks(config);
  return config;
}

/** The address to which the browser came back, with the parameters of the protocol alone. */
function returnAddress(redirect: string, answer: URLSearchParams): URL {
  const address = new URL(redirect);
  for (const name of ['code', 'state', 'iss', 'error']) {
    for (const value of answer.getAll(name)) address.searchParams.append(name, value);
  }
  // An answer without a code is a refusal, whatever it says.
  if (!answer.has('code') && !answer.has('error')) address.searchParams.set('error', 'access_denied');
  return address;
}

/**
 * Redeems the code of an answer. Returns the claims of the ID token (OpenID Connect Core, section 3.1.3.7); undefined if
 * it is too old or for another client.
 */
async function redeemCode(
  config: oidc.Configuration,
  answer: URL,
  { state, nonce, verifier }: LoginTicket,
): Promise<oidc.IDToken | undefined> {
  const reply = await oidc.authorizationCodeGrant(config, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = reply.claims();
  if (claims === undefined) return undefined;

  const ageSeconds = Date.now() / 1000 - claims.iat;
  if (ageSeconds > TICKET_SECONDS + LEEWAY_SECONDS || ageSeconds < -LEEWAY_SECONDS) return undefined;

  return claims.azp === undefined || claims.azp === config.clientMetadata().client_id ? claims : undefined;
}

/** Why nobody can sign in; undefined if only this code or ID token is invalid. */
function providerFailure(error: unknown): unknown {
  if (error instanceof oidc.ResponseBodyError) {
    if (!CLIENT_REFUSED.includes(error.error)) return undefined;
    return Object.assign(new Error('the provider refuses the client'), { code: error.error });
  }
  if (!(error instanceof oidc.ClientError)) return error;
  return error.cause instanceof ProviderUnavailable ? error.cause : undefined;
}

function signedInPerson(
  { issuer, clientId, tenantClaim, approverRole, deskRole }: LoginOptions,
  claims: oidc.IDToken,
): SignedInPerson | undefined {
  const caller = callerOfClaims({ ...claims, iss: issuer, client_id: clientId }, tenantClaim);
  if (caller === undefined) return undefined;

  return {
    ...caller,
    approver: hasRole(claims, clientId, approverRole),
    supervisor: hasRole(claims, clientId, deskRole),
    name: personName(claims),
  };
}

/** The person's name: the first of these claims that is not empty. */
function personName({ name, preferred_username, email, sub }: JWTPayload): string {
  const [first = ''] = [name, preferred_username, email, sub].filter(
    (claim) => typeof claim === 'string' && claim !== '',
  );
  return cleanText(String(first), MAX_NAME);
}

type Seal = ReturnType<typeof createSeal>;

/**
 * Seals values that a browser keeps for us. The server keeps nothing, so that any instance can open what another sealed.
 * @param secret of the installation, shared by its instances
 * @param owner the server that the values are for; another server cannot open them
 */
function createSeal(secret: () => Promise<Uint8Array>, owner: string) {
  async function sealedWith(use: string): Promise<SealedWith> {
    const key = Buffer.from(await secret()).toString('base64');
    return { secret: key, purpose: `fareclerk sign-in ${owner}`, boundTo: use };
  }

  return {
    async close(content: object, use: string, seconds: number): Promise<string> {
      const sealed: SealedValue = { content, until: Date.now() + seconds * 1_000 };
      return sealBytes(Buffer.from(JSON.stringify(sealed)), await sealedWith(use));
    },

    /** Returns undefined if the value is not ours, for another use, or expired. */
    async open(value: string, use: string): Promise<unknown> {
      const { content, until } = readSealed(value, await sealedWith(use)) ?? { until: 0 };
      return Date.now() < until ? content : undefined;
    },
  };
}

interface SealedValue {
  readonly content: object;
  /** When it expires, milliseconds since 1970. */
  readonly until: number;
}

function readSealed(value: string, sealedWith: SealedWith): SealedValue | undefined {
  try {
    return JSON.parse(openSealed(value, sealedWith).toString()) as SealedValue;
  } catch {
    return undefined;
  }
}
