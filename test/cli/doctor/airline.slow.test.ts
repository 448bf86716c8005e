/**
 * `fareclerk doctor --airline`, over real sockets: against the sandbox, and against replies written by hand.
 */
import { describe, expect, it } from 'vitest';
import { adults, TRAIN, TravelAgent } from '../../sandbox/point-of-sale.ts';
import { dateIn } from '../../support/people.ts';
import { freshState, ran } from '../screen.ts';
import * as deviant from './deviant.ts';
import { codes, DAY, found, itinerary, type Replies, row, segment } from './deviant.ts';
import type { Rule } from './front.ts';
import { at, type Env, examined, realmAt, withWorld } from './world.ts';

const flat = (text: string): string => text.replace(/\s+/g, ' ');
/** docs/reference/doctor.md, How an airline differs. */
const MOST_REQUESTS = 20;

/** Examines the hand-written airline. */
async function visited(
  replies: Replies,
  { env = {}, argv = [], rule = () => undefined }: { env?: Env; argv?: readonly string[]; rule?: Rule } = {},
) {
  return withWorld(async (world) => {
    const airline = deviant.airline(replies);
    const { origin, calls } = await world.front((call) => rule(call) ?? airline(call));
    const seen = await examined(world, { env: { ...deviant.settings(world.env, origin), ...env } }, [
      ...deviant.ASKED,
      ...argv,
    ]);
    return { ...seen, flat: flat(seen.text), requests: calls.length };
  });
}

const isLogin: (...call: Parameters<Rule>) => boolean = ({ url }) => url.pathname.startsWith('/realms/');

describe('the sandbox airline', () => {
  it.each(['rail', 'airline'] as const)(
    'has no more advice for the sandbox in the %s dialect once its advice was followed',
    async (dialect) => {
      await withWorld(async (world) => {
        const { settings } = await world.sandboxWith({ dialect });
        let env: Env = { ...world.env, ...settings };
        const first = await examined(world, { env }, ['--airline']);
        for (const { level, advice } of first.checks) {
          const [, name, value] = /Set (FARECLERK_\w+)=(\w+)/.exec(advice ?? '') ?? [];
          if (level === 'fail' && name !== undefined && value !== undefined) env = { ...env, [name]: value };
        }
        const { code, text } = await examined(world, { env }, ['--airline']);
        expect(code, text).toBe(0);
      });
    },
  );

  it('makes at most 12 requests, says how many, and only reads', async () => {
    await withWorld(async (world) => {
      const { origin, calls } = await world.front(() => undefined);
      const env = { ...world.env, FARECLERK_BASE_URL: `${origin}/v2015b/OTA`, FARECLERK_GATEWAY_URL: origin };
      const { text } = await examined(world, { env: { ...env, FARECLERK_AUTH_URL: realmAt(origin) } }, ['--airline']);
      expect(calls.length).toBeLessThanOrEqual(12);
      expect(flat(text)).toContain(`requests ${calls.length} were sent`);
      expect(world.sandbox.ledger()).toEqual([]);
    });
  });

  it('is the embedded one if no airline is set', async () => {
    const { code, json } = await ran(freshState(), ['doctor', '--airline', '--json', '--no-report']);
    const { checks } = json();
    expect(code).toBe(0);
    const ids = checks.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['booking', 'dialect', 'requests']));
  });
});

describe('the dialect', () => {
  it('recognises the rail dialect by fare codes that name their segment', async () => {
    const seen = await visited({});
    expect([seen.code, seen.check('dialect')]).toMatchObject([0, { level: 'ok', finding: 'as_it_should_be' }]);
    expect(seen.flat).toContain('rail dialect, as set. Seen: fare codes with flightSegmentRPH');
  });

  it('recognises the airline dialect by price groups and named travellers', async () => {
    const { code, check } = await visited({ search: deviant.airlineFares() });
    expect([code, check('dialect')]).toMatchObject([1, { finding: 'other_dialect' }]);
    expect(check('dialect')?.said).toContain('Seen: priceGroup on segments');
    const set = await visited({ search: deviant.airlineFares() }, { env: { FARECLERK_DIALECT: 'airline' } });
    expect(set.check('dialect')).toMatchObject({ level: 'ok' });
  });

  it('says that it cannot tell the dialect if nothing decides it, and what it saw', async () => {
    const bare = found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, [row('ADT', 3, 100, ['1'], codes('LITE'))]));
    const { check } = await visited({ search: bare });
    expect(check('dialect')).toMatchObject({ level: 'ok', finding: 'not_clear' });
    expect(check('dialect')?.said).toMatch(
      /do not tell the dialect\. FARECLERK_DIALECT is rail\..* Of the airline dialect: carriers of two characters, fare/,
    );
    expect(check('dialect')?.advice).toBeUndefined();
  });
});

it('says how to name another pair if nothing is on sale', async () => {
  const { check, code } = await visited({ search: found() });
  expect([code, check('fare_search')]).toMatchObject([0, { level: 'ok', finding: 'not_clear' }]);
  expect(check('fare_search')?.said).toMatch(/^No offers from AAA to BBB on .* --route FROM-TO/);
});

describe('an airline that the settings do not fit', () => {
  const refusesBoth: Rule = (call) =>
    !isLogin(call) && 'x-api-key' in call.headers && 'authorization' in call.headers
      ? deviant.refusal(401, '497')
      : undefined;

  it('continues in the path form if the airline knows no other, with the key alone if it accepts nothing else', async () => {
    const rule: Rule = (call) => ('local-name' in call.headers ? { status: 404, body: {} } : refusesBoth(call));
    const { check, code, requests } = await visited({ search: deviant.airlineFares() }, { rule });
    expect(check('messages')?.advice).toBe('Set FARECLERK_ADDRESS_FORM=path.');
    expect(check('credentials')?.advice).toMatch(/^Set FARECLERK_CREDENTIALS=key/);
    expect(check('dialect')?.advice).toBe('Set FARECLERK_DIALECT=airline.');
    expect(code).toBe(1);
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
  });

  it('tries the key alone if there is no token', async () => {
    const rule: Rule = ({ headers }) => ('authorization' in headers ? deviant.refusal(401, '497') : undefined);
    const { check } = await visited({}, { rule, env: { FARECLERK_PASSWORD: 'wrong' } });
    expect(check('token')).toMatchObject({ level: 'fail', finding: 'wrong_password' });
    expect(check('credentials')).toMatchObject({
      said: expect.stringMatching(/^Accepted: the key alone/),
      advice: expect.stringMatching(/^Set FARECLERK_CREDENTIALS=key/),
    });
  });

  it('stays within its number of requests if the airline fails or hangs', async () => {
    const failing = await visited({}, { rule: (call) => (isLogin(call) ? undefined : { status: 502, body: '' }) });
    expect(failing.requests).toBeLessThanOrEqual(MOST_REQUESTS);
    const hanging = await visited(
      {},
      { rule: ({ body }) => (body.includes('originDestination') ? 'hang' : undefined) },
    );
    expect([hanging.check('fare_search'), hanging.check('dialect')]).toMatchObject([
      { finding: 'no_answer' },
      { level: 'skipped' },
    ]);
  });
});

describe('a booking that is named', () => {
  it('reports the rules of a paid rail booking, and nothing personal', async () => {
    await withWorld(async (world) => {
      const agent = await new TravelAgent(world.sandbox).logIn();
      const trip = await agent.trip([{ ...TRAIN, date: dateIn(Date.now(), 20) }]);
      const locator = await agent.sell(trip, adults(1));
      const { origin, calls } = await world.front(() => undefined);
      const argv = ['--airline', '--locator', locator.toLowerCase()];
      const seen = await examined(world, { env: at(world.env, origin) }, argv);
      expect(seen.check('booking')?.said).toBe('Its reply: 1 segment, structured penalty rules.');
      expect(calls.length).toBeLessThanOrEqual(13);
      const asJson = await examined(world, { env: world.env }, [...argv, '--json']);
      const shown = seen.text + seen.stderr + JSON.stringify(seen.report) + asJson.text + asJson.stderr;
      for (const word of [locator, 'Omar', 'Saleh', 'P0000001', '@']) expect(shown).not.toContain(word);
    });
  });

  it('reports rules in words of an unpaid airline booking, and its dialect', async () => {
    const bare = found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, undefined));
    const { check } = await visited(
      { search: bare, booking: deviant.AIRLINE_BOOKING },
      { argv: ['--locator', 'K7PL2M'] },
    );
    expect(check('booking')?.said).toMatch(
      /, fare rules in the airline's words only, so that no refund can be estimated/,
    );
    expect(check('dialect')).toMatchObject({
      said: expect.stringContaining('fareBasis in the extensions of booked segments, fareRule on booked segments'),
      advice: 'Set FARECLERK_DIALECT=airline.',
    });
  });

  it('warns, without a setting to change, if the airline does not know the booking', async () => {
    const { check, code } = await visited({}, { argv: ['--locator', 'NOSUCH'] });
    expect([code, check('booking')]).toMatchObject([
      0,
      { level: 'warn', advice: expect.stringContaining('locator of a booking') },
    ]);
  });
});
