/**
 * JSON written by hand from interface.md's tables and prose: none of it came out of an encoder of this project.
 */
import { readFileSync } from 'node:fs';
import type { Wire } from '../support/wire.ts';

export function fixture(name: string): Wire {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
}
