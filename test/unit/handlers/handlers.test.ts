import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listSamples, sampleBody, signedSample } from "../../../scripts/samples/samples.ts";
import { clerk } from "../../../src/handlers/clerk.ts";
import { generic } from "../../../src/handlers/generic.ts";
import { stripe } from "../../../src/handlers/stripe.ts";
import { supabase } from "../../../src/handlers/supabase.ts";
import { digest } from "../../../src/lib/util/hmac.ts";
import type { Handler } from "../../../src/webhook.ts";
import { listHandlers } from "../../handlers.ts";
import { requestOf, verify } from "../signed.ts";

const NOW = 1_760_000_000_000;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const HANDLERS = await listHandlers();

const read = (handler: Handler | undefined, json: unknown, headers: Record<string, string> = {}) => {
  if (!handler) throw new Error("no such handler");
  return handler.read(requestOf({ headers: new Headers(headers), raw: JSON.stringify(json) }), json, NOW);
};

describe("every sample", () => {
  test.each(listSamples().map(({ source, type }) => [`${source} ${type}`, source, type] as const))(
    "%s: verifies, and reads as what was sent",
    async (_name, source, type) => {
      const handler = HANDLERS[source];
      const { raw, headers, id } = await signedSample(source, type, { secret: SECRET, now: NOW });
      const request = requestOf({ headers: new Headers(headers), raw });
      if (!handler) throw new Error("no such handler");
      expect(await verify(handler.scheme, request, [SECRET], NOW)).toBe(undefined);
      expect(await verify(handler.scheme, { ...request, raw: `${raw} ` }, [SECRET], NOW)).toHaveProperty(
        "code",
        "invalid_signature",
      );
      const envelope = await handler?.read(request, JSON.parse(raw), NOW);
      expect(envelope).toMatchObject({ id, occurredAt: NOW });
      expect(envelope?.type).toBe(source === "supabase" ? "send-email" : type);
      expect(envelope?.body).toMatchObject(JSON.parse(raw));
    },
  );
});

describe("bodies of another shape", () => {
  test.each(Object.entries(HANDLERS))("%s says what it expected", async (_name, handler) => {
    for (const json of [null, [], "text", 7, true])
      await expect(read(handler, json)).rejects.toThrow(/^The body is not an? /);
  });

  test.each(Object.entries(HANDLERS))("%s never fails by accident", async (_name, handler) => {
    const part = fc.jsonValue();
    const body = fc.oneof(
      part,
      fc.record(
        {
          id: part,
          object: fc.constantFrom("event", "x"),
          type: part,
          created: part,
          timestamp: part,
          data: part,
          user: part,
        },
        { requiredKeys: [] },
      ),
      fc.record({
        metadata: fc.oneof(part, fc.record({ name: part, time: part, uuid: part })),
        user: part,
        email_data: part,
      }),
    );
    const headers = fc.constantFrom({}, { "webhook-id": "msg_1" }, { "svix-id": "msg_1", "svix-timestamp": "x" });
    await fc.assert(
      fc.asyncProperty(body, headers, async (json, given) => {
        const envelope = await read(handler, json, given as Record<string, string>).catch((error: unknown) => error);
        if (envelope instanceof Error) {
          expect(envelope).not.toBeInstanceOf(TypeError);
          expect(envelope.message).toMatch(/^The (body|request) is not an? |^The hook /);
          return;
        }
        const { id, type, occurredAt } = envelope as Awaited<ReturnType<Handler["read"]>>;
        expect([typeof id, typeof type, Number.isFinite(occurredAt)]).toEqual(["string", "string", true]);
        expect(id).not.toBe("");
      }),
      { numRuns: 200 },
    );
  });

  test("the message names the field", async () => {
    await expect(read(stripe as Handler, { object: "event", id: 3, type: "x" })).rejects.toThrow(
      "The body is not a Stripe event: id must be a string, got a value of type number.",
    );
    await expect(read(stripe as Handler, { id: "evt_1" })).rejects.toThrow('object must be "event"');
    await expect(read(clerk as Handler, { type: "user.created" })).rejects.toThrow(
      "(its data): expected a JSON object",
    );
    await expect(read(clerk as Handler, { type: "user.created", data: {} })).rejects.toThrow("svix-id is missing");
    await expect(read(supabase as Handler, { email_data: {} })).rejects.toThrow("(its user): expected a JSON object");
  });
});

describe("stripe", () => {
  const body = sampleBody("stripe", "customer.created");

  test("test data is marked, live data is not", async () => {
    expect(await read(stripe as Handler, { ...body, livemode: false })).toHaveProperty("test", true);
    expect(await read(stripe as Handler, { ...body, livemode: true })).toHaveProperty("test", false);
  });

  test("reads a thin event", async () => {
    const thin = {
      id: "evt_test_65R9Ijk8dKEYZcXeRWn16R9A7j1FSQ3w3TGDPLLGSM4CW0",
      object: "v2.core.event",
      type: "v1.billing.meter.error_report_triggered",
      livemode: false,
      created: "2026-09-17T06:20:52.246Z",
    };
    expect(await read(stripe as Handler, thin)).toEqual({
      id: thin.id,
      type: thin.type,
      occurredAt: Date.UTC(2026, 8, 17, 6, 20, 52, 246),
      body: thin,
      test: true,
    });
  });

  test("ranks the states of one object", () => {
    const ranks = ["created", "updated", "paused", "deleted"].map(
      (verb) => stripe.rank?.(`customer.subscription.${verb}`) ?? 0,
    );
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(new Set(ranks).size).toBe(4);
    expect(stripe.rank?.("customer.subscription.resumed")).toBe(stripe.rank?.("customer.subscription.paused"));
    expect([
      stripe.rank?.("customer.created"),
      stripe.rank?.("customer.updated"),
      stripe.rank?.("customer.deleted"),
    ]).toEqual([1, 2, 4]);
    expect([stripe.rank?.("invoice.created"), stripe.rank?.("customer.constructor")]).toEqual([0, 0]);
  });
});

describe("clerk", () => {
  test("the id is the message id, from either kind of header", async () => {
    const body = sampleBody("clerk", "user.created");
    expect(await read(clerk as Handler, body, { "svix-id": "msg_1" })).toHaveProperty("id", "msg_1");
    expect(await read(clerk as Handler, body, { "webhook-id": "msg_2" })).toHaveProperty("id", "msg_2");
  });

  test("the time comes from the header where the body has none", async () => {
    const { timestamp: _, ...body } = sampleBody("clerk", "user.created");
    const headers = { "svix-id": "msg_1", "svix-timestamp": "1700000000" };
    expect(await read(clerk as Handler, body, headers)).toHaveProperty("occurredAt", 1_700_000_000_000);
    expect(await read(clerk as Handler, body, { "svix-id": "msg_1" })).toHaveProperty("occurredAt", NOW);
  });

  test("ranks the states of a user", () => {
    expect(
      ["user.created", "user.updated", "user.deleted", "session.created", "constructor"].map((type) =>
        clerk.rank?.(type),
      ),
    ).toEqual([1, 2, 3, 0, 0]);
  });
});

describe("supabase", () => {
  const body = sampleBody("supabase", "send-email") as {
    metadata: object;
    user: object;
    email_data: { token_hash: string };
  };

  test("the id is the same on every retry, although webhook-id is not", async () => {
    const ids = await Promise.all(["a", "b"].map((id) => read(supabase as Handler, body, { "webhook-id": id })));
    expect(ids.map(({ id }) => id)).toEqual(Array(2).fill("8b1c9a6e-7d54-4c3e-8f2b-5d0f6a1b2c3d"));
  });

  test("without metadata: type from the shape, id from the token's hash, time from the header", async () => {
    const { metadata: _, ...older } = body;
    expect(await read(supabase as Handler, older, { "webhook-timestamp": "1700000000" })).toEqual({
      id: await digest(body.email_data.token_hash),
      type: "send-email",
      occurredAt: 1_700_000_000_000,
      body: { ...older, type: "send-email" },
    });
  });

  test("the time comes from the metadata, unless it is far from the signed time", async () => {
    const told = Date.parse("2026-03-01T12:00:00.123Z");
    const dated = { ...body, metadata: { uuid: "u", name: "send-email", time: "2026-03-01T12:00:00.123Z" } };
    const at = (seconds: number) => read(supabase as Handler, dated, { "webhook-timestamp": String(seconds) });
    expect((await at(told / 1000 + 299)).occurredAt).toBe(told);
    expect((await at(1_700_000_000)).occurredAt).toBe(1_700_000_000_000);
  });

  test("without both, the same body is a repeat for the time of the attempts only", async () => {
    const bare = { user: body.user };
    const bodyDigest = (await digest(JSON.stringify(bare))).slice(0, 32);
    expect(await read(supabase as Handler, bare, { "webhook-id": "a" })).toEqual({
      id: `${bodyDigest}.a`,
      bodyDigest,
      repeatsFor: 10_000,
      type: "unknown",
      occurredAt: NOW,
      body: { ...bare, type: "unknown" },
    });
  });

  test.each(["send-sms", "customize-access-token", "mfa-verification", "password-verification"])(
    "refuses the hook %s, whose answer decides",
    async (name) => {
      await expect(read(supabase as Handler, { ...body, metadata: { name } })).rejects.toThrow(
        `The hook ${name} needs an answer`,
      );
    },
  );

  test("has the answer for the door and the secret paths for the journal", () => {
    expect(supabase.accepted).toEqual({ status: 200 });
    expect(supabase.secretPaths).toEqual([
      "email_data.token",
      "email_data.token_hash",
      "email_data.token_new",
      "email_data.token_hash_new",
    ]);
  });
});

describe("generic", () => {
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": "1700000000" };

  test("a body without a type, or without a time", async () => {
    for (const body of [{ data: {} }, { type: "", data: {} }, { type: 7, timestamp: "yesterday" }]) {
      expect(await read(generic as Handler, body, headers)).toEqual({
        id: "msg_1",
        type: "unknown",
        occurredAt: 1_700_000_000_000,
        body,
      });
    }
  });
});
