import { type Found, type Size, uint16 } from "./bytes.ts";

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;

/** SOF0 to SOF15. DHT, JPG and DAC have numbers among them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const isInScan = (next: number): boolean => next === 0 || (next >= 0xd0 && next <= 0xd7);

const nextMarker = (bytes: Uint8Array, start: number): number => {
  let at = bytes.indexOf(0xff, start);
  while (at !== -1 && isInScan(bytes[at + 1] ?? -1)) at = bytes.indexOf(0xff, at + 2);
  return at === -1 ? bytes.length : at;
};

/** A frame without a height is refused, and a second one. */
export const readJpeg = (bytes: Uint8Array): Found | undefined => {
  if (bytes[0] !== 0xff || bytes[1] !== START) return undefined;
  let size: Size | undefined;
  let scans = 0;
  for (let at = 2; at + 1 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0 || marker === START) return undefined;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) return size && scans > 0 ? { ...size, end: at + 2, scans } : undefined;
    const length = uint16(bytes, at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return undefined;
    if (isFrame(marker)) {
      if (size) return undefined;
      size = { height: uint16(bytes, at + 5), width: uint16(bytes, at + 7) };
      if (length < 11 || size.height === 0 || size.width === 0) return undefined;
    }
    if (marker === SCAN) {
      if (!size) return undefined;
      scans += 1;
    }
    at = marker === SCAN ? nextMarker(bytes, end) : end;
  }
  return undefined;
};
