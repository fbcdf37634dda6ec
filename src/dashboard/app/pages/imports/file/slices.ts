/** Bytes per read, small so the tab stays responsive. */
const SLICE = 262_144;

/** Bytes. */
export const MAX_FILE = 100_000_000;

export type Source = Pick<File, "name" | "size" | "slice">;

/**
 * Reads a file in slices. `onSlice`: bytes read so far.
 *
 * @throws if the file was moved or changed
 */
export async function* slicesOf(
  file: Source,
  onSlice: (bytes: Uint8Array<ArrayBuffer>, read: number) => Promise<void> | void = () => {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer());
    await onSlice(bytes, Math.min(file.size, at + bytes.length));
    yield bytes;
  }
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Fingerprint of a file: a SHA-256 chain over its slices. Web Crypto SHA-256 needs all data at once. */
export const createFingerprint = () => {
  let state = new Uint8Array(0);
  return {
    async add(bytes: Uint8Array): Promise<void> {
      const both = new Uint8Array(state.length + bytes.length);
      both.set(state);
      both.set(bytes, state.length);
      state = new Uint8Array(await crypto.subtle.digest("SHA-256", both));
    },
    /** 64 hexadecimal digits. */
    text: (): string => hexOf(state),
  };
};
