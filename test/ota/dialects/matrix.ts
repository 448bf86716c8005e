/**
 * Every deviation that the sandbox airline knows, one at a time and all at once, in both dialects; every way to address
 * it and to be let in.
 */
import type { SandboxOptions } from '../../../src/sandbox/addresses/start.ts';
import type { Rule } from '../../cli/doctor/front.ts';
import { deviations, ERROR_FORM_NAMES, FORM_NAMES, OWN } from '../../support/sandbox/deviations.ts';

export interface Variation {
  readonly name: string;
  readonly sandbox: SandboxOptions;
  /** Settings other than the sandbox prints; `{url}` is its address. */
  readonly env?: Readonly<Record<string, string>>;
  /** Something that stands before the airline and lets through only what it demands. */
  readonly front?: Rule;
  /** Part of the bounded run. */
  readonly always?: true;
}

const BOTH = ['rail', 'airline'] as const;

/** One at a time, on top of nothing; which dialect's network it is tried on alternates in the bounded run. */
const singly: readonly Variation[] = FORM_NAMES.flatMap((deviation, i) =>
  BOTH.map(
    (dialect, j): Variation => ({
      name: `${dialect}: ${deviation}`,
      sandbox: { dialect, rewrite: deviations(deviation) },
      ...(i % 12 === 0 && (i / 12) % 2 === j && { always: true as const }),
    }),
  ),
);

const together: readonly Variation[] = BOTH.flatMap((dialect): Variation[] => [
  { name: `${dialect}: as it is`, sandbox: { dialect } },
  {
    name: `${dialect}: every deviation at once`,
    sandbox: { dialect, rewrite: deviations(...FORM_NAMES, ...ERROR_FORM_NAMES) },
    always: true,
  },
  {
    name: `${dialect}: its own and unknown fields`,
    sandbox: { dialect, rewrite: deviations(...OWN[dialect], 'unknownFields') },
    always: true,
  },
  ...ERROR_FORM_NAMES.map((form) => ({
    name: `${dialect}: its own and ${form}`,
    sandbox: { dialect, rewrite: deviations(...OWN[dialect], form) },
  })),
]);

const credentials: readonly Variation[] = (['key', 'token'] as const).map((mode) => ({
  name: `credentials: ${mode}`,
  sandbox: { accepts: mode },
  env: { FARECLERK_CREDENTIALS: mode, ...(mode === 'key' ? { FARECLERK_AUTH_URL: '' } : { FARECLERK_API_KEY: '' }) },
  front: ({ headers, url }) => {
    const [key, token] = [headers['x-api-key'] !== undefined, headers.authorization !== undefined];
    const right = url.pathname.startsWith('/realms/') || (key === (mode === 'key') && token === (mode === 'token'));
    return right ? undefined : { status: 401, body: {} };
  },
  always: true,
}));

const onlyPath: Rule = ({ url, headers }) =>
  url.pathname.startsWith('/v2015b') && (headers['local-name'] !== undefined || !/OTA_\w+$/.test(url.pathname))
    ? { status: 404, body: '<h1>Not Found</h1>' }
    : undefined;

const addresses: readonly Variation[] = [
  ...['/v2015b/OTA/', '/v2015b', ''].flatMap((path) =>
    (['header', 'path'] as const).map(
      (form): Variation => ({
        name: `address: base ${path === '' ? 'at the root' : path}, ${form} form`,
        sandbox: {},
        env: { FARECLERK_BASE_URL: `{url}${path}`, FARECLERK_ADDRESS_FORM: form },
      }),
    ),
  ),
  {
    name: 'address: an airline that takes the path form only',
    sandbox: { dialect: 'airline' },
    env: { FARECLERK_ADDRESS_FORM: 'path' },
    front: onlyPath,
    always: true,
  },
];

const demands = (name: string, fits: (value: string) => boolean): Rule => {
  return ({ url, headers }) =>
    url.pathname.startsWith('/realms/') || fits(String(headers[name] ?? '')) ? undefined : { status: 403, body: {} };
};

const headers: readonly Variation[] = [
  {
    name: 'headers: X-Realm, for a tenant with a difficult name',
    sandbox: { credentials: { tenant: 'Air-Line_1.x' } },
    env: { FARECLERK_EXTRA_HEADERS: 'realm' },
    front: demands('x-realm', (value) => value === 'Air-Line_1.x'),
    always: true,
  },
  {
    name: 'headers: X-Refresh-Token, beside X-Realm',
    sandbox: {},
    env: { FARECLERK_EXTRA_HEADERS: 'both' },
    front: demands('x-refresh-token', (value) => value.length > 20),
    always: true,
  },
  {
    name: 'headers: none of the extra ones unless they are asked for',
    sandbox: {},
    front: ({ headers: sent }) =>
      sent['x-realm'] === undefined && sent['x-refresh-token'] === undefined ? undefined : { status: 400, body: {} },
  },
];

export const MATRIX: readonly Variation[] = [...together, ...singly, ...credentials, ...addresses, ...headers];
