/** Defines checks, and everything that they can find: each finding with its words and its advice. */

/** `fail`: something does not work until a person changes it. `warn`: it works, or only some tools need it. */
export type CheckLevel = 'ok' | 'warn' | 'fail' | 'skipped';

export interface CheckOutcome {
  readonly level: CheckLevel;
  /** The diagnosis in one word, for programs and for support. */
  readonly finding: CheckFinding;
  /** What happened: one or two plain sentences. */
  readonly said: string;
  /** What to change; names the setting if there is one. */
  readonly advice?: string;
}

export interface CheckResult extends CheckOutcome {
  readonly id: string;
  readonly title: string;
}

export interface Check {
  readonly id: string;
  readonly title: string;
  /** Ids of the checks that must pass before this one runs. */
  readonly needs?: readonly string[];
  /** Returns undefined if there is nothing to report. */
  readonly run: () => Promise<CheckOutcome | undefined> | CheckOutcome | undefined;
}

/** Joins the parts that apply. */
export const joined = (parts: readonly (string | false | undefined)[], separator = '; '): string =>
  parts.filter((part) => part !== false && part !== undefined).join(separator);

export const good = (said: string): CheckOutcome => ({ level: 'ok', finding: 'as_it_should_be', said });
export const skipped = (said: string): CheckOutcome => ({ level: 'skipped', finding: 'not_tried', said });
export const unclear = (said: string): CheckOutcome => ({ level: 'ok', finding: 'not_clear', said });

/** Lowers a failure to a warning, for something that no tool needs. */
export const mild = (verdict: CheckOutcome): CheckOutcome =>
  verdict.level === 'fail' ? { ...verdict, level: 'warn' } : verdict;

/** Whether the checks that need this one can run. After a throttled reply, only a warning, their questions would fail too. */
export const passes = ({ level, finding }: CheckOutcome): boolean =>
  level === 'ok' || (level === 'warn' && finding !== 'throttled');

export class CheckList {
  readonly results: CheckResult[] = [];
  readonly #waived = new Set<string>();
  readonly #onStart: (title: string, done: number) => void;

  constructor(onStart: (title: string, done: number) => void) {
    this.#onStart = onStart;
  }

  add(id: string, title: string, verdict: CheckOutcome): void {
    this.results.push({ id, title, ...verdict });
  }

  /** Lets checks that need this one run, whatever its result is. */
  waive(id: string): void {
    this.#waived.add(id);
  }

  async run(checks: readonly Check[]): Promise<void> {
    for (const { id, title, needs = [], run } of checks) {
      this.#onStart(title, this.results.length);
      const neededResults = needs.map((need) => this.results.findLast((result) => result.id === need));
      const cause = neededResults.find((result) => result && !passes(result) && !this.#waived.has(result.id));
      const verdict =
        cause === undefined ? await run() : skipped(`Not tried: it needs the check “${cause.title}” to pass.`);
      if (verdict !== undefined) this.add(id, title, verdict);
    }
  }
}

/** What was found, and after the arrow what to do. */
type Wording = `${string}\n    → ${string}`;

/**
 * What the doctor finds, and what to change, as it is printed. A fact replaces `{name}`. `wrong_path` and `wrong_path.seats` are
 * one finding in two wordings.
 */
const FAILURES = {
  issuer_wrong: `There is no metadata of an identity provider at {issuer} ({said}).
    → Set FARECLERK_ISSUER to the issuer that the metadata of the provider names, to the letter.`,
  'issuer_wrong.other': `The metadata at {issuer} names another issuer: {found}. Tokens of that issuer are refused.
    → Set FARECLERK_ISSUER={found}`,
  issuer_keys: `The keys of the issuer at {where} cannot be used ({said}). No token can be checked.
    → Have the provider sign access tokens with RS256, PS256, ES256 or EdDSA, and publish the keys there.`,
  page_client_refused: `The provider refuses the client of the approval page{without} ({said}).
    → Check FARECLERK_PAGE_CLIENT_ID and FARECLERK_PAGE_CLIENT_SECRET: complete, and of this provider.`,
  page_redirect_refused: `The provider does not let {client} sign people in for {redirect} ({said}).
    → Register {redirect} as a redirect address of FARECLERK_PAGE_CLIENT_ID, with the authorization code flow.`,
  resource_refused: `The provider refuses sign-ins for {resource} ({said}), as hosts ask for them.
    → Make it known to the provider. In Keycloak with resource indicators: a client whose id is this address.`,
  public_not_here: `{where} does not lead to this server ({said}).
    → Have the proxy forward this address, or correct FARECLERK_PUBLIC_URL. The guide Deployment has an example.`,
  'public_not_here.other': `The server at {where} has other settings: {found}.
    → Restart it with these settings, or correct FARECLERK_PUBLIC_URL, FARECLERK_ISSUER and FARECLERK_AUDIENCE.`,
  setting_wrong: `Nothing was sent.
    → Check {setting}.`,
  'setting_wrong.problem': `{setting} {wrong}
    → Expected: {expected}.`,
  'setting_wrong.character': `An address or credential has a character that HTTP does not allow.
    → Check {setting}, FARECLERK_API_KEY and FARECLERK_AUTH_URL.`,
  host_unknown: `There is no host named {host}.
    → Check {setting} and this machine's DNS. You may need a VPN.`,
  'host_unknown.no_dns': `No DNS server answered for {host}.
    → Check this machine's DNS, then {setting}.`,
  connection_refused: `Nothing listens at {where}.
    → Check host and port in {setting}.`,
  connection_timeout: `{where} does not answer.
    → Check {setting}. A firewall may block this machine.`,
  connection_failed: `No connection to {where} ({code}).
    → Check {setting} and the network.`,
  'connection_failed.unreachable': `No connection to {where}.
    → Check {setting} and the network.`,
  'connection_failed.cut': `{where} ended the connection.
    → Check {setting}. A firewall or proxy may cut it.`,
  tls_expired: `The certificate of {where} expired on {to}.
    → Have it renewed for {setting}. Check this machine's clock.`,
  tls_not_yet_valid: `The certificate of {where} begins on {from}.
    → Check this machine's clock, then the server.`,
  tls_wrong_name: `The certificate of {where} is for {names}.
    → Use the certificate name in {setting}. Check proxies.`,
  tls_unknown_issuer: `This machine does not trust "{issuer}", who issued the certificate of {where}.
    → If you trust this issuer, set NODE_EXTRA_CA_CERTS to its certificate file. If not, do not connect.`,
  tls_not_spoken: `{where} does not speak TLS.
    → Check the port and https in {setting}.`,
  tls_failed: `No secure connection to {where} ({code}).
    → Check {setting}. A firewall or proxy may cut it.`,
  account_locked: `The account is locked after wrong passwords. Each process of fareclerk tries once, and repeats no refused login.
    → Wait, or have FARECLERK_USERNAME unlocked. Check FARECLERK_PASSWORD before the next try.`,
  account_disabled: `The account is disabled.
    → Have FARECLERK_USERNAME enabled at the identity provider.`,
  account_not_set_up: `The account has an open step: a new password, an address to confirm or terms to accept.
    → Sign in once as FARECLERK_USERNAME in a browser and finish it.`,
  wrong_password: `The user name or password is wrong, or the account is locked. Each process of fareclerk tries once, and repeats no refused login.
    → Check FARECLERK_USERNAME and FARECLERK_PASSWORD before the next try.`,
  grant_not_allowed: `This client may not use passwords.
    → Enable the password grant for FARECLERK_CLIENT_ID.`,
  client_refused: `The client id or secret is wrong.
    → Check FARECLERK_CLIENT_ID and FARECLERK_CLIENT_SECRET.`,
  'client_refused.secret': `The client secret is wrong.
    → Check FARECLERK_CLIENT_SECRET and FARECLERK_CLIENT_ID.`,
  wrong_tenant: `The identity provider does not know this realm.
    → Check the end of FARECLERK_AUTH_URL, also upper and lower case.`,
  wrong_login_address: `There is no identity provider at this path.
    → Check FARECLERK_AUTH_URL. Older providers need /auth before /realms.`,
  no_token: `The identity provider sent no token (HTTP {status}).
    → Check FARECLERK_AUTH_URL.`,
  login_refused: `The identity provider refuses the request (HTTP {status}, {error}).
    → Check FARECLERK_AUTH_URL and FARECLERK_CLIENT_ID.`,
  token_refused: `{refused} The token causes it: without the token the reply is the same.
    → Check FARECLERK_AUTH_URL. It may belong to another system than FARECLERK_BASE_URL.`,
  'token_refused.key_accepted': `{refused} It accepts the key alone.
    → Set FARECLERK_CREDENTIALS=key. If a token is needed, check FARECLERK_AUTH_URL.`,
  'token_refused.alone': `{refused}
    → Check FARECLERK_AUTH_URL. The airline may also need a key (FARECLERK_CREDENTIALS).`,
  key_refused: `{refused} The key causes it: without the key the reply is the same.
    → Check FARECLERK_API_KEY: complete, without quotation marks, and for this system.`,
  'key_refused.token_accepted': `{refused} It accepts the token alone.
    → Check FARECLERK_API_KEY, or set FARECLERK_CREDENTIALS=token.`,
  'key_refused.alone': `{refused}
    → Check FARECLERK_API_KEY. The airline may also need a token (FARECLERK_CREDENTIALS).`,
  credentials_refused: `{refused}
    → Check FARECLERK_API_KEY, then FARECLERK_AUTH_URL. Ask the airline which it needs (FARECLERK_CREDENTIALS).`,
  'credentials_refused.both_accepted': `{refused} It accepts both together.
    → Set FARECLERK_CREDENTIALS=both.`,
  'credentials_refused.address': `{setting} refuses the credentials ({said}).
    → Check FARECLERK_API_KEY for this address. {setting} and FARECLERK_BASE_URL must be of one system.`,
  extra_headers_needed: `The airline accepts the credentials only with the headers X-Realm and X-Refresh-Token.
    → Set FARECLERK_EXTRA_HEADERS=both. One of the two may be enough: realm or refresh-token.`,
  agent_refused: `The airline does not let this agent and agency sell ({said}).
    → Check FARECLERK_AGENT_ID and FARECLERK_AGENCY_ID.`,
  agency_suspended: `The airline suspended this agency ({said}).
    → Ask the airline about FARECLERK_AGENCY_ID.`,
  currency_refused: `The airline does not sell in this currency ({said}).
    → Check FARECLERK_CURRENCY.`,
  other_currency: `Fares are in {found}, but FARECLERK_CURRENCY is {set}. Limits and totals would be wrong.
    → Set FARECLERK_CURRENCY={first} if this agency sells in it.`,
  wrong_path: `There is nothing at {where} ({said}).
    → Check the path in {setting}.`,
  'wrong_path.seats': `{address} takes no seat map requests. Seats cannot be chosen.
    → Ask the airline for the base address that OTA_AirSeatMapRQ belongs to. Set FARECLERK_BASE_URL.`,
  address_form_needed: `{where} takes messages named by {form} only.
    → Set FARECLERK_ADDRESS_FORM={value}.`,
  html_page: `{where} sent a web page{titled} instead of JSON (HTTP {status}).
    → Check {setting}. A proxy or login page may be in between.`,
  redirect: `{where} redirects{target} (HTTP {status}). fareclerk does not follow: it would send the credentials there.
    → If that is the airline, set {setting} to it. It may also be the login page of a proxy.`,
  airline_failed: `The airline's system fails: {where} answered {said}.
    → Ask the airline. No setting helps.`,
  no_answer: `{where} does not answer in time.
    → Ask the airline whether it lets this machine in.`,
  reply_unreadable: `{where} answered {said} with unknown JSON.
    → Check {setting}. If the address is the airline's, send the report to support.`,
  'reply_unreadable.garbled': `The reply of {where} is not HTTP, or too large.
    → Check host and port in {setting}.`,
  'reply_unreadable.undecodable': `The reply of {where} is neither UTF-8 nor in the character set that it names.
    → Send the report to the airline's support. No setting helps.`,
  other_dialect: `Replies are in the {dialect} dialect, but FARECLERK_DIALECT is {set}. {evidence}
    → Set FARECLERK_DIALECT={dialect}.`,
  clock_off: `This machine's clock is {skew} {direction} {host}.
    → Set the clock (NTP). Time limits and sign-in depend on it.`,
  'clock_off.hosts': `This machine's clock is {skew} {direction} {host}.
    → Hosts disagree: check this machine's clock, then ask the operator of {host}.`,
  state_unwritable: `Cannot write {directory}. No booking is possible without a journal.
    → Make it writable for this user, or set FARECLERK_STATE_DIR to another folder.`,
  state_of_another_user: `Another user owns {path}, and could replace the journal.
    → Set {setting} to a folder of the user who runs fareclerk, or make that user the owner.`,
  state_writable_by_others: `{path} {why}. They could replace the journal.
    → Run {command}. Then run \`fareclerk journal verify --all\`, which shows whether the journal was changed.`,
  state_is_a_link: `{path} {why}. Nothing was read or made through it.
    → Put the file itself there, or set {setting} to the folder in which it is.`,
  'state_unwritable.file': `Cannot open and write {file} as a SQLite file.
    → Restore a good copy, or set FARECLERK_STATE_DIR to another folder. Keep the old file: it is the journal.`,
  'state_unwritable.database': `Cannot use the database of FARECLERK_DATABASE_URL.
    → Check address, user, password and network of FARECLERK_DATABASE_URL.`,
  state_newer: `A newer fareclerk wrote {file}. It was not changed.
    → Install the newer fareclerk, or set FARECLERK_STATE_DIR to another folder.`,
  state_older: `An older fareclerk wrote {file}. It was not changed.
    → First start a fareclerk that takes it over, as the changelog says, or set FARECLERK_STATE_DIR to another folder.`,
  state_in_use: `A program of an earlier fareclerk still works with {file}. It was not changed.
    → End every one of them (a host starts its own), then start this one. One that was killed counts for a minute.`,
  state_of_another: `{file} is the journal of another airline or agency. No booking is possible.
    → Set FARECLERK_STATE_DIR to a folder for this airline, or restore FARECLERK_BASE_URL and FARECLERK_AGENCY_ID.`,
  'state_of_another.database': `FARECLERK_DATABASE_URL holds the journal of another airline or agency. No booking is possible.
    → Set it to a database for this airline, or restore FARECLERK_BASE_URL and FARECLERK_AGENCY_ID.`,
  state_locked: `Another program locks {file}. fareclerk locks it for milliseconds, and longer only when a new version takes it over.
    → End that program (a backup, a database browser), or set FARECLERK_STATE_DIR to another folder.`,
  state_tampered: `The journal was changed from outside: its chain of hashes is broken.
    → Run \`fareclerk journal verify\`, and ask who had access to the state folder.`,
  sending_held: `{words}
    → Run \`fareclerk journal restored\`. It asks the airline what was lost and allows sending.`,
} as const satisfies Record<string, Wording>;

const WARNINGS = {
  issuer_incomplete: `The metadata of the issuer does not name {missing}.
    → Enable it at the provider: MCP clients refuse to sign in without it.`,
  scopes_unknown: `The provider does not list the scopes {missing}. A token without them cannot call the tools.
    → Define these scopes at the provider and allow them to the clients. See the guides HTTP server and Keycloak.`,
  hosts_unknown: `No sign-in without a client made by hand: {hosts}. {lacks}.
    → Make a client for each that people use: the guide Keycloak has their redirect addresses. If you have, change nothing.`,
  page_client_unclear: `The provider answers a sign-in on the approval page with {said}.
    → Sign in there once to see.`,
  setting_former: `{setting} is a setting of an earlier version and has no effect.
    → Remove it. Instead: {instead}.`,
  'setting_suspicious.quoted': `{setting} is in quotation marks.
    → Remove them, unless they belong to the value.`,
  'setting_suspicious.spaces': `{setting} begins or ends with a space or line end.
    → Remove it.`,
  'setting_suspicious.message': `{setting} ends in the name of a message.
    → Set it without the message name.`,
  'setting_suspicious.schedule': `{setting} contains /schedule.
    → Remove /schedule and the rest. fareclerk adds it.`,
  'setting_suspicious.no_links': `{setting} is not set. Without it get_tickets cannot fetch tickets.
    → Set {setting} to the address of the ticket downloads, before /tickets.`,
  proxy_ignored: `{names} is set. fareclerk does not use it.
    → Let this machine reach the airline without the proxy.`,
  token_short: `{life}. Payments need {wanted} s.
    → Ask the operator of FARECLERK_AUTH_URL for a longer life. The interface names 7200 s.`,
  throttled: `{where} answered {said}: too many calls.
    → Run \`fareclerk doctor\` again in a minute.`,
  refused: `Refused: {said}.
    → Ask the airline. Give it the reference, if there is one.`,
  'refused.reading': `{where} answered the reading of an unknown booking with {said}.
    → It may be right. If readings fail, send the report to support.`,
  'refused.booking': `The reading was refused ({said}).
    → Give the locator of a booking of this agency.`,
  'reply_unreadable.warning': `{text} fareclerk cannot read this reply.
    → Send the report to support.`,
  state_open_to_others: `Others can read {file} (mode {mode}). It has names and bookings.
    → Run chmod 600 {file}.`,
  sending_paused: `{words}
    → Run \`fareclerk resume\` to allow sending.`,
  operations_in_doubt: `Operations are open: {parts}.
    → A server settles them, or \`fareclerk journal reconcile\`.`,
  operations_need_person: `Operations to check with the airline: {count}{more}.
    → See \`fareclerk journal list --state needs_person\`, ask the airline, run \`fareclerk journal resolve ID --note TEXT\`.`,
  asked_by_the_model: `FARECLERK_APPROVAL=echo: if a client shows no dialog, the model's word counts as the approval.
    → Set FARECLERK_APPROVAL=auto, unless you watch every call.`,
  nobody_to_ask: `{what} can be opened here (no display, SSH, container). Asked by: {ways}.
    → Use a host with dialogs, run \`fareclerk approve\` in a terminal, or serve HTTP with FARECLERK_PUBLIC_URL.`,
  'nobody_to_ask.sandbox': `No browser can be opened here. Without a host's dialog nobody is asked, and results say “{words}”.
    → Use a host with dialogs, or set FARECLERK_APPROVAL=page and run \`fareclerk approve\` in a terminal.`,
  no_sql: `Node.js {version} cannot keep a SELECT within its tables: query_ledger and \`journal export --sql\` are not offered.
    → Run the server with Node.js {since} or newer, if people ask the desk questions.`,
  dialogs_unseen: `Dialogs that no person can have seen, twice in a row: {clients}. A page or a terminal asks instead, for seven days.
    → Change nothing if that suits. If its dialogs do appear, take two seconds to read one before you answer.`,
} as const satisfies Record<string, Wording>;

const WORDINGS = { ...FAILURES, ...WARNINGS };

export type FindingKey = keyof typeof FAILURES | keyof typeof WARNINGS;
type WithoutWording<Key> = Key extends `${infer Name}.${string}` ? Name : Key;
type CheckFinding = WithoutWording<FindingKey> | 'as_it_should_be' | 'not_tried' | 'sandbox' | 'not_clear';

/** Makes the outcome of a finding. @param facts replace the `{name}`s of its wording */
export function finding(key: FindingKey, facts: Readonly<Record<string, string | number>> = {}): CheckOutcome {
  const [said = '', advice = ''] = WORDINGS[key]
    .split(/\n +\u2192 /)
    .map((text) => text.replace(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? '')));
  const level: CheckLevel = key in FAILURES ? 'fail' : 'warn';
  return { level, finding: key.replace(/\..*/, '') as CheckFinding, said, advice };
}
