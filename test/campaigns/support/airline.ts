/** A sandbox airline, and the product's own adapter pointed at it (or at something between), with its token cache. */
import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { TokenCache } from '../../../src/auth/airline/token-cache.ts';
import { createGrants } from '../../../src/auth/airline/token-request.ts';
import type { AccessTokens } from '../../../src/domain/login-store.ts';
import { createOtaAirline } from '../../../src/ota/airline.ts';
import { createTransport, formPoster } from '../../../src/ota/transport/http.ts';
import type { LedgerEntry } from '../../../src/sandbox/addresses/start.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { entriesOf } from './books.ts';
import { Stock, type StockOptions } from './stock.ts';

export type Settings = Readonly<Record<string, string>>;

export function setting(settings: Settings, name: string): string {
  const value = settings[`FARECLERK_${name}`];
  if (value === undefined) throw new Error(`no setting ${name}`);
  return value;
}

/** Which dialect the airline speaks. */
export const dialectOf = (settings: Settings) => (setting(settings, 'DIALECT') === 'airline' ? 'airline' : 'rail');

/** One login for many adapters. */
export function tokensAt(settings: Settings, transport: ReturnType<typeof createTransport>): AccessTokens {
  const of = (name: string) => setting(settings, name);
  const [authUrl = '', tenant = ''] = of('AUTH_URL').split('/realms/');
  const login = {
    ...{ authUrl, tenant, clientId: of('CLIENT_ID') },
    ...{ clientSecret: of('CLIENT_SECRET'), username: of('USERNAME'), password: of('PASSWORD') },
  };
  return new TokenCache({ grants: createGrants(login, formPoster(transport)) });
}

type OtaOptions = Parameters<typeof createOtaAirline>[0];
export type OtaAirline = ReturnType<typeof createOtaAirline>;
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export interface AirlineAt extends Partial<OtaOptions> {
  readonly settings: Settings;
  readonly tokens?: ReturnType<typeof tokensAt>;
  /** Default `both`. */
  readonly mode?: 'both' | 'key';
}

/** `more`: options of the adapter itself. */
export function airlineAt({ settings, tokens, mode = 'both', ...more }: AirlineAt): OtaAirline {
  const transport = more.transport ?? createTransport();
  const of = (name: string) => setting(settings, name);
  const apiKey = of('API_KEY');
  const airline = createOtaAirline({
    ...{ baseUrl: of('BASE_URL'), gatewayUrl: of('GATEWAY_URL'), restUrl: of('REST_URL') },
    credentials: mode === 'key' ? { mode, apiKey } : { mode, apiKey, tokens: tokens ?? tokensAt(settings, transport) },
    pointOfSale: { agentId: of('AGENT_ID'), agencyId: of('AGENCY_ID'), currency: of('CURRENCY') },
    isConfirmed,
    dialect: dialectOf(settings),
    ...more,
    transport,
  });
  return { ...airline, close: () => transport.close() };
}

export type OpenAirline = Awaited<ReturnType<typeof openAirline>>;

/** A sandbox airline of its own, with an adapter and bookings. */
export async function openAirline(
  options: Parameters<typeof startSandbox>[0] = {},
  { mode, ...stock }: StockOptions & Pick<AirlineAt, 'mode'> = {},
) {
  const sandbox = await startSandbox(options);
  const { settings } = sandbox;
  const airline = airlineAt({ settings, ...(mode && { mode }) });
  return {
    sandbox,
    settings,
    airline,
    stock: new Stock(airline, () => sandbox.now(), stock),
    /** How often the airline entered it in its own ledger, or refused to do it again. */
    times: (event: LedgerEntry['event'], locator: string) =>
      entriesOf(sandbox.ledger(), event).filter((it) => it.locator === locator).length,
    async close() {
      await airline.close();
      await sandbox.close();
    },
  };
}
