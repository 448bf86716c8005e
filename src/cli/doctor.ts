/**
 * `fareclerk doctor`: what is wrong with a set-up, in plain words, and what to change. Reads only; never repeats a
 * refused login.
 */
import { UsageError } from '../config.ts';
import { systemBrowser } from '../server/approval-page/browser.ts';
import { VERSION } from '../version.ts';
import { type Arguments, readArguments } from './args.ts';
import { isInteractive } from './ask.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { Chart } from './doctor/check.ts';
import { type Examinee, examine } from './doctor/examine.ts';
import { defaultReportFile, type Report, reportOf, writeReport } from './doctor/report.ts';
import { Secrecy } from './doctor/secrecy.ts';
import type { Pair } from './doctor/services.ts';
import { checkLines, summaryLine } from './doctor/words.ts';
import { settingsHelp } from './help.ts';

const OPTIONS = {
  json: { type: 'boolean' },
  report: { type: 'string' },
  'no-report': { type: 'boolean' },
  route: { type: 'string' },
} as const;

function pairOf(route: Arguments['own'][string]): Pair | undefined {
  if (route === undefined) return undefined;
  const [, from, to] = /^([A-Z0-9]{3})-([A-Z0-9]{3})$/i.exec(String(route)) ?? [];
  if (from === undefined || to === undefined) throw new UsageError('--route: expected two stations, such as RUH-JED.');
  return { from: from.toUpperCase(), to: to.toUpperCase() };
}

/** Which step is under way, on a screen only. */
function progressOn({ stderr }: Terminal): { start(title: string, done: number): void; end(): void } {
  if (stderr.isTTY !== true) return { start() {}, end() {} };
  return {
    start: (title, done) => void stderr.write(`\r\u001b[K${done + 1}  ${title} …`),
    end: () => void stderr.write('\r\u001b[K'),
  };
}

/** What tests bring with them: a clock, certificates, less patience. */
type Circumstances = Partial<Pick<Examinee, 'now' | 'ca' | 'deadlineMs'>>;

/** Examines, and gives the report as it may be shown. */
async function diagnose(
  terminal: Terminal,
  args: Arguments,
  more: Circumstances,
): Promise<{ report: Report; file: string | undefined }> {
  const { now = Date.now } = more;
  const progress = progressOn(terminal);
  const chart = new Chart(progress.start);
  const secrecy = new Secrecy();
  const pair = pairOf(args.own.route);
  const examinee: Examinee = {
    env: terminal.env,
    flags: args.settings,
    here: {
      browser: systemBrowser({ env: terminal.env, platform: process.platform }).available(),
      terminal: isInteractive(terminal),
    },
    now,
    ...(pair !== undefined && { pair }),
    ...more,
  };
  const { config, answers } = await examine(examinee, chart, secrecy).finally(() => progress.end());
  const report = secrecy.maskedTree(reportOf(config, chart.checks, answers, now()));
  const wanted = args.own.report === undefined ? defaultReportFile(config) : String(args.own.report);
  const file = args.own['no-report'] === true ? undefined : wanted;
  const written = file !== undefined && writeReport(file, report);
  if (file !== undefined && !written) terminal.stderr.write(`fareclerk: the report could not be written to ${file}.\n`);
  return { report, file: written ? file : undefined };
}

/** Prints what was found. Exit 1 if something must be mended. */
function tell({ report, file }: Awaited<ReturnType<typeof diagnose>>, terminal: Terminal, json: boolean): ExitCode {
  const { checks } = report;
  const sound = !checks.some(({ level }) => level === 'mend');
  if (json) {
    const { fareclerk_doctor: _, ...rest } = report;
    const printed = { ok: sound, ...rest, ...(file !== undefined && { report: file }) };
    terminal.stdout.write(`${JSON.stringify(printed, undefined, 2)}\n`);
    return sound ? 0 : 1;
  }
  const lines = [
    `fareclerk ${VERSION} doctor`,
    '',
    ...checkLines(checks, terminal.stdout),
    '',
    summaryLine(checks),
    ...(file === undefined ? [] : [`Report for support, without secrets or personal data: ${file}`]),
  ];
  terminal.stdout.write(`${lines.join('\n')}\n`);
  return sound ? 0 : 1;
}

export async function runDoctor(
  argv: readonly string[],
  terminal: Terminal,
  more: Circumstances = {},
): Promise<ExitCode> {
  const args = readArguments(argv, OPTIONS, { takesSettings: true });
  return tell(await diagnose(terminal, args, more), terminal, args.own.json === true);
}

export const doctor: Command = {
  get help() {
    return `usage: fareclerk doctor [options]

Checks settings, names, certificates, login, credentials, each of the airline's
addresses, clocks, the state store and whether a person can be asked. Says in
plain words what to mend, and exits 1 if something must be. It only reads, logs
in once, and never prints a secret.

  fareclerk doctor
  fareclerk doctor --json
  fareclerk doctor --route RUH-JED --report ./for-support.json

  --json         the result as JSON
  --report FILE  the report for support goes there (default: state folder)
  --no-report    no report is written
  --route A-B    stations to look at, instead of the first on sale

${settingsHelp()}`;
  },
  run: (argv, terminal) => runDoctor(argv, terminal),
};
