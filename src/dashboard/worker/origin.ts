import type { Refusal } from "../../lib/contract/errors.ts";

/** Content types that a form of another site can send without asking. */
const OF_FORMS = /^\s*(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Why a request is refused that a page of another origin may have made; undefined where it may pass. The Workers of one account are
 * the same site, so SameSite cookies do not keep them apart. A GET changes nothing here; the others need the exact origin and a header
 * that only a script of this origin can send.
 */
export const crossOrigin = (request: Request): Refusal | undefined => {
  const { method, headers, url } = request;
  if (method === "GET" || method === "HEAD") {
    const site = headers.get("Sec-Fetch-Site");
    return site === null || site === "same-origin" ? undefined : refusal("Sec-Fetch-Site is not same-origin");
  }
  if (headers.get("Origin") !== new URL(url).origin) return refusal("Origin is not that of the dashboard");
  if (headers.get("X-Mailspan") !== "1") return refusal("the header X-Mailspan: 1 is missing");
  if (request.body !== null && OF_FORMS.test(headers.get("Content-Type") ?? "text/plain"))
    return refusal("the body has the content type of a form");
  return undefined;
};

const refusal = (why: string): Refusal => ({
  code: "wrong_origin",
  message: `Refused: ${why}. Only the dashboard's own pages may call this address.`,
});
