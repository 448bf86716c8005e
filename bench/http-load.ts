/**
 * What the server over HTTP costs and carries: the same calls straight to the airline, and through one, two and four
 * instances that share a PostgreSQL. All on this machine, so that instances share its cores with the airline and the
 * callers: more of them are not faster here, but must not be slower either.
 */
import { createOtaAirline } from '../src/ota/airline.ts';
import { createTransport } from '../src/ota/transport/http.ts';
import { type Issuer, startIssuer } from '../test/auth/callers/issuer.ts';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import { mcpCaller } from '../test/support/mcp-http.ts';
import type { Bench, Measure, Row } from './measure.ts';
import { type Running, startRunning, stopRunning } from './support/running.ts';
import { median } from './support/statistics.ts';
import { canMeasureUsage, cpuMs } from './support/usage.ts';

/** Calls under way at once. */
const AT_ONCE = 16;

interface Figures {
  readonly perSecond: number;
  readonly p99: number;
}

type Call = (n: number) => Promise<void>;

/** As many as are answered, by workers that ask again when they are. */
async function drive(call: Call, total: number): Promise<Figures> {
  const ms: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < total) {
      const n = next++;
      const sent = performance.now();
      await call(n);
      ms.push(performance.now() - sent);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = (performance.now() - began) / 1000;
  ms.sort((a, b) => a - b);
  return { perSecond: total / seconds, p99: ms[Math.floor(total * 0.99)] ?? 0 };
}

const DAY_MS = 86_400_000;
/** Instances are reached each at their own address here; tokens are for the one that a balancer would have. */
const PUBLIC_URL = 'http://127.0.0.1:1';
/** A caller may ask twenty times a second at each instance: as many as never come near that. */
const CALLERS = 100;

/** Straight to the airline, or through so many instances. */
type Way = 'straight' | 1 | 2 | 4;
const WAYS: readonly Way[] = ['straight', 1, 2, 4];

/** What a way gives in each of its turns; `cpuMs`: of its instances, a call. */
type Seen = Record<'perSecond' | 'p99' | 'cpuMs', number[]>;

async function measure({ program, folder, short }: Bench): Promise<readonly Row[]> {
  const [total, rounds, warm] = short ? [300, 3, 300] : [500, 5, 1_200];
  const [cluster, issuer] = await Promise.all([startCluster(), startIssuer()]);
  const airline = await startRunning(program.start(folder('airline')), ['sandbox', '--port', '0', '--json'], /\}\s*$/m);
  const settings = JSON.parse(/\{[\s\S]*\}/.exec(airline.said)?.[0] ?? '{}') as Record<string, string>;
  const instances: Running[] = [];
  const over: (() => unknown)[] = [];
  try {
    const shared = {
      ...settings,
      FARECLERK_DATABASE_URL: await cluster.database('bench'),
      FARECLERK_LOG_LEVEL: 'silent',
      FARECLERK_PUBLIC_URL: PUBLIC_URL,
      FARECLERK_ISSUER: issuer.issuer,
    };
    while (instances.length < 4) {
      const command = program.start(folder('instance'), shared);
      instances.push(await startRunning(command, ['serve', '--http', '--port', '0'], /serves MCP on/));
    }
    const tokens = await tokensFor(issuer);
    const calls = new Map<Way, Call>();
    for (const way of WAYS) {
      const { call, close } =
        way === 'straight' ? await straight(settings) : await throughInstances(instances.slice(0, way), tokens);
      calls.set(way, call);
      over.push(close);
    }
    // Code that is not compiled yet costs several times as much: all instances are equally warm before they are compared.
    await drive(calls.get(4) as Call, 4 * warm);
    return rows(await inTurns(calls, instances, rounds, total));
  } finally {
    for (const close of over) await close();
    await Promise.all([...instances, airline].map(stopRunning));
    await issuer.close();
    await cluster.close();
  }
}

/** Each way in each round, every other round in the opposite order: a busy machine slows all alike. */
async function inTurns(
  calls: ReadonlyMap<Way, Call>,
  instances: readonly Running[],
  rounds: number,
  total: number,
): Promise<ReadonlyMap<Way, Seen>> {
  const seen = new Map<Way, Seen>(WAYS.map((way) => [way, { perSecond: [], p99: [], cpuMs: [] }]));
  const used = (way: Way) => {
    const asked = way === 'straight' || !canMeasureUsage ? [] : instances.slice(0, way);
    return asked.reduce((sum, { child }) => sum + cpuMs(child.pid ?? 0), 0);
  };
  // The first round warms up sockets.
  for (let round = -1; round < rounds; round++) {
    for (const way of round % 2 === 0 ? WAYS : WAYS.toReversed()) {
      const before = used(way);
      const { perSecond, p99 } = await drive(calls.get(way) as Call, total);
      if (round < 0) continue;
      seen.get(way)?.perSecond.push(perSecond);
      seen.get(way)?.p99.push(p99);
      seen.get(way)?.cpuMs.push((used(way) - before) / total);
    }
  }
  return seen;
}

interface Caller {
  readonly call: Call;
  readonly close: () => unknown;
}

/** Searches by the adapter alone: the same messages, no MCP, no state. */
async function straight(settings: Record<string, string>): Promise<Caller> {
  const transport = createTransport();
  const setting = (name: string): string => settings[`FARECLERK_${name}`] ?? '';
  const login = new URLSearchParams({
    grant_type: 'password',
    client_id: setting('CLIENT_ID'),
    client_secret: setting('CLIENT_SECRET'),
    username: setting('USERNAME'),
    password: setting('PASSWORD'),
  });
  const address = `${setting('AUTH_URL')}/realms/${setting('TENANT')}/protocol/openid-connect/token`;
  const { access_token: token } = (await (await fetch(address, { method: 'POST', body: login })).json()) as {
    access_token: string;
  };
  const tokens = { token: async () => token, ensureLife: async () => token, invalidate() {} };
  const airline = createOtaAirline({
    baseUrl: setting('BASE_URL'),
    gatewayUrl: setting('GATEWAY_URL'),
    credentials: { mode: 'both', apiKey: setting('API_KEY'), tokens },
    pointOfSale: { agentId: setting('AGENT_ID'), agencyId: setting('AGENCY_ID'), currency: setting('CURRENCY') },
    isConfirmed: () => false,
    transport,
  });
  const [route] = await airline.routes();
  const [from, to] = [route?.from.code ?? '', route?.to[0]?.code ?? ''];
  const call: Call = async (n) => {
    const legs = [{ from, to, date: dayOf(n), daysBefore: 0, daysAfter: 0 }];
    const passengers = { adults: 1, children: 0, infants: 0 };
    await airline.searchFares({ legs, passengers, bookingClasses: [], includeSoldOut: false });
  };
  return { call, close: () => transport.close() };
}

async function tokensFor(issuer: Issuer): Promise<readonly string[]> {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = { aud: `${PUBLIC_URL}/mcp`, scope: 'air:read', exp };
  return Promise.all(Array.from({ length: CALLERS }, (_, n) => issuer.sign({ ...claims, sub: `caller-${n}` })));
}

async function throughInstances(instances: readonly Running[], tokens: readonly string[]): Promise<Caller> {
  const urls = instances.map(({ said }) => /http:\S+\/mcp/.exec(said)?.[0] ?? '');
  // In turn: every caller comes to every instance, as behind a balancer.
  const callers = tokens.flatMap((token) => urls.map((url) => mcpCaller(url, token)));
  const routes = await callers[0]?.call('list_routes');
  const [route] = routes?.structured.routes ?? [];
  const [from, to] = [route.from.code, route.to[0].code];
  const call: Call = async (n) => {
    const args = { legs: [{ from, to, date: dayOf(n) }], passengers: { adults: 1 }, max_results: 5 };
    const called = await callers[n % callers.length]?.call('search_fares', args);
    if (called?.outcome !== 'ok') throw new Error(`a search ended in ${called?.outcome}`);
  };
  const close = () => {
    for (const caller of callers) caller.close();
  };
  return { call, close };
}

/** One of thirty days, in turn. */
function dayOf(n: number): string {
  return new Date(Date.now() + (10 + (n % 30)) * DAY_MS).toISOString().slice(0, 10);
}

function rows(seen: ReadonlyMap<Way, Seen>): Row[] {
  const of = (way: Way, figure: keyof Seen) => median(seen.get(way)?.[figure] ?? []);
  const each = WAYS.flatMap((way): Row[] => {
    if (way === 'straight') return [];
    const name = way === 1 ? 'one instance' : `${way} instances`;
    const [rate, least] = [of(way, 'perSecond'), of('straight', 'perSecond')];
    const target = way === 1 && { target: { atLeast: 0.9 } };
    const [p99, leastP99] = [of(way, 'p99'), of('straight', 'p99')];
    return [
      {
        ...{ what: `${name}: searches a second, of those straight to the airline`, value: rate / least, unit: '×' },
        ...{ ...target, from: rate.toFixed(0), floor: `straight ${least.toFixed(0)}` },
      },
      {
        ...{ what: `${name}: p99 of a search, of one straight`, value: p99 / leastP99, unit: '×' },
        ...{ from: `${p99.toFixed(0)} ms`, floor: `straight ${leastP99.toFixed(0)} ms` },
      },
    ];
  });
  const two = of(2, 'perSecond') / of(1, 'perSecond');
  const rates: Row = { what: 'two instances over one, searches a second', value: two, unit: '×' };
  if (!canMeasureUsage) return [...each, rates];
  const cpu = (way: Way): string => `${of(way, 'cpuMs').toFixed(2)} ms`;
  const figure = of(2, 'cpuMs') / of(1, 'cpuMs');
  return [
    ...each,
    rates,
    {
      ...{ what: 'two instances over one, CPU a call', value: figure, unit: '×', target: { atMost: 1.05 } },
      from: `${cpu(2)} of ${cpu(1)}; four ${cpu(4)}`,
    },
  ];
}

export const httpLoad: Measure = {
  name: 'http-load',
  about: `${AT_ONCE} searches at once over HTTP, through instances that share a PostgreSQL`,
  run: measure,
};
