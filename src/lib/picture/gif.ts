import { type Found, type Frames, hasAt, reachTo, uint16LE } from "./bytes.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

const tableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

const afterBlocks = (bytes: Uint8Array, start: number): number | undefined => {
  let at = start;
  for (let size = bytes[at]; size !== undefined; size = bytes[at]) {
    at += 1 + size;
    if (size === 0) return at;
  }
  return undefined;
};

export const readGif = (bytes: Uint8Array): Found | undefined => {
  if (!hasAt(bytes, 0, "GIF87a") && !hasAt(bytes, 0, "GIF89a")) return undefined;
  const width = uint16LE(bytes, 6);
  const height = uint16LE(bytes, 8);
  if (width === 0 || height === 0) return undefined;
  const frames: Frames = { count: 0, right: 0, bottom: 0 };
  for (let at: number | undefined = 13 + tableSize(bytes[10] ?? 0); at !== undefined; ) {
    const kind: number | undefined = bytes[at];
    // Some programs write no trailer.
    if (kind === undefined || kind === TRAILER) {
      return frames.count > 0 ? { width, height, end: Math.min(at + 1, bytes.length), frames } : undefined;
    }
    if (kind === EXTENSION) at = afterBlocks(bytes, at + 2);
    else if (kind === IMAGE) {
      frames.count += 1;
      const size = { width: uint16LE(bytes, at + 5), height: uint16LE(bytes, at + 7) };
      reachTo(frames, uint16LE(bytes, at + 1), uint16LE(bytes, at + 3), size);
      // Position, size, flags and a color table, then the code size and the data.
      at = afterBlocks(bytes, at + 11 + tableSize(bytes[at + 9] ?? 0));
    } else return undefined;
  }
  return undefined;
};
