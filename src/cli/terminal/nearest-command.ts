/** Finds the command that a mistyped word means. The name of a tool means a call of it. */
import { nearest } from '../../core/nearest-word.ts';
import { CATALOG } from '../../tools/index.ts';
import { COMMANDS } from './command-table.ts';

/** Undefined if none is near. */
export function nearestCommand(typed: string): string | undefined {
  const tools = CATALOG.map(({ name }) => name);
  const word = nearest(typed, [...Object.keys(COMMANDS), ...tools]);
  return word !== undefined && tools.includes(word) ? `call ${word}` : word;
}
