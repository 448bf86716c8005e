/**
 * Finds the command that a mistyped word means. The name of a tool, or the word that it begins with, means a call of it: `serach` is
 * nearer to `search_fares` than to `serve`.
 */
import { nearest } from '../../core/nearest-word.ts';
import { CATALOG } from '../../tools/index.ts';
import { COMMANDS } from './command-table.ts';

/** Undefined if none is near. */
export function nearestCommand(typed: string): string | undefined {
  const toolsByVerb = Map.groupBy(
    CATALOG.map((tool) => tool.name),
    (tool) => tool.slice(0, tool.indexOf('_')),
  );
  const meant = new Map<string, string>();
  for (const command of Object.keys(COMMANDS)) meant.set(command, command);
  for (const [verb, [tool = '', ...others]] of toolsByVerb) {
    if (!meant.has(verb)) meant.set(verb, others.length === 0 ? `call ${tool}` : 'call --list');
  }
  for (const tool of [...toolsByVerb.values()].flat()) meant.set(tool, `call ${tool}`);
  const word = nearest(typed, meant.keys());
  return word === undefined ? undefined : meant.get(word);
}
