/**
 * Who may answer a question, of those who signed in: the person who asked, and others only with the role for it. Above an amount only
 * another person's yes counts (four eyes).
 */

import type { Money } from '../core/money.ts';
import type { BrowserLogin, Caller, SignedInPerson } from '../domain/people/caller.ts';
import type { Approval } from './approval.ts';
import { isAbove } from './money-limits.ts';
import { moneyAtStake } from './request.ts';

/**
 * `asker`: the question is their own. `approver`: it is another person's, and their role may decide it. `asker_alone`: it is
 * their own, and needs another person's yes. `reader`: it is another person's, and as a supervisor they read it.
 */
export type AnsweringRole = 'asker' | 'approver' | 'asker_alone' | 'reader';

export interface AnsweringRules {
  readonly login: Pick<BrowserLogin, 'isSame'>;
  /** Above this amount the yes must be another person's. */
  readonly fourEyesAbove?: Money;
}

/** Finds the role of a person for a question. Undefined if they may not see it. */
export function answeringRole(
  person: SignedInPerson,
  approval: Approval,
  rules: AnsweringRules,
): AnsweringRole | undefined {
  const asker = { tenant: approval.tenant, id: approval.caller };
  if (rules.login.isSame(asker, person)) return needsAnother(approval, rules) ? 'asker_alone' : 'asker';
  if (!mayOpen(person, asker, rules)) return undefined;
  return person.approver ? 'approver' : 'reader';
}

/** Whether a person may open the question of this caller: it is their own, or their role may decide or read those of the tenant. */
export function mayOpen(person: SignedInPerson, asker: Caller, { login }: AnsweringRules): boolean {
  return login.isSame(asker, person) || ((person.approver || person.supervisor) && asker.tenant === person.tenant);
}

/** Whether the yes must be another person's. A spent approval carries no amount any more, and nothing is left to decide. */
export function needsAnother(approval: Approval, { fourEyesAbove }: Pick<AnsweringRules, 'fourEyesAbove'>): boolean {
  return isAbove(moneyAtStake(approval), fourEyesAbove);
}
