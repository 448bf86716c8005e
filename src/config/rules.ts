/**
 * Rules between settings: what one makes necessary, or a mistake, of another.
 */

import { minorDigits } from '../domain/pricing/money.ts';
import { isLoopback } from '../domain/time-and-text/loopback-host.ts';
import type { Problem } from './problem.ts';
import { ABOUT, SETTING_NAMES, type SettingName, type SettingValues } from './settings.ts';
import type { Source } from './source.ts';

const TOKEN_SETTINGS = [
  'FARECLERK_AUTH_URL',
  'FARECLERK_TENANT',
  'FARECLERK_CLIENT_ID',
  'FARECLERK_CLIENT_SECRET',
  'FARECLERK_USERNAME',
  'FARECLERK_PASSWORD',
] as const satisfies readonly SettingName[];

const AIRLINE_ADDRESSES = [
  'FARECLERK_BASE_URL',
  'FARECLERK_SEAT_MAP_URL',
  'FARECLERK_AUTH_URL',
  'FARECLERK_GATEWAY_URL',
  'FARECLERK_REST_URL',
] as const satisfies readonly SettingName[];

const AMOUNTS = [
  'FARECLERK_LIMIT_PER_ACTION',
  'FARECLERK_LIMIT_PER_DAY',
  'FARECLERK_PAGE_ABOVE',
  'FARECLERK_FOUR_EYES_ABOVE',
] as const satisfies readonly SettingName[];

type Rule = (values: SettingValues, source: Source) => Problem[];

/** A misspelt or forgotten base address must never turn into sandbox tickets. */
const noAirlineWithoutBase: Rule = (values, { texts, named }) => {
  if (values.FARECLERK_BASE_URL !== undefined) return [];
  const limited = AMOUNTS.some((name) => texts[name] !== undefined);
  return SETTING_NAMES.filter((name) => ABOUT[name].airline && texts[name] !== undefined)
    .filter((name) => !(name === 'FARECLERK_CURRENCY' && limited) && texts[name] !== 'false')
    .map((name) => ({
      setting: named(name),
      wrong: 'is set, but FARECLERK_BASE_URL is not: the sandbox airline would answer instead of yours.',
      expected: 'FARECLERK_BASE_URL beside it, or no airline setting at all for the sandbox',
    }));
};

const secureAddresses: Rule = (values, { named }) => {
  if (values.FARECLERK_ALLOW_HTTP) return [];
  return AIRLINE_ADDRESSES.filter((name) => {
    const url = URL.parse(values[name] ?? '');
    return url !== null && url.protocol === 'http:' && !isLoopback(url.hostname);
  }).map((name) => ({
    setting: named(name),
    wrong: 'is a plain http address of another machine.',
    expected: 'https; FARECLERK_ALLOW_HTTP=true allows http, for a test system on a network you trust',
  }));
};

function missing(name: SettingName, why: string): Problem {
  const file = ABOUT[name].secret ? ` (or ${name}_FILE)` : '';
  return { setting: name, wrong: `is not set${file}.`, expected: why };
}

const credentials: Rule = (values) => {
  if (values.FARECLERK_BASE_URL === undefined) return [];
  const mode = values.FARECLERK_CREDENTIALS;
  const problems: Problem[] = [];
  if (mode !== 'token' && values.FARECLERK_API_KEY === undefined) {
    problems.push(
      missing('FARECLERK_API_KEY', `an api key; FARECLERK_CREDENTIALS=token if this airline takes tokens alone`),
    );
  }
  if (mode !== 'key') {
    const why = 'the password login; FARECLERK_CREDENTIALS=key if this airline takes the api key alone';
    problems.push(...TOKEN_SETTINGS.filter((name) => values[name] === undefined).map((name) => missing(name, why)));
  }
  return problems;
};

/** What an extra header is made of must be there, and fit a header. */
const extraHeaders: Rule = (values, { named }) => {
  const headers = values.FARECLERK_EXTRA_HEADERS;
  const problems: Problem[] = [];
  if (headers.includes('x-realm') && !/^[\x21-\x7e]+$/.test(values.FARECLERK_TENANT ?? '')) {
    problems.push({
      setting: named('FARECLERK_EXTRA_HEADERS'),
      wrong: 'asks for X-Realm, and FARECLERK_TENANT is not set or does not fit a header.',
      expected: 'FARECLERK_TENANT in visible ASCII characters',
    });
  }
  if (headers.includes('x-refresh-token') && values.FARECLERK_CREDENTIALS === 'key') {
    problems.push({
      setting: named('FARECLERK_EXTRA_HEADERS'),
      wrong: 'asks for X-Refresh-Token, and FARECLERK_CREDENTIALS=key has no token.',
      expected: 'FARECLERK_CREDENTIALS=both or token',
    });
  }
  return problems;
};

const pointOfSale: Rule = (values) => {
  if (values.FARECLERK_BASE_URL === undefined) return [];
  return (['FARECLERK_AGENT_ID', 'FARECLERK_AGENCY_ID', 'FARECLERK_CURRENCY'] as const)
    .filter((name) => values[name] === undefined)
    .map((name) => missing(name, 'the point of sale that every message carries'));
};

/** An amount finer than the currency's own digits is a mistake, not something to round. */
const amountDigits: Rule = (values, { named }) => {
  const currency = values.FARECLERK_CURRENCY;
  if (currency === undefined) return [];
  const digits = minorDigits(currency);
  return AMOUNTS.filter((name) => (values[name]?.split('.')[1]?.length ?? 0) > digits).map((name) => ({
    setting: named(name),
    wrong: `has more decimal digits than ${currency}.`,
    expected: `at most ${digits}`,
  }));
};

const signIn: Rule = (values, { named }) => {
  const given = (['FARECLERK_PUBLIC_URL', 'FARECLERK_ISSUER', 'FARECLERK_AUDIENCE'] as const).filter(
    (name) => values[name] !== undefined,
  );
  const insecure = (['FARECLERK_PUBLIC_URL', 'FARECLERK_ISSUER'] as const).filter((name) => {
    const url = URL.parse(values[name] ?? '');
    return url !== null && url.protocol === 'http:' && !isLoopback(url.hostname);
  });
  const problems: Problem[] = insecure.map((name) => ({
    setting: named(name),
    wrong: 'is a plain http address.',
    expected: 'https: callers sign in there',
  }));
  if (values.FARECLERK_PUBLIC_URL !== undefined && values.FARECLERK_ISSUER === undefined) {
    problems.push(missing('FARECLERK_ISSUER', 'an issuer, so that callers at FARECLERK_PUBLIC_URL sign in'));
  }
  if (values.FARECLERK_ISSUER !== undefined && values.FARECLERK_PUBLIC_URL === undefined) {
    problems.push(missing('FARECLERK_PUBLIC_URL', `it, beside ${given.join(' and ')}`));
  }
  return problems;
};

/** The token takes the place of sign-in; beside it, it would be another credential in the same header. */
const httpToken: Rule = (values, { named }) =>
  values.FARECLERK_HTTP_TOKEN === undefined || values.FARECLERK_ISSUER === undefined
    ? []
    : [
        {
          setting: named('FARECLERK_HTTP_TOKEN'),
          wrong: 'is set beside FARECLERK_ISSUER, whose tokens callers bring already.',
          expected: 'one of the two',
        },
      ];

/** What each needs beside it, and why. */
const NEEDS: readonly (readonly [SettingName, SettingName, string])[] = [
  ['FARECLERK_TENANT_CLAIM', 'FARECLERK_ISSUER', 'the issuer whose tokens have that claim'],
  ['FARECLERK_PAGE_CLIENT_ID', 'FARECLERK_ISSUER', 'the issuer that people sign in with'],
  ['FARECLERK_PAGE_CLIENT_SECRET', 'FARECLERK_PAGE_CLIENT_ID', 'the client that the secret belongs to'],
  ['FARECLERK_APPROVER_ROLE', 'FARECLERK_PAGE_CLIENT_ID', 'the client that people sign in with on the approval page'],
  ['FARECLERK_FOUR_EYES_ABOVE', 'FARECLERK_APPROVER_ROLE', 'the role of those who may say yes above that amount'],
  ['FARECLERK_CALLERS_FILE', 'FARECLERK_ISSUER', 'the issuer whose tokens say who calls'],
  ['FARECLERK_CALLERS_FILE', 'FARECLERK_BASE_URL', 'the airline that knows those points of sale'],
];

const together: Rule = (values) =>
  NEEDS.filter(([name, other]) => values[name] !== undefined && values[other] === undefined).map(([name, other, why]) =>
    missing(other, `${why}, for ${name}`),
  );

const RULES: readonly Rule[] = [
  noAirlineWithoutBase,
  secureAddresses,
  credentials,
  extraHeaders,
  pointOfSale,
  amountDigits,
  signIn,
  httpToken,
  together,
];

export function brokenRules(values: SettingValues, source: Source): Problem[] {
  return RULES.flatMap((rule) => rule(values, source));
}
