/**
 * The airline under the server's own point of sale, and under those of callers who have one (FARECLERK_CALLERS_FILE):
 * an adapter for each, over the same connections, login, lanes and breakers.
 */
import { wordsOf } from '../../auth/callers/caller.ts';
import type { CallerRow, CallersFile } from '../../config/callers.ts';
import type { AirlineConfig } from '../../config/load.ts';
import type { Airline } from '../../domain/airline.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { ClerkError } from '../../errors.ts';
import { createOtaAirline } from '../../ota/airline.ts';
import type { AirlineTokens, OtaLog, OtaOptions } from '../../ota/options.ts';
import { createBulkheads, withBulkheads } from '../../ota/resilience/bulkhead.ts';
import { createReadGuard } from '../../ota/resilience/read-guard.ts';
import type { Transport } from '../../ota/transport/http.ts';
import type { OwnDesk } from '../../server/clerk.ts';
import { rememberRoutes } from '../../server/route-cache.ts';
import { otaOptions } from './airline-options.ts';

export interface DeskOptions {
  readonly airline: AirlineConfig;
  readonly transport: Transport;
  readonly tokens: AirlineTokens | undefined;
  readonly log: OtaLog;
  readonly callers?: CallersFile;
  readonly traceHeaders?: OtaOptions['traceHeaders'];
}

export interface Desks {
  /** Under the server's own point of sale. */
  readonly airline: Airline;
  /** A caller's own; undefined: the server's. Throws E_NOT_PERMITTED where others are refused. */
  deskOf(caller: Caller): OwnDesk | undefined;
  /** For settling: as that caller would read, and past the lanes, since what is open goes first. */
  readerFor(caller: Caller): Airline;
}

/** One adapter: as it is, and as calls have it. */
interface Adapter {
  readonly bare: Airline;
  readonly desk: OwnDesk;
}

export function createDesks({ airline, transport, tokens, log, callers, traceHeaders }: DeskOptions): Desks {
  const lanes = createBulkheads();
  const readGuard = createReadGuard(() => performance.now());
  const open = (pointOfSale: AirlineConfig): Adapter => {
    const options = otaOptions(pointOfSale, { transport, tokens, log });
    const bare = createOtaAirline({ ...options, readGuard, ...(traceHeaders && { traceHeaders }) });
    const desk = { airline: rememberRoutes(withBulkheads(bare, lanes), Date.now), currency: pointOfSale.currency };
    return { bare, desk };
  };
  const own = open(airline);
  const byRow = new Map<CallerRow, Adapter>();

  function adapterOf(caller: Caller): Adapter | undefined {
    const row = callers?.callers.find((each) => isFor(each, caller));
    if (row === undefined) return undefined;
    const known = byRow.get(row) ?? open(atDesk(airline, row));
    byRow.set(row, known);
    return known;
  }

  return {
    airline: own.desk.airline,
    readerFor: (caller) => (adapterOf(caller) ?? own).bare,
    deskOf(caller) {
      const found = adapterOf(caller);
      if (found === undefined && callers?.others === 'refused') throw noDesk();
      return found?.desk;
    },
  };
}

function isFor({ tenant, subject, client }: CallerRow, caller: Caller): boolean {
  const words = wordsOf(caller);
  if (words === undefined) return false;
  const given = [
    [tenant, words.tenant],
    [subject, words.subject],
    [client, words.client],
  ];
  return given.every(([wanted, is]) => wanted === undefined || wanted === is);
}

/** A country of the server's own is not another agency's. */
function atDesk({ country: _own, ...airline }: AirlineConfig, row: CallerRow): AirlineConfig {
  const { agentId, agencyId, currency, country } = row;
  return { ...airline, agentId, agencyId, currency, ...(country !== undefined && { country }) };
}

function noDesk(): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', 'No point of sale is set for you here. Nothing was sent.', {
    next: 'The operator adds you to the file of callers (FARECLERK_CALLERS_FILE).',
  });
}
