/** Who is there in the demo: each has a name, and a password of this run alone. */
import { randomInt } from 'node:crypto';
import { APPROVER_ROLE, DESK_ROLE, type OpenIdPerson } from '../../test/http/support/openid.ts';

/** Letters that nobody confuses, in lower case: a password is typed on a phone, too. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz';

const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export const newPassword = (): string => [group(), group(), group()].join('-');

export interface DemoPerson extends OpenIdPerson {
  /** What they do, in a few words. */
  readonly does: string;
}

const person = (login: string, does: string, ...roles: string[]): DemoPerson => {
  return { login, name: login, does, roles, password: newPassword() };
};

export const ANN = person('ann', 'sells, and asks');
export const BEN = person('ben', 'approves for others', APPROVER_ROLE);
export const CARA = person('cara', 'leads the desk, and sees all of it', DESK_ROLE);
export const PEOPLE = [ANN, BEN, CARA];
