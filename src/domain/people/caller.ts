/**
 * Who calls, who signed in, and the ports of the two ways to sign in: tokens first, then the browser's login. At the end, where
 * notices to those who approve go.
 */

/** A caller: on stdio the OS user and the state folder, over HTTP the subject of a token or of a browser's sign-in. */
export interface Caller {
  readonly tenant: string;
  readonly id: string;
}

/** The person or program without the application that they call from: `oauth:ann` of `oauth:ann:desk`. */
export function withoutApplication({ tenant, id }: Caller): Caller {
  const [kind, subject, application] = id.split(':');
  return { tenant, id: application === undefined ? id : `${kind}:${subject}` };
}

export interface SignedIn {
  readonly caller: Caller;
  /** As listed in the token (RFC 6749, section 3.3). */
  readonly scopes: ReadonlySet<string>;
  /** Whether they may see, but not decide, what all callers of the tenant did. */
  readonly supervisor?: boolean;
}

/**
 * Why a token is refused. A closed list, so that no text of the token reaches a reply. `kind`: it is not an access token (RFC 9068, section
 * 2.1); `bound`: to a key of its sender, which we cannot check.
 */
export const TOKEN_PROBLEMS = [
  'malformed',
  'algorithm',
  'signature',
  'issuer',
  'audience',
  'expired',
  'not_yet_valid',
  'kind',
  'bound',
  'claims',
] as const;
export type TokenProblem = (typeof TOKEN_PROBLEMS)[number];

export type TokenVerdict =
  | { readonly kind: 'good'; readonly who: SignedIn }
  | { readonly kind: 'bad'; readonly problem: TokenProblem }
  /** The issuer's keys cannot be fetched now, so the token cannot be judged. */
  | { readonly kind: 'unavailable' };

/** Checks tokens of one issuer (OAuth 2.1 resource server). */
export interface SignIn {
  /** Issuer identifier, exactly as tokens carry it. */
  readonly issuer: string;
  /** Canonical address of this server as a resource (RFC 8707). */
  readonly resource: string;
  check(token: string): Promise<TokenVerdict>;
  /** Fetches the issuer's keys if they are due. False if no token can be checked now. Never throws. */
  warm(): Promise<boolean>;
  /** Age of the issuer's keys in milliseconds; undefined before the first. */
  keysAge(): number | undefined;
}

/** Who signed in, identified like a caller; the application is the page's. */
export interface SignedInPerson extends Caller {
  readonly approver: boolean;
  /** Whether they may see, but not decide, the questions of others of the tenant. */
  readonly supervisor: boolean;
  /** Display name for their own page; shortened, without control characters. */
  readonly name: string;
}

/** `anew`: the person gives their credentials even if the provider knows the browser. */
type LoginPrompt = 'if_needed' | 'anew';

/** The address for the browser, and the cookie that it returns. */
interface LoginStart {
  readonly address: string;
  /** Opaque, sealed. */
  readonly ticket: string;
}

/** A browser in which a person signed in. */
export interface LoginSession {
  /** The same while the person signs in again in time; not secret. */
  readonly id: string;
  readonly person: SignedInPerson;
  /** The places for which they signed in. */
  readonly places: readonly string[];
}

export type LoginEnd =
  /** `ticket`: that of this sign-in, among the browser's; `session`: opaque, sealed. */
  | { readonly kind: 'signed_in'; readonly session: string; readonly place: string; readonly ticket: string }
  /** The person or the provider refused. */
  | { readonly kind: 'denied'; readonly place: string }
  /** This browser did not start the login, or the provider's answer is invalid. */
  | { readonly kind: 'unfit' }
  /** The provider cannot be reached now. */
  | { readonly kind: 'unavailable' };

/**
 * Login by OpenID Connect's authorization code flow; auth/callers/browser-login.ts is one. A `place` names the page that the person
 * logs in for.
 */
export interface BrowserLogin {
  /** How long tickets and sessions are valid, seconds. */
  readonly ticketSeconds: number;
  readonly sessionSeconds: number;
  /** Undefined: the provider cannot be reached. */
  begin(place: string, prompt: LoginPrompt): Promise<LoginStart | undefined>;
  /** `answer`: the query of the provider's redirect; `tickets`, `sessions`: the browser's cookies. */
  end(answer: URLSearchParams, tickets: readonly string[], sessions: readonly string[]): Promise<LoginEnd>;
  /** Opens the first session of these that is ours and not expired. */
  session(sealed: readonly string[]): Promise<LoginSession | undefined>;
  /** Whether a caller is this person, in any application. */
  isSame(caller: Caller, person: Caller): boolean;
}

// Where notices to those who approve go, as FARECLERK_NOTIFY names it.

const FORMS = ['slack', 'teams', 'ntfy', 'webhook'] as const;
export type NoticeForm = (typeof FORMS)[number];

export interface NoticeTarget {
  readonly form: NoticeForm;
  readonly address: string;
}

/** Parses `slack+https://hooks.slack.com/services/…`; undefined for an unknown form. */
export function noticeTarget(text: string): NoticeTarget | undefined {
  const form = FORMS.find((prefix) => text.startsWith(`${prefix}+`));
  return form && { form, address: text.slice(form.length + 1) };
}
