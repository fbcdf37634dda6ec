/** Bytes of an unpacked report. */
const MAX_XML = 2_000_000;
/** Bytes that are unpacked at once: each may become a thousand. */
const SLICE = 1_000;

const ZIP_END = [0x50, 0x4b, 5, 6];
const DEFLATED = 8;

/** Returns the text of a report: plain, gzip, or the first file of a zip. Undefined if it is larger than 2 MB. */
export const unpack = async (bytes: Uint8Array): Promise<string | undefined> => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return inflate(bytes, "gzip");
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder().decode(bytes.subarray(0, MAX_XML));
  const { content, method } = firstOfZip(bytes);
  return method === DEFLATED ? inflate(content, "deflate-raw") : new TextDecoder().decode(content);
};

/** Sizes stand in the directory at the end; the header of a file may leave them out. */
const firstOfZip = (bytes: Uint8Array): { content: Uint8Array; method: number } => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end > 0 && !ZIP_END.every((byte, place) => bytes[end + place] === byte)) end -= 1;
  const entry = view.getUint32(end + 16, true);
  const local = view.getUint32(entry + 42, true);
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const content = bytes.subarray(start, start + view.getUint32(entry + 20, true));
  return { content, method: view.getUint16(entry + 10, true) };
};

const inflate = async (bytes: Uint8Array, format: "gzip" | "deflate-raw"): Promise<string | undefined> => {
  let start = 0;
  const slices = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (start >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(start, start + SLICE));
      start += SLICE;
    },
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of slices.pipeThrough(
    new DecompressionStream(format),
  ) as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_XML) return undefined;
  }
  return text;
};
