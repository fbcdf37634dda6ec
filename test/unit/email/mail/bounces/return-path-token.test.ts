import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bounceAddress,
  readToken,
  rowOf,
  tokenIn,
  tokenOf,
} from "../../../../../src/email/mail/bounces/return-path-token.ts";

const SECRET = "a secret";
const team = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,31}$/);
const n = fc.integer({ min: 1, max: 4_102_444_800_000_000 });

describe("a return path", () => {
  it("names its send, whatever letter case servers make of it, in at most 64 characters", async () => {
    await fc.assert(
      fc.asyncProperty(team, n, async (slug, row) => {
        const path = bounceAddress(await tokenOf({ team: slug, n: row }, SECRET), "envelope.example.com");
        expect(path.split("@")[0]?.length).toBeLessThanOrEqual(64);
        expect(path).toMatch(/^bounce\+[a-z0-9_-]+@envelope\.example\.com$/);
        for (const seen of [path, path.toUpperCase(), `<${path}>`]) {
          expect(await readToken(tokenIn(seen) ?? "", [SECRET])).toEqual({ team: slug, n: row });
        }
      }),
    );
  });

  it("of a former secret is still read while that secret is given", async () => {
    const token = await tokenOf({ team: "acme", n: 5 }, "old");
    expect(await readToken(token, ["new", "old"])).toEqual({ team: "acme", n: 5 });
    expect(await readToken(token, ["new"])).toBeUndefined();
    expect(await readToken(token, [])).toBeUndefined();
  });

  it("that is forged names nothing: each character counts", async () => {
    const token = await tokenOf({ team: "acme", n: 1_790_000_000_000_123 }, SECRET);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "a" ? "b" : "a";
      expect(await readToken(token.slice(0, at) + other + token.slice(at + 1), [SECRET])).toBeUndefined();
    }
    for (const wrong of ["", "acme", "acme_5", `${token}a`, `x${token}`, "_5_aaaaaaaaaaaa"])
      expect(await readToken(wrong, [SECRET])).toBeUndefined();
  });

  it("is the only address that has a token", () => {
    for (const address of ["ada@example.com", "bounce@example.com", "xbounce+a_b_c@example.com", "bounce+a_b_c", ""])
      expect(tokenIn(address)).toBeUndefined();
  });

  it("has the row number of a send's id", () => {
    expect(rowOf("snd_hm4x1_k3j9")).toBe(Number.parseInt("hm4x1", 36));
    expect(rowOf("snd_k3j9")).toBeUndefined();
  });
});
