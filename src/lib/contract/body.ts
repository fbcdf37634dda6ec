/**
 * The body of a request as text, or undefined as soon as it is known to be larger than `limit` bytes. Never holds more
 * than that.
 *
 * @throws {TypeError} with `strict`, where it is not UTF-8; without, such bytes become U+FFFD
 */
export const readText = async (request: Request, limit: number, strict = false): Promise<string | undefined> => {
  if (Number(request.headers.get("Content-Length") ?? 0) > limit) return undefined;
  if (!request.body) return "";
  const decoder = new TextDecoder("utf-8", { fatal: strict, ignoreBOM: true });
  let size = 0;
  let text = "";
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
