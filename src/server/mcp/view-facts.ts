/**
 * What a view needs beside a result, in its `_meta`, which hosts hand to views and not to models: it costs no tokens.
 */
import { vehicleOf } from '../../tools/definition/define.ts';
import { uiMeta } from '../app-views/ui.ts';
import type { Clerk } from '../clerk.ts';

const KEY = 'io.github.fareclerk/view';
const PLACE = /^\w{3,8}$/;

/** The word for a segment, and the names of the places in call and result, as far as they are known in this process. */
export async function viewFacts(
  clerk: Clerk,
  tool: Parameters<typeof uiMeta>[0],
  call: { readonly args: unknown; readonly result: unknown },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (uiMeta(tool) === undefined) return undefined;
  const { airline, airlineFacts } = await clerk.parts();
  const places = Object.fromEntries(
    [...placesIn(call)].flatMap((code) => {
      const name = airline.placeName?.(code);
      return name === undefined ? [] : [[code, name]];
    }),
  );
  return { [KEY]: { vehicle: vehicleOf({ ...clerk.options.settings, ...airlineFacts }), places } };
}

/** Codes in the fields `from` and `to`, at any depth. */
function placesIn(value: object, found = new Set<string>()): ReadonlySet<string> {
  const { from, to } = value as { from?: unknown; to?: unknown };
  if (typeof from === 'string' && PLACE.test(from)) found.add(from);
  if (typeof to === 'string' && PLACE.test(to)) found.add(to);
  for (const held of Object.values(value)) if (typeof held === 'object' && held !== null) placesIn(held, found);
  return found;
}
