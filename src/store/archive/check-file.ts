/** Checks an archive by itself: its chain, and each of its operations against their events. */
import type { Link } from '../../journal/ports.ts';
import { ChainCheck, type ChainedEvent, disagreement, type Ends, EVENT_COLUMNS, follows, toEvent } from '../chain.ts';
import type { Row } from '../database.ts';
import { toOperation } from '../operation-row.ts';
import { ArchiveReader, FORMAT, type Header, type Line, type Totals } from './file.ts';

export interface CheckedFile extends Totals {
  readonly header: Header;
  /** Of the whole file. */
  readonly sha256: string;
  readonly has: Link | undefined;
}

/** Why a file is not a whole archive, as the end of a sentence. */
export class NotAnArchive extends Error {}

export interface CheckOptions {
  /** A link to look for. */
  readonly wanted?: Link | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onEvents?: ((events: number) => void) | undefined;
}

/** @throws {@link NotAnArchive} */
export async function checkFile(path: string, options: CheckOptions = {}): Promise<CheckedFile> {
  const reader = new ArchiveReader(path);
  const lines = reader.lines();
  try {
    const first = (await lines.next()).value as Line | undefined;
    if (first === undefined || !('fareclerk_archive' in first))
      throw new NotAnArchive('is not an archive of a journal');
    if (first.fareclerk_archive !== FORMAT) throw new NotAnArchive('was written by another version');
    const file = new OneFile(first, options.wanted);
    for await (const line of lines) {
      options.signal?.throwIfAborted();
      file.take(line);
      if (file.events % 1_000 === 0) options.onEvents?.(file.events);
    }
    options.onEvents?.(file.events);
    options.signal?.throwIfAborted();
    return { header: first, ...file.end(), sha256: reader.sha256, has: file.found };
  } catch (error) {
    if (error instanceof NotAnArchive || options.signal?.aborted) throw error;
    throw new NotAnArchive('cannot be read, or is not complete', { cause: error });
  } finally {
    await lines.return(undefined);
  }
}

class OneFile {
  readonly #header: Header;
  readonly #check: ChainCheck;
  readonly #wanted: Link | undefined;
  /** Operations between their first and their last event. */
  readonly #open = new Map<string, { readonly first: ChainedEvent; readonly last: ChainedEvent }>();
  #operations = 0;
  #end: Totals | undefined;
  events = 0;
  found: Link | undefined;

  constructor(header: Header, wanted: Link | undefined) {
    this.#header = header;
    this.#check = new ChainCheck(header.from);
    this.#wanted = wanted;
    if (wanted?.n === header.from.n && wanted.hash === header.from.hash) this.found = wanted;
  }

  take(line: Line): void {
    if ('end' in line) this.#end = line.end;
    else if ('operation' in line) this.#operation(line.operation);
    else if ('own' in line && line.own !== undefined) this.#track(this.#link(line.own));
    else if ('older' in line && line.older !== undefined) this.#track(eventOf(line.older).event);
    else if ('other' in line && line.other !== undefined) this.#link(line.other);
    else throw new NotAnArchive('has a line that is not of an archive');
  }

  end(): Totals {
    const { n, hash } = this.#check.head;
    if (this.#end === undefined) throw new NotAnArchive('is not complete');
    if (n !== this.#header.to.n || hash !== this.#header.to.hash)
      throw new NotAnArchive('does not end at its last link');
    const [open] = this.#open.keys();
    if (open !== undefined) throw new NotAnArchive(`has events of operation ${open}, but not the operation`);
    if (this.#end.operations !== this.#operations || this.#end.events !== this.events)
      throw new NotAnArchive('has another number of operations or events than it says');
    return this.#end;
  }

  #link(values: readonly (string | number)[]): ChainedEvent {
    const { event, hash } = eventOf(values);
    if (!this.#check.add(event, hash)) throw doesNotFit(event.operationId, event.seq);
    if (event.n === this.#wanted?.n && hash === this.#wanted.hash) this.found = this.#wanted;
    this.events += 1;
    return event;
  }

  #track(event: ChainedEvent): void {
    const { operationId } = event;
    const known = this.#open.get(operationId);
    if (!follows(event, known?.last)) throw doesNotFit(operationId, event.seq);
    this.#open.set(operationId, { first: known?.first ?? event, last: event });
  }

  #operation(row: Row): void {
    // Columns without a value are not in the file.
    const operation = toOperation({ amount_minor: null, ...row });
    const ends: Ends | undefined = this.#open.get(operation.id);
    const seq = ends === undefined ? 1 : disagreement(operation, ends);
    if (seq !== undefined) throw doesNotFit(operation.id, seq);
    this.#open.delete(operation.id);
    this.#operations += 1;
  }
}

function doesNotFit(operationId: string, seq: number): NotAnArchive {
  return new NotAnArchive(`was changed: event ${seq} of operation ${operationId} does not fit`);
}

function eventOf(values: readonly (string | number)[]) {
  const event = toEvent(Object.fromEntries(EVENT_COLUMNS.map((column, i) => [column, values[i]])));
  return { event, hash: String(values[EVENT_COLUMNS.length]) };
}
