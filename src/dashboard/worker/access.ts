import { claimsOf, verifyJwt } from "../../lib/signature/kinds/jwt.ts";
import type { FetchedText, JwtScheme, VerifyContext } from "../../lib/signature/scheme.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "./env.ts";

const HEADER = "Cf-Access-Jwt-Assertion";

/** What Cloudflare Access signs. @see https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/validating-json/ */
const scheme: JwtScheme = {
  kind: "jwt",
  at: { header: HEADER },
  keys: { jwks: "https://{secret}/cdn-cgi/access/certs" },
  issuer: "https://{secret}",
  expires: true,
};

/** Fetched keys, for an hour. */
const cache = new Map<string, FetchedText>();

/** Waits and requests, as tests replace them. */
export type AccessContext = Pick<VerifyContext, "fetch" | "sleep">;

/** The address of the person whom Cloudflare Access has let through; undefined without a valid assertion. */
export const accessIdentity = async (
  request: Request,
  { ACCESS_TEAM, ACCESS_AUD }: Env,
  now: number,
  context: AccessContext,
): Promise<string | undefined> => {
  const assertion = request.headers.get(HEADER);
  if (!ACCESS_TEAM || !ACCESS_AUD || assertion === null) return undefined;
  const host = `${ACCESS_TEAM}.cloudflareaccess.com`;
  const signed = { url: request.url, method: request.method, headers: request.headers, raw: "" };
  const refused = await verifyJwt(scheme, signed, [host], now, { ...context, cache });
  const { aud, email } = claimsOf(assertion) ?? {};
  if (refused || ![aud].flat().includes(ACCESS_AUD) || typeof email !== "string" || email === "") {
    log("access_refused", { code: refused?.code ?? "wrong_audience" });
    return undefined;
  }
  return email.toLowerCase();
};
