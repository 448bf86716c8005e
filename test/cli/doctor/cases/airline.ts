/**
 * Addresses that are not what they seem, and airlines that are not well.
 */

import * as deviant from '../deviant.ts';
import { at, type Case, isMessage, json } from '../world.ts';

export const AIRLINE: readonly Case[] = [
  {
    name: 'a wrong base path',
    check: 'messages',
    finding: 'wrong_path',
    level: 'fail',
    advice: /Set FARECLERK_BASE_URL to http:\/\/127\.0\.0\.1:\d+\/v2015b\/OTA\. It answers there/,
    setUp: ({ env, sandbox }) => ({ env: { ...env, FARECLERK_BASE_URL: `${sandbox.url}/ota` } }),
  },
  {
    name: 'a base that ends in a message',
    check: 'settings.FARECLERK_BASE_URL',
    finding: 'setting_suspicious',
    level: 'warn',
    advice: /without the message name/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_BASE_URL: `${env.FARECLERK_BASE_URL}/OTA_AirBookRQ` } }),
  },
  {
    name: 'a web page in place of the airline',
    check: 'messages',
    finding: 'html_page',
    level: 'fail',
    advice: /proxy or login page/,
    async setUp(world) {
      const page = '<!doctype html><html><head><title>Sign in - Example Corp proxy</title></head></html>';
      const front = await world.front(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: page }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'another service in place of the airline',
    check: 'messages',
    finding: 'reply_unreadable',
    level: 'fail',
    advice: /FARECLERK_BASE_URL/,
    async setUp(world) {
      const front = await world.front(() => json(200, { status: 'UP' }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an address that redirects',
    check: 'messages',
    finding: 'redirect',
    level: 'fail',
    advice: /FARECLERK_BASE_URL/,
    async setUp(world) {
      const location = 'https://login.example.com/start?from=ota&key=hunter2';
      const front = await world.front(() => ({ status: 302, headers: { location } }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline that wants messages in the path',
    check: 'messages',
    finding: 'address_form_needed',
    level: 'fail',
    advice: /FARECLERK_ADDRESS_FORM=path/,
    async setUp(world) {
      const front = await world.front(({ url }) => (/OTA_\w+$/.test(url.pathname) ? undefined : json(404, {})));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'a seat map somewhere else',
    check: 'seat_map',
    finding: 'wrong_path',
    level: 'fail',
    advice: /Set FARECLERK_SEAT_MAP_URL to http:\/\/127\.0\.0\.1:\d+\/OTA_AirSeatMapRQ\./,
    async setUp(world) {
      const front = await world.front(({ url }) =>
        url.pathname === '/v2015b/OTA_AirSeatMapRQ' ? { status: 404, body: 'no route' } : undefined,
      );
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'no gateway address',
    check: 'routes',
    finding: 'gateway_missing',
    level: 'warn',
    advice: /FARECLERK_GATEWAY_URL/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_GATEWAY_URL: '' } }),
  },
  {
    name: 'another service in place of the gateway',
    check: 'routes',
    finding: 'wrong_path',
    level: 'fail',
    advice: /path in FARECLERK_GATEWAY_URL/,
    async setUp(world) {
      const front = await world.front(isMessage);
      return { env: { ...world.env, FARECLERK_GATEWAY_URL: `${front.origin}/gateway` } };
    },
  },
  {
    name: 'a gateway that does not know the key',
    check: 'routes',
    finding: 'credentials_refused',
    level: 'fail',
    advice: /FARECLERK_API_KEY for this address/,
    async setUp(world) {
      const front = await world.front(() => json(403, { message: 'Forbidden' }));
      return { env: { ...world.env, FARECLERK_GATEWAY_URL: front.origin } };
    },
  },
  {
    name: 'an airline that limits requests',
    check: 'messages',
    finding: 'throttled',
    level: 'warn',
    advice: /in a minute/,
    async setUp(world) {
      const front = await world.front(() => ({ status: 429, headers: { 'retry-after': '60' }, body: '' }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline out of service',
    check: 'messages',
    finding: 'airline_failed',
    level: 'fail',
    advice: /Ask the airline/,
    async setUp(world) {
      const body = {
        status: 500,
        error: 'Internal Server Error',
        code: '448',
        title: 'System error',
        correlationId: 'c-77120',
      };
      const front = await world.front(() => json(500, body));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline that does not answer',
    check: 'messages',
    finding: 'no_answer',
    level: 'fail',
    advice: /lets this machine in/,
    async setUp(world) {
      const front = await world.front(() => 'hang');
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'a wrong clock',
    check: 'clock',
    finding: 'clock_off',
    level: 'fail',
    advice: /NTP/,
    setUp: ({ env }) => ({ env, now: () => Date.now() - 11 * 60_000 }),
  },
  {
    name: 'offers without a carrier',
    check: 'fare_search',
    finding: 'no_carrier',
    level: 'warn',
    advice: /FARECLERK_CARRIER/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CARRIER: '' } }),
  },
  {
    name: 'an airline of the other dialect',
    check: 'dialect',
    finding: 'other_dialect',
    level: 'fail',
    advice: /Set FARECLERK_DIALECT=airline/,
    argv: deviant.ASKED,
    async setUp(world) {
      const front = await world.front(deviant.airline({ search: deviant.airlineFares({ fareBasisCode: 'LITE' }) }));
      return { env: deviant.settings(world.env, front.origin) };
    },
  },
  {
    name: 'an airline that refuses round trips in one search',
    check: 'round_trip',
    finding: 'round_trip_refused',
    level: 'warn',
    advice: /Search each direction by itself/,
    argv: deviant.ASKED,
    async setUp(world) {
      const [search, back] = [deviant.railFares(), deviant.railFares('BBB', 'AAA', '2031-05-07')];
      const roundTrip = deviant.refusal(400, '161', 'Invalid criteria');
      const front = await world.front(deviant.airline({ search, back, roundTrip }));
      return { env: deviant.settings(world.env, front.origin) };
    },
  },
];
