/**
 * The scope that a token needs for each tool (RFC 6749, section 3.3). A tool needs exactly one scope. An act names its
 * own.
 */
import type { ActPart } from '../journal/act.ts';

export const SCOPES = ['air:read', 'air:book', 'air:pay', 'air:refund', 'air:names'] as const;
type Scope = (typeof SCOPES)[number];

interface Scoped {
  readonly effect: 'read' | 'hold' | 'commit';
  readonly act?: Pick<ActPart, 'scope'> | undefined;
}

/** The scope of one tool. A tool that asks for a yes without being one act, such as run_plan, needs `air:pay`. */
export function requiredScope({ effect, act }: Scoped): Scope {
  if (effect === 'read') return 'air:read';
  if (effect === 'hold') return 'air:book';
  return act?.scope ?? 'air:pay';
}

/** The scopes of several tools, each once, in the order of {@link SCOPES}. */
export function requiredScopes(tools: Iterable<Scoped>): readonly Scope[] {
  const needed = new Set([...tools].map(requiredScope));
  return SCOPES.filter((scope) => needed.has(scope));
}
