/** `fareclerk doctor` finds what is wrong with a set-up. It only reads, and never repeats a refused login. */
import { type Config, UsageError } from '../../config/load.ts';
import { chooseOrigin, type Origin } from '../../config/sources.ts';
import { isRealDate } from '../../core/times.ts';
import { systemBrowser } from '../../pages/approval/browser.ts';
import { VERSION } from '../../version.ts';
import { CheckList, type CheckResult } from '../doctor/check.ts';
import { examine } from '../doctor/examination.ts';
import { defaultReportFile, makeReport, resultLines, SecretMask, summaryLine, writeReport } from '../doctor/report.ts';
import type { DoctorOptions, Pair } from '../doctor/visit.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import { actsOn } from '../terminal/settings.ts';
import { withSettings } from '../terminal/this-program.ts';
import type { Command, ExitCode, Terminal } from './command.ts';
import { COMMANDS } from './index.ts';

const ERASE_LINE = '\r\u001b[K';

type DoctorFlags = Arguments['flags'];

/** The stations and the day to look at. `--route A-B` is short for `--from A --to B`. @throws UsageError */
function readPair({ route, from, to, date }: DoctorFlags): Partial<Pair> {
  if (date !== undefined && !isRealDate(String(date)))
    throw new UsageError('--date: expected a day, such as 2031-05-04.');
  const day = date === undefined ? {} : { date: String(date) };
  if (route === undefined && from === undefined && to === undefined) return day;
  const stations = String(route ?? `${from ?? ''}-${to ?? ''}`).toUpperCase();
  const [, first, second] = /^([A-Z0-9]{3})-([A-Z0-9]{3})$/.exec(stations) ?? [];
  if (first !== undefined && second !== undefined) return { from: first, to: second, ...day };
  if (route !== undefined) throw new UsageError('--route: expected two stations, such as RUH-JED.');
  throw new UsageError('--from and --to: expected two stations, such as RUH and JED.');
}

function readDeviations({ airline, locator }: DoctorFlags): DoctorOptions['deviations'] {
  if (airline !== true && locator !== undefined) throw new UsageError('--locator: needs --airline.');
  if (airline !== true) return undefined;
  if (locator === undefined) return {};
  if (/^[A-Z0-9][A-Z0-9-]{3,23}$/i.test(String(locator))) return { locator: String(locator).toUpperCase() };
  throw new UsageError('--locator: expected 4 to 24 letters and digits, such as K7PL2M.');
}

/** What tests and `fareclerk init` change about a run of the doctor. */
interface DoctorRunOptions extends Partial<Pick<DoctorOptions, 'now' | 'ca' | 'deadlineMs'>> {
  /** Where commands will read these settings. Default: where the doctor reads them. */
  readonly later?: Origin;
  /** Shows only the checks that failed. */
  readonly isBrief?: boolean;
}

export async function runDoctor(
  argv: readonly string[],
  terminal: Terminal,
  { later, isBrief = false, ...overrides }: DoctorRunOptions = {},
): Promise<ExitCode> {
  const { flags, settings, originChoice } = readArguments(argv, COMMANDS.doctor);
  const { env, stdout, stderr } = terminal;
  const { now = Date.now } = overrides;
  const showProgress = (text: string): void => {
    if (stderr.isTTY === true) stderr.write(ERASE_LINE + text);
  };
  const checks = new CheckList((title, done) => showProgress(`${done + 1}  ${title} …`));
  const mask = new SecretMask();
  const browser = systemBrowser({ env, platform: process.platform }).available();
  const wantedPair = readPair(flags);
  const deviations = readDeviations(flags);
  const origin = chooseOrigin(env, settings, originChoice);
  const options = { env, flags: settings, origin, browser, now, wantedPair, deviations, ...overrides };
  const config = await examine(options, checks, mask).finally(() => showProgress(''));
  if (config !== undefined) stderr.write(actsOn(config));
  const report = mask.maskedTree(makeReport(config, checks.results, now()));
  const reportFile = flags['no-report'] === true ? undefined : reportPath(flags, config);
  const isWritten = reportFile !== undefined && writeReport(reportFile, report);
  if (reportFile !== undefined && !isWritten)
    stderr.write(`fareclerk: the report could not be written to ${reportFile}.\n`);
  const writtenFile = isWritten ? reportFile : undefined;
  const ok = !report.checks.some(({ level }) => level === 'fail');
  const { fareclerk_doctor: _, ...reportFields } = report;
  const typed = config === undefined ? String : withSettings({ ...config, origin: later ?? origin });
  const text =
    flags.json === true
      ? JSON.stringify({ ok, ...reportFields, report: writtenFile }, undefined, 2)
      : doctorText(report.checks, { ok, isBrief, typed, writtenFile, stdout });
  stdout.write(`${text}\n`);
  return ok ? 0 : 1;
}

function reportPath({ report }: DoctorFlags, config: Config | undefined): string | undefined {
  return report === undefined ? defaultReportFile(config) : String(report);
}

interface DoctorTextOptions {
  readonly ok: boolean;
  readonly isBrief: boolean;
  /** Rewrites the commands in a text as this person types them. */
  readonly typed: (text: string) => string;
  /** The report, if it was written. */
  readonly writtenFile: string | undefined;
  readonly stdout: Terminal['stdout'];
}

function doctorText(
  checks: readonly CheckResult[],
  { ok, isBrief, typed, writtenFile, stdout }: DoctorTextOptions,
): string {
  const shownChecks = checks.filter(({ level }) => !isBrief || level === 'fail');
  const typedChecks = shownChecks.map((check) => ({
    ...check,
    said: typed(check.said),
    advice: check.advice && typed(check.advice),
  }));
  return [
    ...(isBrief ? [] : [`fareclerk ${VERSION} doctor`, '']),
    ...resultLines(typedChecks, stdout),
    ...(isBrief && ok ? [] : ['']),
    summaryLine(checks),
    ...(isBrief ? [typed('`fareclerk doctor` shows each check.')] : []),
    ...(writtenFile === undefined ? [] : [`Report for support, without secrets or personal data: ${writtenFile}`]),
  ].join('\n');
}

export const doctor: Command = {
  about: `usage: fareclerk doctor [options]

Checks settings, hosts, certificates, login, credentials, each of the airline's
addresses, clocks, the state store and whether a person can approve. Says what
to change, and exits 1 if a check fails. It only reads, logs in once, and never
prints a secret.

  fareclerk doctor                    everything, and a report for support
  fareclerk doctor --json
  fareclerk doctor --route QCA-XMD --report ./for-support.json
  fareclerk doctor --airline          how this airline differs from others
`,
  run: (argv, terminal) => runDoctor(argv, terminal),
};
