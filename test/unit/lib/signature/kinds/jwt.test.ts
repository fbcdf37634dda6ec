import { createHash, createHmac, generateKeyPairSync } from "node:crypto";
import { exportJWK, type JWTPayload, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { firebase } from "../../../../../src/handlers/firebase.ts";
import { fusionAuth } from "../../../../../src/handlers/fusionauth.ts";
import { keycloak } from "../../../../../src/handlers/keycloak.ts";
import { contextOf, verify } from "../../../signed.ts";
import { certificateOf, rsa } from "../oracles/oracle.ts";

const NOW = 1_760_000_000_000;
const BODY = '{"event":{"id":"1","type":"user.create"}}';
const JWKS = "https://auth.example.com/.well-known/jwks.json";
const hash = createHash("sha256").update(BODY);
const sha256 = hash.copy().digest("base64");
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");

const jwks = async () => {
  const named = async (kid: string, alg: string, key: Parameters<typeof exportJWK>[0]) => ({
    ...(await exportJWK(key)),
    kid,
    alg,
  });
  const keys = [
    named("r", "RS256", rsa.publicKey),
    named("e", "ES256", ec.publicKey),
    named("d", "EdDSA", ed.publicKey),
  ];
  return JSON.stringify({ keys: await Promise.all(keys) });
};
type Key = Parameters<SignJWT["sign"]>[0];
const token = (alg: string, key: Key, kid?: string, claims: JWTPayload = {}) =>
  new SignJWT({ request_body_sha256: sha256, ...claims }).setProtectedHeader({ alg, ...(kid && { kid }) }).sign(key);
const code = async (jwt: string, secret: string, context = contextOf(), now = NOW) => {
  const headers = new Headers({ "x-fusionauth-signature-jwt": jwt });
  return (await verify(fusionAuth.scheme, { headers, raw: BODY }, [secret], now, context))?.code;
};

describe("a JSON Web Token", () => {
  test("is accepted with any of the keys at the URL in the secret", async () => {
    const context = contextOf({ [JWKS]: await jwks() });
    expect(await code(await token("RS256", rsa.privateKey, "r"), JWKS, context)).toBe(undefined);
    expect(await code(await token("ES256", ec.privateKey, "e"), JWKS, context)).toBe(undefined);
    expect(await code(await token("EdDSA", ed.privateKey, "d"), JWKS, context)).toBe(undefined);
    expect(await code(await token("RS256", rsa.privateKey), JWKS, context)).toBe(undefined);
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    expect(await code(await token("RS256", other, "r"), JWKS, context)).toBe("invalid_signature");
  });

  test("cannot choose the algorithm", async () => {
    const context = contextOf({ [JWKS]: await jwks() });
    const bytes = (text: string) => new TextEncoder().encode(text);
    const pem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
    // Signed with public texts as HMAC keys.
    for (const known of [JWKS, pem, await jwks()]) {
      expect(await code(await token("HS256", bytes(known), "r"), JWKS, context)).toBe("invalid_signature");
    }
    const [, claims = ""] = (await token("HS256", bytes("x"))).split(".");
    for (const alg of ["none", "None", "HS256", "RS256", "HS1", "toString"]) {
      const unsigned = `${Buffer.from(JSON.stringify({ alg })).toString("base64url")}.${claims}.`;
      expect(await code(unsigned, "secret")).toBe("invalid_signature");
      expect(await code(unsigned, JWKS, context)).toBe("invalid_signature");
    }
    expect(await code(await token("RS256", rsa.privateKey, "r"), "a text", context)).toBe("invalid_signature");
  });

  test("is accepted within its times, with one minute of tolerance", async () => {
    const key = new TextEncoder().encode("secret");
    const at = NOW / 1000;
    expect(await code(await token("HS256", key, undefined, { exp: at - 59 }), "secret")).toBe(undefined);
    expect(await code(await token("HS256", key, undefined, { exp: at - 61 }), "secret")).toBe("stale_timestamp");
    expect(await code(await token("HS256", key, undefined, { nbf: at + 61 }), "secret")).toBe("stale_timestamp");
    expect(await code(await token("HS512", key), "secret")).toBe(undefined);
  });

  test("is refused where one of its times is no number", async () => {
    const sign = (claims: object) => {
      const parts = [{ alg: "HS256" }, { request_body_sha256: sha256, ...claims }];
      const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      return `${signed}.${createHmac("sha256", "secret").update(signed).digest("base64url")}`;
    };
    expect(await code(sign({ exp: NOW / 1000 + 5 }), "secret")).toBe(undefined);
    for (const wrong of ["9999999999", null, true, [], {}]) {
      expect(await code(sign({ exp: wrong }), "secret")).toBe("invalid_signature");
      expect(await code(sign({ nbf: wrong }), "secret")).toBe("invalid_signature");
    }
  });

  test("with an unknown key id makes the keys be fetched again, but not within 30 s; keys that cannot be fetched are reported", async () => {
    const texts = { [JWKS]: JSON.stringify({ keys: [] }) };
    const context = contextOf(texts);
    const jwt = await token("RS256", rsa.privateKey, "r");
    expect(await code(jwt, JWKS, context)).toBe("invalid_signature");
    texts[JWKS] = await jwks();
    expect(await code(jwt, JWKS, context, NOW + 29_000)).toBe("invalid_signature");
    expect(await code(jwt, JWKS, context, NOW + 31_000)).toBe(undefined);
    expect(await code(jwt, JWKS)).toBe("key_unavailable");
  });

  test("makes few requests for keys that cannot be fetched: one in 5 s, with known keys and without", async () => {
    let fetched = 0;
    const texts: Record<string, string> = {};
    const { cache, sleep } = contextOf();
    const fetch = async (url: string) => {
      fetched++;
      return new Response(texts[url] ?? "", { status: texts[url] === undefined ? 503 : 200 });
    };
    const forged = await token("RS256", rsa.privateKey, "unknown");
    const good = await token("RS256", rsa.privateKey, "r");
    for (let n = 0; n < 50; n++)
      expect(await code(forged, JWKS, { fetch, cache, sleep }, NOW + n)).toBe("key_unavailable");
    expect(fetched).toBe(1);
    texts[JWKS] = await jwks();
    expect(await code(good, JWKS, { fetch, cache, sleep }, NOW + 5_000)).toBe(undefined);
    delete texts[JWKS];
    for (let n = 0; n < 50; n++)
      expect(await code(forged, JWKS, { fetch, cache, sleep }, NOW + 40_000 + n)).toBe("key_unavailable");
    expect(fetched).toBe(3);
    expect(await code(good, JWKS, { fetch, cache, sleep }, NOW + 41_000)).toBe(undefined);
  });

  test("is accepted as Keycloak's bearer token, with the body's hash in hex", async () => {
    const claims = { request_body_sha256: hash.copy().digest("hex") };
    const jwt = await token("RS256", rsa.privateKey, "r", claims);
    const context = contextOf({ [JWKS]: await jwks() });
    const check = (raw: string) =>
      verify(keycloak.scheme, { headers: new Headers({ authorization: `Bearer ${jwt}` }), raw }, [JWKS], NOW, context);
    expect(await check(BODY)).toBe(undefined);
    expect((await check(`${BODY} `))?.code).toBe("invalid_signature");
  });
});

test("Firebase: accepts only tokens for this project, signed with Google's certificates", async () => {
  const address = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com";
  const context = contextOf({ [address]: JSON.stringify({ k: certificateOf(rsa.publicKey) }) });
  const iss = "https://securetoken.google.com/mine";
  const good = { iss, aud: "https://europe-west1-mine.cloudfunctions.net/before", exp: NOW / 1000 + 60 };
  const check = async (claims: JWTPayload, project = "mine") => {
    const jwt = await token("RS256", rsa.privateKey, "k", claims);
    const raw = JSON.stringify({ data: { jwt } });
    return (await verify(firebase.scheme, { headers: new Headers(), raw }, [project], NOW, context))?.code;
  };
  expect(await check(good)).toBe(undefined);
  expect(await check({ ...good, aud: "https://before-x1y2-uc.a.run.app" })).toBe(undefined);
  expect(await check({ ...good, aud: ["https://other.test/", "https://bridge.test/hooks/source"] })).toBe(undefined);
  expect(await check({ ...good, iss: "https://securetoken.google.com/theirs" })).toBe("invalid_signature");
  // A sign-in token of the same project, which every user of it has.
  expect(await check({ ...good, aud: "mine" })).toBe("invalid_signature");
  for (const aud of ["https://evil.test/mine.cloudfunctions.net/", "https://run.app.evil.test", "https://bridge.test/"])
    expect(await check({ ...good, aud })).toBe("invalid_signature");
  const { aud: _, ...forNobody } = good;
  expect(await check(forNobody)).toBe("invalid_signature");
  const { exp: _exp, ...forEver } = good;
  expect(await check(forEver)).toBe("invalid_signature");
});
