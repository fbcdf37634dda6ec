import { createHash, createHmac } from "node:crypto";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Uint8Array, data: string) => createHmac("sha256", key).update(data).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Verifies a request by Signature Version 4. Returns the reason of a refusal, or undefined.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const verifySigV4 = async (
  request: Request,
  keys: { accessKeyId: string; secretAccessKey: string },
  { region, service, now }: { region: string; service: string; now: number },
): Promise<string | undefined> => {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = "", inRegion, ofService, names = "", signature] =
    form.exec(request.headers.get("Authorization") ?? "") ?? [];
  if (id !== keys.accessKeyId) return "InvalidClientTokenId";
  if (inRegion !== region || ofService !== service) return "Credential should be scoped to a valid region and service";
  const date = request.headers.get("X-Amz-Date") ?? "";
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!date.startsWith(day) || !(Math.abs(at - now) < 300_000)) return "RequestExpired";
  const signed = names.split(";");
  const url = new URL(request.url);
  if (!signed.includes("host") || !signed.includes("x-amz-date")) return "host and x-amz-date must be signed";
  const header = (name: string) =>
    (name === "host" ? url.host : (request.headers.get(name) ?? "")).trim().replace(/ +/g, " ");
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    request.method,
    url.pathname.split("/").map(encode).join("/"),
    query.join("&"),
    ...signed.map((name) => `${name}:${header(name)}`),
    "",
    names,
    sha256(new Uint8Array(await request.clone().arrayBuffer())),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Uint8Array>(hmac, `AWS4${keys.secretAccessKey}`);
  return createHmac("sha256", key).update(toSign).digest("hex") === signature ? undefined : "SignatureDoesNotMatch";
};
