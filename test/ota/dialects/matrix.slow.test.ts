/**
 * Whole trips through every variation of an airline: all of them in the night, and a part of them among the parts.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/addresses/start.ts';
import { type Front, startFront } from '../../cli/doctor/front.ts';
import { wholeTrip } from '../../e2e/trip.ts';
import { WHOLE } from '../../support/whole.ts';
import { clerkIn, type InProcess } from './clerk.ts';
import { MATRIX, type Variation } from './matrix.ts';
import { cancelledTrip, groupTrip } from './trips.ts';

const CHOSEN = MATRIX.filter(({ always }) => WHOLE || always);

const open: { client?: InProcess; front?: Front; sandbox?: Sandbox } = {};
afterEach(async () => {
  await open.client?.close();
  await open.front?.close();
  await open.sandbox?.close();
});

async function enter({ sandbox: options, env = {}, front: rule }: Variation): Promise<InProcess> {
  open.sandbox = await startSandbox(options);
  const { url: own, settings } = open.sandbox;
  delete open.front;
  if (rule !== undefined) open.front = await startFront(rule, { to: own });
  const url = open.front?.origin ?? own;
  const printed = Object.entries(settings).map(([name, value]) => [name, value.replace(own, url)]);
  const others = Object.entries(env).map(([name, value]) => [name, value.replace('{url}', url)]);
  open.client = clerkIn(Object.fromEntries([...printed, ...others, ['FARECLERK_REST_URL', own]]));
  return open.client;
}

describe('an airline of its own kind', () => {
  it.each(CHOSEN)(
    'completes whole trips without an error: $name',
    async (variation) => {
      const client = await enter(variation);
      await wholeTrip(client);
      if (variation.front === undefined) {
        await cancelledTrip(client);
        await groupTrip(client);
      }
      expect(client.errors).toEqual([]);
      const events = open.sandbox?.ledger().map(({ event }) => event) ?? [];
      expect(events.filter((event) => event === 'paid')).toHaveLength(
        events.filter((event) => event === 'created').length,
      );
      expect(
        open.front?.calls.filter(({ url }) => url.pathname.startsWith('/realms/')).length ?? 0,
      ).toBeLessThanOrEqual(1);
    },
    60_000,
  );
});
