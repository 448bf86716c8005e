/**
 * JSON written by hand from interface.md's tables and prose: none of it came out of an encoder of this project.
 */
import type { Wire } from '../support/wire.ts';
import { golden } from './golden.ts';

export const fixture = (name: string) => golden('fixtures', name) as Wire;
