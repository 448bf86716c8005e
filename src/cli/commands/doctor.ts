/** `fareclerk doctor` finds what is wrong with a set-up. It only reads, and never repeats a refused login. */
import { UsageError } from '../../config/load.ts';
import { chooseOrigin, type Origin } from '../../config/sources.ts';
import { VERSION } from '../../core/version.ts';
import { systemBrowser } from '../../pages/approval/browser.ts';
import { Checks, type DoctorOptions, type Pair } from '../doctor/check.ts';
import { examine } from '../doctor/examination.ts';
import { resultLines, summaryLine } from '../doctor/report.ts';
import { masked } from '../doctor/secrets.ts';
import { type Arguments, readArguments } from '../terminal/arguments.ts';
import type { Command, Terminal } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { actsOn } from '../terminal/settings.ts';
import { typedCommands } from '../terminal/this-program.ts';

const ERASE_LINE = '\r\u001b[K';

type DoctorFlags = Arguments['flags'];

/** The stations to search, if the person named them. @throws UsageError */
function readRoute({ route }: DoctorFlags): Pair | undefined {
  if (route === undefined) return undefined;
  const [, from, to] = /^([A-Z0-9]{3})-([A-Z0-9]{3})$/.exec(String(route).toUpperCase()) ?? [];
  if (from === undefined || to === undefined) throw new UsageError('--route: expected two stations, such as RUH-JED.');
  return { from, to };
}

/** What tests and `fareclerk init` change about a run of the doctor. */
interface DoctorRunOptions extends Partial<Pick<DoctorOptions, 'now' | 'ca' | 'deadlineMs'>> {
  /** Where commands will read these settings. Default: where the doctor reads them. */
  readonly later?: Origin;
  /** Shows only the checks that failed. */
  readonly isBrief?: boolean;
}

/** Examines a set-up. `text`: what is printed. */
export async function diagnose(
  argv: readonly string[],
  terminal: Terminal,
  { later, isBrief = false, ...overrides }: DoctorRunOptions = {},
) {
  const { flags, settings, originChoice } = readArguments(argv, COMMANDS.doctor);
  const { env, stdout, stderr } = terminal;
  const { now = Date.now } = overrides;

  const showProgress = (text: string): void => {
    if (stderr.isTTY === true) stderr.write(ERASE_LINE + text);
  };

  const checks = new Checks((title, done) => showProgress(`${done + 1}  ${title} …`));
  const browser = systemBrowser({ env, platform: process.platform }).available();
  const origin = chooseOrigin(env, settings, originChoice);
  const options = { env, flags: settings, origin, browser, now, route: readRoute(flags), ...overrides };
  const { config, secrets } = await examine(options, checks).finally(() => showProgress(''));
  if (config !== undefined) stderr.write(actsOn(config));

  const typed = typedCommands(terminal, config && { ...config, origin: later ?? origin });

  // Before lines are broken.
  const results = masked(checks.results, secrets).map((check) => ({
    ...check,
    said: typed(check.said),
    advice: check.advice && typed(check.advice),
  }));

  const ok = !results.some(({ level }) => level === 'fail');
  const report = {
    ok,
    version: VERSION,
    at: new Date(now()).toISOString(),
    runtime: `Node ${process.version}, ${process.platform} ${process.arch}`,
    environment: config?.environment ?? 'settings are not right',
    checks: results,
  };

  const shown = resultLines(isBrief ? results.filter(({ level }) => level === 'fail') : results, stdout);

  const text = isBrief
    ? [...shown, summaryLine(results), typed('`fareclerk doctor` shows each check.')]
    : [`fareclerk ${VERSION} doctor`, '', ...shown, '', summaryLine(results)];
  const printed = flags.json ? JSON.stringify(report, undefined, 2) : text.join('\n');
  return { ok, report, text: `${printed}\n` };
}

export const doctor: Command = {
  about: `usage: fareclerk doctor [options]

Checks settings, the state store, hosts, certificates, login, a reading, a
search, a team's sign-in and whether a person can approve. Says what to change,
and exits 1 if a check fails. It only reads, logs in once, and never prints a
secret.

  fareclerk doctor
  fareclerk doctor --json > for-support.json
  fareclerk doctor --route QCA-XMD
`,
  async run(argv, terminal) {
    const { ok, text } = await diagnose(argv, terminal);
    terminal.stdout.write(text);
    return ok ? 0 : 1;
  },
};
