/**
 * Warnings in words, and how they and failures are filled in. `wrong_path` and `wrong_path.seats` are one finding in two
 * wordings. `{name}` is replaced by a fact.
 */
import type { Level, Verdict } from './check.ts';
import { FAILURES, type Wording } from './failures.ts';

const WARNINGS = {
  'setting_suspicious.quoted': ['{setting} is in quotation marks.', 'Remove them, unless they belong to the value.'],
  'setting_suspicious.spaces': ['{setting} begins or ends with a space or line end.', 'Remove it.'],
  'setting_suspicious.message': ['{setting} ends in the name of a message.', 'Set it without the message name.'],
  'setting_suspicious.realms': ['{setting} contains /realms.', 'Remove /realms and the rest. Set FARECLERK_TENANT.'],
  'setting_suspicious.schedule': ['{setting} contains /schedule.', 'Remove /schedule and the rest. fareclerk adds it.'],
  'setting_suspicious.no_links': [
    '{setting} is not set. Without it fareclerk cannot check download links of tickets and drops them.',
    'Set {setting} to the address that the links begin with.',
  ],
  proxy_ignored: [
    '{names} is set. fareclerk does not use it.',
    'Let this machine reach the airline without the proxy.',
  ],
  tls_expires_soon: ['{text}: {days} days from now.', 'Tell whoever runs the address. No setting helps.'],
  token_short: [
    '{life}. Payments need {wanted} s.',
    'Ask whoever runs FARECLERK_AUTH_URL for a longer life. The interface names 7200 s.',
  ],
  throttled: ['{where} answered {said}: too many calls.', 'Run `fareclerk doctor` again in a minute.'],
  refused: ['Refused: {said}.', 'Ask the airline. Give it the reference, if there is one.'],
  'refused.reading': [
    '{where} answered the reading of an unknown booking with {said}.',
    'It may be right. If readings fail, send the report to support.',
  ],
  'refused.booking': ['The reading was refused ({said}).', 'Give the locator of a booking of this agency.'],
  gateway_missing: [
    'FARECLERK_GATEWAY_URL is not set. list_routes, get_calendar_dates and find_cheapest_dates cannot answer.',
    'Ask the airline for the address of its schedule gateway and set FARECLERK_GATEWAY_URL.',
  ],
  'nothing_on_sale.routes': ['The airline lists no routes.', 'Ask the airline which routes this agency may sell.'],
  'nothing_on_sale.days': ['No day is on sale from {startDate} to {endDate} on the first routes.', '{tryRoute}'],
  nothing_on_sale: ['No offers from {trip}.', '{tryRoute}'],
  no_carrier: [
    '{offers} offers from {trip}. Some name no carrier, so they cannot be booked.',
    'Set FARECLERK_CARRIER{value}.',
  ],
  'no_carrier.record': ['{text}; FARECLERK_CARRIER is {set}.', 'Set FARECLERK_CARRIER{value}.'],
  fares_unclear: ['{text}', 'Send the report to support.'],
  'reply_unreadable.warning': ['{text} fareclerk cannot read this reply.', 'Send the report to support.'],
  round_trip_refused: [
    '{trip}: {what} ({said}). Each direction alone is offered.',
    'Search each direction by itself, and give both offers to create_booking. No setting helps.',
  ],
  state_open_to_others: ['Others can read {file} (mode {mode}). It has names and bookings.', 'Run chmod 600 {file}.'],
  sending_paused: ['{words}', 'Run `fareclerk resume` to allow sending.'],
  operations_in_doubt: [
    'Operations are open: {parts}.',
    'Run `fareclerk journal reconcile`, then `fareclerk journal`.',
  ],
  assumed: [
    'FARECLERK_ASSUMED_OPERATIONS=true offers tools whose messages this airline has not documented. {rest}.',
    'Try each at the test system first. Unset it if the airline does not know the message.',
  ],
  asked_by_the_model: [
    "FARECLERK_APPROVAL=echo: if a client shows no dialog, the model's word counts as the approval.",
    'Set FARECLERK_APPROVAL=auto, unless a person watches every call.',
  ],
  nobody_to_ask: [
    '{what} can be opened here (no display, SSH, container). Asked by: {ways}.',
    'Use a host with dialogs, run `fareclerk approve` in a terminal, or serve HTTP with FARECLERK_PUBLIC_URL.',
  ],
} as const satisfies Record<string, Wording>;

export type FindingKey = keyof typeof FAILURES | keyof typeof WARNINGS;
type WithoutWording<Key> = Key extends `${infer Finding}.${string}` ? Finding : Key;
export type Finding = WithoutWording<FindingKey> | 'as_it_should_be' | 'not_tried' | 'sandbox' | 'not_clear';

const TRY_ROUTE = 'Choose a pair that is on sale: fareclerk doctor --route FROM-TO.';

export function finding(key: FindingKey, facts: Readonly<Record<string, string | number>> = {}): Verdict {
  const texts: Readonly<Record<string, Wording>> = { ...FAILURES, ...WARNINGS };
  const all: typeof facts = { ...facts, tryRoute: TRY_ROUTE };
  const filled = (text = ''): string => text.replace(/\{(\w+)\}/g, (_, name: string) => String(all[name] ?? ''));
  const level: Level = key in FAILURES ? 'fail' : 'warn';
  return {
    level,
    finding: key.replace(/\..*/, '') as Finding,
    said: filled(texts[key]?.[0]),
    advice: filled(texts[key]?.[1]),
  };
}
