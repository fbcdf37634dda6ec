import { describe, expect, it } from "vitest";
import { fetchText } from "../../../../src/lib/signature/parts/keys.ts";
import type { VerifyContext } from "../../../../src/lib/signature/scheme.ts";
import { verifyWith } from "../../../../src/lib/signature/verify.ts";
import { requestOf } from "../../signed.ts";

const URL = "https://keys.test/jwks.json";
const TOPIC = "arn:aws:sns:eu-west-1:123456789012:orders";
const NOW = 1_700_000_000_000;

const createNetwork = () => {
  const asked: string[] = [];
  const open: ((response: Response) => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
  const fetch = (url: string) => {
    asked.push(url);
    return new Promise<Response>((resolve) => open.push(resolve));
  };
  const context: VerifyContext = { cache: new Map(), fetch, sleep };
  return { asked, context, answer: (text: string, status = 200) => open.shift()?.(new Response(text, { status })) };
};

describe("public keys that many requests need at once", () => {
  it("are fetched once, and every request gets them", async () => {
    const { asked, context, answer } = createNetwork();
    const all = Array.from({ length: 15 }, () => fetchText(URL, NOW, context));
    expect(asked).toEqual([URL]);
    answer("keys");
    expect(new Set(await Promise.all(all))).toEqual(new Set(["keys"]));
    expect(asked).toHaveLength(1);
  });

  it("are fetched once again where a key is unknown, and every request gets the new ones", async () => {
    const { asked, context, answer } = createNetwork();
    const first = fetchText(URL, NOW, context);
    answer("old keys");
    await first;
    const all = Array.from({ length: 15 }, () => fetchText(URL, NOW + 40_000, context, true));
    expect(asked).toHaveLength(2);
    answer("new keys");
    expect(new Set(await Promise.all(all))).toEqual(new Set(["new keys"]));
  });

  it("hold no more than twenty waiting requests, and a failure is known to all that wait", async () => {
    const { asked, context, answer } = createNetwork();
    const all = Array.from({ length: 300 }, () => fetchText(URL, NOW, context));
    expect(await Promise.all(all.slice(21))).toEqual(Array(279).fill(undefined));
    answer("", 500);
    expect(await Promise.all(all)).toEqual(Array(300).fill(undefined));
    expect(await fetchText(URL, NOW + 4_000, context)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it("are fetched by another request when the one that began was ended without a result", async () => {
    const { asked, context, answer } = createNetwork();
    void fetchText(URL, NOW, context);
    const second = fetchText(URL, NOW + 7_000, context);
    expect(asked).toHaveLength(2);
    answer("lost");
    answer("keys");
    expect(await second).toBe("keys");
  });
});

describe("a stranger", () => {
  const forged = (n: number) => {
    const url = `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${n}.pem`;
    const message = { Type: "Notification", TopicArn: TOPIC, Signature: "AAAA", SignatureVersion: "2" };
    return requestOf({ headers: new Headers(), raw: JSON.stringify({ ...message, SigningCertURL: url }) });
  };
  const send = (n: number, now: number, context: VerifyContext) =>
    verifyWith({ kind: "sns" }, forged(n), [TOPIC], now, context);

  it("who names a new certificate of Amazon SNS in each message has twenty fetched a minute, and known ones stay", async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return new Response("a text", { status: url === URL || url.endsWith("-0.pem") ? 200 : 403 });
    };
    const context: VerifyContext = { cache: new Map(), fetch, sleep: async () => {} };
    await fetchText(URL, NOW, context);
    await send(0, NOW, context);
    for (let n = 1; n <= 2_000; n++) expect(await send(n, NOW + n, context)).toMatchObject({ code: "key_unavailable" });
    expect(asked).toHaveLength(22);
    expect(await fetchText(URL, NOW + 3_000, context)).toBe("a text");
    expect(await send(0, NOW + 3_000, context)).toMatchObject({ code: "invalid_signature" });
    expect(asked).toHaveLength(22);
    for (let n = 3_000; n < 4_000; n++) await send(n, NOW + 70_000, context);
    expect(asked).toHaveLength(42);
    expect(context.cache.size).toBeLessThanOrEqual(22);
  });

  it("who names new certificates keeps no key of another host from being fetched", async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(url);
      return new Response("keys", { status: url === URL ? 200 : 403 });
    };
    const context: VerifyContext = { cache: new Map(), fetch, sleep: async () => {} };
    for (let n = 1; n <= 30; n++) await send(n, NOW, context);
    expect(asked).toHaveLength(20);
    expect(await fetchText(URL, NOW, context)).toBe("keys");
  });

  it("who names a new key id in each token has the keys fetched once in 30 seconds", async () => {
    let fetched = 0;
    const fetch = async () => {
      fetched++;
      return new Response(JSON.stringify({ keys: [] }));
    };
    const context: VerifyContext = { cache: new Map(), fetch, sleep: async () => {} };
    const scheme = { kind: "jwt", at: "body", keys: { jwks: "https://{secret}/jwks.json" } } as const;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (let n = 0; n < 3_000; n++) {
      const raw = `${part({ alg: "RS256", kid: `k${n}` })}.${part({ type: "x" })}.AAAA`;
      const refusal = await verifyWith(
        scheme,
        requestOf({ headers: new Headers(), raw }),
        ["keys.test"],
        NOW + n * 30,
        context,
      );
      expect(refusal).toMatchObject({ code: "invalid_signature" });
    }
    expect(fetched).toBe(3);
  });
});
