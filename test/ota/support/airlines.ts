/**
 * The adapter pointed at a test's server, with its log at hand.
 */
import { createOtaAirline } from '../../../src/ota/airline.ts';
import type { CallLogEntry, OtaAirline, OtaOptions } from './port.ts';
import { isConfirmed } from './samples.ts';

export interface TestAirline extends OtaAirline {
  readonly log: readonly CallLogEntry[];
}

const pointOfSale = { agentId: 'agent-7', agencyId: 'agency-9', currency: 'SAR', country: 'SA' };

export function airlineAt(origin: string, options: Partial<OtaOptions> = {}): TestAirline {
  const log: CallLogEntry[] = [];
  const airline = createOtaAirline({
    baseUrl: `${origin}/v2015b/OTA`,
    gatewayUrl: `${origin}/gateway`,
    credentials: { mode: 'key', apiKey: 'key-1' },
    pointOfSale,
    isConfirmed,
    log: { call: (entry) => log.push(entry) },
    sleep: async () => {},
    random: () => 0,
    ...options,
  });
  return { ...airline, log };
}
