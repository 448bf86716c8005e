/**
 * What calls work with, opened on the first call: state, airline (in the sandbox, the airline itself too) and journal.
 */
import { mkdirSync } from 'node:fs';
import { type AirlineConfig, airlineFromSettings, type Config } from '../config.ts';
import { keyedDigest } from '../guard/digest.ts';
import { systemClock, systemRandom } from '../journal/clock.ts';
import { createJournal } from '../journal/journal.ts';
import { createOtaAirline, type OtaAirline } from '../ota/airline.ts';
import { createTransport } from '../ota/http.ts';
import type { OtaLog } from '../ota/options.ts';
import type { Parts } from '../server/clerk.ts';
import type { Metrics } from '../server/metrics.ts';
import { rememberRoutes } from '../server/route-memory.ts';
import type { State } from '../store/state.ts';
import { otaOptions, tokensOf } from './airline-options.ts';
import type { Logs } from './log.ts';
import { isGone, newOwner } from './process-id.ts';

export interface OpenParts extends Parts {
  readonly airlineConfig: AirlineConfig;
  close(): Promise<void>;
}

/** The state of these settings; its folder is made for this user alone. */
export async function openState({ state }: Pick<Config, 'state'>): Promise<State> {
  const { openSqliteState } = await import('../store/sqlite.ts');
  return openSqliteState(state.file);
}

/** The airline's address and credentials: as set, or of a sandbox airline started for this process. */
async function reachAirline(config: Config): Promise<{ airline: AirlineConfig; close(): Promise<void> }> {
  if (config.airline !== undefined) return { airline: config.airline, close: async () => undefined };
  const { startSandbox } = await import('../sandbox/start.ts');
  mkdirSync(config.state.directory, { recursive: true, mode: 0o700 });
  const sandbox = await startSandbox({ stateFile: config.state.sandboxFile });
  return { airline: airlineFromSettings(sandbox.settings), close: () => sandbox.close() };
}

async function connect(airline: AirlineConfig, logs: Logs, metrics?: Metrics): Promise<OtaAirline> {
  const transport = createTransport();
  const log: OtaLog = {
    call(entry) {
      logs.airline.call(entry);
      metrics?.airlineCall(entry);
    },
  };
  const adapter = createOtaAirline(otaOptions(airline, { transport, tokens: await tokensOf(airline, transport), log }));
  return { ...adapter, close: () => transport.close() };
}

/** Opens everything besides the state, which stays its opener's to close. */
export async function openParts(config: Config, logs: Logs, opened: State, metrics?: Metrics): Promise<OpenParts> {
  const state = metrics ? { ...opened, operations: metrics.watchOperations(opened.operations) } : opened;
  const reached = await reachAirline(config);
  const airline = await connect(reached.airline, logs, metrics);
  const journal = createJournal({
    store: state.operations,
    clock: systemClock,
    reader: airline,
    owner: newOwner(),
    digest: (text) => keyedDigest(state.digestKey, text),
    settleMs: config.settleMs,
    isGone,
    understand: async ({ locator, subject }, reply) => {
      const { understandReply } = await import('../ota/kept-reply.ts');
      // The answer to a split is another booking.
      return understandReply(reply, subject.kind === 'split_booking' ? undefined : locator);
    },
    log: logs.journal,
  });
  const ending = new AbortController();
  const tending = journal.tend(ending.signal);
  return {
    airline: rememberRoutes(airline, systemClock.now),
    state,
    journal,
    clock: systemClock,
    random: systemRandom,
    inFlight: new Set(),
    airlineConfig: reached.airline,
    async close() {
      ending.abort();
      await tending;
      await airline.close();
      await reached.close();
    },
  };
}
