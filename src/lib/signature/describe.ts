import type { HmacScheme, PublicKeyScheme, Scheme, SharedScheme } from "./scheme.ts";

const content = ({ content, parts }: HmacScheme | PublicKeyScheme): string =>
  content[0] === "{body}" && !parts ? "" : ` of \`${content[0]}\``;

const tolerance = ({ timestamp }: HmacScheme | PublicKeyScheme): string =>
  timestamp ? `, ${timestamp.tolerance} s` : "";

const shared = ({ headers = [], basic, path }: SharedScheme): string => {
  if (path) return "secret in the path";
  const kinds = [headers.length > 0 ? "secret in a header" : [], basic ? "Basic" : []].flat();
  return kinds.join(" or ");
};

export const describeScheme = (scheme: Scheme): string => {
  switch (scheme.kind) {
    case "hmac":
      return `${scheme.keyed ? "" : "HMAC-"}${scheme.hash.replace("SHA-", "SHA")}${content(scheme)}, ${scheme.encoding}${tolerance(scheme)}`;
    case "public key":
      return `${scheme.algorithm}${content(scheme)}, ${scheme.encoding}${tolerance(scheme)}`;
    case "shared":
      return shared(scheme);
    case "jwt":
      return scheme.at === "body" ? "JWT as the body" : "JWT";
    case "sns":
      return "RSA, certificate of SNS";
    case "paypal":
      return "RSA of `{id}|{timestamp}|{webhook id}|{CRC-32 of the body}`, certificate of PayPal, 345600 s";
    default: {
      const [first = "", ...others] = new Set(scheme.of.map(describeScheme));
      const [, rest = ""] = /^[^,]*?( of .*|, .*)$/.exec(first) ?? [];
      return [
        first,
        ...others.map((other) => (rest && other.endsWith(rest) ? other.slice(0, -rest.length) : other)),
      ].join(" or ");
    }
  }
};
