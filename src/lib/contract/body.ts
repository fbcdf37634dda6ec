/** Bytes of a too large body that are read and dropped. A client cut off while sending sees no answer. */
export const MAX_DRAINED = 16_000_000;

/**
 * Reads a request body as text; undefined above `limit` bytes.
 *
 * @param drained bytes after which reading ends; `limit` for a request of a stranger
 * @throws {TypeError} with `strict`, if it is not UTF-8; otherwise invalid bytes become U+FFFD
 */
export const readText = async (
  request: Request,
  limit: number,
  strict = false,
  drained = MAX_DRAINED,
): Promise<string | undefined> => {
  const length = request.headers.get("Content-Length");
  if (Number(length ?? 0) > drained) return undefined;
  if (length !== null && Number(length) <= limit) {
    // Reading at once is several times faster than in chunks.
    if (!strict) return request.text();
    return new TextDecoder("utf-8", { fatal: strict, ignoreBOM: true }).decode(await request.arrayBuffer());
  }
  if (!request.body) return "";
  const decoder = new TextDecoder("utf-8", { fatal: strict, ignoreBOM: true });
  let size = 0;
  let text = "";
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > drained) return undefined;
    text = size > limit ? "" : text + decoder.decode(chunk, { stream: true });
  }
  return size > limit ? undefined : text + decoder.decode();
};

/** Reads the body of a request that no one has authorized yet, and nothing of it after `limit` bytes. */
export const readStranger = (request: Request, limit: number): Promise<string | undefined> =>
  readText(request, limit, false, limit);

/**
 * Reads a response; undefined above `limit` bytes. Counts bytes after decompression, because a small body may become
 * very large.
 */
export const readAnswer = async (answer: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (!answer.body) return new Uint8Array();
  const length = answer.headers.get("Content-Length");
  const isPlain = !answer.headers.has("Content-Encoding");
  // Only an uncompressed body has the stated length.
  if (isPlain && length !== null && Number(length) <= limit) return new Uint8Array(await answer.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the transfer.
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
};

/** Reads a response as text; invalid bytes become U+FFFD. */
export const readAnswerText = async (answer: Response, limit: number): Promise<string | undefined> => {
  const bytes = await readAnswer(answer, limit);
  return bytes && new TextDecoder().decode(bytes);
};
