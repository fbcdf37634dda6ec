import type { SignedRequest } from "../scheme.ts";

const compact = (raw: string): string => {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw;
  }
};

/**
 * Form fields as Twilio signs them: sorted by name, each name followed by its values, equal values of one name once and
 * sorted.
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
const sortedParams = (raw: string): string => {
  const fields = new URLSearchParams(raw);
  return [...new Set(fields.keys())]
    .sort()
    .flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value))
    .join("");
};

/** An address with the port put in or taken out: senders differ in whether they sign the usual one. */
const withPort = (url: string, wanted: boolean): string => {
  const [, start, host, rest] = /^(https?:\/\/)([^/?#:]+)(?::\d+)?(.*)$/s.exec(url) ?? [];
  if (start === undefined) return url;
  const port = new URL(url).port || (start === "https://" ? "443" : "80");
  return `${start}${host}${wanted ? `:${port}` : ""}${rest}`;
};

/**
 * What was signed: a template with the values of this request. One pass, so that braces in a body stay what they are.
 */
export const render = (template: string, request: SignedRequest, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
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
  });
