import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const tracesOf = (env: Record<string, string>) => readConfig({ ...env }).traces;

it('sends no traces unless an endpoint is set', () => {
  expect(tracesOf({})).toBeUndefined();
  expect(tracesOf({ OTEL_SERVICE_NAME: 'desk', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
});

it('adds the path of traces to the endpoint of all signals, and not to the one of traces', () => {
  expect(tracesOf(ENDPOINT)).toEqual({ url: 'http://collector:4318/v1/traces' });
  const own = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' };
  expect(tracesOf(own)?.url).toBe('https://traces.example/in');
});

it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }, { OTEL_TRACES_EXPORTER: 'console' }])(
  'sends no traces with %j',
  (off) => expect(tracesOf({ ...ENDPOINT, ...off } as Record<string, string>)).toBeUndefined(),
);

it.each([
  ['https://me:secret@collector', {}, 'address'],
  ['localhost:4317', {}, 'address'],
  ['localhost:4317', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'protocol'],
])('starts, and sends nothing, where a host handed down %s %j', (endpoint, more: object, unsupported) => {
  expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more })).toMatchObject({ unsupported });
  expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
});

it('takes the headers as a secret out of the environment', () => {
  const env: Record<string, string> = { ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc' };
  const { traces } = readConfig(env);
  expect(env).toEqual(ENDPOINT);
  expect(traces?.headers?.reveal()).toBe('api-key=abc');
  expect(JSON.stringify(traces)).not.toContain('abc');
});

it('reads the headers from the file that a variable names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-headers-'));
  const file = join(folder, 'headers');
  writeFileSync(file, 'api-key=abc\n');
  expect(tracesOf({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS_FILE: file })?.headers?.reveal()).toBe('api-key=abc');
  rmSync(folder, { recursive: true });
  expect(() => tracesOf({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS_FILE: file })).toThrow('cannot be read');
});
