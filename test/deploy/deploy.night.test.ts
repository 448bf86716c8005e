/**
 * The files for containers. No container runs here: their form is checked, the settings in them are read by the program,
 * and what the image would hold is run as the image would run it, by another user and with nothing to write to.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/load.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { MOST_FORM_BYTES } from '../../src/pages/details/handler.ts';
import { ended, folderFor } from '../cli/program.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const folder = folderFor('deploy');
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The fields of Compose (compose-spec) that the file uses: a misspelt one is none of them. */
const FIELDS = new Set(
  `build cap_drop command condition context depends_on env_file environment file healthcheck image internal interval
  mem_limit name networks pids_limit ports read_only restart retries secrets security_opt services stop_grace_period test
  timeout tmpfs volumes`.split(/\s+/),
);
/** Below these the names are our own. */
const NAMED = ['services', 'secrets', 'volumes', 'networks', 'environment', 'depends_on'];

function unknownFields(value: unknown, isNamed = false): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => unknownFields(item));
  return Object.entries(value).flatMap(([field, inner]) => [
    ...(isNamed || FIELDS.has(field) ? [] : [field]),
    ...unknownFields(inner, !isNamed && NAMED.includes(field)),
  ]);
}

/** Definitions of Kubernetes, from its published OpenAPI document. */
const KUBERNETES: {
  readonly kinds: Readonly<Record<string, string>>;
  readonly definitions: Readonly<Record<string, Readonly<Record<string, string>>>>;
} = JSON.parse(read('test/deploy/kubernetes-fields.json'));

/** Fields that a type does not have, lacks although they are required, or that are of another type. */
function misfits(value: unknown, type: string, at: string): readonly string[] {
  const each = /^Array<(.*)>$/.exec(type)?.[1];
  const wrong = [`${at} is no ${type}`];
  if (each !== undefined)
    return Array.isArray(value) ? value.flatMap((item, n) => misfits(item, each, `${at}[${n}]`)) : wrong;
  if (type === 'IntOrString') return typeof value === 'string' || Number.isInteger(value) ? [] : wrong;
  if (['string', 'number', 'boolean'].includes(type)) return typeof value === type ? [] : wrong;
  if (typeof value !== 'object' || value === null) return wrong;
  const named = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  const fields = KUBERNETES.definitions[type];
  if (named === undefined && fields === undefined) return [`${at}: ${type} is not in kubernetes-fields.json`];
  const required = Object.entries(fields ?? {}).filter(([, kind]) => kind.endsWith('!'));
  const missing = required.filter(([field]) => !(field in value)).map(([field]) => `${at}.${field} is missing`);
  const present = Object.entries(value).flatMap(([field, inner]) => {
    const kind = named ?? fields?.[field]?.replace('!', '');
    return kind === undefined ? [`${at}.${field} is no field`] : misfits(inner, kind, `${at}.${field}`);
  });
  return [...missing, ...present];
}

const PORT = 8765;
const SECRET = 'secret-0123456789abcdef-0123456789';
const GRACE_SECONDS = HTTP_LIMITS.graceMs / 1000;
/** From SIGTERM, or the hook before it, to the kill: said once, and the same everywhere. */
const KILL_SECONDS = 80;

/** Files of the secrets, as a container finds them. */
function withSecrets(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value];
      const file = join(folder, value.split('/').at(-1) ?? '');
      writeFileSync(file, name.includes('DATABASE') ? 'postgres://fareclerk:x@postgres/fareclerk' : SECRET);
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
  expect([http.metricsToken?.reveal(), http.token]).toEqual([SECRET, undefined]);
  expect(amounts.fourEyesAbove).toBe('5000');
}

describe('compose.yaml', () => {
  const { 'x-fareclerk': _, ...compose } = parse(read('deploy/compose.yaml'), { merge: true });
  const fleet = Object.fromEntries(
    read('deploy/fleet.env.example')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const services: [string, ReturnType<typeof JSON.parse>][] = Object.entries(compose.services);
  const instances = services.filter(([name]) => name.startsWith('fareclerk-'));

  it('the compose file has two instances, PostgreSQL and a load balancer, and defines every name it uses', () => {
    expect(unknownFields(compose)).toEqual([]);
    expect(services.map(([name]) => name)).toEqual(['fareclerk-1', 'fareclerk-2', 'postgres', 'caddy']);
    for (const [, service] of services) {
      expect(service).toMatchObject({ image: expect.any(String), restart: 'unless-stopped' });
      const { secrets = [], networks, depends_on: after = [], volumes = [] } = service;
      for (const volume of volumes.filter((one: string) => !one.startsWith('.')))
        expect(compose.volumes).toHaveProperty([volume.replace(/:.*/, '')]);
      for (const secret of secrets) expect(compose.secrets).toHaveProperty([secret]);
      for (const network of networks) expect(compose.networks).toHaveProperty([network]);
      for (const name of Array.isArray(after) ? after : Object.keys(after))
        expect(compose.services).toHaveProperty([name]);
    }
    const published = services.filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['caddy']);
    expect(compose.services.postgres?.networks).toEqual(['inside']);
    expect(compose.services.postgres?.command).toContain('synchronous_commit=on');
  });

  it.each(instances)('%s cannot write, gain rights or be cut off', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.stop_grace_period).toBe(`${KILL_SECONDS}s`);
    const files = Object.values(service.environment ?? {}).map((path) => String(path).replace('/run/secrets/', ''));
    expect(files.sort()).toEqual([...(service.secrets ?? [])].sort());
  });

  it('the compose file sets only settings that the program knows', () => {
    for (const [, { environment = {} }] of instances) assertFleet(withSecrets({ ...fleet, ...environment }));
  });

  it('the load balancer forwards only the paths that callers and browsers need, to every instance', () => {
    const caddy = read('deploy/Caddyfile');
    const served = /@served path (.*)/.exec(caddy)?.[1]?.split(' ');
    const metadata = '/.well-known/oauth-protected-resource';
    expect(served).toEqual([
      '/',
      '/mcp',
      '/mcp/',
      '/approve',
      '/approve/*',
      '/details/*',
      '/tickets/*',
      metadata,
      `${metadata}/mcp`,
      `${metadata}/mcp/`,
    ]);
    const [, upstreams] = /reverse_proxy \{\$FARECLERK_INSTANCES:(.*)\} \{/.exec(caddy) ?? [];
    expect(upstreams?.split(' ')).toEqual(instances.map(([name]) => `${name}:${PORT}`));
    expect(caddy).toContain('health_uri /readyz');
    expect(caddy.split('{').length).toBe(caddy.split('}').length);
    // What Caddy keeps must hold what an instance takes.
    const kept = Number(/max_size (\d+)KB/.exec(caddy)?.[1]) * 1_000;
    expect(kept).toBeGreaterThan(Math.max(HTTP_LIMITS.bodyBytes, MOST_FORM_BYTES));
    const large = new RegExp(/@large header_regexp Content-Length (.*)/.exec(caddy)?.[1] ?? '');
    expect(
      [HTTP_LIMITS.bodyBytes, MOST_FORM_BYTES, kept - 1, kept, 1_000_000].map((bytes) => large.test(`${bytes}`)),
    ).toEqual([false, false, false, true, true]);
  });
});

describe('kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJSON());
  const [config, workload, service, budget, policy] = documents;
  const pod = workload.spec.template.spec;
  const [container] = pod.containers;
  const named = (items: readonly { name: string }[]) => items.map(({ name }) => name);

  it('the Kubernetes manifests have exactly the expected objects, whose names match', () => {
    const kinds = documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(kinds).toEqual([
      ...['v1 ConfigMap', 'apps/v1 StatefulSet', 'v1 Service', 'policy/v1 PodDisruptionBudget'],
      'networking.k8s.io/v1 NetworkPolicy',
    ]);
    const typed = documents.flatMap((one, n) => misfits(one, KUBERNETES.kinds[kinds[n] ?? ''] ?? '', one.kind));
    expect(typed).toEqual([]);
    // A misspelt field, a wrong type and a missing one would be seen.
    const broken = { ...budget, spec: { ...budget.spec, minAvailabel: 1, unhealthyPodEvictionPolicy: 1 } };
    expect(misfits({ ...broken, kind: 5 }, 'V1PodDisruptionBudget', 'it')).toHaveLength(3);
    expect(misfits({ ports: [{}] }, 'V1ServiceSpec', 'it')).toEqual(['it.ports[0].port is missing']);
    const { labels } = workload.spec.template.metadata;
    for (const selector of [
      workload.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
      policy.spec.podSelector.matchLabels,
    ])
      expect(labels).toMatchObject(selector);
    expect(container.envFrom).toEqual([{ configMapRef: { name: config.metadata.name } }]);
    expect(workload.spec.serviceName).toBe(service.metadata.name);
    const [claim, ...others] = workload.spec.volumeClaimTemplates;
    expect([others, claim.spec.accessModes]).toEqual([[], ['ReadWriteOnce']]);
    const volumes = [...named(pod.volumes), claim.metadata.name];
    expect(named(container.volumeMounts).sort()).toEqual(volumes.sort());
    // The folder of the image's state: the second records must outlive pods.
    const kept = { whenDeleted: 'Retain', whenScaled: 'Retain' };
    expect(workload.spec.persistentVolumeClaimRetentionPolicy).toEqual(kept);
    expect(container.volumeMounts.filter(({ name }: { name: string }) => name === claim.metadata.name)).toEqual([
      { name: 'state', mountPath: '/var/lib/fareclerk' },
    ]);
    expect(workload.spec.replicas).toBeGreaterThan(budget.spec.minAvailable);
    // Without it a pod that is not ready could never be evicted.
    expect(budget.spec.unhealthyPodEvictionPolicy).toBe('AlwaysAllow');
  });

  it('the network policy lets in only who is named, to the port of the program, and out to names, https and PostgreSQL', () => {
    expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    const [rule, ...rules] = policy.spec.ingress;
    expect([rules, rule.ports]).toEqual([[], [{ port: container.ports[0].name, protocol: 'TCP' }]]);
    for (const from of rule.from) expect(Object.keys(from)).toEqual(['namespaceSelector']);
    const [{ ports }, ...others] = policy.spec.egress;
    expect(others).toEqual([]);
    expect(ports.map(({ port, protocol }: { port: number; protocol: string }) => `${port} ${protocol}`)).toEqual([
      ...['53 UDP', '53 TCP', '443 TCP', '5432 TCP'],
    ]);
  });

  it('a pod cannot write, gain rights or talk to the cluster', () => {
    expect(pod).toMatchObject({
      ...{ automountServiceAccountToken: false, enableServiceLinks: false },
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
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
    expect(pod.terminationGracePeriodSeconds).toBe(KILL_SECONDS);
    expect(read('docs/guides/http.md')).toContain(`\`terminationGracePeriodSeconds: ${KILL_SECONDS}\``);
    // `sleep` is on by default from 1.30 on.
    for (const file of ['deploy/kubernetes.yaml', 'docs/guides/deploy.md'])
      expect(read(file)).toContain('Kubernetes 1.30');
  });

  it('the Kubernetes manifests set only settings that the program knows, with secrets at their mounts', () => {
    assertFleet(withSecrets(config.data));
    const secrets = container.volumeMounts.find(({ name }: { name: string }) => name === 'secrets');
    expect(secrets.readOnly).toBe(true);
    const files = Object.entries(config.data).filter(([name]) => name.endsWith('_FILE'));
    for (const [, path] of files) expect(path).toMatch(new RegExp(`^${secrets.mountPath}/`));
  });
});

/** Whether a build gets a file: the last pattern that fits it or a folder above it decides (Docker's build context). */
function isLetIn(path: string): boolean {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const fits = (pattern: string) => {
    // Other patterns mean more than this test knows.
    if (!/^(?:\*|[\w.-]+(?:\/[\w.-]+)*)$/.test(pattern)) throw new Error(`unknown pattern: ${pattern}`);
    return pattern === '*' || path === pattern || path.startsWith(`${pattern}/`);
  };
  const decides = patterns.findLast((pattern) => fits(pattern.replace(/^!/, '')));
  return path === '' || decides === undefined || decides.startsWith('!');
}

describe('the image', () => {
  const lines = read('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  const args = (word: string): string => last.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
  const [context, image] = [join(folder, 'context'), join(folder, 'image')];

  beforeAll(() => {
    // The first stage: what the filter lets through, and its build. Packages are those that are installed.
    cpSync(ROOT, context, { recursive: true, filter: (file) => isLetIn(relative(ROOT, file)) });
    symlinkSync(join(ROOT, 'node_modules'), join(context, 'node_modules'));
    const run = lines.find((line) => line.startsWith('RUN npm ci')) ?? '';
    const [script = '', ...options] = /&& node (.*)$/.exec(run)?.[1]?.split(' ') ?? [];
    expect([lines.includes('COPY . .'), script]).toEqual([true, 'scripts/build.ts']);
    execFileSync(process.execPath, [script, ...options], { cwd: context, stdio: 'pipe' });
    // The last one copies from there.
    mkdirSync(image);
    for (const copied of last.filter((line) => line.startsWith('COPY'))) {
      const [from, ...words] = copied.split(' ').slice(1);
      expect(from).toBe('--from=build');
      const to = words.pop() ?? '';
      for (const source of words) {
        const name = source.replace('/src/', '');
        cpSync(join(context, name), to === './' ? join(image, name) : join(image, to), { recursive: true });
      }
    }
  });

  it('the image contains the bundle, without packages and sources', () => {
    expect(readdirSync(image).sort()).toEqual(['LICENSE', 'bin', 'dist', 'package.json']);
    expect(lines.filter((line) => line.startsWith('FROM')).every((line) => line.includes('node:24-slim'))).toBe(true);
    expect(args('USER')).toBe('1000:1000');
    for (const name of [
      'node_modules/x',
      'dist/main.js',
      '.git/config',
      'deploy/secrets/password',
      '.env',
      'test/x.ts',
    ])
      expect([name, isLetIn(name)]).toEqual([name, false]);
  });

  it('the image runs as an unprivileged user that can write only the state, becomes ready, and stops', async () => {
    const state = join(folder, 'var');
    mkdirSync(state);
    const asRoot = process.getuid?.() === 0;
    for (const path of [folder, image]) chmodSync(path, 0o755);
    if (asRoot) chownSync(state, 1000, 1000);
    const [, ...started] = JSON.parse(args('ENTRYPOINT')) as string[];
    const command = (JSON.parse(args('CMD')) as string[]).map((word) => (word === String(PORT) ? '0' : word));
    expect(command.slice(0, 2)).toEqual(['serve', '--http']);
    const child = spawn(
      process.execPath,
      [...started.map((word) => word.replace('/app', image)), ...command.slice(0, 2), '--port', '0'],
      {
        env: {
          HOME: '/nonexistent',
          FARECLERK_STATE_DIR: state,
          NODE_ENV: 'production',
          FARECLERK_HTTP_TOKEN: 'let-me-in-0123456789abcdef-01234',
        },
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
    await expect.poll(() => said).toContain('fareclerk serves MCP on');
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
