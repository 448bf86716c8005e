/**
 * A sandbox airline, and the product's own adapter pointed at it (or at something between), with its token cache.
 */

import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { createTokenCache } from '../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../src/auth/airline/token-request.ts';
import type { AccessTokens } from '../../../src/domain/login-store.ts';
import { createOtaAirline, type OtaAirline } from '../../../src/ota/airline.ts';
import type { OtaOptions } from '../../../src/ota/options.ts';
import { createTransport, formPoster, type Transport } from '../../../src/ota/transport/http.ts';
import type { LedgerEvent } from '../../../src/sandbox/ledger.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/start.ts';
import { Stock, type StockOptions } from './stock.ts';

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

export interface AirlineAt extends Partial<Omit<OtaOptions, 'transport'>> {
  readonly settings: Settings;
  readonly tokens?: AccessTokens;
  readonly transport?: Transport;
  /** Default `both`. */
  readonly mode?: 'both' | 'key';
}

/** `more`: options of the adapter itself. */
export function airlineAt({ settings, tokens, mode = 'both', ...more }: AirlineAt): OtaAirline {
  const transport = more.transport ?? createTransport();
  const apiKey = setting(settings, 'API_KEY');
  const airline = createOtaAirline({
    baseUrl: setting(settings, 'BASE_URL'),
    gatewayUrl: setting(settings, 'GATEWAY_URL'),
    restUrl: setting(settings, 'REST_URL'),
    credentials: mode === 'key' ? { mode, apiKey } : { mode, apiKey, tokens: tokens ?? tokensAt(settings, transport) },
    pointOfSale: {
      agentId: setting(settings, 'AGENT_ID'),
      agencyId: setting(settings, 'AGENCY_ID'),
      currency: setting(settings, 'CURRENCY'),
    },
    isConfirmed,
    dialect: dialectOf(settings),
    ...more,
    transport,
  });
  return { ...airline, close: () => transport.close() };
}

export interface OpenAirline {
  readonly sandbox: Sandbox;
  readonly settings: Settings;
  readonly airline: OtaAirline;
  readonly stock: Stock;
  /** How often the airline entered it in its own ledger. */
  times(event: LedgerEvent, locator: string): number;
  close(): Promise<void>;
}

/** A sandbox airline of its own, with an adapter and bookings. */
export async function openAirline(
  options: SandboxOptions = {},
  { mode, ...stock }: StockOptions & Pick<AirlineAt, 'mode'> = {},
): Promise<OpenAirline> {
  const sandbox = await startSandbox(options);
  const { settings } = sandbox;
  const airline = airlineAt({ settings, ...(mode && { mode }) });
  return {
    sandbox,
    settings,
    airline,
    stock: new Stock(airline, () => sandbox.now(), stock),
    times: (event, locator) => sandbox.ledger().filter((it) => it.event === event && it.locator === locator).length,
    async close() {
      await airline.close();
      await sandbox.close();
    },
  };
}
