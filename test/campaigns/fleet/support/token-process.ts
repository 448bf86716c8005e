/**
 * A process of a fleet that needs nothing but tokens: the product's own login, shared through the database.
 */
import { tokensOf } from '../../../../src/cli/runtime/airline-options.ts';
import { openState } from '../../../../src/cli/runtime/open-runtime.ts';
import { newOwner } from '../../../../src/cli/runtime/process-id.ts';
import { readConfig } from '../../../../src/config/load.ts';
import { createTransport } from '../../../../src/ota/transport/http.ts';
import { takeOrders } from '../../support/child.ts';

export interface TokenOrder {
  /** Calls at once. */
  readonly calls: number;
}

export interface TokenReport {
  readonly tokens: readonly string[];
  /** The slowest of the calls, milliseconds. */
  readonly slowest: number;
}

const config = readConfig(process.env);
const state = await openState(config);
const transport = createTransport();
if (config.airline === undefined || state.logins === undefined) throw new Error('no airline, or no shared logins');
const tokens = await tokensOf(config.airline, transport, { store: state.logins, holder: newOwner() });

takeOrders<TokenOrder, TokenReport>(
  async ({ calls }) => {
    const began = performance.now();
    const got = await Promise.all(Array.from({ length: calls }, () => tokens?.ensureLife(1_000)));
    const distinct = new Set(got.filter((token) => token !== undefined));
    return { tokens: [...distinct], slowest: performance.now() - began };
  },
  async () => {
    await transport.close();
    await state.close();
  },
);
