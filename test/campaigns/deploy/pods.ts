/**
 * The restore that docs/guides/deploy.md describes for Kubernetes, command by command, while a payment is under way, with
 * the volumes of deploy/kubernetes.yaml. A pod is a process with a folder of its own for its state; a claim is such a
 * folder that stays.
 *
 *   node test/campaigns/deploy/pods.ts
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { type Fleet, openFleet } from '../fleet/support/fleet.ts';
import { PAY } from '../support/acts.ts';
import { newFolder } from '../support/folders.ts';
import { type Instance, paymentOf, questionOf } from '../support/instances.ts';
import { retried } from '../support/pace.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';
import { tell } from '../support/report.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
/** Where the image keeps its state. */
const STATE = '/var/lib/fareclerk';
/** Pods look every twelfth of it for what others wrote, so that one pays before another has looked, as it is by default. */
const SETTLE = { TEST_SETTLE_SECONDS: '30' };

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly volumeMounts: readonly { name: string; mountPath: string }[] }[];
      };
    };
  };
}

function workload(): Workload {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJSON() as Workload);
  const found = documents.find(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind));
  if (found === undefined) throw new Error('the manifest runs no pods');
  return found;
}

function stateOutlivesPods({ spec }: Workload): boolean {
  const mounts = spec.template.spec.containers[0]?.volumeMounts ?? [];
  const name = mounts.find(({ mountPath }) => mountPath === STATE)?.name;
  return (spec.volumeClaimTemplates ?? []).some(({ metadata }) => metadata.name === name);
}

function commands(): readonly string[] {
  const [, block = ''] =
    /\*\*Restore\*\* an older copy[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('docs/guides/deploy.md')) ?? [];
  const lines = block.split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw new Error('the guide has no commands to restore a copy');
  return lines;
}

type Ran = Awaited<ReturnType<Pods['exec']>>;

/** As `kubectl` and the tools of PostgreSQL would act. */
class Pods {
  readonly #fleet: Fleet;
  readonly #volumes = newFolder('pods');
  readonly #running = new Map<string, Instance>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  pod(name: string): Instance {
    const found = this.#running.get(name);
    if (found === undefined) throw new Error(`${name} does not run`);
    return found;
  }

  async scale(to: number): Promise<void> {
    const names = Array.from({ length: to }, (_, i) => `fareclerk-${i}`);
    for (const [name, instance] of this.#running) {
      if (names.includes(name)) continue;
      await instance.kill();
      this.#running.delete(name);
    }
    for (const name of names.filter((one) => !this.#running.has(one))) {
      mkdirSync(this.#volume(name), { recursive: true });
      const [instance] = await this.#fleet.start(1, { ...SETTLE, FARECLERK_STATE_DIR: this.#volume(name) });
      if (instance !== undefined) this.#running.set(name, instance);
    }
  }

  exec(name: string, argv: readonly string[]) {
    this.pod(name);
    const own = { FARECLERK_STATE_DIR: this.#volume(name), NODE_NO_WARNINGS: '1' };
    const env = { ...process.env, ...this.#fleet.env, ...own };
    const program = fileURLToPath(new URL('bin/fareclerk.js', root));
    return new Promise<{ code: number; stdout: string }>((resolve) =>
      execFile(process.execPath, [program, ...argv], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout: stdout + stderr }),
      ),
    );
  }

  #volume(name: string): string {
    return join(this.#volumes, name);
  }
}

/** Acts like one line of the guide. An unknown line ends the proof. */
async function act(pods: Pods, line: string, restore: () => Promise<void>): Promise<Ran | undefined> {
  const [, replicas] = /^kubectl scale statefulset\/fareclerk --replicas=(\d+)$/.exec(line) ?? [];
  if (replicas !== undefined) return void (await pods.scale(Number(replicas)));
  if (/^kubectl (wait --for=delete pod|rollout status) /.test(line) || line.startsWith('psql clerk -c'))
    return undefined;
  if (line === 'pg_restore -d clerk copy.dump') return void (await restore());
  const [, name = '', argv] = /^kubectl exec (\S+) -- node \/app\/bin\/fareclerk\.js (.*)$/.exec(line) ?? [];
  if (argv === undefined) throw new Error(`the guide has a command that this proof does not know: ${line}`);
  return pods.exec(name, argv.split(' '));
}

async function play(cluster: Cluster) {
  const fleet = await openFleet(cluster, 'claims');
  const pods = new Pods(fleet);
  const problems: string[] = [];
  const { replicas } = workload().spec;
  try {
    await pods.scale(replicas);
    // Both have sent before the copy, as pods have after a day.
    for (const name of ['fareclerk-0', 'fareclerk-1']) {
      const { code } = await pods.pod(name).call(await questionOf(pods.pod(name), await paymentOf(fleet.stock)));
      if (code !== 'done') problems.push(`the payment of ${name} came to ${code}`);
    }
    await cluster.copy(fleet.database, 'fareclerk');

    const payment = await paymentOf(fleet.stock);
    const call = await questionOf(pods.pod('fareclerk-1'), payment);
    const [sent, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { promise: worked, resolve: hasWorked } = Promise.withResolvers<void>();
    fleet.relay.interfere(async ({ name, forward }) => {
      if (name !== PAY) return false;
      fleet.relay.interfere(undefined);
      sent.resolve();
      await goOn.promise;
      await forward();
      hasWorked();
      return true;
    });
    const caller = pods
      .pod('fareclerk-1')
      .call(call)
      .catch(() => undefined);
    await sent.promise;

    for (const line of commands()) {
      const ran = await act(pods, line, () => cluster.putBack(fleet.database, 'fareclerk'));
      if (line.endsWith('journal restored')) {
        if (ran?.code !== 0 || !ran.stdout.includes('"allowed_at"'))
          problems.push(`${line}: ended with ${ran?.code}: ${ran?.stdout}`);
      }
      if (!line.startsWith('kubectl rollout')) continue;
      for (const name of ['fareclerk-0', 'fareclerk-1']) {
        const { code } = await pods.pod(name).call(payment);
        if (code !== 'E_NOT_PERMITTED') problems.push(`${name} answered ${code} after the copy was put back`);
      }
      // Only now does the airline carry out what was under way.
      goOn.resolve();
      await Promise.all([caller, worked]);
    }
    // Until the time that the command printed.
    await retried(120, 5_000, async () => {
      const { stdout } = await pods.exec('fareclerk-0', ['journal', 'verify']);
      if (stdout.includes('Sending has been held')) throw new Error('sending is held');
    });
    for (const name of ['fareclerk-0', 'fareclerk-1']) {
      const { code } = await pods.pod(name).call(payment);
      if (code !== 'E_ALREADY_DONE') problems.push(`${name}: paying again came to ${code}`);
      const done = await pods.pod(name).call(await questionOf(pods.pod(name), await paymentOf(fleet.stock)));
      if (done.code !== 'done') problems.push(`${name}: the next payment came to ${done.code}: ${done.text}`);
    }
    const paid = fleet.times('paid', payment.locator);
    if (paid !== 1) problems.push(`paid ${paid} times`);
    return { problems, paid };
  } finally {
    await pods.scale(0);
    await fleet.close();
  }
}

const cluster = await startCluster();
await tell('the restore of the Kubernetes guide', async () => {
  const claims = stateOutlivesPods(workload());
  const { problems, paid } = await play(cluster);
  if (!claims) problems.push('the second records of the shipped manifest end with their pods');
  return { seen: `with the shipped volumes: paid ${paid} times`, problems };
}).finally(() => cluster.close());
