/**
 * `fareclerk doctor --airline`, over real sockets: against the sandbox, and against replies written by hand.
 */
import { describe, expect, it } from 'vitest';
import { MOST_REQUESTS } from '../../../src/cli/doctor/visit.ts';
import { buildProgram, ended } from '../program.ts';
import { freshState, screen } from '../screen.ts';
import * as deviant from './deviant.ts';
import { codes, DAY, fare, found, itinerary, type Replies, row, segment } from './deviant.ts';
import type { Rule } from './front.ts';
import { doctorOn, type Spoken } from './run-case.ts';
import { type Env, type World, withWorld } from './world.ts';

const flat = (text: string): string => text.replace(/\s+/g, ' ');

interface Seen extends Spoken {
  readonly flat: string;
  readonly calls: readonly string[];
  check(id: string): Spoken['checks'][number] | undefined;
}

/** Examines the hand-written airline. */
async function examined(
  replies: Replies,
  { env = {}, argv = [], rule = () => undefined }: { env?: Env; argv?: readonly string[]; rule?: Rule } = {},
): Promise<Seen> {
  return withWorld(async (world: World) => {
    const airline = deviant.airline(replies);
    const front = await world.front((call) => rule(call) ?? airline(call));
    const set = { ...deviant.settings(world.env, front.origin), ...env };
    const file = ['--report', `${world.stateDir}/doctor-report.json`];
    const spoken = await doctorOn({ env: set }, [...deviant.ASKED, ...argv, ...file]);
    const calls = front.calls.map(({ url, headers }) =>
      String(headers['local-name'] ?? url.pathname.split('/').at(-1)),
    );
    const check: Seen['check'] = (id) => spoken.checks.find((one) => one.id === id);
    return { ...spoken, flat: flat(spoken.text), calls, check };
  });
}

describe('the sandbox airline', () => {
  it.each(['rail', 'airline'] as const)(
    'has no more advice for the sandbox in the %s dialect once its advice was followed',
    async (dialect) => {
      await withWorld(async (world) => {
        const { settings } = await world.sandboxWith({ dialect });
        let env: Env = { ...world.env, ...settings };
        const file = ['--report', `${world.stateDir}/doctor-report.json`];
        const first = await doctorOn({ env }, ['--airline', ...file]);
        for (const { level, advice } of first.checks) {
          const [, name, value] = /Set (FARECLERK_\w+)=(\w+)/.exec(advice ?? '') ?? [];
          if (level === 'fail' && name !== undefined && value !== undefined) env = { ...env, [name]: value };
        }
        const { code, text, report } = await doctorOn({ env }, ['--airline', ...file]);
        expect(code, text).toBe(0);
        const { rows } = report.answers.notes ?? {};
        expect(rows?.itineraries, text).toBeGreaterThan(0);
        expect(rows).toMatchObject({ coded: rows?.segments, sums: { fit: rows?.itineraries } });
      });
    },
  );

  it('only reads, makes at most 12 requests and says how many', async () => {
    await withWorld(async (world) => {
      const front = await world.front(() => undefined);
      const { origin } = front;
      const env = { ...world.env, FARECLERK_BASE_URL: `${origin}/v2015b/OTA`, FARECLERK_GATEWAY_URL: origin };
      const { text } = await doctorOn({ env: { ...env, FARECLERK_AUTH_URL: origin } }, ['--airline', '--no-report']);
      const names = front.calls.map(({ url, headers }) => headers['local-name'] ?? url.pathname.split('/').at(-1));
      expect(new Set(names)).toEqual(
        new Set(['token', 'OTA_ReadRQ', 'OTA_AirSeatMapRQ', 'routes', 'availability', 'OTA_AirLowFareSearchRQ']),
      );
      expect(names.filter((name) => name === 'token')).toHaveLength(1);
      expect(names.length).toBeLessThanOrEqual(12);
      expect(flat(text)).toContain(`requests ${names.length} were sent`);
      expect(world.sandbox.ledger()).toEqual([]);
    });
  });

  it('runs against the embedded sandbox airline if no airline is set', async () => {
    const { run, stdout } = screen({ ...freshState() });
    expect(await run('doctor', '--airline', '--json', '--no-report')).toBe(0);
    const { checks, answers } = JSON.parse(stdout());
    const ids = checks.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['fare_rows', 'round_trip', 'availability', 'dialect', 'requests']));
    expect(answers.notes.rows.itineraries).toBeGreaterThan(0);
  });
});

describe('the dialect', () => {
  it('recognises the rail dialect by price rows that name the segment of each fare code', async () => {
    const seen = await examined({});
    expect(seen.check('dialect')).toMatchObject({ level: 'ok', finding: 'as_it_should_be' });
    expect(seen.flat).toContain('rail dialect, as set. Seen: fare codes with flightSegmentRPH');
    expect(seen.check('fare_rows')).toMatchObject({ level: 'ok' });
    expect(seen.code, seen.text).toBe(0);
  });

  it('recognises the airline dialect by price groups and named travellers, and asks for another setting', async () => {
    const seen = await examined({ search: deviant.airlineFares() });
    expect(seen.check('dialect')).toMatchObject({ level: 'fail', finding: 'other_dialect' });
    expect(seen.flat).toContain('airline dialect, but FARECLERK_DIALECT is rail. Seen: priceGroup on segments');
    expect(seen.flat).toContain('Set FARECLERK_DIALECT=airline.');
    expect(seen.code).toBe(1);
    const set = await examined({ search: deviant.airlineFares() }, { env: { FARECLERK_DIALECT: 'airline' } });
    expect(set.check('dialect')).toMatchObject({ level: 'ok' });
  });

  it('says that it cannot tell the dialect if nothing decides it, and what it saw', async () => {
    const bare = found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, [row('ADT', 3, 100, ['1'], codes('LITE'))]));
    const seen = await examined({ search: bare });
    expect(seen.check('dialect')).toMatchObject({ level: 'ok', finding: 'not_clear' });
    expect(seen.flat).toContain('do not tell the dialect. FARECLERK_DIALECT is rail.');
    expect(seen.flat).toContain('Of the airline dialect: carriers of two characters, fare codes without');
    expect(seen.check('dialect')?.advice).toBeUndefined();
  });

  it('recognises the dialect by a booking, too', async () => {
    const bare = found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, undefined));
    const seen = await examined({ search: bare, booking: deviant.AIRLINE_BOOKING }, { argv: ['--locator', 'K7PL2M'] });
    expect(seen.flat).toContain('fareBasis in the extensions of booked segments, fareRule on booked segments');
    expect(seen.check('dialect')?.advice).toBe('Set FARECLERK_DIALECT=airline.');
  });
});

describe('price rows', () => {
  it('leaves rows of another class out: the others add up', async () => {
    const { report } = await examined({ search: deviant.airlineFares() });
    expect(report.answers.notes?.rows).toMatchObject({
      ...{ itineraries: 1, rows: 4, single: 4, otherClass: 1, segments: 1, coded: 1 },
      ...{ places: ['flightRefNumberRPHList'], sums: { fit: 1, differ: 0, unknown: 0 } },
    });
  });

  it.each<[string, object, RegExp]>([
    [
      'reports a row of several segments',
      itinerary([segment('1', 'AAA', 'BBB', DAY), segment('2', 'BBB', 'CCC', DAY)], 90, [
        row('ADT', 3, 90, ['1', '2'], codes(['A', '1'], ['B', '2'])),
      ]),
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
      itinerary([segment('1', 'AAA', 'BBB', DAY), segment('2', 'BBB', 'CCC', DAY)], 90, undefined, {
        fareInfos: { fareInfo: [{ fareReference: [{ value: 'A' }] }, { fareReference: [{ value: 'B' }] }] },
      }),
      /0 price rows.*fare codes for 2 of 2 segments \(from fareInfos\)/,
    ],
    [
      'warns of a segment without a fare code',
      itinerary([segment('1', 'AAA', 'BBB', DAY), segment('2', 'BBB', 'CCC', DAY)], 90, [
        row('ADT', 3, 90, ['1'], codes(['A', '1'])),
      ]),
      /fare codes for 1 of 2 segments .* A segment without a fare code cannot be booked/,
    ],
    [
      'warns of rows that do not add up, and leaves refunds out',
      itinerary([segment('1', 'AAA', 'BBB', DAY)], 90, [
        { ...row('ADT', 3, 80, ['1'], codes(['A', '1'])), passengerFare: [{ ...fare(10), usage: 'refund' }, fare(80)] },
      ]),
      /add up to the first total in 0 offers; not in 1\. .*no prices per passenger type are shown/,
    ],
  ])('%s', async (_, offer, words) => {
    const seen = await examined({ search: found(offer as Record<string, unknown>) });
    expect(seen.check('fare_rows')?.said).toMatch(words);
    expect(seen.check('fare_rows')?.level).not.toBe('fail');
  });

  it('looks at rows even if fareclerk cannot read the reply', async () => {
    const odd = found(
      itinerary([segment('1', 'AAA', 'BBB', '1999-01-01')], 90, [row('ADT', 3, 90, ['1'], codes(['A', '1']))]),
    );
    const seen = await examined({ search: odd });
    expect(seen.check('fare_rows')).toMatchObject({ level: 'warn', finding: 'fares_unclear' });
    expect(seen.check('fare_rows')?.said).toContain('fareclerk reads 0 of 1 offer');
  });
});

describe('a round trip in one search', () => {
  const back = segment('2', 'BBB', 'AAA', '2031-05-07');
  const one = found(itinerary([back], 60, [row('ADT', 3, 60, ['2'], codes(['A', '2']))]));

  it('reports that a round trip in one search is accepted', async () => {
    const both = itinerary([segment('1', 'AAA', 'BBB', DAY), back], 120, [row('ADT', 3, 120, ['1', '2'])]);
    const { check } = await examined({ roundTrip: { status: 200, body: found(both) } });
    expect(check('round_trip')?.said).toBe('AAA to BBB and back in one search: accepted, 1 offer of both directions.');
  });

  it('advises two searches if both directions are refused and the way back alone is offered', async () => {
    const { check, code } = await examined({ roundTrip: deviant.refusal(400, '161', 'Invalid criteria'), back: one });
    expect(check('round_trip')).toMatchObject({ level: 'warn', finding: 'round_trip_refused' });
    expect(check('round_trip')?.advice).toMatch(/Search each direction by itself/);
    expect(code).toBe(0);
  });

  it('cannot tell if the way back alone has nothing on sale', async () => {
    const { check } = await examined({ roundTrip: deviant.refusal(400, '322', 'No availability') });
    expect(check('round_trip')).toMatchObject({ level: 'ok', finding: 'not_clear' });
  });
});

describe('the availability record', () => {
  it('advises the carrier of priced itineraries if the availability record names none', async () => {
    const { check } = await examined({}, { env: { FARECLERK_CARRIER: '' } });
    expect(check('availability')).toMatchObject({ level: 'warn', finding: 'no_carrier' });
    expect(check('availability')?.said).toContain('times utc; numbers of 5 characters; no carrier named');
    expect(check('availability')?.advice).toBe('Set FARECLERK_CARRIER=RR: priced itineraries name it.');
    const other = await examined({}, { env: { FARECLERK_CARRIER: 'QQ' } });
    expect(other.check('availability')?.advice).toMatch(/FARECLERK_CARRIER=RR/);
  });

  it('reports local times, a named carrier, and priced itineraries instead of a record', async () => {
    const local = { departureTime: `${DAY}T08:10:00.000+03:00`, operatingAirline: { code: 'RR' } };
    const named = await examined({ wide: deviant.record(local) }, { env: { FARECLERK_CARRIER: '' } });
    expect(named.check('availability')).toMatchObject({ level: 'ok' });
    expect(named.check('availability')?.said).toMatch(/times offset;.*carrier named/);
    const priced = await examined({ wide: deviant.railFares() });
    expect(priced.check('availability')?.said).toMatch(/priced itineraries, as without it/);
  });
});

describe('credentials and addresses', () => {
  const both: Rule = ({ headers, url }) =>
    !url.pathname.startsWith('/realms/') && 'x-api-key' in headers && 'authorization' in headers
      ? deviant.refusal(401, '497')
      : undefined;

  it('continues with the key alone if the airline accepts nothing else', async () => {
    const seen = await examined({ search: deviant.airlineFares() }, { rule: both });
    expect(seen.check('credentials')?.advice).toMatch(/^Set FARECLERK_CREDENTIALS=key/);
    expect(seen.check('dialect')?.advice).toBe('Set FARECLERK_DIALECT=airline.');
    expect(seen.code).toBe(1);
  });

  it('continues in the path form if the airline knows no other, and tries the credentials in it', async () => {
    const seen = await examined(
      {},
      { rule: (call) => ('local-name' in call.headers ? { status: 404, body: {} } : both(call)) },
    );
    expect(seen.check('messages')?.advice).toBe('Set FARECLERK_ADDRESS_FORM=path.');
    expect(seen.check('credentials')?.advice).toMatch(/^Set FARECLERK_CREDENTIALS=key/);
    expect(seen.check('fare_rows')).toMatchObject({ level: 'ok' });
    expect(seen.calls.length).toBeLessThanOrEqual(MOST_REQUESTS);
  });

  it('tries the key alone if there is no token', async () => {
    const rule: Rule = ({ headers }) => ('authorization' in headers ? deviant.refusal(401, '497') : undefined);
    const seen = await examined({}, { rule, env: { FARECLERK_PASSWORD: 'wrong' } });
    expect(seen.check('token')).toMatchObject({ level: 'fail', finding: 'wrong_password' });
    expect(seen.check('credentials')?.said).toMatch(/^Accepted: the key alone/);
    expect(seen.check('credentials')?.advice).toMatch(/^Set FARECLERK_CREDENTIALS=key/);
  });
});

describe('a booking that is named', () => {
  it('reports limits, rules, fares, contact, coupons and the seat map of a paid rail booking', async () => {
    const seen = await examined(
      { booking: deviant.RAIL_BOOKING, seats: deviant.SEATS },
      { argv: ['--locator', 'k7pl2m'] },
    );
    expect(seen.check('booking')?.said).toBe(
      'Its reply: 1 segment, 1 with a fare code; time limits: cancellationTimeLimit (utc); structured penalty rules; a contact traveller, first; 1 ticket row, 1 coupon; 1 booking reference.',
    );
    expect(seen.check('seats')?.said).toBe(
      'One segment: 2 cabins, 2 zones; 4 seats, numbers digits only, with columns.',
    );
    expect(seen.calls.length).toBeLessThanOrEqual(13);
  });

  it('reports rules in words and the contact on the passengers of an unpaid airline booking, without a seat map', async () => {
    const seen = await examined(
      { search: deviant.airlineFares(), booking: deviant.AIRLINE_BOOKING },
      { argv: ['--locator', 'K7PL2M'] },
    );
    expect(seen.check('booking')?.said).toMatch(
      /1 with a fare code; time limits: ticketTimeLimit \(utc\); fare rules in the airline's words only.*contact on the passengers; 1 ticket row, 0 coupons/,
    );
    expect(seen.check('seats')).toMatchObject({ level: 'skipped', said: expect.stringContaining('it is not paid') });
  });

  it('shows neither the locator nor personal data of the booking', async () => {
    for (const more of [[], ['--json']]) {
      const argv = ['--locator', 'K7PL2M', ...more];
      const seen = await examined({ booking: deviant.RAIL_BOOKING, seats: deviant.SEATS }, { argv });
      const shown = seen.text + seen.stderr + JSON.stringify(seen.report);
      for (const word of deviant.PERSONAL) expect(shown).not.toContain(word);
    }
  });

  it('warns, without a setting to change, if the airline does not know the booking', async () => {
    const seen = await examined({}, { argv: ['--locator', 'NOSUCH'] });
    expect(seen.check('booking')).toMatchObject({
      level: 'warn',
      advice: expect.stringContaining('locator of a booking'),
    });
    expect(seen.code).toBe(0);
  });
});

describe('the command', () => {
  it.each([
    [['--locator', 'K7PL2M'], /--locator: needs --airline/],
    [['--airline', '--locator', '<K7>'], /--locator: expected 4 to 24/],
    [['--airline', '--from', 'RUH'], /--from and --to: expected two stations/],
    [['--airline', '--date', '2031-02-30'], /--date: expected a day/],
  ])('refuses %j', async (argv, words) => {
    const { run, stderr } = screen({});
    expect(await run('doctor', ...argv)).toBe(2);
    expect(stderr()).toMatch(words);
  });

  it('stays within its number of requests if the airline fails or hangs', async () => {
    const seen = await examined(
      {},
      { rule: ({ url }) => (url.pathname.startsWith('/realms/') ? undefined : { status: 502, body: '' }) },
    );
    expect(seen.calls.length).toBeLessThanOrEqual(MOST_REQUESTS);
    const hanging = await examined(
      {},
      { rule: ({ body }) => (body.includes('originDestination') ? 'hang' : undefined) },
    );
    expect(hanging.check('fare_search')).toMatchObject({ finding: 'no_answer' });
    expect(hanging.check('round_trip')).toMatchObject({ level: 'skipped' });
  });

  it('ends at once on Ctrl-C', async () => {
    const program = await buildProgram();
    await withWorld(async (world) => {
      const front = await world.front(({ url }) => (url.pathname.startsWith('/realms/') ? undefined : 'hang'));
      const env = { ...world.env, FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA` };
      const child = program.start(['doctor', '--airline', '--no-report'], env);
      while (front.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const began = Date.now();
      child.kill('SIGINT');
      await ended(child);
      expect(Date.now() - began).toBeLessThan(2_000);
    });
  });
});
