/** Loads the sandbox airline's network: one of the two built-in ones, or a file. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { knownZone } from '../zone.ts';
import { type Network, networkSchema } from './network.ts';

/** Checks time zones of files only: the first lookup costs about ten milliseconds. */
const fileSchema = networkSchema.refine(
  (network) => network.stations.every((station) => knownZone(station.zone)),
  'a station has an unknown time zone',
);

async function ownNetwork(dialect: 'rail' | 'airline'): Promise<unknown> {
  const { default: network } =
    dialect === 'rail'
      ? await import('./rail-network.json', { with: { type: 'json' } })
      : await import('./airline-network.json', { with: { type: 'json' } });
  return network;
}

/** Throws an Error that says which entry of the file is wrong. */
export async function loadNetwork(dialect: 'rail' | 'airline', file?: string): Promise<Network> {
  if (file === undefined) return networkSchema.parse(await ownNetwork(dialect));
  const parsed = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`The inventory file is not usable:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
