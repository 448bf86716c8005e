/**
 * `fareclerk doctor --airline`, over real sockets: against the sandbox, and against replies written by hand.
 */
import { describe, expect, it } from 'vitest';
import { adults, TRAIN, TravelAgent } from '../../sandbox/point-of-sale.ts';
import { dateIn } from '../../support/people.ts';
import { freshState, ran } from '../screen.ts';
import * as deviant from './deviant.ts';
import { codes, DAY, fare, found, itinerary, type Replies, row, segment } from './deviant.ts';
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
        const { code, text, report } = await examined(world, { env }, ['--airline']);
        expect(code, text).toBe(0);
        const { rows } = report.answers.notes;
        expect(rows.itineraries, text).toBeGreaterThan(0);
        expect(rows).toMatchObject({ coded: rows.segments, sums: { fit: rows.itineraries } });
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
    const { checks, answers } = json();
    expect(code).toBe(0);
    const ids = checks.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['fare_rows', 'round_trip', 'availability', 'dialect', 'requests']));
    expect(answers.notes.rows.itineraries).toBeGreaterThan(0);
  });
});

describe('the dialect', () => {
  it('recognises the rail dialect by price rows that name the segment of each fare code', async () => {
    const seen = await visited({});
    expect([seen.code, seen.check('dialect'), seen.check('fare_rows')]).toMatchObject([
      0,
      { level: 'ok', finding: 'as_it_should_be' },
      { level: 'ok' },
    ]);
    expect(seen.flat).toContain('rail dialect, as set. Seen: fare codes with flightSegmentRPH');
    expect(seen.report.answers.notes.rows).toMatchObject({ rows: 2, otherClass: 0 });
  });

  it('recognises the airline dialect by price groups and named travellers, and leaves rows of another class out', async () => {
    const { code, check, report } = await visited({ search: deviant.airlineFares() });
    expect([code, check('dialect')]).toMatchObject([1, { finding: 'other_dialect' }]);
    expect(check('dialect')?.said).toContain('Seen: priceGroup on segments');
    expect(report.answers.notes.rows).toMatchObject({
      itineraries: 1,
      rows: 4,
      single: 4,
      otherClass: 1,
      segments: 1,
      coded: 1,
      places: ['flightRefNumberRPHList'],
      sums: { fit: 1, differ: 0, unknown: 0 },
    });
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

describe('price rows', () => {
  const there = segment('1', 'AAA', 'BBB', DAY);
  const onward = segment('2', 'BBB', 'CCC', DAY);
  const lite = codes(['A', '1']);

  it.each<[string, ReturnType<typeof itinerary>, RegExp]>([
    [
      'reports a row of several segments',
      itinerary([there, onward], 90, [row('ADT', 3, 90, ['1', '2'], codes(['A', '1'], ['B', '2']))]),
      /several segments in 1 row.*fare codes for 2 of 2 segments \(from flightSegmentRPH\)/,
    ],
    [
      'reports rows without segments, and takes their codes from the ticket designators',
      itinerary([segment(undefined, 'AAA', 'BBB', DAY)], 90, [
        row('ADT', 3, 90, [], { ...codes('A'), ticketDesignators: { ticketDesignator: [{ flightRefRPH: '1' }] } }),
      ]),
      /no segment named in 1 row.*fare codes for 1 of 1 segment \(from ticketDesignators\)/,
    ],
    [
      'takes the codes of the fares, in order, if there are no rows',
      itinerary([there, onward], 90, undefined, {
        fareInfos: { fareInfo: [{ fareReference: [{ value: 'A' }] }, { fareReference: [{ value: 'B' }] }] },
      }),
      /0 price rows.*fare codes for 2 of 2 segments \(from fareInfos\)/,
    ],
    [
      'warns of a segment without a fare code',
      itinerary([there, onward], 90, [row('ADT', 3, 90, ['1'], lite)]),
      /fare codes for 1 of 2 segments .* A segment without a fare code cannot be booked/,
    ],
    [
      'warns of rows that do not add up, and leaves refunds out',
      itinerary([there], 90, [
        { ...row('ADT', 3, 80, ['1'], lite), passengerFare: [{ ...fare(10), usage: 'refund' }, fare(80)] },
      ]),
      /add up to the first total in 0 offers; not in 1\. .*no prices per passenger type are shown/,
    ],
    [
      'looks at rows even if fareclerk cannot read the reply',
      itinerary([segment('1', 'AAA', 'BBB', '1999-01-01')], 90, [row('ADT', 3, 90, ['1'], lite)]),
      /fareclerk reads 0 of 1 offer/,
    ],
  ])('%s', async (title, offer, words) => {
    const rows = (await visited({ search: found(offer) })).check('fare_rows');
    expect(rows).toMatchObject({ level: title.startsWith('warns') ? 'warn' : expect.not.stringMatching('fail') });
    expect(rows?.said).toMatch(words);
  });
});

describe('round trips and availability', () => {
  it('reports that a round trip in one search is accepted, and cannot tell if the way back alone is not on sale', async () => {
    const back = segment('2', 'BBB', 'AAA', '2031-05-07');
    const both = itinerary([segment('1', 'AAA', 'BBB', DAY), back], 120, [row('ADT', 3, 120, ['1', '2'])]);
    const taken = await visited({ roundTrip: { status: 200, body: found(both) } });
    expect(taken.check('round_trip')?.said).toBe(
      'AAA to BBB and back in one search: accepted, 1 offer of both directions.',
    );
    const refused = await visited({ roundTrip: deviant.refusal(400, '322', 'No availability') });
    expect(refused.check('round_trip')).toMatchObject({ level: 'ok', finding: 'not_clear' });
  });

  it('advises the carrier of priced itineraries if the availability record names none, or another is set', async () => {
    const { check } = await visited({}, { env: { FARECLERK_CARRIER: '' } });
    expect(check('availability')).toMatchObject({
      level: 'warn',
      finding: 'no_carrier',
      advice: 'Set FARECLERK_CARRIER=RR: priced itineraries name it.',
      said: expect.stringContaining('times utc; numbers of 5 characters; no carrier named'),
    });
    expect(check('fare_search')?.level).toBe('ok');
    const other = await visited({}, { env: { FARECLERK_CARRIER: 'QQ' } });
    expect(other.check('availability')?.advice).toMatch(/FARECLERK_CARRIER=RR/);
  });

  it('reports local times, a named carrier, and priced itineraries instead of a record', async () => {
    const local = { departureTime: `${DAY}T08:10:00.000+03:00`, operatingAirline: { code: 'RR' } };
    const named = await visited({ wide: deviant.record(local) }, { env: { FARECLERK_CARRIER: '' } });
    expect(named.check('availability')).toMatchObject({
      level: 'ok',
      said: expect.stringMatching(/times offset;.*carrier named/),
    });
    const priced = await visited({ wide: deviant.railFares() });
    expect(priced.check('availability')?.said).toMatch(/priced itineraries, as without it/);
  });
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
    expect([code, check('fare_rows')?.level]).toEqual([1, 'ok']);
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
    expect([hanging.check('fare_search'), hanging.check('round_trip')]).toMatchObject([
      { finding: 'no_answer' },
      { level: 'skipped' },
    ]);
  });
});

describe('a booking that is named', () => {
  it('reports limits, rules, fares, contact, coupons and the seat map of a paid rail booking, and nothing personal', async () => {
    await withWorld(async (world) => {
      const agent = await new TravelAgent(world.sandbox).logIn();
      const trip = await agent.trip([{ ...TRAIN, date: dateIn(Date.now(), 20) }]);
      const locator = await agent.sell(trip, adults(1));
      const { origin, calls } = await world.front(() => undefined);
      const argv = ['--airline', '--locator', locator.toLowerCase()];
      const seen = await examined(world, { env: at(world.env, origin) }, argv);
      expect(seen.check('booking')?.said).toMatch(
        /^Its reply: 1 segment, 1 with a fare code; time limits: .*cancellationTimeLimit \(utc\).*; structured penalty rules; a contact traveller, first; 2 ticket rows, 1 coupon; 2 booking references\.$/,
      );
      expect(seen.check('seats')?.said).toMatch(
        /^One segment: 3 cabins, 3 zones; \d+ seats, numbers digits only, with columns\.$/,
      );
      expect(calls.length).toBeLessThanOrEqual(13);
      const asJson = await examined(world, { env: world.env }, [...argv, '--json']);
      const shown = seen.text + seen.stderr + JSON.stringify(seen.report) + asJson.text + asJson.stderr;
      for (const word of [locator, 'Omar', 'Saleh', 'P0000001', '@']) expect(shown).not.toContain(word);
    });
  });

  it('reports rules in words and the contact on the passengers of an unpaid airline booking, and its dialect', async () => {
    const bare = found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, undefined));
    const { check } = await visited(
      { search: bare, booking: deviant.AIRLINE_BOOKING },
      { argv: ['--locator', 'K7PL2M'] },
    );
    expect(check('booking')?.said).toMatch(
      /1 with a fare code; time limits: ticketTimeLimit \(utc\); fare rules in the airline's words only.*contact on the passengers; 1 ticket row, 0 coupons/,
    );
    expect(check('seats')).toMatchObject({ level: 'skipped', said: expect.stringContaining('it is not paid') });
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
