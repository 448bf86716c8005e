/** A process of a fleet that needs nothing but tokens: the product's own login, shared through the database. */
import { tokensOf } from '../../../../src/cli/runtime/airline-options.ts';
import { openState } from '../../../../src/cli/runtime/open-runtime.ts';
import { readConfig } from '../../../../src/config/load.ts';
import { createTransport } from '../../../../src/ota/transport/http.ts';
import { takeOrders } from '../../support/child.ts';

const config = readConfig(process.env);
const state = await openState(config);
const transport = createTransport();
if (config.airline === undefined || state.logins === undefined) throw new Error('no airline, or no shared logins');
const logins = { store: state.logins, holder: `process ${process.pid}` };
const tokens = await tokensOf(config.airline, transport, logins);

/** So many calls at once; reports the distinct tokens that they got. */
takeOrders<number, readonly string[]>(
  async (calls) => {
    const got = await Promise.all(Array.from({ length: calls }, () => tokens?.ensureLife(1_000)));
    return [...new Set(got.filter((token) => token !== undefined))];
  },
  async () => {
    await transport.close();
    await state.close();
  },
);
