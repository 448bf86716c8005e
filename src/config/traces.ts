/**
 * Where traces go, by the standard variables of OpenTelemetry. They have no FARECLERK_ names and no flags: operators set
 * them for all their programs alike.
 */
import { readBelieved } from '../files/own-files.ts';
import { badSetting, foreignFile, SettingsError } from './problem.ts';
import { Secret } from './secret.ts';
import type { EnvironmentVariables } from './settings.ts';
import { address } from './values.ts';

interface TracesConfig {
  /** Whole address for POST. */
  readonly url: string;
  /** `name=value` pairs with commas between, percent-encoded. */
  readonly headers?: Secret;
  readonly sampler?: string;
  readonly samplerArg?: string;
  /** What is asked for and not supported: nothing is sent. Hosts hand down variables that are meant for others. */
  readonly unsupported?: 'protocol' | 'address';
}

const HEADERS = ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'] as const;
const PROTOCOL = 'http/protobuf';

/** Undefined if traces are off, which is the default. Removes the headers, which may hold a secret, from `env`. */
export function readTraces(env: EnvironmentVariables): TracesConfig | undefined {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const written = HEADERS.map(given);
  for (const name of HEADERS) delete env[name];
  const url = urlIn(given);
  if (url === undefined || given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  if (given('OTEL_TRACES_EXPORTER')?.split(',').includes('otlp') === false) return undefined;
  const protocol = given('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? given('OTEL_EXPORTER_OTLP_PROTOCOL') ?? PROTOCOL;
  if (protocol !== PROTOCOL) return { url, unsupported: 'protocol' };
  if (!address().safeParse(url).success) return { url: '', unsupported: 'address' };
  const headers = HEADERS.map((name, i) => fileOf(name, given) ?? written[i]).find((text) => text !== undefined);
  const sampler = given('OTEL_TRACES_SAMPLER');
  const samplerArg = given('OTEL_TRACES_SAMPLER_ARG');
  return Object.freeze({
    url,
    ...(headers !== undefined && { headers: new Secret(headers) }),
    ...(sampler !== undefined && { sampler }),
    ...(samplerArg !== undefined && { samplerArg }),
  });
}

function urlIn(given: (name: string) => string | undefined): string | undefined {
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
    const text = given(name);
    if (text === undefined) continue;
    return name.includes('TRACES') ? text : `${text.replace(/\/+$/, '')}/v1/traces`;
  }
  return undefined;
}

/** Like other secrets, also from the file that `…_FILE` names. */
function fileOf(name: string, given: (name: string) => string | undefined): string | undefined {
  const path = given(`${name}_FILE`);
  if (path === undefined) return undefined;
  try {
    return readBelieved(path).text.trim();
  } catch (error) {
    const foreign = foreignFile(`${name}_FILE`, error);
    if (foreign !== undefined) throw new SettingsError([foreign]);
    throw badSetting(`${name}_FILE`, 'names a file that cannot be read.', 'a path');
  }
}
