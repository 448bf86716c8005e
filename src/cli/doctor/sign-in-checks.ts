/** Checks what a team server needs beside the airline: the identity provider of its callers, and its public address. */

import { SCOPES } from '../../access/scopes.ts';
import { type IssuerMetadata, issuerMetadata } from '../../auth/callers/discovery.ts';
import { type ClientTrial, type PageClient, tryRedirect, trySecret } from '../../auth/callers/page-client.ts';
import { type ProviderFetch, ProviderUnavailable, providerFetch } from '../../auth/callers/provider-fetch.ts';
import { ALGORITHMS } from '../../auth/callers/sign-in.ts';
import { readCallersFile } from '../../config/callers.ts';
import type { Config } from '../../config/load.ts';
import { cleanText } from '../../core/clean-text.ts';
import { counted } from '../../core/words.ts';
import { redirectOf } from '../../server/approval-page/public-page.ts';
import { METADATA_PATH } from '../../server/http/challenge.ts';
import { type Check, type CheckOutcome, finding, good, listed, mild } from './check.ts';
import { checkAddress } from './network.ts';
import type { AirlineAnswers, DoctorOptions } from './visit.ts';
import { dateReading } from './visit.ts';

type Http = Config['http'] & { readonly issuer: string; readonly publicUrl: string };

/** None without an issuer. */
export function signInChecks({ http }: Config, options: DoctorOptions, answers: AirlineAnswers): readonly Check[] {
  const { issuer, publicUrl, page } = http;
  if (issuer === undefined || publicUrl === undefined) return [];
  const team: Http = { ...http, issuer, publicUrl };
  let metadata: IssuerMetadata | undefined;
  const timed: ProviderFetch = async (...args) => {
    const reply = await providerFetch(...args);
    // A reply that a cache kept says when it was made.
    if (!reply.headers.has('age')) answers.clocks = dateReading(issuer, reply.headers.get('date'), options.now());
    return reply;
  };
  const address = (text: string, setting: string) => checkAddress({ url: new URL(text), settings: [setting] }, options);
  const checkPage = async () => (metadata && page ? checkPageClient(pageClientOf(team), metadata) : undefined);
  return [
    { id: 'address.issuer', title: 'issuer host', run: () => address(issuer, 'FARECLERK_ISSUER') },
    {
      id: 'issuer',
      title: 'issuer',
      needs: ['address.issuer'],
      async run() {
        metadata = await issuerMetadata(issuer, timed).catch(() => undefined);
        return metadata === undefined ? whatIsThere(issuer) : checkKeys(metadata);
      },
    },
    { id: 'audience', title: 'tokens', needs: ['issuer'], run: () => metadata && checkTokens(team, metadata) },
    { id: 'page_client', title: 'page client', needs: ['issuer'], run: checkPage },
    { id: 'approver_role', title: 'approvers', run: () => (page ? approvers(page.approverRole) : undefined) },
    // Some networks cannot reach their own public address from inside.
    {
      id: 'address.public',
      title: 'public host',
      run: async () => mild(await address(publicUrl, 'FARECLERK_PUBLIC_URL')),
    },
    { id: 'public_url', title: 'public address', needs: ['address.public', 'issuer'], run: () => checkPublicUrl(team) },
  ];
}

function pageClientOf({ page, publicUrl }: Http): PageClient {
  const clientSecret = page?.clientSecret?.reveal();
  return { clientId: page?.clientId ?? '', redirect: redirectOf(publicUrl), clientSecret };
}

/** Why there is no metadata of this issuer. */
async function whatIsThere(issuer: string): Promise<CheckOutcome> {
  try {
    const reply = await providerFetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const found = ((await reply.json()) as { issuer?: unknown } | null)?.issuer;
    if (typeof found === 'string' && found !== issuer)
      return finding('issuer_wrong.other', { issuer, found: plain(found) });
    return finding('issuer_wrong', { issuer, said: 'incomplete metadata' });
  } catch (error) {
    return finding('issuer_wrong', { issuer, said: saidOf(error) });
  }
}

async function checkKeys(metadata: IssuerMetadata): Promise<CheckOutcome> {
  const { issuer, jwks_uri: where } = metadata;
  try {
    const { keys = [] } = (await (await providerFetch(where)).json()) as { keys?: readonly Record<string, unknown>[] };
    const usable = keys.filter(({ use, alg }) => use !== 'enc' && ALGORITHMS.includes(String(alg ?? ALGORITHMS[0])));
    if (usable.length === 0) {
      const algorithms =
        listed(
          keys.map(({ alg }) => plain(String(alg))),
          ', ',
        ) || 'no keys';
      return finding('issuer_keys', { where, said: algorithms });
    }
    if (!metadata.code_challenge_methods_supported?.includes('S256'))
      return finding('issuer_incomplete', { missing: 'PKCE with S256 (code_challenge_methods_supported)' });
    return good(`${issuer} answers, with ${counted(usable.length, 'key')} for tokens`);
  } catch (error) {
    return finding('issuer_keys', { where, said: saidOf(error) });
  }
}

function checkTokens({ issuer, audience, publicUrl, callersFile }: Http, metadata: IssuerMetadata): CheckOutcome {
  const tenantClaim = readCallersFile(callersFile)?.tenantClaim;
  const offered = metadata.scopes_supported;
  const missing = offered === undefined ? [] : SCOPES.filter((scope) => !offered.includes(scope));
  if (missing.length > 0) return finding('scopes_unknown', { missing: missing.join(', ') });
  const claims = listed(
    [`iss ${issuer}`, `aud ${audience ?? `${publicUrl}/mcp`}`, 'sub', tenantClaim && `${tenantClaim} (the tenant)`],
    ', ',
  );
  return good(`Access tokens need ${claims}, and scopes such as ${SCOPES[0]}`);
}

async function checkPageClient(client: PageClient, metadata: IssuerMetadata): Promise<CheckOutcome> {
  const { clientId, clientSecret, redirect } = client;
  const without = clientSecret === undefined ? ' without a secret' : '';
  const secret = await trySecret(client, metadata);
  if (secret.kind === 'refused') return finding('page_client_refused', { without, said: plain(secret.code) });
  const sent = await tryRedirect(client, metadata);
  if (sent.kind === 'refused')
    return finding('page_redirect_refused', { client: clientId, redirect, said: plain(sent.code) });
  const unclear = [secret, sent].find((one): one is Extract<ClientTrial, { code: string }> => one.kind === 'unclear');
  if (unclear !== undefined) return finding('page_client_unclear', { said: plain(unclear.code) });
  return good(`The provider knows ${clientId}${without} and its redirect address ${redirect}`);
}

function approvers(role: string | undefined): CheckOutcome {
  if (role === undefined) return good('Only the person who asked decides: FARECLERK_APPROVER_ROLE is not set');
  return good(`People whose ID token has the role ${role} decide for others. Who has it, only the provider knows`);
}

/** Compares what the public address says of itself (RFC 9728) with the settings. */
async function checkPublicUrl({ publicUrl, issuer }: Http): Promise<CheckOutcome> {
  const { origin, pathname } = new URL(`${publicUrl}/mcp`);
  const where = `${origin}${METADATA_PATH}${pathname}`;
  try {
    const found = (await (await providerFetch(where)).json()) as Readonly<Record<string, unknown>>;
    const { resource, authorization_servers: issuers } = found;
    const other = listed(
      [
        resource !== `${publicUrl}/mcp` && `public address ${plain(String(resource))}`,
        !(Array.isArray(issuers) && issuers.includes(issuer)) && `issuer ${plain(String(issuers))}`,
      ],
      ', ',
    );
    return other === ''
      ? good(`${publicUrl} leads to this server`)
      : finding('public_not_here.other', { where, found: other });
  } catch (error) {
    return finding('public_not_here', { where, said: saidOf(error) });
  }
}

const plain = (text: string): string => cleanText(text, 200);

function saidOf(error: unknown): string {
  return error instanceof ProviderUnavailable ? error.message : 'unknown JSON';
}
