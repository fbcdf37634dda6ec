/** Bytes that are read of a file at once: a few ms of work, so that the tab always answers. */
export const SLICE = 262_144;

/** Largest file that an import takes, in bytes. */
export const MAX_FILE = 100_000_000;

/** What is needed of a file. */
export type Source = Pick<File, "name" | "size" | "slice">;

/**
 * The bytes of a file, slice by slice: it is never whole in memory. `onSlice`: told how many bytes were read.
 *
 * @throws where the browser cannot read it any more, because it was moved or changed
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

/**
 * Tells whether a file is the same as before: SHA-256 over the one of the slices before and the next slice. The browser's own SHA-256 needs a
 * whole text at once.
 */
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
