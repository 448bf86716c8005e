/**
 * Content encodings that a reply can come in (RFC 9110, 8.4.1). Apart, so that a start does not load zlib.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';

type Unpacker = (bytes: Buffer, limit: Pick<ZlibOptions, 'maxOutputLength'>) => Promise<Buffer>;

const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Rejects with `ERR_BUFFER_TOO_LARGE` beyond the limit. */
export function unpackerOf(encoding: string): Unpacker | undefined {
  return UNPACKERS.get(encoding);
}
