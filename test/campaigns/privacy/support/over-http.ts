/**
 * The program over HTTP, with what must not be seen in every place that a caller can write to.
 */
import { startCollector } from '../../../cli/runtime/support/collector.ts';
import { CARD, PLANTED } from './canaries.ts';
import type { Path } from './paths.ts';
import { inSession } from './session.ts';

const KEY = PLANTED['api key'];

/** The same server on HTTP, and what Prometheus and a collector of traces get. */
export const metrics: Path = {
  name: 'HTTP, metrics and traces',
  walk: ({ program, seen }) =>
    inSession({ program, seen }, async ({ env }) => {
      const collector = await startCollector();
      const traced = { FARECLERK_LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
      const child = program.start(['serve', '--http', '--port', '0'], { ...traced, ...env });
      let stderr = '';
      const url = await new Promise<string>((resolve, reject) => {
        child.once('close', () => reject(new Error(stderr)));
        child.stderr?.on('data', (chunk) => {
          stderr += chunk;
          const [found] = /http:\/\/[\d.:]+\/mcp/.exec(stderr) ?? [];
          if (found !== undefined) resolve(found);
        });
      });
      const gone = new Promise((resolve) => child.once('close', resolve));
      let id = 0;
      const call = async (name: string, args: unknown) => {
        const reply = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-06-18',
            authorization: `Bearer ${PLANTED.password}`,
            'x-trace': PLANTED['e-mail'],
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { name, arguments: args } }),
        });
        const text = await reply.text();
        const channel = /"result":/.test(text) ? (/"isError":true/.test(text) ? 'error' : 'result') : 'protocol';
        seen.add(channel, channel === 'protocol' ? 'tools/call' : name, text);
      };
      await call('list_routes', {});
      await call('read_booking', { locator: PLANTED['e-mail'] });
      await call(PLANTED['e-mail'], { [KEY]: 1 });
      await call('pay_booking', { locator: 'ABC123', payment: { type: 'cash', holder_name: CARD } });
      for (const path of [`/${PLANTED.password}`, `/mcp?key=${KEY}`, `/approve/${PLANTED['e-mail']}`, '/metrics']) {
        const reply = await fetch(new URL(path, url));
        seen.add('metrics', path === '/metrics' ? path : 'other', await reply.text());
      }
      child.kill('SIGTERM');
      await gone;
      if (collector.spans.length === 0) throw new Error('no traces came');
      for (const body of collector.bodies) seen.add('traces', 'serve --http', body);
      await collector.close();
      for (const line of stderr.split('\n')) seen.add('stderr', 'serve --http', line);
    }),
};
