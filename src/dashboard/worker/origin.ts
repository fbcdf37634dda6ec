import type { Refusal } from "../../lib/contract/errors.ts";

/** No form can send this content type. */
const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
/** A form can send none of these types. */
const FILES: readonly (readonly [method: string, path: RegExp, type: RegExp])[] = [
  ["PUT", /^\/api\/email\/teams\/[^/]+\/uploads\/[^/]+\/file$/, /^image\/[\w.+-]+$/i],
];

const isFile = ({ method, url }: Request, type: string): boolean =>
  FILES.some(([by, path, types]) => by === method && path.test(new URL(url).pathname) && types.test(type));

/**
 * Refuses requests from other origins. Workers of an account are the same site, so SameSite is not enough. Non-GET
 * needs the exact origin, a script-only header, and JSON or an upload.
 */
export const crossOrigin = (request: Request): Refusal | undefined => {
  const { method, headers, url } = request;
  if (method === "GET" || method === "HEAD") {
    const site = headers.get("Sec-Fetch-Site");
    return site === null || site === "same-origin" ? undefined : refusal("Sec-Fetch-Site is not same-origin");
  }
  if (headers.get("Origin") !== new URL(url).origin) return refusal("Origin is not that of the dashboard");
  if (headers.get("X-Mailspan") !== "1") return refusal("the header X-Mailspan: 1 is missing");
  const type = headers.get("Content-Type") ?? "";
  // Empty POSTs get length 0 and an empty body.
  if (request.body === null || headers.get("Content-Length") === "0" || JSON_TYPE.test(type) || isFile(request, type))
    return undefined;
  const given = type === "" ? "without a Content-Type" : `as ${type}`;
  const message = `The body is sent ${given}. Send JSON, with Content-Type: application/json.`;
  return { code: "unsupported_media_type", message };
};

const refusal = (why: string): Refusal => ({
  code: "wrong_origin",
  message: `Refused: ${why}. Only the dashboard's own pages may delivery this address.`,
});
