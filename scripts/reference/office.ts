/**
 * A clerk against the sandbox airline at a fixed moment, so that generated pages are always the same.
 */

import type { Result } from '../../src/approvals/answer.ts';
import { isConfirmed } from '../../src/approvals/confirmed.ts';
import { noDialogs } from '../../src/approvals/consent-call.ts';
import { keyedDigest } from '../../src/approvals/digest.ts';
import { createClerk } from '../../src/clerk/clerk.ts';
import { liveSchemas } from '../../src/clerk/schemas.ts';
import { systemClock, systemRandom } from '../../src/journal/clock.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { createOtaAirline } from '../../src/ota/airline.ts';
import { startSandbox } from '../../src/sandbox/addresses/start.ts';
import { disturb } from '../../src/sandbox/mishaps.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { ACTS, CATALOG } from '../../src/tools/index.ts';
import { compareReading } from '../../src/watching/store-findings.ts';
import { sqlOver } from '../../test/support/run-sql.ts';

/** The moment of every example. */
const NOW = Date.UTC(2026, 10, 20, 9, 0, 0);
const CALLER = { tenant: 'docs', id: 'reader' };

export interface Office {
  /** Calls a tool and answers its question with yes or as given. Returns the result and the terms. */
  call(tool: string, args: object, says?: 'yes' | 'no'): Promise<{ result: Result; asked?: readonly string[] }>;
  /** The airline cancels the first train of a booking, and tells nobody. */
  cancelTrain(locator: string): void;
  close(): Promise<void>;
}

export async function openOffice(): Promise<Office> {
  const now = () => NOW;
  const sandbox = await startSandbox({ now });
  const { settings } = sandbox;
  const airline = createOtaAirline({
    baseUrl: settings.FARECLERK_BASE_URL ?? '',
    gatewayUrl: settings.FARECLERK_GATEWAY_URL ?? '',
    restUrl: settings.FARECLERK_REST_URL ?? '',
    credentials: { mode: 'both', apiKey: settings.FARECLERK_API_KEY ?? '', tokens: await tokens(settings) },
    pointOfSale: {
      agentId: settings.FARECLERK_AGENT_ID ?? '',
      agencyId: settings.FARECLERK_AGENCY_ID ?? '',
      currency: settings.FARECLERK_CURRENCY ?? '',
    },
    isConfirmed,
  });
  const state = await openSqliteState(':memory:', { now });
  const clock = { now, sleep: systemClock.sleep };
  const identity = (text: string) => keyedDigest(state.digestKey, text);
  const journal = createJournal({
    acts: ACTS,
    store: state.operations,
    clock,
    readerFor: () => airline,
    owner: 'docs',
    digest: identity,
    settleMs: 240_000,
  });
  const plans = { leases: state.leases, owner: 'docs', running: new Map(), ending: AbortSignal.timeout(600_000) };
  const clerk = createClerk({
    tools: CATALOG,
    withheld: new Map(),
    schemas: liveSchemas(),
    environment: 'sandbox',
    settings: {
      assumedOperations: true,
      sendsTickets: true,
      timeZone: () => 'UTC',
      maxTravelers: 9,
      currency: settings.FARECLERK_CURRENCY ?? 'SAR',
    },
    runSql: sqlOver(state.ledgerRows),
    approval: 'auto',
    limits: {},
    // The scripted person answers at once.
    dialogFloorMs: 0,
    answerMs: 30_000,
    // The clock does not move, so waiting for an open operation would never end.
    waitMs: 0,
    canUseTerminal: false,
    open: async () => ({
      ...{
        acts: ACTS,
        airline,
        state,
        journal,
        clock,
        random: systemRandom,
        inFlight: new Set(),
        dialogs: noDialogs(),
        plans,
      },
      async compareReading(caller, booking, begunAt) {
        if (begunAt === undefined) return { isQuiet: false, seen: [] };
        const comparer = { acts: ACTS, state, rules: {}, digest: identity };
        return compareReading(comparer, caller, booking, { begunAt });
      },
    }),
    log: {
      call() {},
      failure({ error }) {
        throw error;
      },
    },
  });
  const how = { caller: CALLER, canElicit: true, canOpenUrls: false };
  return {
    async call(tool, args, says = 'yes') {
      const answer = await clerk.call(tool, args, how);
      if (answer.kind === 'result') return { result: answer };
      if (answer.kind !== 'ask') throw new Error(`${tool} asked for a page`);
      const decision = answer.form.properties.decision.enum[says === 'yes' ? 1 : 0];
      const dialog = { handle: answer.handle, raw: { action: 'accept', content: { decision } } };
      const result = (await clerk.call(tool, args, { ...how, dialog })) as Result;
      return { result, asked: answer.message.split('\n') };
    },
    cancelTrain: (locator) => void disturb(sandbox.carrier(), { kind: 'cancel', locator }),
    async close() {
      await airline.close();
      await state.close();
      await sandbox.close();
    },
  };
}

async function tokens(settings: Readonly<Record<string, string>>) {
  const reply = await fetch(`${settings.FARECLERK_AUTH_URL}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: settings.FARECLERK_CLIENT_ID ?? '',
      client_secret: settings.FARECLERK_CLIENT_SECRET ?? '',
      username: settings.FARECLERK_USERNAME ?? '',
      password: settings.FARECLERK_PASSWORD ?? '',
    }),
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  return { token: async () => token, ensureLife: async () => token, invalidate() {} };
}
