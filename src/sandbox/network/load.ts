/**
 * Where the sandbox airline's network comes from: one of the two that come with it, or a file.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import airline from './airline-network.json' with { type: 'json' };
import { type Network, networkSchema } from './network.ts';
import rail from './rail-network.json' with { type: 'json' };

/** Throws an Error that says which entry of the file is wrong. */
export function loadNetwork(dialect: 'rail' | 'airline', file?: string): Network {
  if (file === undefined) return networkSchema.parse(dialect === 'rail' ? rail : airline);
  const parsed = networkSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`The inventory file is not usable:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
