/**
 * What was lost, by act: of several records of one, the last of each kind counts.
 */
import type { Lost, LostAct } from '../journal/ports.ts';

/** `bodies`: JSON as {@link lostBody} wrote it, oldest first; null for a link of which no more is known. */
export function lostOf(bodies: readonly (string | null)[]): Lost {
  const acts = new Map<string, LostAct>();
  for (const body of bodies) {
    const act = body === null ? undefined : (JSON.parse(body) as LostAct);
    const id = act?.sent?.id ?? act?.end?.id;
    if (id !== undefined) acts.set(id, { ...acts.get(id), ...act });
  }
  return { links: bodies.length, acts: [...acts.values()] };
}

export function lostBody({ sent, end }: LostAct): string | null {
  return sent === undefined && end === undefined
    ? null
    : JSON.stringify({ ...(sent && { sent }), ...(end && { end }) });
}
