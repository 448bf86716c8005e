/** What a token must be granted for each tool (RFC 6749, section 3.3). One table; a tool has exactly one scope. */

export const SCOPES = ['air:read', 'air:book', 'air:pay', 'air:refund', 'air:names'] as const;
export type Scope = (typeof SCOPES)[number];

interface Scoped {
  readonly name: string;
  readonly effect: 'read' | 'hold' | 'commit';
}

/** A commit tool that is not here needs `air:pay`. */
const COMMITS: ReadonlyMap<string, Scope> = new Map<string, Scope>([
  ['pay_booking', 'air:pay'],
  ['rebook_segment', 'air:pay'],
  ['cancel_segment', 'air:refund'],
  ['cancel_passenger', 'air:refund'],
  ['cancel_booking', 'air:refund'],
  ['change_names', 'air:names'],
  ['update_contact', 'air:names'],
  ['update_passenger', 'air:names'],
  ['assign_seats', 'air:book'],
  ['split_booking', 'air:book'],
]);

export function scopeOf({ name, effect }: Scoped): Scope {
  if (effect === 'read') return 'air:read';
  if (effect === 'hold') return 'air:book';
  return COMMITS.get(name) ?? 'air:pay';
}

export function scopesOf(tools: Iterable<Scoped>): readonly Scope[] {
  const needed = new Set([...tools].map(scopeOf));
  return SCOPES.filter((scope) => needed.has(scope));
}
