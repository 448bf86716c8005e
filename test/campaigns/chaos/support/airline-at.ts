/**
 * The product's own airline adapter, pointed at a sandbox airline (or at something between), with its token cache.
 */

import { isConfirmed } from '../../../../src/approvals/confirmed.ts';
import { createTokenCache } from '../../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../../src/auth/airline/token-request.ts';
import type { AccessTokens } from '../../../../src/domain/login-store.ts';
import { createOtaAirline, type OtaAirline } from '../../../../src/ota/airline.ts';
import type { OtaOptions } from '../../../../src/ota/options.ts';
import { createTransport, formPoster, type Transport } from '../../../../src/ota/transport/http.ts';

export type Settings = Readonly<Record<string, string>>;

export function setting(settings: Settings, name: string): string {
  const value = settings[`FARECLERK_${name}`];
  if (value === undefined) throw new Error(`no setting ${name}`);
  return value;
}

/** Which dialect the airline speaks. */
export function dialectOf(settings: Settings): 'rail' | 'airline' {
  return setting(settings, 'DIALECT') === 'airline' ? 'airline' : 'rail';
}

/** One login for many adapters. */
export function tokensAt(settings: Settings, transport: Transport): AccessTokens {
  const login = {
    authUrl: setting(settings, 'AUTH_URL'),
    tenant: setting(settings, 'TENANT'),
    clientId: setting(settings, 'CLIENT_ID'),
    clientSecret: setting(settings, 'CLIENT_SECRET'),
    username: setting(settings, 'USERNAME'),
    password: setting(settings, 'PASSWORD'),
  };
  return createTokenCache({ grants: createGrants(login, formPoster(transport)) });
}

export interface AirlineAt {
  readonly settings: Settings;
  readonly tokens?: AccessTokens;
  readonly transport?: Transport;
  readonly deadlines?: OtaOptions['deadlines'];
  /** Default `both`. */
  readonly mode?: 'both' | 'key';
}

export function airlineAt({ settings, deadlines, mode = 'both', ...given }: AirlineAt): OtaAirline {
  const transport = given.transport ?? createTransport();
  const airline = createOtaAirline({
    baseUrl: setting(settings, 'BASE_URL'),
    gatewayUrl: setting(settings, 'GATEWAY_URL'),
    restUrl: setting(settings, 'REST_URL'),
    credentials: {
      mode,
      apiKey: setting(settings, 'API_KEY'),
      tokens: given.tokens ?? tokensAt(settings, transport),
    },
    pointOfSale: {
      agentId: setting(settings, 'AGENT_ID'),
      agencyId: setting(settings, 'AGENCY_ID'),
      currency: setting(settings, 'CURRENCY'),
    },
    isConfirmed,
    dialect: dialectOf(settings),
    transport,
    ...(deadlines && { deadlines }),
  });
  return { ...airline, close: () => transport.close() };
}
