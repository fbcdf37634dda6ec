import { remember } from "../../util/remember.ts";
import type { SignedRequest } from "../scheme.ts";

const compact = (raw: string): string => {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw;
  }
};

/**
 * Twilio sorts by name, appends each value to its name, and counts equal values once.
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
const sortedParams = (raw: string): string => {
  const fields = new URLSearchParams(raw);
  return [...new Set(fields.keys())]
    .sort()
    .flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value))
    .join("");
};

/** Some senders include the default port in the signed URL, others do not. */
const withPort = (url: string, wanted: boolean): string => {
  const [, start, host, rest] = /^(https?:\/\/)([^/?#:]+)(?::\d+)?(.*)$/s.exec(url) ?? [];
  if (start === undefined) return url;
  const port = new URL(url).port || (start === "https://" ? "443" : "80");
  return `${start}${host}${wanted ? `:${port}` : ""}${rest}`;
};

/** The texts of a template with its variables between them. */
const piecesOf = remember((template: string): readonly string[] => template.split(/\{(\w+)\}/));

/** Fills a template with request values. One pass, so that braces in a body are kept. */
export const contentOf = (template: string, request: SignedRequest, values: Readonly<Record<string, string>>): string =>
  piecesOf(template).reduce((text, piece, i) => text + (i % 2 === 0 ? piece : filledBy(piece, request, values)), "");

const filledBy = (name: string, request: SignedRequest, values: Readonly<Record<string, string>>): string => {
  switch (name) {
    case "body":
      return request.raw;
    case "json":
      return compact(request.raw);
    case "params":
      return sortedParams(request.raw);
    case "method":
      return request.method;
    case "url":
      return request.url;
    case "urlWithPort":
      return withPort(request.url, true);
    case "urlWithoutPort":
      return withPort(request.url, false);
    default:
      return values[name] ?? "";
  }
};
