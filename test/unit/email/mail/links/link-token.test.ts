import { describe, expect, it } from "vitest";
import { createToken, readToken } from "../../../../../src/email/mail/links/link-token.ts";
import type { LinkKind, LinkTarget } from "../../../../../src/email/types/recipient.ts";

const full: LinkTarget = {
  team: "acme",
  send: 3_786_912_000_123_456,
  row: 12345,
  contact: "con_0123456789abcdefghij",
  list: "lst_0123456789abcdefghij",
  address: "0123456789abcdef",
};
const { list: _list, ...short } = full;
const KINDS: readonly LinkKind[] = ["unsubscribe", "preferences", "confirm"];

const secret = "the secret";
const other = "another secret";

describe("the token of a link", () => {
  it.each([full, short, { ...full, address: "" }])("names what it was made for: %j", async (target) => {
    for (const kind of KINDS) {
      expect(await readToken([secret], kind, await createToken(secret, kind, target))).toEqual(target);
    }
  });

  it("is the same in every version of the code, because links stay in mailboxes for years", async () => {
    const written =
      "uNarUe6VoqT2iuCvI_MjC--t9WTWljQroLgB718z9Ca-JyML5vwissJj63DRZoRdLylyCm1dJRvBD8ORCrNBUC6nJczDZwPN5Pjt3wG21WbITui7cIlnJfVR";
    const withoutAddress = { ...full, address: "" };
    expect(await createToken(secret, "unsubscribe", withoutAddress)).toBe(written);
    expect(await readToken([secret], "unsubscribe", written)).toEqual(withoutAddress);
  });

  it.each([{ contact: "con 1" }, { list: "lst 1" }, { address: "a b@x.y" }])(
    "is not made of a field with a space, which would be read as two: %j",
    async (field) => {
      await expect(createToken(secret, "unsubscribe", { ...full, ...field })).rejects.toThrow(
        "A field of a token has no spaces.",
      );
    },
  );

  it("shows nothing of what it names", async () => {
    const token = await createToken(secret, "unsubscribe", full);
    const bytes = Buffer.from(token, "base64url").toString("latin1");
    for (const value of [full.team, "con_", "lst_", "9ix", full.send.toString(36), full.contact.slice(4, 10)]) {
      expect(token).not.toContain(value);
      expect(bytes).not.toContain(value);
    }
    expect(token).toMatch(/^[\w-]{60,200}$/);
  });

  it("is valid for its kind of link only", async () => {
    for (const kind of KINDS) {
      const token = await createToken(secret, kind, full);
      for (const wrong of KINDS.filter((one) => one !== kind)) {
        expect(await readToken([secret], wrong, token)).toBeUndefined();
      }
    }
  });

  it("stays valid when the secret is rotated, as long as the old one is listed", async () => {
    const token = await createToken(secret, "preferences", full);
    expect(await readToken([other, secret], "preferences", token)).toEqual(full);
    expect(await readToken([other], "preferences", token)).toBeUndefined();
    expect(await readToken([], "preferences", token)).toBeUndefined();
  });

  it("is refused when it is shortened, or when a character was added or changed", async () => {
    const token = await createToken(secret, "unsubscribe", full);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (let at = 0; at < token.length; at++) {
      expect(await readToken([secret], "unsubscribe", token.slice(0, at))).toBeUndefined();
      for (const char of [alphabet[(alphabet.indexOf(token[at] as string) + 1) % 64], ".", "é", " "]) {
        expect(
          await readToken([secret], "unsubscribe", `${token.slice(0, at)}${char}${token.slice(at + 1)}`),
        ).toBeUndefined();
      }
    }
    for (const more of ["A", "AA", "=", "==", ".", "%00"]) {
      expect(await readToken([secret], "unsubscribe", token + more)).toBeUndefined();
    }
  });

  it("cannot be put together from the tokens of two teams or two messages", async () => {
    const one = await createToken(secret, "unsubscribe", full);
    for (const change of [{ team: "evil" }, { send: 1 }, { row: 54321 }]) {
      const two = await createToken(secret, "unsubscribe", { ...full, ...change });
      expect(two).not.toBe(one);
      for (const at of [5, 10, 20, 26, 40]) {
        expect(await readToken([secret], "unsubscribe", one.slice(0, at) + two.slice(at))).toBeUndefined();
      }
    }
  });

  it("is refused without a fault for random texts", async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let run = 0; run < 2_000; run++) {
      const bytes = Uint8Array.from({ length: random(120) }, () => random(256));
      const text = run % 5 === 0 ? Buffer.from(bytes).toString("latin1") : Buffer.from(bytes).toString("base64url");
      expect(await readToken([secret], "unsubscribe", text)).toBeUndefined();
    }
    expect(await readToken([secret], "unsubscribe", "A".repeat(1_000_000))).toBeUndefined();
  });
});
