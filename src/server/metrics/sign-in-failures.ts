/** Counts refused tokens and failed sign-ins by reason. */
import type { BrowserLogin, LoginEnd, SignIn, TokenProblem } from '../../domain/people/caller.ts';

const PROBLEMS: Readonly<Record<TokenProblem, true>> = {
  malformed: true,
  algorithm: true,
  signature: true,
  issuer: true,
  audience: true,
  expired: true,
  not_yet_valid: true,
  kind: true,
  bound: true,
  claims: true,
};
const ENDS: Readonly<Record<Exclude<LoginEnd['kind'], 'signed_in'>, true>> = {
  denied: true,
  unfit: true,
  unavailable: true,
};

/** Every reason, so that each series begins at 0. `unavailable`: the issuer could not be asked. */
export const SIGN_IN_REASONS = {
  token: [...Object.keys(PROBLEMS), 'unavailable'],
  page: Object.keys(ENDS),
} as const;

export type CountSignInFailure = (by: keyof typeof SIGN_IN_REASONS, reason: string) => void;

export function countedSignIn<S extends SignIn>(signIn: S, failed: CountSignInFailure): S {
  return {
    ...signIn,
    async check(token) {
      const verdict = await signIn.check(token);
      if (verdict.kind === 'bad') failed('token', verdict.problem);
      if (verdict.kind === 'unavailable') failed('token', 'unavailable');
      return verdict;
    },
  };
}

export function countedLogin(login: BrowserLogin, failed: CountSignInFailure): BrowserLogin {
  return {
    ...login,
    async begin(place, anew) {
      const start = await login.begin(place, anew);
      if (start === undefined) failed('page', 'unavailable');
      return start;
    },
    async end(answer, tickets) {
      const end = await login.end(answer, tickets);
      if (end.kind !== 'signed_in') failed('page', end.kind);
      return end;
    },
  };
}
