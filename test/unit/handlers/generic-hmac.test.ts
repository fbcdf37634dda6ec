import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { genericHmac } from "../../../src/handlers/generic-hmac.ts";
import { verifyWith } from "../../../src/lib/signature/verify.ts";
import { requestOf } from "../signed.ts";

const raw = '{"type":"quota.exceeded","id":"1"}';
const SECRET = "our secret";
const verify = (signature: string) =>
  verifyWith(genericHmac.scheme, requestOf({ headers: new Headers({ "X-Signature": signature }), raw }), [SECRET], 0, {
    fetch: () => Promise.reject(new Error("no request is made")),
    cache: new Map(),
    sleep: () => Promise.resolve(),
  });

test.each(["sha256", "sha512"])("%s of the body is accepted in hex and in base64", async (hash) => {
  for (const encoding of ["hex", "base64"] as const) {
    const signature = createHmac(hash, SECRET).update(raw).digest(encoding);
    expect(await verify(signature), encoding).toBeUndefined();
    const other = createHmac(hash, "another secret").update(raw).digest(encoding);
    expect(await verify(other), encoding).toMatchObject({ code: "invalid_signature" });
  }
});

test("sha256= before the signature is accepted", async () => {
  const of = (key: string) => `sha256=${createHmac("sha256", key).update(raw).digest("hex")}`;
  expect(await verify(of(SECRET))).toBeUndefined();
  expect(await verify(of("another secret"))).toMatchObject({ code: "invalid_signature" });
});
