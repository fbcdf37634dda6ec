/** Half a byte per pixel is enough for edges. */
const LEVELS = 16;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** PNG, third edition, annex D. */
const crc32 = (bytes: Uint8Array): number => {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
};

const number = (value: number): number[] => [24, 16, 8, 0].map((bits) => (value >>> bits) & 255);

const chunk = (type: string, data: Iterable<number>): number[] => {
  const named = [...new TextEncoder().encode(type), ...data];
  return [...number(named.length - 4), ...named, ...number(crc32(Uint8Array.from(named)))];
};

const deflated = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/**
 * Encodes a square, one-color PNG (third edition) with 16 alpha levels.
 *
 * @param coverage by row, 0 to 1; an even column count
 * @param color red, green and blue, 0 to 255
 * @param note copyright
 */
export const pngOf = async (
  coverage: Float32Array,
  color: readonly number[],
  note: string,
): Promise<Uint8Array<ArrayBuffer>> => {
  const size = Math.sqrt(coverage.length);
  const level = (x: number, y: number) => Math.round((coverage[y * size + x] ?? 0) * (LEVELS - 1));
  // A row: its filter (none), then two pixels a byte.
  const rows = new Uint8Array(size * (1 + size / 2));
  let at = 0;
  for (let y = 0; y < size; y++) {
    at += 1;
    for (let x = 0; x < size; x += 2) rows[at++] = level(x, y) * LEVELS + level(x + 1, y);
  }
  const steps = Array.from({ length: LEVELS }, (_, step) => step);
  return Uint8Array.from([
    ...SIGNATURE,
    // Width, height, 4 bits, palette, default compression and filters, not interlaced.
    ...chunk("IHDR", [...number(size), ...number(size), 4, 3, 0, 0, 0]),
    ...chunk("tEXt", new TextEncoder().encode(`Copyright\0${note}`)),
    ...chunk(
      "PLTE",
      steps.flatMap(() => color),
    ),
    ...chunk(
      "tRNS",
      steps.map((step) => (step * 255) / (LEVELS - 1)),
    ),
    ...chunk("IDAT", await deflated(rows)),
    ...chunk("IEND", []),
  ]);
};
