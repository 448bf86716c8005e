/** A ZIP archive of stored files (PKWARE APPNOTE 6.3, no compression). */
import { crc32 } from 'node:zlib';

interface Entry {
  readonly name: string;
  readonly data: Buffer;
}

/** 1980-01-01, so that the same files give the same bytes. */
const DOS_DATE = 0x21;

function fixedFields(entry: Entry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  // Names are UTF-8.
  fields.writeUInt16LE(0x0800, 2);
  fields.writeUInt16LE(DOS_DATE, 8);
  fields.writeUInt32LE(crc32(entry.data), 10);
  fields.writeUInt32LE(entry.data.length, 14);
  fields.writeUInt32LE(entry.data.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(entry.name), 22);
  return fields;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function directoryEntry(entry: Entry, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  const madeBy = Buffer.from([20, 0]);
  return Buffer.concat([signature(0x02014b50), madeBy, fixedFields(entry), rest, Buffer.from(entry.name)]);
}

export function zip(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const file = Buffer.concat([signature(0x04034b50), fixedFields(entry), Buffer.from(entry.name), entry.data]);
    directory.push(directoryEntry(entry, offset));
    files.push(file);
    offset += file.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, signature(0x06054b50), end]);
}
