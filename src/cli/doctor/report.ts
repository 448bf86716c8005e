/** Prints the results and writes them into a report for support, without secrets, personal data or booking values. */
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { AirlineConfig, Config } from '../../config/load.ts';
import { counted } from '../../core/words.ts';
import { writeOwn } from '../../files/own-files.ts';
import { VERSION } from '../../version.ts';
import { windowWidth, wrap } from '../terminal/window.ts';
import { type CheckLevel, type CheckResult, joined } from './check.ts';

export type Report = ReturnType<typeof makeReport>;

export function makeReport(config: Config | undefined, checks: readonly CheckResult[], now: number) {
  const settings: Readonly<Record<string, unknown>> = config?.airline ? shownSettings(config, config.airline) : {};
  return {
    fareclerk_doctor: 1,
    version: VERSION,
    at: new Date(now).toISOString(),
    runtime: `Node ${process.version}, ${process.platform} ${process.arch}`,
    environment: config?.environment ?? 'settings are not right',
    settings,
    checks,
  };
}

/** The settings that the report shows: no queries of addresses, no credentials, agent and agency. */
function shownSettings({ assumedOperations, approval, state }: Config, airline: AirlineConfig) {
  const address = (text: string | undefined) => {
    const url = text === undefined ? null : URL.parse(text);
    return url === null ? undefined : `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
  };
  const { baseUrl, gatewayUrl, restUrl, login, apiKey } = airline;
  const { credentials, currency, country, carrier, dialect, payment } = airline;
  const { addressForm, sendFare, extraHeaders } = airline;
  return {
    base_url: address(baseUrl),
    rest_url: address(restUrl),
    gateway_url: address(gatewayUrl),
    auth_url: address(login?.authUrl),
    tenant: login?.tenant,
    credentials,
    currency,
    country,
    carrier,
    dialect,
    payment_amount: payment.amount,
    address_form: addressForm,
    send_fare: sendFare,
    extra_headers: extraHeaders,
    api_key: apiKey ? 'set' : 'not set',
    login: login ? 'set' : 'not set',
    agent_and_agency: 'set',
    assumed_operations: assumedOperations,
    approval,
    state: state.databaseUrl ? 'postgres' : 'sqlite',
  };
}

export const defaultReportFile = (config: Config | undefined): string | undefined =>
  config && join(config.state.directory, 'doctor-report.json');

/** Writes the report. Returns false if it cannot be written. */
export function writeReport(file: string, report: Report): boolean {
  try {
    writeOwn(file, `${JSON.stringify(report, undefined, 2)}\n`);
    return true;
  } catch {
    return false;
  }
}

// The results, as a terminal shows them.

const MARKS = {
  ok: ['ok', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skipped: ['-', 'gray'],
} as const satisfies Record<CheckLevel, readonly [string, string]>;

/** The most columns of the results, and of their titles. */
const WIDTH = 96;
const MOST_TITLE_WIDTH = 24;
const MARK_WIDTH = 4;
/** Texts go below the titles if fewer columns are left beside them. */
const LEAST_TEXT_WIDTH = 40;

/** Writes a block for each check: mark, title and what happened; below them what to change. Fits the terminal window. */
export function resultLines(results: readonly CheckResult[], stream: NodeJS.WriteStream): readonly string[] {
  const width = Math.min(WIDTH, windowWidth(stream) ?? WIDTH);
  const titleWidth = Math.min(MOST_TITLE_WIDTH, Math.max(0, ...results.map(({ title }) => title.length)));
  const markColumns = 2 + MARK_WIDTH + 2;
  const titleColumns = markColumns + titleWidth + 2;
  const isBelow = width - titleColumns < LEAST_TEXT_WIDTH;
  const margin = ' '.repeat(isBelow ? markColumns : titleColumns);
  return results.flatMap(({ level, title, said, advice }) => {
    const [mark, colour] = MARKS[level];
    const text = wrap(said, width - margin.length);
    const [firstLine = '', ...furtherLines] = isBelow ? ['', ...text] : text;
    const adviceLines = advice === undefined ? [] : wrap(advice, width - margin.length - 2);
    const colouredMark = styleText(colour, mark.padEnd(MARK_WIDTH), { stream });
    return [
      `  ${colouredMark}  ${title.padEnd(titleWidth)}  ${firstLine}`.trimEnd(),
      ...furtherLines.map((line) => margin + line),
      ...adviceLines.map((line, i) => `${margin}${i === 0 ? '→ ' : '  '}${line}`),
    ];
  });
}

/** Counts the results: `1 failed, 13 checks passed.` */
export function summaryLine(results: readonly CheckResult[]): string {
  const count = (level: CheckLevel): number => results.filter((result) => result.level === level).length;
  const [failed, warnings, skipped] = [count('fail'), count('warn'), count('skipped')];
  const counts = [
    failed > 0 && `${failed} failed`,
    warnings > 0 && counted(warnings, 'warning'),
    `${counted(count('ok'), 'check')} passed`,
    skipped > 0 && `${skipped} not tried`,
  ];
  return `${joined(counts, ', ')}.`;
}

// The secrets, which neither shows.

const MASK = '[secret]';
/** Characters of a secret that is masked inside of words, too. A shorter one may be a part of common words. */
const MASKED_ANYWHERE = 6;

/** Masks secrets in texts: a server may echo what it was sent. */
export class SecretMask {
  readonly #secrets = new Set<string>();

  /** Adds each secret with its common encodings. */
  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      if (secret === undefined || secret === '') continue;
      const bytes = Buffer.from(secret);
      const encoded = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding));
      const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded];
      for (const form of forms) this.#secrets.add(form);
    }
  }

  addAirline({ apiKey, login }: Pick<NonNullable<Config['airline']>, 'apiKey' | 'login'>): void {
    this.add(apiKey?.reveal(), login?.clientSecret.reveal(), login?.password.reveal());
    // Our own name is not secret as a user name, and our sentences need it.
    if (login?.username.toLowerCase() !== 'fareclerk') this.add(login?.username);
  }

  addSettings({ state: { databaseUrl }, http, webhooks }: Config): void {
    this.add(http.page?.clientSecret?.reveal(), http.token?.reveal());
    this.add(...(webhooks?.secrets?.reveal().split(',') ?? []), ...(webhooks?.addresses ?? []));
    this.add(...(webhooks?.notices.map(({ address }) => address) ?? []));
    const url = databaseUrl && URL.parse(databaseUrl.reveal());
    if (url) this.add(databaseUrl.reveal(), url.password, decodeURIComponent(url.password));
  }

  masked(text: string): string {
    let clean = text;
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      const pattern = secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
      const isShort = secret.length < MASKED_ANYWHERE;
      clean = clean.replace(new RegExp(isShort ? `(?<!\\w)${pattern}(?!\\w)` : pattern, 'gi'), MASK);
    }
    return clean;
  }

  /** Masks every text in a tree, keys included. */
  maskedTree<T>(value: T): T {
    if (typeof value === 'string') return this.masked(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.maskedTree(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [this.masked(key), this.maskedTree(item)]);
    return Object.fromEntries(entries) as T;
  }
}
