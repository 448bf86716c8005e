/**
 * Makes one airline adapter per point of sale: the server's own and those of callers (FARECLERK_CALLERS_FILE). They share
 * connections, login, bulkheads and breakers. Also translates the settings into an adapter's options, and opens the login's tokens.
 */

import { isConfirmed } from '../../approvals/confirmed.ts';
import { callerWords } from '../../auth/callers/caller.ts';
import type { PointOfSaleAirline } from '../../clerk/clerk.ts';
import { airlineOfPointOfSale } from '../../clerk/way-to-airline.ts';
import type { CallerRow, CallersFile } from '../../config/callers.ts';
import type { AirlineConfig } from '../../config/load.ts';
import { ClerkError } from '../../core/errors.ts';
import type { Airline } from '../../domain/airline.ts';
import type { AirlinePauses } from '../../domain/airline-pauses.ts';
import type { AccessTokens, LoginStore } from '../../domain/login-store.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { AirlineLoad } from '../../metrics/state-gauges.ts';
import { createOtaAirline } from '../../ota/airline.ts';
import { createBulkheads, withBulkheads } from '../../ota/transport/bulkhead.ts';
import { formPoster, type Transport } from '../../ota/transport/http.ts';
import { OPERATIONS, type OtaLog, type OtaOptions } from '../../ota/transport/options.ts';
import { createReadGuard } from '../../ota/transport/read-guard.ts';
import type { Lane } from '../../watching/watcher.ts';

interface AirlineConnection {
  readonly airline: AirlineConfig;
  readonly transport: Transport;
  readonly tokens: AccessTokens | undefined;
  readonly log: OtaLog;
  readonly callers?: CallersFile;
  readonly traced?: OtaOptions['traced'];
  readonly pauses?: AirlinePauses | undefined;
}

export interface PointsOfSale {
  /** The airline as the server's own point of sale reaches it. */
  readonly airline: Airline;
  /** Returns the point of sale of a caller; undefined if it is the server's. @throws ClerkError E_NOT_PERMITTED if the file refuses other callers */
  pointOfSaleOf(caller: Caller): PointOfSaleAirline | undefined;
  /** Returns a reader that settles the operations of a caller. It bypasses the bulkheads, because open operations go first. */
  readerFor(caller: Caller): Airline;
  /** The lanes of calls to the airline, with what is under way in each. */
  lanes(): readonly Lane[];
  /** Returns what stops calls to the airline now. */
  load(): AirlineLoad;
}

export function createPointsOfSale({ callers, traced, pauses, ...connection }: AirlineConnection): PointsOfSale {
  const bulkheads = createBulkheads();
  const readGuard = createReadGuard(
    () => performance.now(),
    (isDown) => connection.log.down?.(isDown),
    pauses,
  );

  /** Returns the adapter without bulkheads, and the point of sale that calls use. */
  const openPointOfSale = (airline: AirlineConfig) => {
    const adapter = createOtaAirline({ ...otaOptions(airline, connection), readGuard, traced });
    const { currency, agencyId: agency } = airline;
    const behindBulkheads = airlineOfPointOfSale(withBulkheads(adapter, bulkheads));
    return { adapter, pointOfSale: { airline: behindBulkheads, currency, agency } };
  };

  const serverPoint = openPointOfSale(connection.airline);
  const pointByRow = new Map<CallerRow, typeof serverPoint>();

  function findCallersPoint(caller: Caller) {
    const row = callers?.callers.find((candidate) => isFor(candidate, caller));
    if (row === undefined) return undefined;
    const callersPoint = pointByRow.get(row) ?? openPointOfSale(withRow(connection.airline, row));
    pointByRow.set(row, callersPoint);
    return callersPoint;
  }

  return {
    airline: serverPoint.pointOfSale.airline,
    readerFor: (caller) => (findCallersPoint(caller) ?? serverPoint).adapter,
    lanes: () => Object.values(bulkheads),

    load: () => ({
      openBreakers: readGuard.openBreakers(),
      pauses: Object.keys(OPERATIONS).map((operation) => ({ operation, leftMs: readGuard.pauses.leftMs(operation) })),
    }),

    pointOfSaleOf(caller) {
      const callersPoint = findCallersPoint(caller);
      if (callersPoint !== undefined || callers?.others !== 'refused') return callersPoint?.pointOfSale;
      throw new ClerkError('E_NOT_PERMITTED', 'No point of sale is set for you here. Nothing was sent.', {
        next: 'The operator adds you to the file of callers (FARECLERK_CALLERS_FILE).',
      });
    },
  };
}

/** Whether a row of the file is for this caller: a row names its tenant, subject or client, or several of them. */
function isFor({ tenant, subject, client }: CallerRow, caller: Caller): boolean {
  const words = callerWords(caller);
  if (words === undefined) return false;
  const fits = (inRow: string | undefined, actual: string | undefined) => inRow === undefined || inRow === actual;
  return fits(tenant, words.tenant) && fits(subject, words.subject) && fits(client, words.client);
}

/** Returns the airline's settings with the point of sale of a row, including its country. */
function withRow(airline: AirlineConfig, row: CallerRow): AirlineConfig {
  const { agentId, agencyId, currency, country } = row;
  return { ...airline, agentId, agencyId, currency, country };
}

// The options of an adapter, and the tokens of its login.

interface AirlineAccess {
  readonly transport: Transport;
  /** Undefined if the settings have no login. */
  readonly tokens: AccessTokens | undefined;
  readonly log?: OtaLog;
}

/** Translates the settings of an airline into the options of its adapter. */
export function otaOptions(airline: AirlineConfig, { transport, tokens, log }: AirlineAccess): OtaOptions {
  const { agentId, agencyId, currency, country, apiKey, login, credentials, extraHeaders, ...addresses } = airline;
  const realm = extraHeaders.includes('x-realm') && login !== undefined ? { 'x-realm': login.tenant } : undefined;

  return {
    ...addresses,
    credentials: {
      mode: credentials,
      sendsRefreshToken: extraHeaders.includes('x-refresh-token'),
      apiKey: apiKey?.reveal(),
      tokens,
      extraHeaders: realm,
      secrets: login && [login.password.reveal(), login.clientSecret.reveal()],
    },
    pointOfSale: { agentId, agencyId, currency, country },
    isConfirmed,
    transport,
    log,
  };
}

/**
 * Opens the tokens of the password login, which all calls of this process share; undefined without a login. All processes of a state
 * share the access token, unless the airline wants the refresh token with each call: only the process that logged in has that.
 */
export async function openTokens(
  { login, extraHeaders }: AirlineConfig,
  transport: Transport,
  store: LoginStore,
): Promise<AccessTokens | undefined> {
  if (login === undefined) return undefined;

  const { createGrants } = await import('../../auth/airline/token-request.ts');
  const { TokenCache } = await import('../../auth/airline/token-cache.ts');

  const { shareToken } = await import('../../auth/airline/shared-token.ts');
  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  const grants = createGrants(settings, formPoster(transport));
  const shared = extraHeaders.includes('x-refresh-token') ? undefined : shareToken(store, settings);
  return new TokenCache({ grants, shared });
}
