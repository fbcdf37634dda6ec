import { type Found, hasAt, textAt, uint16LE, uint32LE } from "./bytes.ts";

type Size = { width: number; height: number };

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

/** RFC 9649 section 2.7. */
const extended = (bytes: Uint8Array, at: number): Size => ({
  width: 1 + uint16LE(bytes, at + 4) + (bytes[at + 6] ?? 0) * 0x1_0000,
  height: 1 + uint16LE(bytes, at + 7) + (bytes[at + 9] ?? 0) * 0x1_0000,
});

const HEADER = { "VP8 ": 10, VP8L: 5, VP8X: 10 } as const;

const sizeIn = (bytes: Uint8Array, type: string, at: number, length: number): Size | undefined => {
  if (type === "VP8 " && length >= HEADER[type]) return lossy(bytes, at);
  if (type === "VP8L" && length >= HEADER[type]) return lossless(bytes, at);
  return type === "VP8X" && length >= HEADER[type] ? extended(bytes, at) : undefined;
};

/** Reads the chunks of a WebP; they must fill its RIFF container exactly. */
export const readWebp = (bytes: Uint8Array): Found | undefined => {
  if (!hasAt(bytes, 0, "RIFF") || !hasAt(bytes, 8, "WEBP")) return undefined;
  const end = 8 + uint32LE(bytes, 4);
  if (end > bytes.length) return undefined;
  let size: Size | undefined;
  let hasImage = false;
  for (let at = 12; at < end; ) {
    const type = textAt(bytes, at, 4);
    const length = uint32LE(bytes, at + 4);
    if (at + 8 + length > end) return undefined;
    // The first chunk gives the picture size; later ones are its parts.
    size ??= sizeIn(bytes, type, at + 8, length);
    if (!size || size.width === 0 || size.height === 0) return undefined;
    hasImage ||= type === "VP8 " || type === "VP8L" || type === "ANMF";
    at += 8 + length + (length % 2);
  }
  return size && hasImage ? { ...size, end } : undefined;
};
