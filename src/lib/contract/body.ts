/** Bytes of a too large body that are read and dropped: a client that is cut off while sending sees no answer. */
const MAX_DRAINED = 16_000_000;

/**
 * The body of a request as text; undefined when it is larger than `limit` bytes. Never keeps more than that in memory.
 *
 * @throws {TypeError} with `strict`, when it is not UTF-8; without `strict`, invalid bytes become U+FFFD
 */
export const readText = async (request: Request, limit: number, strict = false): Promise<string | undefined> => {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_DRAINED) return undefined;
  if (!request.body) return "";
  const length = request.headers.get("Content-Length");
  if (length !== null && Number(length) <= limit) {
    // A body is never longer than its Content-Length. Reading it at once is several times faster than in chunks.
    if (!strict) return request.text();
    return new TextDecoder("utf-8", { fatal: strict, ignoreBOM: true }).decode(await request.arrayBuffer());
  }
  const decoder = new TextDecoder("utf-8", { fatal: strict, ignoreBOM: true });
  let size = 0;
  let text = "";
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_DRAINED) return undefined;
    text = size > limit ? "" : text + decoder.decode(chunk, { stream: true });
  }
  return size > limit ? undefined : text + decoder.decode();
};
