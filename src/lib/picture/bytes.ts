/** Size of a picture in pixels, and the offset after its last byte. */
export type Found = { width: number; height: number; end: number };

/** Bytes as text, one character each. Shorter than `length` where the bytes end. */
export const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** True where these characters stand at `at`. */
export const hasAt = (bytes: Uint8Array, at: number, text: string): boolean => textAt(bytes, at, text.length) === text;

/** A big-endian number of two bytes. Missing bytes count as 0, so that a caller has to check the end itself. */
export const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** A big-endian number of four bytes; see `uint16`. */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 0x1_0000 + uint16(bytes, at + 2);

/** A little-endian number of two bytes; see `uint16`. */
export const uint16LE = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

/** A little-endian number of four bytes; see `uint16`. */
export const uint32LE = (bytes: Uint8Array, at: number): number =>
  uint16LE(bytes, at) + uint16LE(bytes, at + 2) * 0x1_0000;
