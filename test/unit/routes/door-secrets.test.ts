import { createHash, createHmac } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { stripe } from "../../../src/handlers/stripe.ts";
import { settingsOf } from "../../../src/sources.ts";
import type { Handler } from "../../../src/webhook.ts";
import { verify } from "../signed.ts";
import { doorTo, handlers, NOW } from "./door-to.ts";

const BODY = '{"id":"evt_1","object":"event","type":"customer.created","created":1760000000}';
const AT = NOW / 1000;
const mac = (key: string | Buffer, content: string, hash = "sha256") => createHmac(hash, key).update(content);
const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });

type Forged = { raw: string; headers: Record<string, string> };

const FORGE: Readonly<Record<string, (secret: string) => Promise<Forged> | Forged>> = {
  stripe: (secret) => ({
    raw: BODY,
    headers: { "stripe-signature": `t=${AT},v1=${mac(secret, `${AT}.${BODY}`).digest("hex")}` },
  }),
  braintree: (secret) => {
    const [user = "", ...rest] = secret.split(":");
    const payload = `${Buffer.from("<notification><kind>check</kind></notification>").toString("base64")}\n`;
    const key = createHash("sha1").update(rest.join(":")).digest();
    const form = { bt_signature: `${user.trim()}|${mac(key, payload, "sha1").digest("hex")}`, bt_payload: payload };
    return { raw: new URLSearchParams(form).toString(), headers: {} };
  },
  fusionauth: async (secret) => ({
    raw: BODY,
    headers: { "x-fusionauth-signature-jwt": await token(secret, "base64") },
  }),
  keycloak: (secret) => ({ raw: BODY, headers: { "x-keycloak-signature": mac(secret, BODY).digest("hex") } }),
  polar: (secret) => ({
    raw: BODY,
    headers: {
      "webhook-id": "1",
      "webhook-timestamp": String(AT),
      "webhook-signature": `v1,${mac(secret, `1.${AT}.${BODY}`).digest("base64")}`,
    },
  }),
  github: (secret) => ({
    raw: BODY,
    headers: { "x-github-event": "ping", "x-hub-signature-256": `sha256=${mac(secret, BODY).digest("hex")}` },
  }),
  chargebee: (secret) => ({ raw: BODY, headers: basic(secret) }),
  postmark: (secret) => ({ raw: BODY, headers: basic(secret) }),
  "generic-secret": (secret) => ({ raw: BODY, headers: { "x-api-key": secret } }),
};

const token = (secret: string, encoding: "base64" | "hex") =>
  new SignJWT({ request_body_sha256: createHash("sha256").update(BODY).digest(encoding) })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));

const KEYS = "auth.example.com/realms/acme/protocol/openid-connect/certs";
const NO_KEYS = [
  `http://${KEYS}`,
  `HTTP://${KEYS}`,
  "http:auth.example.com",
  `https:${KEYS}`,
  KEYS,
  `//${KEYS}`,
  "auth.example.com",
  "auth.example.com:8443",
  "localhost:8080/certs",
  "/.well-known/jwks.json",
  "https://",
  "ftp://auth.example.com/keys",
  "whpk_abc",
  "whsec_",
  '{"keys":[]}',
  "-----BEGIN PUBLIC KEY-----\nAA",
];
const HALVES = [":", "user:", ":p", "user: ", " :p"];
const CASES: [string, string][] = [
  ...["pk:", ":", ":sk", "pk: ", " :sk", "pk"].map((secret): [string, string] => ["braintree", secret]),
  ...["whsec_", "v1,whsec_", "sk_"].map((secret): [string, string] => ["stripe", secret]),
  ...["whsec_", "polar_whs_", "whpk_AAAA"].map((secret): [string, string] => ["polar", secret]),
  ...["whsec_", "Bearer"].map((secret): [string, string] => ["github", secret]),
  ...["fusionauth", "keycloak"].flatMap((provider) => NO_KEYS.map((secret): [string, string] => [provider, secret])),
  ...["chargebee", "postmark", "generic-secret"].flatMap((provider) =>
    HALVES.map((secret): [string, string] => [provider, secret]),
  ),
  ["chargebee", "user"],
  ["generic-secret", "Bearer"],
  ["generic-secret", "whsec_"],
];

describe("an incomplete or publicly known secret is refused", () => {
  test.each(CASES)("%s: %j", async (provider, secret) => {
    const { raw, headers } = (await FORGE[provider]?.(secret.trim())) ?? { raw: "", headers: {} };
    const scheme = handlers[provider]?.scheme;
    if (!scheme) throw new Error(`no handler ${provider}`);
    const refusal = await verify(scheme, { raw, headers: new Headers(headers) }, [secret], NOW);
    expect(refusal).toMatchObject({ code: "source_not_configured", message: expect.stringMatching(/expected|secret/) });
    const { send, batches } = doorTo(provider, secret);
    const answer = await send(raw, headers);
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining("source_not_configured")]);
    expect(batches).toEqual([]);
  });

  test.each([
    ["braintree", "pk:sk"],
    ["stripe", "whsec_9f2c0a"],
    ["polar", "polar_whs_older_secret"],
    ["github", "It's a secret"],
    ["fusionauth", "a text with more/than.one kind of sign"],
    ["keycloak", "cGF0aC93aXRoL3NsYXNoZXM="],
    ["chargebee", "user:pass:word"],
    ["generic-secret", "s3cret"],
  ])("a complete secret of %s is accepted: %j", async (provider, secret) => {
    const { raw, headers } = (await FORGE[provider]?.(secret)) ?? { raw: "", headers: {} };
    const scheme = handlers[provider]?.scheme;
    if (!scheme) throw new Error(`no handler ${provider}`);
    expect(await verify(scheme, { raw, headers: new Headers(headers) }, [secret], NOW)).toBe(undefined);
  });
});

test("the URL of Keycloak's keys is never used as an HMAC key, in any header and in any letter case", async () => {
  for (const secret of [`https://${KEYS}`, `HTTPS://${KEYS}`]) {
    for (const headers of [
      { "x-keycloak-signature": mac(secret, BODY).digest("hex") },
      { "x-keycloak-signature": mac(secret, BODY, "sha1").digest("hex") },
      { authorization: `Bearer ${await token(secret, "hex")}` },
    ]) {
      const { send, batches } = doorTo("keycloak", secret, { texts: { [secret]: '{"keys":[]}' } });
      expect((await send(BODY, headers)).status).toBe(401);
      expect(batches).toEqual([]);
    }
  }
});

test("of two secrets, the complete one is accepted and the incomplete one is not", async () => {
  const scheme = handlers.keycloak?.scheme;
  if (!scheme) throw new Error("no handler");
  const secrets = [`http://${KEYS}`, "whole"];
  const code = async (key: string) => {
    const headers = new Headers({ "x-keycloak-signature": mac(key, BODY).digest("hex") });
    return (await verify(scheme, { raw: BODY, headers }, secrets, NOW))?.code;
  };
  expect(await code("whole")).toBe(undefined);
  expect(await code(`http://${KEYS}`)).toBe("invalid_signature");
});

describe("a source with a header of its own", () => {
  const token = (headers: Record<string, string>) =>
    doorTo("postmark", "a secret", { header: "X-Acme-Token" }).send('{"RecordType":"Open"}', headers);

  test("accepts the secret in this header, in any letter case of its name", async () => {
    expect((await token({ "X-Acme-Token": "a secret" })).status).toBe(202);
    expect((await token({ "x-acme-token": "a secret" })).status).toBe(202);
  });

  test("refuses another value, and the secret in any other place", async () => {
    expect((await token({ "X-Acme-Token": "another" })).text).toContain("invalid_signature");
    for (const headers of [{}, { "X-Api-Key": "a secret" }, { authorization: "Bearer a secret" }, basic("a secret")]) {
      const { status, text } = await token(headers);
      expect([status, text]).toEqual([401, expect.stringContaining("it belongs in the header X-Acme-Token")]);
    }
  });

  test("without the setting, Postmark's Basic credentials and the usual headers are accepted", async () => {
    for (const headers of [basic("user:password"), { "X-Webhook-Secret": "user:password" }])
      expect((await doorTo("postmark", "user:password").send('{"RecordType":"Open"}', headers)).status).toBe(202);
  });

  test.each([
    ["stripe", "X-Acme-Token", "Stripe sends no header that you name"],
    ["chargebee", "X-Acme-Token", "Chargebee sends no header that you name"],
    ["gumroad", "X-Acme-Token", "Gumroad sends no header that you name"],
    ["postmark", "X Acme", '"X Acme" is not the name of a header'],
    ["postmark", "", '"" is not the name of a header'],
  ])("%s with the header %j is refused at the start", (provider, header, reason) => {
    const handler = handlers[provider] as Handler;
    const settings = () => settingsOf({ shop: { handler, secret: "SECRET", header } });
    expect(settings).toThrow(`The source "shop" has a wrong header: ${reason}.`);
  });
});

test("Braintree's challenge is not answered with an empty key", async () => {
  const { send } = doorTo("braintree", "pk:");
  expect((await send("", {}, { method: "GET", path: "?bt_challenge=0123456789abcdef0123" })).status).toBe(405);
});

test("Kinde's secret must be a valid domain", async () => {
  for (const secret of ["https://", "http://acme.kinde.com", "acme.kinde.com/keys"]) {
    const { send, fetched } = doorTo("kinde", secret);
    const { status, text } = await send(await token("x", "hex"));
    expect([status, text]).toEqual([401, expect.stringContaining("source_not_configured")]);
    expect(fetched).toEqual([]);
  }
});

describe("a tolerance that is not a number of seconds", () => {
  const none = [Number.NaN, -1, Number.POSITIVE_INFINITY, "300" as never, null as never];

  test.each(none)("%s keeps a deployment from starting, and its source is named", (tolerance) => {
    const settings = () => settingsOf({ shop: { handler: stripe as Handler, secret: "S", tolerance } });
    expect(settings).toThrow(/tolerance of the source "shop"/);
  });

  test("0 and more are accepted", () => {
    for (const tolerance of [0, 30, 86_400])
      expect(settingsOf({ shop: { handler: stripe as Handler, secret: "S", tolerance } })).toEqual({
        shop: { secret: "S", templates: [] },
      });
  });

  test.each(none.slice(0, 3))("%s lets nothing old through the door", async (tolerance) => {
    const at = AT - 86_400;
    const headers = { "stripe-signature": `t=${at},v1=${mac("whsec_1", `${at}.${BODY}`).digest("hex")}` };
    const answer = await doorTo("stripe", "whsec_1", { tolerance }).send(BODY, headers);
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining("stale_timestamp")]);
  });
});
