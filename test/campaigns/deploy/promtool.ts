/**
 * The alert rules with the judge of Prometheus itself: their form, the cases of each alert, and the form of every query of
 * the dashboard and the guide. Needs promtool (Debian: `apt-get install prometheus`).
 * `node test/campaigns/deploy/promtool.ts`
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { queries } from '../../deploy/queries.ts';

const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));

function promtool(...args: string[]): void {
  const { status, error } = spawnSync('promtool', args, { stdio: 'inherit' });
  if (error !== undefined) throw new Error('promtool cannot be run: install the package prometheus', { cause: error });
  if (status !== 0) process.exit(1);
}

promtool('check', 'rules', join(DEPLOY, 'alerts.yaml'));
promtool('test', 'rules', join(DEPLOY, 'alerts.test.yaml'));

const asked = queries();
const rules = asked.map(({ expr }, i) => ({ record: `query:${i}`, expr }));
const file = join(tmpdir(), `fareclerk-queries-${process.pid}.json`);
// JSON is YAML too.
writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
try {
  promtool('check', 'rules', file);
} finally {
  rmSync(file, { force: true });
}
process.stdout.write(`${asked.length} queries, all in the form of Prometheus\n`);
