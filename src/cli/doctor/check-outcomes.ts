/** Everything that the doctor can find, with its words and what to do about it. */

/** `fail`: something does not work until a person changes it. `warn`: it works, or only some tools need it. */
export type CheckLevel = 'ok' | 'warn' | 'fail' | 'skipped';

export interface CheckOutcome {
  readonly level: CheckLevel;
  /** The diagnosis in one word, for programs and for support. */
  readonly finding: FindingName | 'as_it_should_be' | 'not_tried';
  /** What happened: one or two plain sentences. */
  readonly said: string;
  /** What to change; names the setting if there is one. */
  readonly advice?: string;
}

export const good = (said: string): CheckOutcome => ({ level: 'ok', finding: 'as_it_should_be', said });
export const skipped = (said: string): CheckOutcome => ({ level: 'skipped', finding: 'not_tried', said });

/** Whether the checks that need this one can run. */
export const passes = ({ level }: CheckOutcome): boolean => level === 'ok' || level === 'warn';

/** What was found, and after the arrow what to do. A fact replaces each `{name}`. */
type Wording = `${string}\n    → ${string}`;

const FAILURES = {
  setting_wrong: `{setting} {wrong}
    → Expected: {expected}.`,
  connection_failed: `No connection to {where} ({code}).
    → Check host, port and https in {setting}, and this machine's DNS and network. You may need a VPN. A firewall or proxy may block it.`,
  tls_certificate: `This machine does not trust the certificate of {where}: {words}.
    → Check the name in {setting}, this machine's clock and proxies. If you trust its issuer, set NODE_EXTRA_CA_CERTS to the file of the issuer's certificate. If not, do not connect.`,
  issuer_wrong: `There is no complete metadata of {issuer}, or it names another issuer, whose tokens are refused.
    → Set FARECLERK_ISSUER to the issuer that the metadata of the provider names, to the letter.`,
  issuer_keys: `The keys of the issuer at {where} cannot be used ({said}). No token can be checked.
    → Have the provider sign access tokens with RS256, PS256, ES256 or EdDSA, and publish the keys there.`,
  public_not_here: `{where} does not lead to a server with these settings ({said}).
    → Have the proxy forward it, or restart that server. Check FARECLERK_PUBLIC_URL and FARECLERK_ISSUER.`,
  wrong_login_address: `There is no identity provider at this path, or it does not know this realm ({said}).
    → Check the end of FARECLERK_AUTH_URL, also upper and lower case. Older providers need /auth before /realms.`,
  login_refused: `The identity provider sent no token ({said}). No login is repeated.
    → Check FARECLERK_USERNAME, FARECLERK_PASSWORD, FARECLERK_CLIENT_ID and FARECLERK_CLIENT_SECRET. Have the account unlocked or set up, and the password grant enabled for this client.`,
  credentials_refused: `{where} refuses {credentials} ({said}).
    → Check FARECLERK_API_KEY (complete, no quotation marks) and FARECLERK_AUTH_URL: both of the system of {setting}. Ask the airline what it needs of both (FARECLERK_CREDENTIALS) and besides (FARECLERK_EXTRA_HEADERS).`,
  seller_refused: `The airline refuses the point of sale ({said}).
    → Check FARECLERK_AGENT_ID, FARECLERK_AGENCY_ID and FARECLERK_CURRENCY.`,
  other_currency: `Fares are in {found}, but FARECLERK_CURRENCY is {set}. Limits and totals would be wrong.
    → Set FARECLERK_CURRENCY={other} if this agency sells in it.`,
  other_dialect: `Replies are in the {proved} dialect, but FARECLERK_DIALECT is {set}.
    → Set FARECLERK_DIALECT={proved}.`,
  wrong_path: `There is nothing at {where} ({said}).
    → Check the path in {setting}.`,
  address_form_needed: `{where} takes messages named by {form} only.
    → Set FARECLERK_ADDRESS_FORM={value}.`,
  redirect: `{where} redirects{target} ({said}). fareclerk does not follow: it would send the credentials there.
    → If that is the airline, set {setting} to it. It may also be the login page of a proxy.`,
  throttled: `{where} answered {said}: too many calls.
    → Run \`fareclerk doctor\` again in a minute.`,
  airline_failed: `The airline's system fails: {where} answered {said}.
    → Ask the airline. No setting helps.`,
  no_reply: `No reply came from {where}. {words}
    → Check {setting}. A firewall or proxy may cut it. Ask the airline whether it lets this machine in.`,
  reply_unreadable: `{where} answered {said} with something unknown.
    → Check {setting}. A proxy or login page may be in between. If the address is the airline's, send the report to support.`,
  state_unwritable: `Cannot write {directory}. No booking is possible without a journal.
    → Make it writable for this user, or set FARECLERK_STATE_DIR to another folder.`,
  state_foreign: `{path} {why}. Whoever can write there could replace the journal.
    → {change}.`,
  state_damaged: `Cannot open and write {file} as a SQLite file.
    → Restore a good copy, or {other}. Keep the old file: it is the journal.`,
  state_newer: `A newer fareclerk wrote {file}. It was not changed.
    → Install the newer fareclerk, or {other}.`,
  state_older: `An older fareclerk wrote {file}. It was not changed.
    → First start a fareclerk that takes it over, as the changelog says, or {other}.`,
  state_another_airline: `{file} is the journal of another airline or agency. No booking is possible.
    → For this airline {other}. Or restore FARECLERK_BASE_URL and FARECLERK_AGENCY_ID.`,
  state_locked: `Another program locks {file}. fareclerk locks it for milliseconds, and longer only when a new version takes it over.
    → End that program (a backup, a database browser), or {other}.`,
  state_tampered: `The journal was changed from outside: its chain of hashes is broken.
    → Run \`fareclerk journal verify\`, and ask who had access to the state folder.`,
  settings_unlike: `{words}
    → Give every server of one state the same settings: stop them all, and start them with the new ones.`,
  sending_held: `{words}
    → Run \`fareclerk journal restored\`. It asks the airline what was lost and allows sending.`,
} as const satisfies Record<string, Wording>;

const WARNINGS = {
  proxy_ignored: `{names} is set. fareclerk does not use it.
    → Let this machine reach the airline without the proxy.`,
  variable_ignored: `{name} is set, and has no effect since 0.4.0. Nothing stops because of it.
    → Use {instead}.`,
  issuer_incomplete: `The metadata of the issuer does not name PKCE with S256 (code_challenge_methods_supported).
    → Enable it at the provider: MCP clients refuse to sign in without it.`,
  scopes_unknown: `The provider does not list the scopes {missing}. A token without them cannot call the tools.
    → Define these scopes at the provider and allow them to the clients. See the guides HTTP server and Keycloak.`,
  refused: `Refused: {said}.
    → Ask the airline. Give it the reference, if there is one.`,
  dialect_unclear: `{offers}. They do not tell the dialect, so FARECLERK_DIALECT={set} is not confirmed. Seen: {seen}.
    → Ask the airline which dialect it speaks, or compare a reply with docs/reference/dialects.md.`,
  nothing_on_sale: `No offers on {date}: {routes}. So dialect and currency were not compared.
    → Choose a pair that is on sale: \`fareclerk doctor --route FROM-TO\`.`,
  state_earlier: `An earlier fareclerk wrote {file}. It was not changed.
    → Stop all programs of that version, then start a server of this one: it takes the state over.`,
  sending_paused: `{words}
    → Run \`fareclerk resume\` to allow sending.`,
  operations_need_person: `Operations to check with the airline: {count}.
    → See \`fareclerk journal list --state needs_person\`, ask the airline, run \`fareclerk journal resolve ID --note TEXT\`.`,
  asked_by_the_model: `FARECLERK_APPROVAL=echo: if a client shows no dialog, the model's word counts as the approval.
    → Set FARECLERK_APPROVAL=auto, unless you watch every call.`,
  nobody_to_ask: `No browser can be opened here (no display, SSH, container). Approvals by {ways}.
    → Use a host with dialogs, run \`fareclerk approve\` in a terminal, or serve HTTP with FARECLERK_PUBLIC_URL.`,
} as const satisfies Record<string, Wording>;

const WORDINGS: Readonly<Record<FindingName, Wording>> = { ...FAILURES, ...WARNINGS };

export type FindingName = keyof typeof FAILURES | keyof typeof WARNINGS;

export function finding(
  name: FindingName,
  facts: Readonly<Record<string, string | number | undefined>> = {},
): CheckOutcome {
  const [said = '', advice = ''] = WORDINGS[name]
    .split(/\n +\u2192 /)
    .map((text) => text.replace(/\{(\w+)\}/g, (_, fact) => String(facts[fact] ?? '')));
  return { level: name in FAILURES ? 'fail' : 'warn', finding: name, said, advice };
}
