/** Wraps the sign-in of callers and the login of the page, to count refused tokens and failed sign-ins by reason. */
import { type BrowserLogin, type SignIn, TOKEN_PROBLEMS } from '../domain/people/caller.ts';

/** Every reason, so that each series starts at 0. `unavailable`: the issuer did not answer. */
export const SIGN_IN_REASONS = {
  token: [...TOKEN_PROBLEMS, 'unavailable'],
  page: ['denied', 'unfit', 'unavailable'],
} as const;

type SignInFailure = (typeof SIGN_IN_REASONS)['token' | 'page'][number];

export type CountSignInFailure = (by: keyof typeof SIGN_IN_REASONS, reason: SignInFailure) => void;

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
    async begin(place, prompt) {
      const start = await login.begin(place, prompt);
      if (start === undefined) countFailure('page', 'unavailable');
      return start;
    },
    async end(...answer) {
      const end = await login.end(...answer);
      if (end.kind !== 'signed_in') countFailure('page', end.kind);
      return end;
    },
  };
}
