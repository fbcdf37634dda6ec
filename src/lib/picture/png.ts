import { type Found, type Frames, hasAt, reachTo, textAt, uint32 } from "./bytes.ts";

const SIGNATURE = "\x89PNG\r\n\x1a\n";
/** PNG, third edition, section 11.2.1. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Reads the chunks of a PNG without checking checksums. */
export const readPng = (bytes: Uint8Array): Found | undefined => {
  if (!hasAt(bytes, 0, SIGNATURE) || !hasAt(bytes, 12, "IHDR") || uint32(bytes, 8) !== 13) return undefined;
  const width = uint32(bytes, 16);
  const height = uint32(bytes, 20);
  const isValid = DEPTHS[bytes[25] ?? -1]?.includes(bytes[24] ?? -1) ?? false;
  if (!isValid || width === 0 || height === 0 || width >= 2 ** 31 || height >= 2 ** 31) return undefined;
  let hasData = false;
  const frames: Frames = { count: 1, right: width, bottom: height };
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const type = textAt(bytes, at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type)) return undefined;
    const end = at + 12 + uint32(bytes, at);
    if (end > bytes.length) return undefined;
    if (type === "IEND") return hasData ? { width, height, end, frames } : undefined;
    hasData ||= type === "IDAT";
    // A frame of an animation; PNG, third edition, section 11.3.6.2.
    if (type === "fcTL") {
      frames.count += 1;
      const size = { width: uint32(bytes, at + 12), height: uint32(bytes, at + 16) };
      reachTo(frames, uint32(bytes, at + 20), uint32(bytes, at + 24), size);
    }
    at = end;
  }
  return undefined;
};
