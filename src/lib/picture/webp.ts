import { type Found, type Frames, hasAt, reachTo, type Size, textAt, uint16LE, uint24LE, uint32LE } from "./bytes.ts";

/** Undefined if it is no key frame (RFC 6386 section 9.1). */
const lossy = (bytes: Uint8Array, at: number): Size | undefined =>
  ((bytes[at] ?? 1) & 1) === 0 && hasAt(bytes, at + 3, "\x9d\x01\x2a")
    ? { width: uint16LE(bytes, at + 6) & 0x3fff, height: uint16LE(bytes, at + 8) & 0x3fff }
    : undefined;

/** RFC 9649 section 3.4. */
const lossless = (bytes: Uint8Array, at: number): Size | undefined => {
  const packed = uint32LE(bytes, at + 1);
  return bytes[at] === 0x2f ? { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 } : undefined;
};

/** Two numbers of three bytes, less one; RFC 9649 section 2.7. */
const sides = (bytes: Uint8Array, at: number): Size => ({
  width: 1 + uint24LE(bytes, at),
  height: 1 + uint24LE(bytes, at + 3),
});

type Chunk = { type: string; at: number; length: number };

const MAX_CHUNKS = 20_000;

/** Reads chunks of data; undefined if they do not fill it, or are too many. */
const chunksIn = (bytes: Uint8Array, start: number, end: number): Chunk[] | undefined => {
  const chunks: Chunk[] = [];
  for (let at = start; at < end; ) {
    const length = uint32LE(bytes, at + 4);
    if (at + 8 + length > end || chunks.length >= MAX_CHUNKS) return undefined;
    chunks.push({ type: textAt(bytes, at, 4), at: at + 8, length });
    at += 8 + length + (length % 2);
  }
  return chunks;
};

/** Undefined if the chunk is too short, or no chunk with a size. */
const sizeIn = (bytes: Uint8Array, { type, at, length }: Chunk): Size | undefined => {
  if (type === "VP8 " && length >= 10) return lossy(bytes, at);
  if (type === "VP8L" && length >= 5) return lossless(bytes, at);
  return type === "VP8X" && length >= 10 ? sides(bytes, at + 4) : undefined;
};

const isImage = ({ type }: Chunk): boolean => type === "VP8 " || type === "VP8L";

/** Adds the images of these chunks, each with its own size. False if one has none. */
const addImages = (bytes: Uint8Array, chunks: readonly Chunk[], frames: Frames, x = 0, y = 0): boolean =>
  chunks.filter(isImage).every((chunk) => {
    const size = sizeIn(bytes, chunk);
    if (size) reachTo(frames, x, y, size);
    frames.count += 1;
    return size !== undefined;
  });

/** Position and size, 16 bytes in all, then the chunks of one image; RFC 9649 section 2.7.1.1. */
const addFrame = (bytes: Uint8Array, { at, length }: Chunk, frames: Frames): boolean => {
  const chunks = length < 16 ? undefined : chunksIn(bytes, at + 16, at + length);
  const [x, y] = [2 * uint24LE(bytes, at), 2 * uint24LE(bytes, at + 3)];
  reachTo(frames, x, y, sides(bytes, at + 6));
  return chunks !== undefined && addImages(bytes, chunks, frames, x, y);
};

/** Reads the chunks of a WebP; they must fill its RIFF container exactly. */
export const readWebp = (bytes: Uint8Array): Found | undefined => {
  if (!hasAt(bytes, 0, "RIFF") || !hasAt(bytes, 8, "WEBP")) return undefined;
  const end = 8 + uint32LE(bytes, 4);
  const chunks = end > bytes.length ? undefined : chunksIn(bytes, 12, end);
  // The first chunk gives the picture size; later ones are its parts.
  const size = chunks?.[0] && sizeIn(bytes, chunks[0]);
  if (!chunks || !size || size.width === 0 || size.height === 0) return undefined;
  const frames: Frames = { count: 0, right: 0, bottom: 0 };
  if (!addImages(bytes, chunks, frames)) return undefined;
  if (!chunks.every((chunk) => chunk.type !== "ANMF" || addFrame(bytes, chunk, frames))) return undefined;
  return frames.count > 0 ? { ...size, end, frames } : undefined;
};
