/**
 * Triggers, views, functions and rules in a database that this program did not make. They act with every write of the program,
 * and survive a restored copy or a take-over: one of them can say yes for a person.
 */
import { counted } from '../core/words.ts';
import { cannotOpen, type StoreName } from './errors.ts';

export interface DatabaseCode {
  readonly kind: 'trigger' | 'view' | 'function' | 'rule' | 'policy' | 'table';
  readonly name: string;
  /** The table whose reads or writes it changes. */
  readonly on?: string | undefined;
}

const MOST_NAMED = 5;

/** @throws ClerkError E_CONFIG that names what was planted */
export function assertNonePlanted(store: StoreName, planted: readonly DatabaseCode[]): void {
  if (planted.length === 0) return;
  const rest = planted.length - MOST_NAMED;
  const named = planted.slice(0, MOST_NAMED).map(words);
  const list = [...named, ...(rest > 0 ? [counted(rest, 'other')] : [])].join(', ');
  throw cannotOpen(
    store.what,
    `has code that fareclerk did not make: ${list}. It could change the journal or say yes for a person.`,
    'The operator finds out who could write there, restores a copy from before or removes it, and runs `fareclerk journal verify --all`.',
  );
}

function words({ kind, name, on }: DatabaseCode): string {
  return `${kind} ${plain(name)}${on === undefined ? '' : ` on ${plain(on)}`}`;
}

/** Whoever planted it chose the name. */
function plain(name: string): string {
  return name.replace(/[^\w$]/g, '?').slice(0, 40);
}
