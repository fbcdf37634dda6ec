import type { Context } from "hono";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { answer, type Reply } from "../../../lib/contract/mount.ts";
import type { Operation, Request } from "../../../lib/contract/operation.ts";
import { readerOf } from "../../../lib/contract/read-request.ts";
import type { FilePiece } from "../../types/files.ts";

/** Creates a reader with the same refusals as JSON operations. */
export const fileReader = <O extends Operation>(name: string, operation: O) => {
  const read = readerOf(name, operation);
  return async (c: Context): Promise<{ input: Request<O> } | { refusal: Refusal }> => {
    const apiRequest = await read(c.req.raw, c.req.param());
    return "refusal" in apiRequest ? { refusal: apiRequest.refusal } : { input: apiRequest.input as Request<O> };
  };
};

/**
 * Streams a CSV file.
 *
 * @param head first line, unless the first piece has it
 * @param start position of the first piece
 * @param next piece after `last`
 */
export const csvFile = async <After extends number | string>(
  name: string,
  head: string,
  start: After,
  next: (after: After) => Promise<Reply>,
): Promise<Response> => {
  const first = await next(start);
  if ("refusal" in first) return answer(first);
  const encoder = new TextEncoder();
  const { text, last } = first.body as FilePiece<After>;
  let piece: FilePiece<After> = { text: head + text, last };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(piece.text));
      if (piece.last === null) return controller.close();
      const read = await next(piece.last);
      // An abrupt error, because a truncated file would look complete.
      if ("refusal" in read) return controller.error(new Error(read.refusal.message));
      piece = read.body as FilePiece<After>;
    },
  });
  const disposition = `attachment; filename="${name}"`;
  return new Response(body, {
    headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": disposition },
  });
};

/** Refuses other methods; `methods` is the `Allow` value. */
export const refuseMethod = (methods: string) => (c: Context, next: () => Promise<void>) => {
  if (methods.split(", ").includes(c.req.method) || c.req.method === "OPTIONS") return next();
  const message = `${c.req.method} is not allowed here; use ${methods.replace(", ", " or ")}.`;
  return Promise.resolve(answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: methods } }));
};
