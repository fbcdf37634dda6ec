import { expect, it } from "vitest";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { sha256 } from "../../../../src/lib/util/sha256.ts";

it("gives the digest that WebCrypto gives, with every length of padding", async () => {
  const texts = Array.from({ length: 130 }, (_, length) => `é\u{1f600}${"x".repeat(length)}`);
  const expected = await Promise.all(["", ...texts].map(digest));
  expect(["", ...texts].map(sha256)).toEqual(expected);
});
