import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { signStandard, signStripe } from "../../../../scripts/samples/sign.ts";
import { stripe as stripeHandler } from "../../../../src/handlers/stripe.ts";
import type { Scheme } from "../../../../src/lib/signature/scheme.ts";
import { standard as standardScheme } from "../../../../src/lib/signature/schemes.ts";
import { toBase64, toHex } from "../../../../src/lib/util/hmac.ts";
import { verify } from "../../signed.ts";

const NOW = 1_760_000_000_000;
const SECONDS = NOW / 1000;
const BODY = '{"id":"evt_1","name":"Jörg 🚀"}';
const STRIPE_SECRET = "whsec_9f2c0a";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_plJ3nmyCDGBKInavdOK15jsl";

type Signed = { headers: Record<string, string>; raw: string };

const verifyStripe = stripeHandler.scheme;
const webhook = standardScheme(["webhook"]);
const either = standardScheme(["svix", "webhook"]);
const code = async (scheme: Scheme, { headers, raw }: Signed, secrets: readonly string[], now = NOW) =>
  (await verify(scheme, { headers: new Headers(headers), raw }, secrets, now))?.code;

const standard = async (at = SECONDS, secret = SECRET): Promise<Signed> => ({
  headers: await signStandard("webhook", secret, "msg_1", BODY, at),
  raw: BODY,
});
const stripe = async (at = SECONDS, secret = STRIPE_SECRET): Promise<Signed> => ({
  headers: { "stripe-signature": await signStripe(secret, BODY, at) },
  raw: BODY,
});

describe("requests signed by the vendors' own packages are accepted", () => {
  test("stripe", async () => {
    const header = new Stripe("sk_test_none").webhooks.generateTestHeaderString({
      payload: BODY,
      secret: STRIPE_SECRET,
      timestamp: SECONDS,
    });
    expect(await code(verifyStripe, { headers: { "stripe-signature": header }, raw: BODY }, [STRIPE_SECRET])).toBe(
      undefined,
    );
    expect(await signStripe(STRIPE_SECRET, BODY, SECONDS)).toBe(header);
  });

  test("svix", async () => {
    const signature = new SvixWebhook(SECRET).sign("msg_1", new Date(NOW), BODY);
    const headers = { "svix-id": "msg_1", "svix-timestamp": String(SECONDS), "svix-signature": signature };
    expect(await code(either, { headers, raw: BODY }, [SECRET])).toBe(undefined);
    expect(await signStandard("svix", SECRET, "msg_1", BODY, SECONDS)).toEqual(headers);
  });

  test("standardwebhooks", async () => {
    const signature = new StandardWebhook(SECRET).sign("msg_1", new Date(NOW), BODY);
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(SECONDS), "webhook-signature": signature };
    expect(await code(webhook, { headers, raw: BODY }, [SECRET])).toBe(undefined);
    expect(await signStandard("webhook", SECRET, "msg_1", BODY, SECONDS)).toEqual(headers);
  });
});

describe("one changed character anywhere is refused", () => {
  const flips = (text: string) =>
    [...text].map((_, i) => text.slice(0, i) + String.fromCharCode(text.charCodeAt(i) ^ 1) + text.slice(i + 1));

  test("standard webhooks: body, id, timestamp, signature", async () => {
    const good = await standard();
    expect(await code(webhook, good, [SECRET])).toBe(undefined);
    const at = 10; // Outside the surrogate pair: UTF-8 encodes broken halves alike.
    const bodies = flips(BODY.slice(0, at)).map((start) => ({ ...good, raw: start + BODY.slice(at) }));
    const headers = Object.entries(good.headers).flatMap(([name, value]) =>
      flips(value).map((flipped) => ({ ...good, headers: { ...good.headers, [name]: flipped } })),
    );
    for (const changed of [...bodies, ...headers])
      expect(await code(webhook, changed, [SECRET])).toBe("invalid_signature");
  });

  test("stripe: body, timestamp, signature", async () => {
    const good = await stripe();
    expect(await code(verifyStripe, good, [STRIPE_SECRET])).toBe(undefined);
    const header = good.headers["stripe-signature"] ?? "";
    const [t = "", v1 = ""] = header.split(",v1=");
    const changed = [
      ...flips(t.slice(2)).map((flipped) => ({ ...good, headers: { "stripe-signature": `t=${flipped},v1=${v1}` } })),
      ...flips(v1).map((flipped) => ({ ...good, headers: { "stripe-signature": `${t},v1=${flipped}` } })),
      { ...good, raw: `${BODY} ` },
      { ...good, raw: BODY.replace("1", "0") },
      { ...good, headers: { "stripe-signature": header.replace("v1=", "v0=") } },
      { ...good, headers: { "stripe-signature": header.toUpperCase() } },
    ];
    for (const request of changed) expect(await code(verifyStripe, request, [STRIPE_SECRET])).toBe("invalid_signature");
  });
});

describe("rotation", () => {
  test("a signature of any configured secret is accepted, in any order", async () => {
    for (const secrets of [
      [SECRET, OTHER],
      [OTHER, SECRET],
    ]) {
      expect(await code(webhook, await standard(), secrets)).toBe(undefined);
      expect(await code(webhook, await standard(SECONDS, OTHER), secrets)).toBe(undefined);
      expect(await code(verifyStripe, await stripe(), [STRIPE_SECRET, "whsec_old"])).toBe(undefined);
      expect(await code(verifyStripe, await stripe(SECONDS, "whsec_old"), [STRIPE_SECRET, "whsec_old"])).toBe(
        undefined,
      );
    }
    expect(await code(webhook, await standard(), [OTHER])).toBe("invalid_signature");
    expect(await code(verifyStripe, await stripe(), ["whsec_old"])).toBe("invalid_signature");
  });

  test("one valid signature of several is enough", async () => {
    const mine = await standard();
    const theirs = await standard(SECONDS, OTHER);
    const [a, b] = [mine.headers["webhook-signature"], theirs.headers["webhook-signature"]];
    for (const joined of [`${a} ${b}`, `${b} ${a}`, `${a}, ${b}`, `${b}, ${a}`, `v1a,AAAA ${a}`, `v2,x ${b} ${a}`]) {
      expect(
        await code(webhook, { ...mine, headers: { ...mine.headers, "webhook-signature": joined } }, [SECRET]),
      ).toBe(undefined);
    }
    const old = (await signStripe("whsec_old", BODY, SECONDS)).replace(/^t=\d+,/, "");
    const header = `${await signStripe(STRIPE_SECRET, BODY, SECONDS)},${old}`;
    for (const secret of [STRIPE_SECRET, "whsec_old"]) {
      expect(await code(verifyStripe, { headers: { "stripe-signature": header }, raw: BODY }, [secret])).toBe(
        undefined,
      );
    }
  });

  test("a secret is accepted in each of its written forms", async () => {
    const bare = SECRET.slice("whsec_".length);
    for (const secret of [bare, `v1,${SECRET}`, ` ${SECRET}\n`]) {
      expect(await code(webhook, await standard(), [secret])).toBe(undefined);
    }
    expect(await code(verifyStripe, await stripe(), [` ${STRIPE_SECRET}\n`])).toBe(undefined);
  });
});

describe("the clock", () => {
  test.each([
    [-301, "stale_timestamp"],
    [-300, undefined],
    [0, undefined],
    [300, undefined],
    [301, "stale_timestamp"],
  ])("standard webhooks: signed %i s from now", async (offset, expected) => {
    expect(await code(webhook, await standard(SECONDS + offset), [SECRET])).toBe(expected);
  });

  test.each([
    [-301, "stale_timestamp"],
    [-300, undefined],
    [86_400, undefined],
  ])("stripe: signed %i s from now", async (offset, expected) => {
    expect(await code(verifyStripe, await stripe(SECONDS + offset), [STRIPE_SECRET])).toBe(expected);
  });

  test("an invalid signature is reported before a stale timestamp", async () => {
    expect(await code(webhook, await standard(SECONDS - 9_999, OTHER), [SECRET])).toBe("invalid_signature");
    expect(await code(verifyStripe, await stripe(SECONDS - 9_999, "whsec_x"), [STRIPE_SECRET])).toBe(
      "invalid_signature",
    );
  });
});

describe("refusals name what to fix", () => {
  const message = async (scheme: Scheme, headers: Record<string, string>, secrets = [SECRET]) =>
    await verify(scheme, { headers: new Headers(headers), raw: BODY }, secrets, NOW);

  test("missing headers", async () => {
    expect(await message(verifyStripe, {})).toEqual({
      code: "missing_signature",
      message: "The header Stripe-Signature is missing.",
    });
    expect(await message(either, {})).toEqual({
      code: "missing_signature",
      message: "The headers svix-id, svix-timestamp, svix-signature are missing.",
    });
    expect(await message(either, { "webhook-id": "a", "webhook-timestamp": "1" })).toEqual({
      code: "missing_signature",
      message: "The header webhook-signature is missing.",
    });
    expect((await message(webhook, await signStandard("svix", SECRET, "a", BODY, SECONDS)))?.code).toBe(
      "missing_signature",
    );
  });

  test("the complete set of headers counts, whichever comes first", async () => {
    const { headers } = await standard();
    expect(await message(either, { ...headers, "svix-id": "msg_2" })).toBe(undefined);
    const forged = { ...headers, "svix-id": "msg_2", "svix-timestamp": "1", "svix-signature": "v1,AAAA" };
    expect((await message(either, forged))?.code).toBe("invalid_signature");
  });

  test("no secret, or no usable one", async () => {
    const { headers } = await standard();
    for (const scheme of [webhook, verifyStripe]) {
      for (const secrets of [[], [""], [" \n"]]) {
        expect((await message(scheme, headers, secrets))?.code).toBe("source_not_configured");
      }
    }
    expect(await message(webhook, headers, ["whsec_%%%"])).toEqual({
      code: "source_not_configured",
      message: "No configured signing secret can be used: expected whsec_<base64>.",
    });
    await expect(signStandard("webhook", "%%%", "a", BODY, 1)).rejects.toThrow("not base64");
  });

  test("headers that cannot be read", async () => {
    for (const header of ["x", "v1=00", "t=1", "t=abc,v1=00", "t=-5,v1=00", "t=1e9,v1=00", ",,,", "t=,v1="]) {
      expect((await message(verifyStripe, { "stripe-signature": header }))?.code).toBe("invalid_signature");
    }
    const { headers } = await standard();
    for (const signature of ["v1", "v1,", ",", "v1a,AAAA", "v0,AAAA"]) {
      expect((await message(webhook, { ...headers, "webhook-signature": signature }))?.code).toBe("invalid_signature");
    }
  });
});

test("no random request is accepted, and none makes verify throw", { timeout: 30_000 }, async () => {
  const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)) });
  const stamp = fc.oneof(latin, fc.constant(String(SECONDS)));
  const signature = fc.oneof(
    latin,
    latin.map((text) => `v1,${btoa(text)} v1,${text}`),
    fc.tuple(stamp, fc.uint8Array({ maxLength: 40 })).map(([t, bytes]) => `t=${t},v1=${toHex(bytes)}`),
  );
  const secret = fc.oneof(fc.string(), fc.constant(SECRET), fc.constant(STRIPE_SECRET));
  await fc.assert(
    fc.asyncProperty(
      latin,
      stamp,
      signature,
      fc.string({ unit: "binary" }),
      fc.array(secret),
      async (id, at, sig, raw, secrets) => {
        const headers = {
          "webhook-id": id,
          "webhook-timestamp": at,
          "webhook-signature": sig,
          "stripe-signature": sig,
        };
        for (const scheme of [webhook, either, verifyStripe]) {
          expect(await code(scheme, { headers, raw }, secrets)).toMatch(
            /^(missing|invalid)_signature$|^source_not_configured$/,
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("a signed request is accepted with any body", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      async (raw, key) => {
        const secret = `whsec_${toBase64(key)}`;
        const headers = await signStandard("webhook", secret, "msg_1", raw, SECONDS);
        expect(await code(webhook, { headers, raw }, [secret])).toBe(undefined);
        const signature = await signStripe(secret, raw, SECONDS);
        expect(await code(verifyStripe, { headers: { "stripe-signature": signature }, raw }, [secret])).toBe(undefined);
      },
    ),
    { numRuns: 100 },
  );
});
