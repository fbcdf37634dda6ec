/** Bytes of a body that is too large which are still taken in and thrown away: a client that is cut off hears no answer. */
const MAX_DRAINED = 16_000_000;

/**
 * The body of a request as text, or undefined where it is larger than `limit` bytes. Never holds more than that.
 *
 * @throws {TypeError} with `strict`, where it is not UTF-8; without, such bytes become U+FFFD
 */
export const readText = async (request: Request, limit: number, strict = false): Promise<string | undefined> => {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_DRAINED) return undefined;
  if (!request.body) return "";
  const told = request.headers.get("Content-Length");
  if (told !== null && Number(told) <= limit) {
    // Whole at once: a body is never longer than it says, and reading it in pieces takes several times as long.
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
