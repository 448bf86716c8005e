/**
 * What a token must be granted for each tool (RFC 6749, section 3.3). A tool has exactly one scope; an act names its
 * own.
 */
import type { ActPart } from '../journal/act.ts';

export const SCOPES = ['air:read', 'air:book', 'air:pay', 'air:refund', 'air:names'] as const;
type Scope = (typeof SCOPES)[number];

interface Scoped {
  readonly effect: 'read' | 'hold' | 'commit';
  readonly act?: Pick<ActPart, 'scope'> | undefined;
}

/** What asks for a yes and is no act of its own needs `air:pay`. */
export function requiredScope({ effect, act }: Scoped): Scope {
  if (effect === 'read') return 'air:read';
  if (effect === 'hold') return 'air:book';
  return act?.scope ?? 'air:pay';
}

export function requiredScopes(tools: Iterable<Scoped>): readonly Scope[] {
  const needed = new Set([...tools].map(requiredScope));
  return SCOPES.filter((scope) => needed.has(scope));
}
