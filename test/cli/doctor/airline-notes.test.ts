/**
 * `fareclerk doctor --airline`, over real sockets: against the sandbox, and against replies written by hand.
 */
import { describe, expect, it } from 'vitest';
import { MOST_REQUESTS } from '../../../src/cli/doctor/watch.ts';
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
  it.each(['rail', 'airline'] as const)('%s: following the advice leaves nothing to change', async (dialect) => {
    await withWorld(async (world) => {
      const { settings } = await world.sandboxWith({ dialect });
      let env: Env = { ...world.env, ...settings };
      const file = ['--report', `${world.stateDir}/doctor-report.json`];
      const first = await doctorOn({ env }, ['--airline', ...file]);
      for (const { level, mend } of first.checks) {
        const [, name, value] = /Set (FARECLERK_\w+)=(\w+)/.exec(mend ?? '') ?? [];
        if (level === 'mend' && name !== undefined && value !== undefined) env = { ...env, [name]: value };
      }
      const { code, text, report } = await doctorOn({ env }, ['--airline', ...file]);
      expect(code, text).toBe(0);
      const { rows } = report.answers.notes ?? {};
      expect(rows?.itineraries, text).toBeGreaterThan(0);
      expect(rows).toMatchObject({ coded: rows?.segments, sums: { fit: rows?.itineraries } });
    });
  });

  it('is only read, with few requests, and says how many', async () => {
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
      expect(flat(text)).toContain(`requests ${names.length} were made`);
      expect(world.sandbox.ledger()).toEqual([]);
    });
  });

  it('is tried where no airline is set', async () => {
    const { run, stdout } = screen({ ...freshState() });
    expect(await run('doctor', '--airline', '--json', '--no-report')).toBe(0);
    const { checks, answers } = JSON.parse(stdout());
    const ids = checks.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['fare_rows', 'round_trip', 'availability', 'dialect', 'requests']));
    expect(answers.notes.rows.itineraries).toBeGreaterThan(0);
  });
});

describe('the dialect', () => {
  it('is rail where price rows name the segment of each fare code', async () => {
    const seen = await examined({});
    expect(seen.check('dialect')).toMatchObject({ level: 'ok', finding: 'as_it_should_be' });
    expect(seen.flat).toContain('rail dialect, as set. Seen: fare codes with flightSegmentRPH');
    expect(seen.check('fare_rows')).toMatchObject({ level: 'ok' });
    expect(seen.code, seen.text).toBe(0);
  });

  it('is airline where segments carry a price group and rows name travellers: the setting must change', async () => {
    const seen = await examined({ search: deviant.airlineFares() });
    expect(seen.check('dialect')).toMatchObject({ level: 'mend', finding: 'other_dialect' });
    expect(seen.flat).toContain('airline dialect, but FARECLERK_DIALECT is rail. Seen: priceGroup on segments');
    expect(seen.flat).toContain('Set FARECLERK_DIALECT=airline.');
    expect(seen.code).toBe(1);
    const set = await examined({ search: deviant.airlineFares() }, { env: { FARECLERK_DIALECT: 'airline' } });
    expect(set.check('dialect')).toMatchObject({ level: 'ok' });
  });

  it('cannot be told where nothing decides it, and says what points where', async () => {
    const bare = found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, [row('ADT', 3, 100, ['1'], codes('LITE'))]));
    const seen = await examined({ search: bare });
    expect(seen.check('dialect')).toMatchObject({ level: 'ok', finding: 'not_clear' });
    expect(seen.flat).toContain('cannot tell which dialect they are in; FARECLERK_DIALECT is rail.');
    expect(seen.flat).toContain('Of the airline dialect: carriers of two characters, fare codes without');
    expect(seen.check('dialect')?.mend).toBeUndefined();
  });

  it('is also read from a booking', async () => {
    const bare = found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, undefined));
    const seen = await examined({ search: bare, booking: deviant.AIRLINE_BOOKING }, { argv: ['--locator', 'K7PL2M'] });
    expect(seen.flat).toContain('fareBasis in the extensions of booked segments, fareRule on booked segments');
    expect(seen.check('dialect')?.mend).toBe('Set FARECLERK_DIALECT=airline.');
  });
});

describe('price rows', () => {
  it('of another class do not count: the others add up', async () => {
    const { report } = await examined({ search: deviant.airlineFares() });
    expect(report.answers.notes?.rows).toMatchObject({
      ...{ itineraries: 1, rows: 4, single: 4, otherClass: 1, segments: 1, coded: 1 },
      ...{ places: ['flightRefNumberRPHList'], sums: { fit: 1, differ: 0, unknown: 0 } },
    });
  });

  it.each<[string, object, RegExp]>([
    [
      'several segments in one row cannot be split',
      itinerary([segment('1', 'AAA', 'BBB', DAY), segment('2', 'BBB', 'CCC', DAY)], 90, [
        row('ADT', 3, 90, ['1', '2'], codes(['A', '1'], ['B', '2'])),
      ]),
      /1 rows are of several segments.*2 of 2 segments get a fare code \(from flightSegmentRPH\)/,
    ],
    [
      'rows without segments are told; codes come from the ticket designators',
      itinerary([segment(undefined, 'AAA', 'BBB', DAY)], 90, [
        row('ADT', 3, 90, [], { ...codes('A'), ticketDesignators: { ticketDesignator: [{ flightRefRPH: '1' }] } }),
      ]),
      /1 rows name no segment.*1 of 1 segments get a fare code \(from ticketDesignators\)/,
    ],
    [
      'without rows the codes are those of the fares, in order',
      itinerary([segment('1', 'AAA', 'BBB', DAY), segment('2', 'BBB', 'CCC', DAY)], 90, undefined, {
        fareInfos: { fareInfo: [{ fareReference: [{ value: 'A' }] }, { fareReference: [{ value: 'B' }] }] },
      }),
      /0 price rows.*2 of 2 segments get a fare code \(from fareInfos\)/,
    ],
    [
      'a segment without a code is a warning',
      itinerary([segment('1', 'AAA', 'BBB', DAY), segment('2', 'BBB', 'CCC', DAY)], 90, [
        row('ADT', 3, 90, ['1'], codes(['A', '1'])),
      ]),
      /1 of 2 segments get a fare code .* A segment without a fare code cannot be booked/,
    ],
    [
      'rows that do not add up are a warning, and a refund is no price',
      itinerary([segment('1', 'AAA', 'BBB', DAY)], 90, [
        { ...row('ADT', 3, 80, ['1'], codes(['A', '1'])), passengerFare: [{ ...fare(10), usage: 'refund' }, fare(80)] },
      ]),
      /add up to the first total in 0 itineraries; not in 1\. .*no prices per passenger type are shown/,
    ],
  ])('%s', async (_, offer, words) => {
    const seen = await examined({ search: found(offer as Record<string, unknown>) });
    expect(seen.check('fare_rows')?.said).toMatch(words);
    expect(seen.check('fare_rows')?.level).not.toBe('mend');
  });

  it('are looked at even where fareclerk cannot read the reply', async () => {
    const odd = found(
      itinerary([segment('1', 'AAA', 'BBB', '1999-01-01')], 90, [row('ADT', 3, 90, ['1'], codes(['A', '1']))]),
    );
    const seen = await examined({ search: odd });
    expect(seen.check('fare_rows')).toMatchObject({ level: 'warn', finding: 'fares_unclear' });
    expect(seen.check('fare_rows')?.said).toContain('fareclerk reads 0 of the 1 itineraries');
  });
});

describe('a round trip in one search', () => {
  const back = segment('2', 'BBB', 'AAA', '2031-05-07');
  const one = found(itinerary([back], 60, [row('ADT', 3, 60, ['2'], codes(['A', '2']))]));

  it('that is accepted is told', async () => {
    const both = itinerary([segment('1', 'AAA', 'BBB', DAY), back], 120, [row('ADT', 3, 120, ['1', '2'])]);
    const { check } = await examined({ roundTrip: { status: 200, body: found(both) } });
    expect(check('round_trip')?.said).toBe('AAA to BBB and back in one search: accepted, 1 offers of both directions.');
  });

  it('that is refused, while the way back alone is on sale, must be searched leg by leg', async () => {
    const { check, code } = await examined({ roundTrip: deviant.refusal(400, '161', 'Invalid criteria'), back: one });
    expect(check('round_trip')).toMatchObject({ level: 'warn', finding: 'round_trip_refused' });
    expect(check('round_trip')?.mend).toMatch(/search each direction by itself/);
    expect(code).toBe(0);
  });

  it('proves nothing where the way back alone has nothing on sale', async () => {
    const { check } = await examined({ roundTrip: deviant.refusal(400, '322', 'No availability') });
    expect(check('round_trip')).toMatchObject({ level: 'ok', finding: 'not_clear' });
  });
});

describe('the availability record', () => {
  it('that names no carrier needs one set: the one that priced itineraries name', async () => {
    const { check } = await examined({}, { env: { FARECLERK_CARRIER: '' } });
    expect(check('availability')).toMatchObject({ level: 'warn', finding: 'no_carrier' });
    expect(check('availability')?.said).toContain('times utc; numbers of 5 characters; no carrier named');
    expect(check('availability')?.mend).toBe('Set FARECLERK_CARRIER=RR: priced itineraries name it.');
    const other = await examined({}, { env: { FARECLERK_CARRIER: 'QQ' } });
    expect(other.check('availability')?.mend).toMatch(/FARECLERK_CARRIER=RR/);
  });

  it('is told with local times, a carrier, or as priced itineraries', async () => {
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

  it('where only the key is accepted, the rest is tried with the key, and one run tells all', async () => {
    const seen = await examined({ search: deviant.airlineFares() }, { rule: both });
    expect(seen.check('credentials')?.mend).toMatch(/^Set FARECLERK_CREDENTIALS=key/);
    expect(seen.check('dialect')?.mend).toBe('Set FARECLERK_DIALECT=airline.');
    expect(seen.code).toBe(1);
  });

  it('where messages are named by the path, the rest is tried so, the credentials too', async () => {
    const seen = await examined(
      {},
      { rule: (call) => ('local-name' in call.headers ? { status: 404, body: {} } : both(call)) },
    );
    expect(seen.check('messages')?.mend).toBe('Set FARECLERK_ADDRESS_FORM=path.');
    expect(seen.check('credentials')?.mend).toMatch(/^Set FARECLERK_CREDENTIALS=key/);
    expect(seen.check('fare_rows')).toMatchObject({ level: 'ok' });
    expect(seen.calls.length).toBeLessThanOrEqual(MOST_REQUESTS);
  });

  it('without a token the key alone is tried', async () => {
    const rule: Rule = ({ headers }) => ('authorization' in headers ? deviant.refusal(401, '497') : undefined);
    const seen = await examined({}, { rule, env: { FARECLERK_PASSWORD: 'wrong' } });
    expect(seen.check('token')).toMatchObject({ level: 'mend', finding: 'wrong_password' });
    expect(seen.check('credentials')?.said).toMatch(/^Accepted: the key alone/);
    expect(seen.check('credentials')?.mend).toMatch(/^Set FARECLERK_CREDENTIALS=key/);
  });
});

describe('a booking that is named', () => {
  it('rail: limits, rules, fares, contact, coupons, and its seat map', async () => {
    const seen = await examined(
      { booking: deviant.RAIL_BOOKING, seats: deviant.SEATS },
      { argv: ['--locator', 'k7pl2m'] },
    );
    expect(seen.check('booking')?.said).toBe(
      'Reading it: 1 segments, 1 with a fare code; time limits: cancellationTimeLimit (utc); structured penalty rules; a contact traveller, first; 1 ticket rows, 1 coupons; 1 booking references.',
    );
    expect(seen.check('seats')?.said).toBe(
      'One segment: 2 cabins, 2 zones; 4 seats, numbers digits only, with columns.',
    );
    expect(seen.calls.length).toBeLessThanOrEqual(13);
  });

  it('airline: rules as words, the contact on the passengers, no seat map before it is paid', async () => {
    const seen = await examined(
      { search: deviant.airlineFares(), booking: deviant.AIRLINE_BOOKING },
      { argv: ['--locator', 'K7PL2M'] },
    );
    expect(seen.check('booking')?.said).toMatch(
      /1 with a fare code; time limits: ticketTimeLimit \(utc\); fare rules in the airline's words only.*contact on the passengers; 1 ticket rows, 0 coupons/,
    );
    expect(seen.check('seats')).toMatchObject({ level: 'skipped', said: expect.stringContaining('it is not paid') });
  });

  it('is not shown: neither its locator nor anything of its people', async () => {
    for (const more of [[], ['--json']]) {
      const argv = ['--locator', 'K7PL2M', ...more];
      const seen = await examined({ booking: deviant.RAIL_BOOKING, seats: deviant.SEATS }, { argv });
      const shown = seen.text + seen.stderr + JSON.stringify(seen.report);
      for (const word of deviant.PERSONAL) expect(shown).not.toContain(word);
    }
  });

  it('that the airline does not know is no fault of the settings', async () => {
    const seen = await examined({}, { argv: ['--locator', 'NOSUCH'] });
    expect(seen.check('booking')).toMatchObject({
      level: 'warn',
      mend: expect.stringContaining('locator of a booking'),
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

  it('asks no more than it says where nothing answers as it should', async () => {
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
