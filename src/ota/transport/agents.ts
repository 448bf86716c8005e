/**
 * undici's agents, one per purpose, so that no kind of call can starve or disturb another. undici is the largest part of
 * a cold start and is loaded with the first call.
 *
 * HTTP/2 is off: after GOAWAY or REFUSED_STREAM undici sends a POST again by itself, and a booking would be made twice.
 * `pipelining: 0` means a new socket per request: no stale connection, and no late reply to another request. Reads and
 * searches share sockets. Their replies are checked (errors/reply-identity.ts), and a foreign one ends its socket.
 */
import type { Agent } from 'undici';

export type Purpose = 'read' | 'search' | 'money' | 'identity';

const MiB = 1 << 20;
const FRESH = { allowH2: false, pipelining: 0 } as const;
const KEPT = { allowH2: false, pipelining: 1, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 10_000 } as const;
const READ = { ...KEPT, connections: 64, bodyTimeout: 5_000, maxResponseSize: 8 * MiB };

const SETTINGS = {
  read: READ,
  search: READ,
  money: { ...FRESH, connections: 32, bodyTimeout: 20_000, maxResponseSize: 4 * MiB },
  identity: { ...FRESH, connections: 4, bodyTimeout: 5_000, maxResponseSize: MiB },
} as const satisfies Readonly<Record<Purpose, Agent.Options>>;

const CONNECT_MS: Readonly<Record<Purpose, number>> = { read: 3_000, search: 3_000, money: 5_000, identity: 3_000 };

/** Most bytes of a reply, on the wire and unpacked. */
export const mostBytes = (purpose: Purpose): number => SETTINGS[purpose].maxResponseSize;

/** @param ca certificate authorities to trust instead of the platform's (PEM) */
export function createAgents(ca?: string) {
  const live = new Map<Purpose, Promise<Agent>>();
  const retired = new Set<Agent>();
  let closed = false;

  const start = async (purpose: Purpose): Promise<Agent> => {
    const undici = await import('undici');
    const connect = { timeout: CONNECT_MS[purpose], ...(ca === undefined ? {} : { ca }) };
    return new undici.Agent({ ...SETTINGS[purpose], connect });
  };
  const retire = async (agent: Agent): Promise<void> => {
    retired.add(agent);
    await agent.close().catch(() => {});
    retired.delete(agent);
  };

  return {
    get(purpose: Purpose): Promise<Agent> {
      if (closed) return Promise.reject(new Error('the connections to the airline are closed'));
      const known = live.get(purpose);
      if (known !== undefined) return known;
      const fresh = start(purpose);
      live.set(purpose, fresh);
      return fresh;
    },
    /** Drops the sockets of a purpose once their calls are over: one of them carried a foreign reply. */
    renew(purpose: Purpose): void {
      const old = live.get(purpose);
      live.delete(purpose);
      old?.then(retire, () => {});
    },
    /** Ends all connections and the calls on them. */
    async close(): Promise<void> {
      closed = true;
      const agents = await Promise.allSettled(live.values());
      live.clear();
      const open = agents.flatMap((agent) => (agent.status === 'fulfilled' ? [agent.value] : []));
      await Promise.all([...open, ...retired].map((agent) => agent.destroy().catch(() => {})));
    },
  };
}
