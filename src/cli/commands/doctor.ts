/**
 * `fareclerk doctor`: what is wrong with a set-up, in plain words, and what to change. Reads only; never repeats a
 * refused login.
 */
import { UsageError } from '../../config/load.ts';
import { isRealDate } from '../../domain/time-and-text/times.ts';
import { systemBrowser } from '../../server/approval-page/browser.ts';
import { VERSION } from '../../version.ts';
import { Chart } from '../doctor/check.ts';
import { type Examinee, examine } from '../doctor/examine.ts';
import { defaultReportFile, type Report, reportOf, writeReport } from '../doctor/report.ts';
import { Secrecy } from '../doctor/secrecy.ts';
import type { Pair } from '../doctor/services.ts';
import { checkLines, summaryLine } from '../doctor/words.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import { settingsHelp } from '../terminal/help.ts';
import { isInteractive } from '../terminal/typed-yes.ts';
import type { Command, ExitCode, Terminal } from './command.ts';

const OPTIONS = {
  json: { type: 'boolean' },
  report: { type: 'string' },
  'no-report': { type: 'boolean' },
  route: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  date: { type: 'string' },
  airline: { type: 'boolean' },
  locator: { type: 'string' },
} as const;

type Own = Arguments['own'];

/** Stations and a day to look at; `--route A-B` is short for `--from A --to B`. */
function pairOf({ route, from, to, date }: Own): Partial<Pair> {
  const day = date === undefined ? {} : { date: String(date) };
  if (day.date !== undefined && !isRealDate(day.date))
    throw new UsageError('--date: expected a day, such as 2031-05-04.');
  const text = route ?? (from === undefined && to === undefined ? undefined : `${from ?? ''}-${to ?? ''}`);
  if (text === undefined) return day;
  const [, first, second] = /^([A-Z0-9]{3})-([A-Z0-9]{3})$/i.exec(String(text)) ?? [];
  if (first !== undefined && second !== undefined)
    return { from: first.toUpperCase(), to: second.toUpperCase(), ...day };
  const option = route === undefined ? '--from and --to' : '--route';
  throw new UsageError(`${option}: expected two stations, such as ${route === undefined ? 'RUH and JED' : 'RUH-JED'}.`);
}

function deviationsOf({ airline, locator }: Own): { locator?: string } | undefined {
  if (airline !== true && locator !== undefined) throw new UsageError('--locator: needs --airline.');
  if (airline !== true) return undefined;
  if (locator === undefined) return {};
  if (/^[A-Z0-9][A-Z0-9-]{3,23}$/i.test(String(locator))) return { locator: String(locator).toUpperCase() };
  throw new UsageError('--locator: expected 4 to 24 letters and digits, such as K7PL2M.');
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
  const deviations = deviationsOf(args.own);
  const examinee: Examinee = {
    env: terminal.env,
    flags: args.settings,
    here: {
      browser: systemBrowser({ env: terminal.env, platform: process.platform }).available(),
      terminal: isInteractive(terminal),
    },
    now,
    pair: pairOf(args.own),
    ...(deviations !== undefined && { deviations }),
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
  fareclerk doctor --airline --locator K7PL2M

  --json         the result as JSON
  --report FILE  the report for support goes there (default: state folder)
  --no-report    no report is written
  --route A-B    stations to look at, instead of the first on sale
  --from A       the same as --route, with --to
  --to B         the same as --route, with --from
  --date DAY     day to search, instead of the first on sale
  --airline      also tries how this airline differs from others: dialect, price
                 rows, round trips, availability; says what to set. Reads only
  --locator L    with --airline: a booking to look at, best a paid one, and its
                 seat map

${settingsHelp()}`;
  },
  run: (argv, terminal) => runDoctor(argv, terminal),
};
