/** Size in pixels, and the offset after the last byte. `frames`: of a picture that may have several. `scans`: passes over the pixels of a JPEG. */
export type Found = { width: number; height: number; end: number; frames?: Frames; scans?: number };

/** Number of pictures to decode, and how far the pixels of any of them reach. */
export type Frames = { count: number; right: number; bottom: number };

export type Size = { width: number; height: number };

export const reachTo = (frames: Frames, x: number, y: number, { width, height }: Size): void => {
  frames.right = Math.max(frames.right, x + width);
  frames.bottom = Math.max(frames.bottom, y + height);
};

/** Reads bytes as text, one character each. May be shorter than `length`. */
export const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

export const hasAt = (bytes: Uint8Array, at: number, text: string): boolean => textAt(bytes, at, text.length) === text;

/** Big-endian. Missing bytes count as 0, so the caller checks the end. */
export const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** Big-endian; see `uint16`. */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 0x1_0000 + uint16(bytes, at + 2);

/** Little-endian; see `uint16`. */
export const uint16LE = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

/** Little-endian; see `uint16`. */
export const uint32LE = (bytes: Uint8Array, at: number): number =>
  uint16LE(bytes, at) + uint16LE(bytes, at + 2) * 0x1_0000;

/** Little-endian; see `uint16`. */
export const uint24LE = (bytes: Uint8Array, at: number): number =>
  uint16LE(bytes, at) + (bytes[at + 2] ?? 0) * 0x1_0000;
