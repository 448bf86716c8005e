/** Tries the client of the approval page at its provider, without a person: for the doctor. */
import * as oidc from 'openid-client';
import type { IssuerMetadata } from './discovery.ts';
import { clientOf, type LoginOptions } from './login.ts';
import { isSafeAddress, providerFetch } from './provider-fetch.ts';

export type PageClient = Pick<LoginOptions, 'clientId' | 'clientSecret' | 'redirect'>;

/** `code`: the error that the provider names, or its HTTP status. */
export type ClientTrial =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'unclear'; readonly code: string };

/** The client is refused, not the code (RFC 6749, section 5.2). */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client'];
/** A person would have to do something: client and redirect address are known (OpenID Connect Core, section 3.1.2.6). */
const PERSON_NEEDED = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required'];
const TIMEOUT_MS = 5_000;

/** Redeems a code that does not exist: a provider that knows the client refuses only the code. */
export async function trySecret(client: PageClient, metadata: IssuerMetadata): Promise<ClientTrial> {
  const { redirect } = client;
  try {
    const config = clientOf(client, metadata, providerFetch);
    const verifier = oidc.randomPKCECodeVerifier();
    const code = { code: 'fareclerk-doctor', redirect_uri: redirect, code_verifier: verifier };
    await oidc.genericGrantRequest(config, 'authorization_code', code);
    return { kind: 'unclear', code: 'a token' };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'invalid_grant') return { kind: 'accepted' };
    return { kind: CLIENT_REFUSED.includes(code) ? 'refused' : 'unclear', code };
  }
}

/** Asks for a sign-in without a person: a provider that knows the redirect address answers there. */
export async function tryRedirect(client: PageClient, metadata: IssuerMetadata): Promise<ClientTrial> {
  const { redirect } = client;
  if (!isSafeAddress(metadata.authorization_endpoint ?? '')) return { kind: 'unclear', code: 'no address to sign in' };
  try {
    const address = oidc.buildAuthorizationUrl(clientOf(client, metadata, providerFetch), {
      redirect_uri: redirect,
      scope: 'openid',
      prompt: 'none',
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    const reply = await fetch(address.href, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await reply.body?.cancel();
    const back = URL.parse(reply.headers.get('location') ?? '', address.href);
    if (back?.href.startsWith(redirect)) {
      const error = back.searchParams.get('error') ?? 'no error';
      return PERSON_NEEDED.includes(error) ? { kind: 'accepted' } : { kind: 'refused', code: error };
    }
    return { kind: reply.status >= 400 && reply.status < 500 ? 'refused' : 'unclear', code: `HTTP ${reply.status}` };
  } catch (error) {
    return { kind: 'unclear', code: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return error.error;
  if (error instanceof oidc.WWWAuthenticateChallengeError) return 'invalid_client';
  return 'no answer';
}
