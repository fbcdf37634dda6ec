/** Bytes of an unpacked report that are read. */
const MAX_XML = 2_000_000;
/** Bytes that are unpacked at once: each may become a thousand. */
const SLICE = 1_000;

/** Text of a report. `isCut`: the end is missing. */
export type Unpacked = { text: string; isCut: boolean };

type Packed = { content: Uint8Array; format: "gzip" | "deflate-raw" | "plain" };

/** Returns the first 2 MB of a report: plain, gzip, or the first XML file of a zip. Throws if nothing of it is readable. */
export const unpack = async (bytes: Uint8Array): Promise<Unpacked> => {
  const { content, format } = packedIn(bytes);
  if (format === "plain") return textOf([content.subarray(0, MAX_XML)], content.length > MAX_XML);
  const { chunks, isCut } = await inflate(content, format);
  return textOf(chunks, isCut);
};

/** True if bytes begin as a gzip, a zip or an XML file, whatever their type says. */
export const mayBeReport = (bytes: Uint8Array): boolean =>
  isGzip(bytes) ||
  isZip(bytes) ||
  /^[^\w<]{0,8}<(?:\?xml|(?:\w{1,20}:)?feedback)\b/.test(textOf([bytes.subarray(0, 200)]).text);

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;
const isZip = ([first, second, third]: Uint8Array): boolean => first === 0x50 && second === 0x4b && (third ?? 9) < 8;

const packedIn = (bytes: Uint8Array): Packed => {
  if (isGzip(bytes)) return { content: bytes, format: "gzip" };
  return isZip(bytes) ? reportInZip(bytes) : { content: bytes, format: "plain" };
};

const ZIP_END = 0x06054b50;
const ZIP_ENTRY = 0x02014b50;
const DEFLATED = 8;
/** Files of a zip that are looked at. */
const MOST_FILES = 20;

type Entry = { name: string; local: number; size: number; method: number };

/** Sizes stand in the directory at the end; the header of a file may leave them out. A cut zip has no directory. */
const reportInZip = (bytes: Uint8Array): Packed => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = entriesOf(view, bytes);
  const { local, size, method } = entries.find(({ name }) => /\.xml$/i.test(name)) ??
    entries[0] ?? { local: 0, size: bytes.length, method: view.getUint16(8, true) };
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  return { content: bytes.subarray(start, start + size), format: method === DEFLATED ? "deflate-raw" : "plain" };
};

/** The files, without folders and the notes of an operating system about them. */
const entriesOf = (view: DataView, bytes: Uint8Array): Entry[] => {
  let end = bytes.length - 22;
  while (end > 0 && view.getUint32(end, true) !== ZIP_END) end -= 1;
  const entries: Entry[] = [];
  let at = end > 0 ? view.getUint32(end + 16, true) : bytes.length;
  for (let n = 0; n < MOST_FILES && at + 46 <= bytes.length && view.getUint32(at, true) === ZIP_ENTRY; n += 1) {
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    const size = view.getUint32(at + 20, true);
    if (!/\/$|(?:^|\/)(?:__MACOSX\/|\.)/.test(name))
      entries.push({ name, local: view.getUint32(at + 42, true), size, method: view.getUint16(at + 10, true) });
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
};

const inflate = async (
  bytes: Uint8Array,
  format: "gzip" | "deflate-raw",
): Promise<{ chunks: Uint8Array[]; isCut: boolean }> => {
  let start = 0;
  const slices = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (start >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(start, start + SLICE));
      start += SLICE;
    },
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of slices.pipeThrough(
      new DecompressionStream(format),
    ) as unknown as AsyncIterable<Uint8Array>) {
      chunks.push(chunk.subarray(0, MAX_XML - size));
      size += chunk.length;
      if (size > MAX_XML) return { chunks, isCut: true };
    }
  } catch (error) {
    // A mail is read up to a limit, so its file may end early.
    if (size === 0) throw error;
    return { chunks, isCut: true };
  }
  return { chunks, isCut: false };
};

const textOf = (chunks: readonly Uint8Array[], isCut = false): Unpacked => {
  const [[first, second] = []] = chunks;
  const decoder = new TextDecoder(first === 0xff && second === 0xfe ? "utf-16le" : "utf-8");
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
  return { text, isCut };
};
