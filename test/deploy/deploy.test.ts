/**
 * The files for containers. No container runs here: their form is checked, the settings in them are read by the program,
 * and what the image would hold is run as the image would run it, by another user and with nothing to write to.
 */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/load.ts';
import { HTTP_LIMITS } from '../../src/server/http/limits.ts';
import { buildProgram, ended, folderFor, type Program } from '../cli/program.ts';
import { Compose, ConfigMap, DisruptionBudget, KubeService, StatefulSet } from './shapes.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const folder = folderFor('deploy');
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const PORT = 8765;
const GRACE_SECONDS = HTTP_LIMITS.graceMs / 1000;

/** Files of the secrets, as a container finds them. */
function withSecrets(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value];
      const file = join(folder, value.split('/').at(-1) ?? '');
      writeFileSync(file, name.includes('DATABASE') ? 'postgres://fareclerk:x@postgres/fareclerk' : 'secret');
      return [name, file];
    }),
  );
}

/** What a server that other machines reach must have. */
function assertFleet(env: Record<string, string>): void {
  const { environment, http, state, amounts } = readConfig(env);
  expect(environment).toBe('live');
  expect(state.databaseUrl).toBeDefined();
  expect(http).toMatchObject({ publicUrl: 'https://air.example', audience: 'https://air.example/mcp' });
  expect(http.issuer).toBeDefined();
  expect(http.page).toMatchObject({ approverRole: 'air-approver' });
  expect(http.metricsToken).toBeDefined();
  expect(amounts.fourEyesAbove).toBe('5000');
}

describe('compose.yaml', () => {
  const compose = Compose.parse(parse(read('deploy/compose.yaml'), { merge: true }));
  const fleet = Object.fromEntries(
    read('deploy/fleet.env.example')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const instances = Object.entries(compose.services).filter(([name]) => name.startsWith('fareclerk-'));

  it('the compose file has two instances, PostgreSQL and a load balancer, and defines every name it uses', () => {
    expect(Object.keys(compose.services)).toEqual(['fareclerk-1', 'fareclerk-2', 'postgres', 'caddy']);
    for (const [, service] of Object.entries(compose.services)) {
      const { secrets = [], networks, depends_on: after = [], volumes = [] } = service;
      for (const volume of volumes.filter((one) => !one.startsWith('.')))
        expect(compose.volumes).toHaveProperty([volume.replace(/:.*/, '')]);
      for (const secret of secrets) expect(compose.secrets).toHaveProperty([secret]);
      for (const network of networks) expect(compose.networks).toHaveProperty([network]);
      for (const name of Array.isArray(after) ? after : Object.keys(after))
        expect(compose.services).toHaveProperty([name]);
    }
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['caddy']);
    expect(compose.services.postgres?.networks).toEqual(['inside']);
    expect(compose.services.postgres?.command).toContain('synchronous_commit=on');
  });

  it.each(instances)('%s cannot write, gain rights or be cut off', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(GRACE_SECONDS);
    const files = Object.values(service.environment ?? {}).map((path) => path.replace('/run/secrets/', ''));
    expect(files.sort()).toEqual([...(service.secrets ?? [])].sort());
  });

  it('the compose file sets only settings that the program knows', () => {
    for (const [, { environment = {} }] of instances) assertFleet(withSecrets({ ...fleet, ...environment }));
  });

  it('the load balancer forwards only the paths that callers and browsers need, to every instance', () => {
    const caddy = read('deploy/Caddyfile');
    const served = /@served path (.*)/.exec(caddy)?.[1]?.split(' ');
    const metadata = '/.well-known/oauth-protected-resource';
    expect(served).toEqual(['/', '/mcp', '/approve', '/approve/*', '/tickets/*', metadata, `${metadata}/mcp`]);
    const [, upstreams] = /reverse_proxy \{\$FARECLERK_INSTANCES:(.*)\} \{/.exec(caddy) ?? [];
    expect(upstreams?.split(' ')).toEqual(instances.map(([name]) => `${name}:${PORT}`));
    expect(caddy).toContain('health_uri /readyz');
    expect(caddy.split('{').length).toBe(caddy.split('}').length);
    // What Caddy keeps must hold what an instance takes.
    const kept = Number(/max_size (\d+)KB/.exec(caddy)?.[1]) * 1_000;
    expect(kept).toBeGreaterThan(HTTP_LIMITS.bodyBytes);
    const large = new RegExp(/@large header_regexp Content-Length (.*)/.exec(caddy)?.[1] ?? '');
    expect([HTTP_LIMITS.bodyBytes, kept - 1, kept, 1_000_000].map((bytes) => large.test(`${bytes}`))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJSON() as { kind: string });
  const of = (kind: string) => documents.find((one) => one.kind === kind);
  const config = ConfigMap.parse(of('ConfigMap'));
  const workload = StatefulSet.parse(of('StatefulSet'));
  const service = KubeService.parse(of('Service'));
  const budget = DisruptionBudget.parse(of('PodDisruptionBudget'));
  const pod = workload.spec.template.spec;
  const [container] = pod.containers;

  it('the Kubernetes manifests have exactly the expected objects, whose names match', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['ConfigMap', 'StatefulSet', 'Service', 'PodDisruptionBudget']);
    const { labels } = workload.spec.template.metadata;
    for (const selector of [
      workload.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
    ])
      expect(labels).toMatchObject(selector);
    expect(container.envFrom).toEqual([{ configMapRef: { name: config.metadata.name } }]);
    expect(workload.spec.serviceName).toBe(service.metadata.name);
    const claims = workload.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name);
    const volumes = [...pod.volumes.map(({ name }) => name), ...claims];
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
    // The folder of the image's state: the second records must outlive pods.
    expect(container.volumeMounts.filter(({ name }) => claims.includes(name))).toEqual([
      { name: 'state', mountPath: '/var/lib/fareclerk' },
    ]);
    expect(workload.spec.replicas).toBeGreaterThan(budget.spec.minAvailable);
  });

  it('the Kubernetes ports and probes match those of the program', () => {
    expect(container.ports).toEqual([{ name: 'http', containerPort: PORT }]);
    expect(service.spec.ports[0]?.targetPort).toBe('http');
    const paths = [container.startupProbe, container.readinessProbe, container.livenessProbe].map((p) => p.httpGet);
    expect(paths).toEqual(['/healthz', '/readyz', '/healthz'].map((path) => ({ path, port: 'http' })));
  });

  it('the Kubernetes grace period is long enough for calls in progress', () => {
    const needed = GRACE_SECONDS + container.lifecycle.preStop.sleep.seconds;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  });

  it('the Kubernetes manifests set only settings that the program knows, with secrets at their mounts', () => {
    assertFleet(withSecrets(config.data));
    const secrets = container.volumeMounts.find(({ name }) => name === 'secrets');
    expect(secrets?.readOnly).toBe(true);
    for (const [name, value] of Object.entries(config.data)) {
      if (name.endsWith('_FILE')) expect(value.startsWith(`${secrets?.mountPath}/`)).toBe(true);
    }
  });
});

describe('the image', () => {
  const lines = read('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  const args = (word: string): string => last.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
  let program: Program;
  let image: string;

  beforeAll(async () => {
    program = await buildProgram();
    image = join(folder, 'image');
    mkdirSync(image);
    // What the last stage copies, from a place where the build has been.
    for (const copied of last.filter((line) => line.startsWith('COPY'))) {
      const [from, ...words] = copied.split(' ').slice(1);
      expect(from).toBe('--from=build');
      const to = words.pop() ?? '';
      for (const source of words) {
        const name = source.replace('/src/', '');
        const found = [program.folder, new URL('../..', import.meta.url).pathname].find((at) =>
          existsSync(join(at, name)),
        );
        cpSync(join(found ?? '', name), to === './' ? join(image, name) : join(image, to), { recursive: true });
      }
    }
  });
  afterAll(() => rmSync(program.folder, { recursive: true, force: true, maxRetries: 5 }));

  it('the image contains the bundle, without packages and sources', () => {
    expect(readdirSync(image).sort()).toEqual(['LICENSE', 'bin', 'dist', 'package.json']);
    expect(lines.filter((line) => line.startsWith('FROM')).every((line) => line.includes('node:24-slim'))).toBe(true);
    expect(args('USER')).toBe('1000:1000');
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toContain('*');
    for (const name of ['node_modules', 'dist', '.git', 'deploy']) expect(ignored).not.toContain(`!${name}`);
  });

  it('the image runs as an unprivileged user that can write only the state, becomes ready, and stops', async () => {
    const state = join(folder, 'var');
    mkdirSync(state);
    const asRoot = process.getuid?.() === 0;
    for (const path of [folder, image]) chmodSync(path, 0o755);
    chmodSync(state, 0o777);
    const [, ...started] = JSON.parse(args('ENTRYPOINT')) as string[];
    const command = (JSON.parse(args('CMD')) as string[]).map((word) => (word === String(PORT) ? '0' : word));
    expect(command.slice(0, 2)).toEqual(['serve', '--http']);
    const child = spawn(
      process.execPath,
      [...started.map((word) => word.replace('/app', image)), ...command.slice(0, 2), '--port', '0'],
      {
        env: { HOME: '/nonexistent', FARECLERK_STATE_DIR: state, NODE_ENV: 'production' },
        cwd: image,
        stdio: 'pipe',
        ...(asRoot && { uid: 1000, gid: 1000 }),
      },
    );
    const over = ended(child);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said, { timeout: 10_000 }).toContain('fareclerk serves MCP on');
    const port = /:(\d+)\/mcp/.exec(said)?.[1] ?? '';
    const health = JSON.parse(/CMD (\[.*\])/.exec(args('HEALTHCHECK'))?.[1] ?? '[]') as string[];
    const ask = (at: string) =>
      ended(
        spawn(
          process.execPath,
          health.slice(1).map((word) => word.replace(String(PORT), at)),
          { stdio: 'pipe' },
        ),
      );
    expect((await ask(port)).code).toBe(0);
    child.kill('SIGTERM');
    expect((await over).code).toBe(0);
    expect((await ask(port)).code).toBe(1);
  });
});
