/** Wraps the sign-in of callers and the login of the page, to count refused tokens and failed sign-ins by reason. */
import type { BrowserLogin, LoginEnd, SignIn, TokenProblem } from '../domain/people/caller.ts';

// Records, so that the compiler refuses a list without one of the reasons.
const TOKEN_PROBLEMS: Readonly<Record<TokenProblem, true>> = {
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
const LOGIN_FAILURES: Readonly<Record<Exclude<LoginEnd['kind'], 'signed_in' | 'again'>, true>> = {
  denied: true,
  unfit: true,
  unavailable: true,
};

/** Every reason, so that each series starts at 0. `unavailable`: the issuer did not answer. */
export const SIGN_IN_REASONS = {
  token: [...Object.keys(TOKEN_PROBLEMS), 'unavailable'],
  page: Object.keys(LOGIN_FAILURES),
} as const;

export type CountSignInFailure = (by: keyof typeof SIGN_IN_REASONS, reason: string) => void;

export function countedSignIn<S extends SignIn>(signIn: S, countFailure: CountSignInFailure): S {
  return {
    ...signIn,
    async check(token) {
      const verdict = await signIn.check(token);
      if (verdict.kind === 'bad') countFailure('token', verdict.problem);
      if (verdict.kind === 'unavailable') countFailure('token', 'unavailable');
      return verdict;
    },
  };
}

export function countedLogin(login: BrowserLogin, countFailure: CountSignInFailure): BrowserLogin {
  return {
    ...login,
    async begin(place, prompt, tries) {
      const start = await login.begin(place, prompt, tries);
      if (start === undefined) countFailure('page', 'unavailable');
      return start;
    },
    async end(answer, tickets) {
      const end = await login.end(answer, tickets);
      if (end.kind !== 'signed_in' && end.kind !== 'again') countFailure('page', end.kind);
      return end;
    },
  };
}
