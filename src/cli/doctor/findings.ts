/**
 * Every diagnosis in words: what was found, and what to do. `wrong_path` and `wrong_path.seats` are one finding in two
 * wordings. `{name}` is filled in.
 */
import type { Level, Verdict } from './check.ts';

type Wording = readonly [found: string, advice: string];

const FAILURES = {
  setting_wrong: ['Nothing was sent.', 'Check {setting}.'],
  'setting_wrong.problem': ['{setting} {wrong}', 'Expected: {expected}.'],
  'setting_wrong.character': [
    'An address or credential holds a character that HTTP does not allow.',
    'Check {setting}, FARECLERK_API_KEY and FARECLERK_TENANT.',
  ],

  host_unknown: [
    'There is no host named {host}.',
    "Check the spelling of {setting}, and that this machine's DNS knows the host (a VPN may be needed).",
  ],
  'host_unknown.no_dns': [
    'The name {host} could not be looked up: no name server answered.',
    "Check the spelling of {setting}, and that this machine's DNS knows the host (a VPN may be needed).",
  ],
  connection_refused: ['Nothing listens at {where}.', 'Check host and port in {setting}.'],
  connection_timeout: [
    '{where} does not answer: a firewall may be dropping the connection.',
    "Ask for this machine's address to be let through to {where}, or check {setting}.",
  ],
  connection_failed: ['No connection to {where} ({code}).', 'Check {setting} and the network.'],
  'connection_failed.unreachable': ['{where} could not be reached.', 'Check {setting} and the network.'],
  'connection_failed.cut': [
    '{where} ended the connection without an answer.',
    'Check {setting}; a firewall or proxy may be cutting it.',
  ],
  tls_expired: [
    'The certificate of {where} ended on {to}.',
    "Whoever runs {setting} must renew it; also check this machine's clock.",
  ],
  tls_not_yet_valid: [
    'The certificate of {where} begins on {from}.',
    "Check this machine's clock first; then ask whoever runs the address.",
  ],
  tls_wrong_name: [
    'The certificate of {where} is for {names}, not for this name.',
    'Use the name that the certificate has in {setting}, or a proxy stands between.',
  ],
  tls_unknown_issuer: [
    'The certificate of {where} was issued by "{issuer}", whom this machine does not trust.',
    'Where a company proxy or a private authority is meant, name its certificate file in NODE_EXTRA_CA_CERTS; else do not connect.',
  ],
  tls_not_spoken: ['{where} answers, but not in TLS.', 'Check the port and https in {setting}.'],
  tls_failed: ['No secure connection to {where} ({code}).', 'Check {setting}; a firewall or proxy may be cutting it.'],

  account_locked: [
    'The account is locked for a while after wrong passwords. fareclerk never repeats a refused login by itself: accounts lock.',
    'Wait, or have FARECLERK_USERNAME unlocked by whoever runs the identity provider; then check FARECLERK_PASSWORD before the next try.',
  ],
  account_disabled: [
    'The account is disabled.',
    'Have the account of FARECLERK_USERNAME enabled by whoever runs the identity provider.',
  ],
  account_not_set_up: [
    'The account has a step open: a password to change, an address to confirm, terms to accept.',
    'Sign in once as FARECLERK_USERNAME in a browser and finish it, or have it cleared by whoever runs the identity provider.',
  ],
  wrong_password: [
    'User name or password are wrong. Some providers say the same of an account that is locked for a while. fareclerk never repeats a refused login by itself: accounts lock.',
    'Check FARECLERK_USERNAME and FARECLERK_PASSWORD, by hand and before the next try.',
  ],
  grant_not_allowed: [
    'The client is known, but may not log in with a user name and password.',
    'Have the password grant (direct access grants) switched on for FARECLERK_CLIENT_ID.',
  ],
  'client_refused.secret': [
    'The identity provider does not accept this client: its secret is wrong.',
    'Check FARECLERK_CLIENT_SECRET and FARECLERK_CLIENT_ID.',
  ],
  client_refused: [
    'The identity provider does not accept this client: id or secret are wrong.',
    'Check FARECLERK_CLIENT_SECRET and FARECLERK_CLIENT_ID.',
  ],
  wrong_tenant: [
    'The identity provider is there, and knows no such tenant.',
    'Check FARECLERK_TENANT: the short airline name, spelled and cased as the realm is.',
  ],
  'wrong_login_address.near': [
    'There is no identity provider at this path; there is one beside it.',
    'Set FARECLERK_AUTH_URL to {candidate}.',
  ],
  wrong_login_address: [
    'There is no identity provider at this path.',
    'Check FARECLERK_AUTH_URL: /realms/<tenant>/protocol/openid-connect/token is added to it. Older ones have /auth before that.',
  ],
  no_token: [
    'The identity provider answered HTTP {status} without a token.',
    'Check FARECLERK_AUTH_URL; it may be the address of something else.',
  ],
  login_refused: [
    'The identity provider refuses the request (HTTP {status}, {error}).',
    'Check FARECLERK_AUTH_URL, FARECLERK_TENANT and FARECLERK_CLIENT_ID.',
  ],

  token_refused: [
    'The airline refuses {set} ({said}). Without the token it says the same, without the key something else: the token is what it does not accept.',
    'Check FARECLERK_TENANT and FARECLERK_AUTH_URL: the token may be of another system than FARECLERK_BASE_URL.',
  ],
  'token_refused.key_accepted': [
    'The airline refuses {set} ({said}). It accepts the key alone.',
    'Set FARECLERK_CREDENTIALS=key; or, where a token is wanted, check FARECLERK_TENANT and FARECLERK_AUTH_URL: it may be the token of another system.',
  ],
  'token_refused.alone': [
    'The airline refuses {set} ({said}).',
    'Check FARECLERK_TENANT and FARECLERK_AUTH_URL; or this airline wants an api key too (FARECLERK_CREDENTIALS).',
  ],
  key_refused: [
    'The airline refuses {set} ({said}). Without the key it says the same: the key is what it does not accept.',
    'Check FARECLERK_API_KEY: all of it, no quotation marks, and of this system (test and production keys differ).',
  ],
  'key_refused.token_accepted': [
    'The airline refuses {set} ({said}). It accepts the token alone.',
    'Check FARECLERK_API_KEY, or set FARECLERK_CREDENTIALS=token.',
  ],
  'key_refused.alone': [
    'The airline refuses {set} ({said}).',
    'Check FARECLERK_API_KEY, and that it is meant for this address; or this airline wants a token too (FARECLERK_CREDENTIALS).',
  ],
  credentials_refused: [
    'The airline refuses {set} ({said}).',
    'Check FARECLERK_API_KEY first, then FARECLERK_TENANT; ask the airline which of the two it wants (FARECLERK_CREDENTIALS).',
  ],
  'credentials_refused.both_accepted': [
    'The airline refuses {set} ({said}). It accepts key and token together.',
    'Set FARECLERK_CREDENTIALS=both.',
  ],
  'credentials_refused.address': [
    '{setting} refuses the credentials ({said}).',
    'Check FARECLERK_API_KEY for this address, and that {setting} and FARECLERK_BASE_URL are of the same system.',
  ],
  extra_headers_needed: [
    'The airline accepts the credentials only with the headers X-Realm and X-Refresh-Token.',
    'Set FARECLERK_EXTRA_HEADERS=X-Realm,X-Refresh-Token; one of the two may be enough.',
  ],

  agent_refused: [
    'The airline does not know this agent and agency, or does not let them sell. It said: {said}.',
    'Check FARECLERK_AGENT_ID and FARECLERK_AGENCY_ID.',
  ],
  agency_suspended: [
    'The airline has suspended this agency. It said: {said}.',
    'Ask the airline; FARECLERK_AGENCY_ID names the agency.',
  ],
  currency_refused: ['The airline does not sell in this currency. It said: {said}.', 'Check FARECLERK_CURRENCY.'],
  other_currency: [
    'Fares come in {found}, and FARECLERK_CURRENCY is {set}: limits and totals would not fit.',
    'Set FARECLERK_CURRENCY={first}, if that is what this agency sells in.',
  ],

  wrong_path: ['{where} answered {said}: there is nothing at this path{taking}.', 'Check the path in {setting}.'],
  'wrong_path.seats': [
    'Nothing takes seat map requests at {where} ({source}).',
    'Ask the airline for the whole address of OTA_AirSeatMapRQ and set FARECLERK_SEAT_MAP_URL.',
  ],
  'wrong_path.seats_near': [
    'Nothing takes seat map requests at {where} ({source}).',
    'Set FARECLERK_SEAT_MAP_URL to {found}: it answers there.',
  ],
  address_form_needed: ['{where} takes messages named by {form} only.', 'Set FARECLERK_ADDRESS_FORM={value}.'],
  html_page: [
    '{where} answered HTTP {status} with a web page{titled}, not with JSON.',
    'A proxy or login page stands between, or {setting} is the address of a page for people.',
  ],
  redirect: [
    '{where} sends callers on{target} (HTTP {status}). fareclerk follows no redirect: credentials would go with it.',
    "If that is the airline's own address, set it in {setting}; if it is a login page, a proxy stands between.",
  ],
  airline_failed: [
    "{where} answered {said}: the airline's own system fails.",
    'Nothing to change here: ask the airline, with the reference if one is given.',
  ],
  no_answer: [
    '{where} takes the call and does not answer in time.',
    'Ask the airline whether this machine is let in, and whether its system is up.',
  ],
  reply_unreadable: [
    '{where} answered {said} and JSON that is neither an answer nor a refusal.',
    "Something else may live at the address in {setting}; if it is the airline's, send the report to support.",
  ],
  'reply_unreadable.garbled': [
    '{where} answered in a way that is not HTTP, or too large.',
    'Check host and port in {setting}.',
  ],
  other_dialect: [
    'Replies: {dialect} dialect, but FARECLERK_DIALECT is {set}. {evidence}',
    'Set FARECLERK_DIALECT={dialect}.',
  ],
  clock_off: [
    "This machine's clock is {skew} {direction} {host}.",
    'Set the clock of this machine (NTP): limits to pay, rename and cancel are judged by it.',
  ],
  'clock_off.hosts': [
    "This machine's clock is {skew} {direction} {host}.",
    "Hosts disagree among themselves: check this machine's clock, then ask whoever runs {host}.",
  ],

  state_unwritable: [
    '{directory} cannot be written: nothing would be booked, because nothing can be written down first.',
    'Make it writable for this user, or set FARECLERK_STATE_DIR to another folder.',
  ],
  'state_unwritable.file': [
    '{file} cannot be opened and written as a SQLite file.',
    'Put back a good copy of it, or set FARECLERK_STATE_DIR to another folder; keep the old file: it is the journal.',
  ],
  'state_unwritable.database': [
    'The database of FARECLERK_DATABASE_URL cannot be used.',
    'Check address, user, password and network of FARECLERK_DATABASE_URL.',
  ],
  state_newer: [
    '{file} was written by a newer fareclerk; it was not touched.',
    'Install the newer fareclerk, or set FARECLERK_STATE_DIR to another folder.',
  ],
  state_of_another: [
    '{file} holds the journal of another airline or agency: nothing would be booked.',
    'Set FARECLERK_STATE_DIR to a folder for this airline, or put FARECLERK_BASE_URL and FARECLERK_AGENCY_ID back as they were.',
  ],
  'state_of_another.database': [
    'The database of FARECLERK_DATABASE_URL holds the journal of another airline or agency: nothing would be booked.',
    'Name a database for this airline, or put FARECLERK_BASE_URL and FARECLERK_AGENCY_ID back as they were.',
  ],
  state_locked: [
    '{file} is locked by another process: fareclerk itself holds it for milliseconds only.',
    'End the program that holds it (a backup, a database browser), or set FARECLERK_STATE_DIR to another folder.',
  ],
  state_tampered: [
    'The journal was changed from outside: its chain of hashes is broken.',
    'Run `fareclerk journal verify`, and ask who had access to the state folder.',
  ],
  sending_held: [
    '{words}',
    'Run `fareclerk journal restored`: it checks with the airline what was lost, and lets acts be sent again.',
  ],
} as const satisfies Record<string, Wording>;

const WARNINGS = {
  'setting_suspicious.quoted': [
    '{setting} begins and ends with a quotation mark.',
    'Leave the quotation marks out of {setting}, unless they belong to it.',
  ],
  'setting_suspicious.spaces': [
    '{setting} begins or ends with a space or line end.',
    'Take it out of {setting}, or of the file it is read from.',
  ],
  'setting_suspicious.message': [
    '{setting} ends in the name of a message.',
    'Set the address without the message: fareclerk names it itself.',
  ],
  'setting_suspicious.realms': [
    '{setting} holds /realms.',
    'Leave out /realms and all after it: the tenant is FARECLERK_TENANT.',
  ],
  'setting_suspicious.schedule': [
    '{setting} holds /schedule.',
    'Leave out /schedule and all after it: fareclerk adds it.',
  ],
  'setting_suspicious.no_links': [
    '{setting} is not set: download links of tickets cannot be told from strange ones and are not passed on.',
    'Set {setting} to the address that the links begin with.',
  ],
  proxy_ignored: [
    '{names} is set: fareclerk connects to the airline directly and does not use it.',
    'Let this machine reach the airline without the proxy.',
  ],
  tls_expires_soon: ['{text}: {days} days from now.', 'Tell whoever runs the address; nothing to change here.'],
  token_short: [
    '{life}. Payments want {wanted} s of life in their token and take what there is.',
    'Ask whoever runs FARECLERK_AUTH_URL for a longer life; the interface names 7200 s.',
  ],
  throttled: ['{where} answered {said}: too many calls just now.', 'Run `fareclerk doctor` again in a minute.'],
  refused: ['Refused: {said}.', 'Ask the airline with the reference, if one is given.'],
  'refused.reading': [
    '{where} answered the reading of a booking that does not exist with {said}.',
    'It may be right; send the report to support if readings fail.',
  ],
  'refused.booking': ['Reading it: refused ({said}).', 'Give the locator of a booking of this agency.'],
  gateway_missing: [
    'FARECLERK_GATEWAY_URL is not set: list_routes, get_calendar_dates and find_cheapest_dates cannot answer.',
    'Ask the airline for the address of its schedule gateway and set FARECLERK_GATEWAY_URL.',
  ],
  'nothing_on_sale.routes': [
    'The airline lists no routes at all.',
    'Ask the airline which routes this agency may sell.',
  ],
  'nothing_on_sale.days': [
    'No day on sale from {startDate} to {endDate} on the first routes.',
    'Give a pair that is on sale: fareclerk doctor --route FROM-TO.',
  ],
  nothing_on_sale: [
    'Answered, with nothing on offer from {trip}.',
    'Give a pair that is on sale: fareclerk doctor --route FROM-TO.',
  ],
  no_carrier: [
    '{offers} offers from {trip}; some name no carrier and cannot be booked so.',
    'Set FARECLERK_CARRIER{value}.',
  ],
  'no_carrier.record': ['{text}; FARECLERK_CARRIER is {set}.', 'Set FARECLERK_CARRIER{value}.'],
  fares_unclear: ['{text}', 'Send the report to support.'],
  'reply_unreadable.warning': ['{text} fareclerk cannot read this reply.', 'Send the report to support.'],
  round_trip_refused: [
    '{trip}: {what} ({said}); each direction alone is offered.',
    'Nothing to set: search each direction by itself, and give both offers to create_booking.',
  ],
  state_open_to_others: [
    '{file} can be read by others (mode {mode}): it holds names and bookings.',
    'chmod 600 {file}; the next start does so itself.',
  ],
  sending_paused: ['{words}', 'Run `fareclerk resume` to go on.'],
  operations_in_doubt: [
    'Whole, with operations open: {parts}.',
    'Run `fareclerk journal reconcile`, then `fareclerk journal`.',
  ],
  assumed: [
    'FARECLERK_ASSUMED_OPERATIONS=true: tools are offered whose messages this airline has not documented. {rest}.',
    'Try each at the test system first; unset it where the airline does not know the message.',
  ],
  asked_by_the_model: [
    "FARECLERK_APPROVAL=echo: where a client shows no dialog, the model's word counts as the yes.",
    'Set FARECLERK_APPROVAL=auto, unless a person is known to watch every call.',
  ],
  'nobody_to_ask.terminal': [
    '{what} can be opened here (no display, SSH, container). Asked by: {ways}.',
    'Use a host with dialogs, or keep a terminal for `fareclerk approve`.',
  ],
  nobody_to_ask: [
    '{what} can be opened here (no display, SSH, container). Asked by: {ways}.',
    'Use a host with dialogs, run `fareclerk approve` in a terminal as the same user, or serve over HTTP with FARECLERK_PUBLIC_URL.',
  ],
} as const satisfies Record<string, Wording>;

export type FindingKey = keyof typeof FAILURES | keyof typeof WARNINGS;
type WithoutWording<Key> = Key extends `${infer Finding}.${string}` ? Finding : Key;
export type Finding = WithoutWording<FindingKey> | 'as_it_should_be' | 'not_tried' | 'sandbox' | 'not_clear';

export function finding(key: FindingKey, facts: Readonly<Record<string, string | number>> = {}): Verdict {
  const failures: Readonly<Record<string, Wording>> = FAILURES;
  const warnings: Readonly<Record<string, Wording>> = WARNINGS;
  const level: Level = key in failures ? 'mend' : 'warn';
  const [said = '', mend = ''] = (failures[key] ?? warnings[key] ?? []).map((text) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? '')),
  );
  return { level, finding: key.replace(/\..*/, '') as Finding, said, mend };
}
