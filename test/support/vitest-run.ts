/** Runs the tests in a process of their own and reads their report. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export type VitestRun = Awaited<ReturnType<typeof runVitest>>;

const SAID = 4_000;
const firstLine = (text = '') => text.split('\n', 1)[0] ?? '';

/** A line for each test, or each file that could not be run: its name and the first line of the error. */
function failuresOf({ testResults }: Report): readonly string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(ROOT, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${file}: ${firstLine(message)}`];
      return failed.map(({ fullName, failureMessages }) => `${file}: ${fullName}: ${firstLine(failureMessages[0])}`);
    });
}

/**
 * `ok`: nothing failed, and no promise was left rejected; `said`: the end of what it wrote to stderr.
 *
 * @param args of vitest, such as files and `--project`
 */
export async function runVitest(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-run-'));
  const file = join(folder, 'report.json');
  try {
    const child = spawn(process.execPath, [VITEST, 'run', ...args, '--reporter=json', `--outputFile=${file}`], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID);
    });
    const [code] = await once(child, 'close');
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const { numPassedTests: passed, numFailedTests: failed } = report;
    return { ok: code === 0, passed, failed, failures: failuresOf(report), said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
