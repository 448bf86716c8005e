/**
 * A font with one sign, the arrow of `Makkah → Madinah`, which the fonts that come with Chromium lack: without it the
 * pictures of the docs would have a gap there. TrueType, written out table by table.
 */

const ARROW = 0x2192;
const EM = 1000;
/** The outline, in thousandths of the font's size. */
const POINTS = [
  [80, 305],
  [80, 375],
  [770, 375],
  [590, 545],
  [640, 590],
  [900, 340],
  [640, 90],
  [590, 135],
  [770, 305],
] as const;

const bytes = (size: 1 | 2 | 4, numbers: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(size * numbers.length);
  for (const [i, number] of numbers.entries()) {
    if (size === 1) buffer.writeUInt8(number, i);
    else if (size === 2) buffer.writeUInt16BE(number & 0xffff, i * 2);
    else buffer.writeUInt32BE(number, i * 4);
  }
  return buffer;
};
const shorts = (...numbers: readonly number[]) => bytes(2, numbers);
const longs = (...numbers: readonly number[]) => bytes(4, numbers);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

/** Each coordinate as its distance from the one before. */
const steps = (axis: 0 | 1): number[] => POINTS.map((point, i) => point[axis] - (POINTS[i - 1]?.[axis] ?? 0));

function glyph(): Buffer {
  const head = shorts(1, 80, 90, 900, 590, POINTS.length - 1, 0);
  // Every point is on the outline, and its coordinates take two bytes.
  const flags = bytes(
    1,
    POINTS.map(() => 1),
  );
  const drawn = Buffer.concat([head, flags, shorts(...steps(0)), shorts(...steps(1))]);
  return Buffer.concat([drawn, Buffer.alloc(drawn.length % 2)]);
}

function names(): Buffer {
  const texts = ['Arrow', 'Regular'].map((text) => Buffer.from(text, 'utf16le').swap16());
  const records = texts.map((text, i) =>
    shorts(3, 1, 0x409, i + 1, text.length, i === 0 ? 0 : (texts[0]?.length ?? 0)),
  );
  return Buffer.concat([shorts(0, 2, 6 + 12 * 2), ...records, ...texts]);
}

function tables(): Readonly<Record<string, Buffer>> {
  const drawn = glyph();
  return {
    cmap: shorts(0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0, ARROW, 0xffff, 0, ARROW, 0xffff, 1 - ARROW, 1, 0, 0),
    glyf: drawn,
    head: Buffer.concat([
      longs(0x10000, 0x10000, 0, 0x5f0f3cf5),
      shorts(0, EM, ...zeros(8), 80, 90, 900, 590, 0, 8, 2, 0, 0),
    ]),
    hhea: Buffer.concat([longs(0x10000), shorts(800, -200, 0, EM, 0, 0, EM, 1, 0, 0, ...zeros(5), 2)]),
    hmtx: shorts(EM, 0, EM, 80),
    loca: shorts(0, 0, drawn.length / 2),
    maxp: Buffer.concat([longs(0x10000), shorts(2, POINTS.length, 1, ...zeros(11))]),
    name: names(),
    post: longs(0x30000, ...zeros(7)),
  };
}

export function arrowFont(): Buffer {
  const all = Object.entries(tables());
  const parts: Buffer[] = [];
  let offset = 12 + 16 * all.length;
  const directory = all.map(([tag, table]) => {
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    const entry = Buffer.concat([Buffer.from(tag), longs(0, offset, table.length)]);
    parts.push(padded);
    offset += padded.length;
    return entry;
  });
  return Buffer.concat([longs(0x10000), shorts(all.length, 128, 3, 16), ...directory, ...parts]);
}
