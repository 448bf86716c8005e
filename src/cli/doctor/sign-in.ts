/** Checks how a team signs in: its identity provider, the client of the approval page, and the server's public address. */

import { SCOPES } from '../../access/scopes.ts';
import { ALGORITHMS } from '../../auth/callers/access-tokens.ts';
import { issuerMetadata, ProviderUnavailable, providerFetch } from '../../auth/callers/identity-provider.ts';
import { readCallersFile } from '../../config/callers.ts';
import type { Config } from '../../config/load.ts';
import { cleanText } from '../../core/clean-text.ts';
import { joined } from '../../core/words.ts';
import { METADATA_PATH } from '../../http/authenticate.ts';
import type { Checks } from './check.ts';
import { type CheckOutcome, finding, good } from './check-outcomes.ts';
import { checkHost } from './network.ts';

/** The settings of a server that a team signs in to, with its issuer and its own address. */
type TeamHttp = Config['http'] & { readonly issuer: string; readonly publicUrl: string };

/** Checks nothing without an issuer. */
export async function checkSignIn({ http }: Config, ca: string | undefined, checks: Checks): Promise<void> {
  const { issuer, publicUrl } = http;
  if (issuer === undefined || publicUrl === undefined) return;

  const team: TeamHttp = { ...http, issuer, publicUrl };
  await checks.run('address.issuer', [], () => checkHost(issuer, 'FARECLERK_ISSUER', ca));
  await checks.run('issuer', ['address.issuer'], () => checkIssuer(team));

  await checks.run('address.public', [], async () => {
    const found = await checkHost(publicUrl, 'FARECLERK_PUBLIC_URL', ca);
    // Some networks cannot reach their own public address from inside.
    return found.level === 'fail' ? { ...found, level: 'warn' } : found;
  });

  await checks.run('public_url', ['issuer', 'address.public'], () => checkPublicUrl(team));
}

/** Checks the keys that sign tokens, then what hosts and tokens need of the provider. */
async function checkIssuer({ issuer, audience, publicUrl, callersFile }: TeamHttp): Promise<CheckOutcome> {
  const metadata = await issuerMetadata(issuer, providerFetch).catch(() => undefined);
  if (metadata === undefined) return finding('issuer_wrong', { issuer });

  const { jwks_uri: where, scopes_supported: offered = SCOPES } = metadata;
  try {
    const { keys = [] } = await fetchJson<{ keys?: readonly Record<string, unknown>[] }>(where);
    const isGood = ({ use, alg = ALGORITHMS[0] }: Record<string, unknown>) =>
      use !== 'enc' && ALGORITHMS.includes(String(alg));
    if (!keys.some(isGood))
      return finding('issuer_keys', { where, said: keys.map(({ alg }) => cleanReply(alg)).join(', ') || 'no keys' });
  } catch (error) {
    return finding('issuer_keys', { where, said: failureText(error) });
  }

  const missing = SCOPES.filter((scope) => !offered.includes(scope)).join(', ');
  if (missing !== '') return finding('scopes_unknown', { missing });
  if (!metadata.code_challenge_methods_supported?.includes('S256')) return finding('issuer_incomplete');

  const tenantClaim = readCallersFile(callersFile)?.tenantClaim;
  const tenant = tenantClaim && `${tenantClaim} (the tenant)`;
  const claims = joined([`iss ${issuer}`, `aud ${audience ?? `${publicUrl}/mcp`}`, 'sub', tenant]);
  return good(`${issuer} answers. Access tokens need ${claims}, and scopes such as ${SCOPES[0]}`);
}

/** Compares the metadata at the public address (RFC 9728) with the settings. */
async function checkPublicUrl({ publicUrl, issuer }: TeamHttp): Promise<CheckOutcome> {
  const { origin, pathname } = new URL(`${publicUrl}/mcp`);
  const where = `${origin}${METADATA_PATH}${pathname}`;
  try {
    const { resource, authorization_servers: issuers } = await fetchJson<Record<string, unknown>>(where);
    const isOurIssuer = Array.isArray(issuers) && issuers.includes(issuer);
    const said = joined([
      resource !== `${publicUrl}/mcp` && `its public address is ${cleanReply(resource)}`,
      !isOurIssuer && `its issuer is ${cleanReply(issuers)}`,
    ]);
    return said === '' ? good(`${publicUrl} leads to this server`) : finding('public_not_here', { where, said });
  } catch (error) {
    return finding('public_not_here', { where, said: failureText(error) });
  }
}

/** @throws ProviderUnavailable; other errors if the reply is no JSON object */
const fetchJson = async <T>(where: string): Promise<T> => (await (await providerFetch(where)).json()) as T;

const cleanReply = (value: unknown): string => cleanText(String(value), 200);

function failureText(error: unknown): string {
  return error instanceof ProviderUnavailable ? error.message : 'unknown JSON';
}
