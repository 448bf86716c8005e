/** Settings and options of earlier versions that are gone: what an error says of them in place of the nearest word. */
import { own } from '../core/own.ts';
import type { EnvironmentVariables } from './settings.ts';

/** Continues `FARECLERK_… was removed in 0.4.0: `. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  FARECLERK_PRICE_CHECK: 'leave it out; a hold is free and says the price before anybody pays',
  FARECLERK_TICKETS_DIR: 'save PDFs from the links of get_tickets',
};

/** Continues a sentence that begins with the word. @param instead what to do in its place */
export function wasRemoved(instead: string): string {
  return `was removed in 0.4.0: ${instead}`;
}

/** What to do in place of a setting that is gone; undefined for any other name. */
export function insteadOfSetting(name: string): string | undefined {
  return own(REMOVED_SETTINGS, name.toUpperCase());
}

/** A variable of OpenTelemetry that 0.3.0 read. */
export interface IgnoredVariable {
  readonly name: string;
  /** What to set in its place. */
  readonly instead: string;
}

/** The names for traces alone, each with the name for all signals, which is read. */
const TRACES_ALONE = ['ENDPOINT', 'HEADERS', 'PROTOCOL'].map((what) => ({
  name: `OTEL_EXPORTER_OTLP_TRACES_${what}`,
  instead: `OTEL_EXPORTER_OTLP_${what}`,
}));

const SAMPLE_IN_COLLECTOR = 'the sampling of your collector';

const IGNORED: readonly IgnoredVariable[] = [
  ...TRACES_ALONE,
  { name: 'OTEL_EXPORTER_OTLP_HEADERS_FILE', instead: 'OTEL_EXPORTER_OTLP_HEADERS' },
  { name: 'OTEL_TRACES_EXPORTER', instead: 'OTEL_SDK_DISABLED=true, which turns traces off' },
  { name: 'OTEL_TRACES_SAMPLER', instead: SAMPLE_IN_COLLECTOR },
  { name: 'OTEL_TRACES_SAMPLER_ARG', instead: SAMPLE_IN_COLLECTOR },
];

/** The variables that are set and have no effect any more. They stop nothing, because platforms set them for all programs. */
export function ignoredVariables(env: EnvironmentVariables): readonly IgnoredVariable[] {
  // Traces go by OTLP, as this value asks.
  const isFollowed = (name: string, text: string) => name === 'OTEL_TRACES_EXPORTER' && text === 'otlp';
  return IGNORED.filter(({ name }) => {
    const text = env[name]?.trim() ?? '';
    return text !== '' && !isFollowed(name, text);
  });
}
