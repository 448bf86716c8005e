/** How often the airline got an act, by its own books. */
import type { LedgerEntry } from '../../../src/sandbox/addresses/start.ts';

/** The entries of an act: each time that the airline did it, and each repeat of its message that the airline refused. */
export function entriesOf(entries: readonly LedgerEntry[], event: LedgerEntry['event']): readonly LedgerEntry[] {
  return entries.filter((entry) => {
    return entry.event === event || (entry.event === 'refused_repeat' && entry.about.includes(event));
  });
}
