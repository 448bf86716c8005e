/** The options of the airline adapter, from the settings. */
import { isConfirmed } from '../../approvals/confirmed.ts';
import type { Grants } from '../../auth/airline/token-request.ts';
import type { AirlineConfig } from '../../config/load.ts';
import type { AccessTokens, LoginStore } from '../../domain/login-store.ts';
import type { OtaLog, OtaOptions } from '../../ota/options.ts';
import { formPoster, type Transport } from '../../ota/transport/http.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';

interface Outfit {
  readonly transport: Transport;
  /** Undefined if the settings have no login. */
  readonly tokens: AccessTokens | undefined;
  readonly log?: OtaLog;
}

export function otaOptions(airline: AirlineConfig, { transport, tokens, log }: Outfit): OtaOptions {
  const { agentId, agencyId, currency, country, apiKey, login, credentials, extraHeaders, ...addresses } = airline;
  const realm = extraHeaders.includes('x-realm') && login !== undefined ? { 'x-realm': login.tenant } : undefined;
  return {
    ...addresses,
    credentials: {
      mode: credentials,
      sendsRefreshToken: extraHeaders.includes('x-refresh-token'),
      ...(apiKey !== undefined && { apiKey: apiKey.reveal() }),
      ...(tokens !== undefined && { tokens }),
      ...(realm !== undefined && { extraHeaders: realm }),
      ...(login !== undefined && { secrets: [login.password.reveal(), login.clientSecret.reveal()] }),
    },
    pointOfSale: { agentId, agencyId, currency, country },
    isConfirmed,
    transport,
    ...(log !== undefined && { log }),
  };
}

/**
 * Tokens of the password login; undefined without one. All calls of this process share them.
 * @param shared shares them with other machines too; `holder` names this process
 * @param asked counts the requests for tokens
 */
export async function tokensOf(
  { login }: AirlineConfig,
  transport: Transport,
  shared?: { readonly store: LoginStore; readonly holder: string },
  asked?: Metrics['loggedIn'],
): Promise<AccessTokens | undefined> {
  if (login === undefined) return undefined;
  const { createGrants } = await import('../../auth/airline/token-request.ts');
  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  const plainGrants = createGrants(settings, formPoster(transport));
  const grants = asked === undefined ? plainGrants : countedGrants(plainGrants, asked);
  if (shared === undefined) {
    const { createTokenCache } = await import('../../auth/airline/token-cache.ts');
    return createTokenCache({ grants });
  }
  const { createSharedTokens } = await import('../../auth/airline/shared-token.ts');
  const { authUrl, tenant, clientId, username } = login;
  return createSharedTokens({ grants, name: JSON.stringify([authUrl, tenant, clientId, username]), ...shared });
}

function countedGrants(grants: Grants, asked: Metrics['loggedIn']): Grants {
  async function counted<T>(grant: 'password' | 'refresh', tokens: Promise<T>): Promise<T> {
    try {
      const received = await tokens;
      asked(grant, 'ok');
      return received;
    } catch (error) {
      asked(grant, error instanceof Error && 'kind' in error && error.kind === 'refused' ? 'refused' : 'unavailable');
      throw error;
    }
  }
  return {
    password: () => counted('password', grants.password()),
    refresh: (token) => counted('refresh', grants.refresh(token)),
  };
}
