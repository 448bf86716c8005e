/** A recording (FARECLERK_RECORD_FILE): one JSON object a line (docs/reference/recording.md says its form). */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

const head = z.object({
  recording: z.literal(1),
  fareclerk: z.string(),
  at: z.iso.datetime(),
  settings: z.record(z.string().regex(/^FARECLERK_[A-Z_]+$/), z.string()),
});

const exchange = z.object({
  at: z.iso.datetime(),
  ms: z.number(),
  message: z.string(),
  method: z.enum(['GET', 'POST']),
  with: z.array(z.string()),
  request: z.unknown(),
  status: z.int().min(100).max(599).optional(),
  retry_after: z.number().optional(),
  reply: z.unknown().optional(),
  reply_was: z
    .object({ kind: z.enum(['empty', 'html', 'not_json', 'too_deep', 'pdf']), length: z.number() })
    .optional(),
  failed: z.string().optional(),
  sent: z.boolean().optional(),
});

export type TapeExchange = z.output<typeof exchange>;

export interface Tape {
  /** ms epoch of the first line. */
  readonly recordedAt: number;
  /** `FARECLERK_*` settings that shaped what was sent. */
  readonly settings: Readonly<Record<string, string>>;
  /** Exchanges that reached the airline, in order. */
  readonly exchanges: readonly TapeExchange[];
}

/** Throws an Error that names the invalid line. */
export function parseTape(text: string): Tape {
  const exchanges: TapeExchange[] = [];
  let settings: Record<string, string> = {};
  let recordedAt: number | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parsed(line, index + 1);
    if (typeof value === 'object' && value !== null && 'recording' in value) {
      const found = checked(head, value, index + 1);
      // Several processes may have written the file: the first settings apply.
      settings = { ...found.settings, ...settings };
      recordedAt ??= Date.parse(found.at);
    } else {
      const found = checked(exchange, value, index + 1);
      recordedAt ??= Date.parse(found.at);
      // Skips requests that never left.
      if (found.sent !== false) exchanges.push(found);
    }
  }
  if (recordedAt === undefined) throw new Error('The recording is empty.');
  return { recordedAt, settings, exchanges };
}

export function readTape(file: string): Tape {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`The recording ${file} cannot be read.`);
  }
  return parseTape(text);
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`Line ${number} of the recording is not JSON.`);
  }
}

function checked<T>(schema: z.ZodType<T>, value: unknown, number: number): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const at = result.error.issues[0]?.path.join('.') ?? '';
  throw new Error(`Line ${number} of the recording is not one of its lines${at === '' ? '' : `: ${at}`}.`);
}
