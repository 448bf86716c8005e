/**
 * What the server over HTTP costs and carries: the same calls straight to the airline, and through one, two and four
 * instances that share a PostgreSQL. All on this machine, so that instances share its cores with the airline and the
 * callers: more of them are not faster here, but must not be slower either.
 */
import { createOtaAirline } from '../src/ota/airline.ts';
import { createTransport } from '../src/ota/transport/http.ts';
import { type Issuer, startIssuer } from '../test/auth/callers/issuer.ts';
import { startCluster } from '../test/campaigns/fleet/support/cluster.ts';
import type { Bench, Measure, Row } from './measure.ts';
import { mcpCaller } from './support/mcp-http.ts';
import { type Running, startRunning, stopRunning } from './support/running.ts';
import { median } from './support/statistics.ts';
import { canMeasureUsage, cpuMs } from './support/usage.ts';

/** Calls under way at once. */
const AT_ONCE = 16;

interface Figures {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the instances for a call, milliseconds; 0 where it cannot be measured. */
  readonly cpu: number;
}

type Call = (n: number) => Promise<void>;

/** As many as are answered, by workers that ask again when they are. */
async function drive(call: Call, total: number, pids: readonly number[]): Promise<Figures> {
  const used = () => (canMeasureUsage ? pids.reduce((sum, pid) => sum + cpuMs(pid), 0) : 0);
  const before = used();
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
  return { perSecond: total / seconds, p99: ms[Math.floor(total * 0.99)] ?? 0, cpu: (used() - before) / total };
}

const DAY_MS = 86_400_000;
/** Instances are reached each at their own address here; tokens are for the one that a balancer would have. */
const PUBLIC_URL = 'http://127.0.0.1:1';
/** A caller may ask twenty times a second at each instance: as many as never come near that. */
const CALLERS = 100;

/** What is driven in turns: searches, and who spends processor time on them. */
interface Contender {
  readonly search: Call;
  readonly pids: readonly number[];
  close(): Promise<void> | void;
}

const COUNTS = [1, 2, 4] as const;

async function measure({ program, folder, short }: Bench): Promise<readonly Row[]> {
  const [rounds, total] = short ? [3, 240] : [6, 640];
  const [cluster, issuer] = await Promise.all([startCluster(), startIssuer()]);
  const airline = await startRunning(program.start(folder('airline')), ['sandbox', '--port', '0', '--json'], /\}\s*$/m);
  const settings = JSON.parse(/\{[\s\S]*\}/.exec(airline.said)?.[0] ?? '{}') as Record<string, string>;
  const instances: Running[] = [];
  const contenders = new Map<number, Contender>();
  try {
    contenders.set(0, await straight(settings));
    const shared = {
      ...settings,
      FARECLERK_DATABASE_URL: await cluster.database('bench'),
      FARECLERK_LOG_LEVEL: 'silent',
      FARECLERK_PUBLIC_URL: PUBLIC_URL,
      FARECLERK_ISSUER: issuer.issuer,
    };
    const tokens = await tokensFor(issuer);
    for (const count of COUNTS) {
      while (instances.length < count) {
        const command = program.start(folder('instance'), shared);
        instances.push(await startRunning(command, ['serve', '--http', '--port', '0'], /serves MCP on/));
      }
      contenders.set(count, await throughInstances([...instances], tokens));
    }
    const seen = new Map<number, Figures[]>([...contenders.keys()].map((count) => [count, []]));
    // The first round warms up code and sockets.
    for (let round = -1; round < rounds; round++) {
      const turns = [...contenders];
      for (const [count, { search, pids }] of round % 2 === 0 ? turns : turns.toReversed()) {
        const figures = await drive(search, total, pids);
        if (round >= 0) seen.get(count)?.push(figures);
      }
    }
    const middle = (all: readonly Figures[]): Figures => ({
      perSecond: median(all.map(({ perSecond }) => perSecond)),
      p99: median(all.map(({ p99 }) => p99)),
      cpu: median(all.map(({ cpu }) => cpu)),
    });
    const [direct, ...through] = [...seen].map(([count, all]) => [count, middle(all)] as const);
    return direct === undefined ? [] : rows(direct[1], new Map(through));
  } finally {
    for (const contender of contenders.values()) await contender.close();
    await Promise.all([...instances, airline].map(stopRunning));
    await issuer.close();
    await cluster.close();
  }
}

/** Searches by the adapter alone: the same messages, no MCP, no state. */
async function straight(settings: Record<string, string>): Promise<Contender> {
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
  return {
    pids: [],
    async search(n) {
      const legs = [{ from, to, date: dayOf(n), daysBefore: 0, daysAfter: 0 }];
      const passengers = { adults: 1, children: 0, infants: 0 };
      await airline.searchFares({ legs, passengers, bookingClasses: [], includeSoldOut: false });
    },
    close: () => transport.close(),
  };
}

async function tokensFor(issuer: Issuer): Promise<readonly string[]> {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = { aud: `${PUBLIC_URL}/mcp`, scope: 'air:read', exp };
  return Promise.all(Array.from({ length: CALLERS }, (_, n) => issuer.sign({ ...claims, sub: `caller-${n}` })));
}

async function throughInstances(instances: readonly Running[], tokens: readonly string[]): Promise<Contender> {
  const urls = instances.map(({ said }) => /http:\S+\/mcp/.exec(said)?.[0] ?? '');
  // In turn: every caller comes to every instance, as behind a balancer.
  const callers = tokens.flatMap((token) => urls.map((url) => mcpCaller(url, token)));
  const routes = await callers[0]?.call('list_routes');
  const [route] = routes?.structured.routes ?? [];
  const [from, to] = [route.from.code, route.to[0].code];
  return {
    pids: instances.map(({ child }) => child.pid ?? 0),
    async search(n) {
      const args = { legs: [{ from, to, date: dayOf(n) }], passengers: { adults: 1 }, max_results: 5 };
      const called = await callers[n % callers.length]?.call('search_fares', args);
      if (called?.outcome !== 'ok') throw new Error(`a search ended in ${called?.outcome}`);
    },
    close() {
      for (const caller of callers) caller.close();
    },
  };
}

/** One of thirty days, in turn. */
function dayOf(n: number): string {
  return new Date(Date.now() + (10 + (n % 30)) * DAY_MS).toISOString().slice(0, 10);
}

function rows(direct: Figures, through: ReadonlyMap<number, Figures>): Row[] {
  const one = through.get(1)?.perSecond ?? 0;
  const each = [...through].flatMap(([count, { perSecond, p99 }]): Row[] => {
    const name = count === 1 ? 'one instance' : `${count} instances`;
    return [
      {
        what: `${name}: searches a second, of those straight to the airline`,
        value: perSecond / direct.perSecond,
        unit: '×',
        ...(count === 1 && { target: { atLeast: 0.9 } }),
        from: `${perSecond.toFixed(0)} of ${direct.perSecond.toFixed(0)}`,
      },
      {
        what: `${name}: p99 of a search, of one straight`,
        value: p99 / direct.p99,
        unit: '×',
        from: `${p99.toFixed(1)} ms`,
      },
    ];
  });
  const two = (through.get(2)?.perSecond ?? 0) / one;
  const [cpu = 0, cpuOfTwo = 0] = [through.get(1)?.cpu, through.get(2)?.cpu];
  const from = `${cpuOfTwo.toFixed(2)} ms of ${cpu.toFixed(2)}`;
  return [
    ...each,
    { what: 'two instances over one', value: two, unit: '×', target: { atLeast: 0.9 } },
    ...(cpu > 0
      ? [{ what: '… CPU of a call', value: cpuOfTwo / cpu, unit: '×' as const, target: { atMost: 1.05 }, from }]
      : []),
  ];
}

export const httpLoad: Measure = {
  name: 'http-load',
  about: `${AT_ONCE} searches at once over HTTP, through instances that share a PostgreSQL`,
  run: measure,
};
