import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../../../src/lib/client.ts";
import { ApiError, ForeignAnswerError } from "../../../../src/lib/contract/client.ts";

const answering = (answer: () => Response) => {
  const requests: Request[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    requests.push(new Request(url, init));
    return answer();
  };
  return { requests, api: (baseUrl = "https://host.test/api") => createClient({ baseUrl, apiKey: "ms_x_1_2", fetch }) };
};
const ok = () => Response.json({ success: true });

describe("the client", () => {
  it("sends each operation as the contract says", async () => {
    const { requests, api } = answering(ok);
    await api().contacts.update({ email: "ada@example.com", properties: { plan: "pro" }, extra: 1 });
    await expect(api().contacts.find({ userId: "a b&c" })).rejects.toBeInstanceOf(ForeignAnswerError);
    await api().events.send({ email: "ada@example.com", eventName: "x" }, { idempotencyKey: "k1" });
    await api().apiKey.test();
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "PUT https://host.test/api/v1/contacts/update",
      "GET https://host.test/api/v1/contacts/find?userId=a+b%26c",
      "POST https://host.test/api/v1/events/send",
      "GET https://host.test/api/v1/api-key",
    ]);
    expect(await requests[0]?.json()).toEqual({ email: "ada@example.com", properties: { plan: "pro" }, extra: 1 });
    expect(requests.map(({ headers }) => headers.get("Authorization"))).toEqual(Array(4).fill("Bearer ms_x_1_2"));
    expect(requests.map(({ headers }) => headers.get("Idempotency-Key"))).toEqual([null, null, "k1", null]);
  });

  it("takes the options first where there is nothing to ask, and ends a call after 30 s, or by a signal of its own", async () => {
    const inits: RequestInit[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      inits.push(init);
      return Response.json([]);
    };
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const own = new AbortController();
    const base = { baseUrl: "https://host.test", apiKey: "k", fetch };
    await createClient(base).lists.list({ signal: own.signal });
    expect(inits[0]?.signal).toBe(own.signal);
    expect(timeout).not.toHaveBeenCalled();
    await createClient(base).lists.list();
    await createClient({ ...base, timeoutMs: 5 }).contacts.find({ email: "a@b.c" });
    await createClient({ ...base, timeoutMs: 0 }).lists.list();
    expect(timeout.mock.calls).toEqual([[30_000], [5]]);
    expect(inits.slice(1).map(({ signal }) => signal)).toEqual([
      ...timeout.mock.results.map(({ value }) => value),
      undefined,
    ]);
    timeout.mockRestore();
  });

  it("ends a call that hangs", async () => {
    const fetch = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const api = createClient({ baseUrl: "https://host.test", apiKey: "k", fetch, timeoutMs: 20 });
    await expect(api.apiKey.test()).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("encodes a path parameter as one segment, and refuses a text that cannot be one", async () => {
    const { requests, api } = answering(() => Response.json({ eventName: "a", eventProperties: [] }));
    await api().eventPatterns.getByName({ eventName: "a/b?c ü%2F" });
    expect(requests[0]?.url).toBe("https://host.test/api/v1/event-patterns/by-name/a%2Fb%3Fc%20%C3%BC%252F");
    for (const eventName of ["", ".", "..", "a\ud83d"]) {
      await expect(api().eventPatterns.getByName({ eventName })).rejects.toThrow("eventName:");
    }
    expect(requests).toHaveLength(1);
  });

  it("refuses half of a surrogate pair in a query, which would find another contact", async () => {
    const { requests, api } = answering(ok);
    await expect(api().contacts.find({ userId: "a\ud83d" })).rejects.toThrow("userId: must be well-formed Unicode");
    expect(requests).toEqual([]);
  });

  it.each(["https://h.test", "https://h.test/", "https://h.test/v1", "https://h.test/v1/"])(
    "takes %s as a base",
    async (base) => {
      const { requests, api } = answering(ok);
      await api(base).apiKey.test();
      expect(requests[0]?.url).toBe("https://h.test/v1/api-key");
    },
  );

  it("throws one error for every refusal, with the email service's words", async () => {
    const refusal = { success: false, code: "rate_limited", message: "Slow down." };
    const { api } = answering(() =>
      Response.json(refusal, { status: 429, headers: { "Retry-After": "2", "x-request-id": "r1" } }),
    );
    const error = await api()
      .apiKey.test()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      code: "rate_limited",
      message: "Slow down.",
      retryAfter: 2_000,
      requestId: "r1",
    });
  });

  it.each([
    ["a message beside an error", { success: false, message: "why", error: { path: "x", message: "x" } }, "why"],
    ["a message under error", { success: false, error: { path: "x", message: "nested" } }, "nested"],
    ["a reason under error", { success: false, message: "", error: { reason: "why" } }, "why"],
    ["error as text", { success: false, error: "Invalid API key" }, "Invalid API key"],
  ])("finds the message in %s", async (_, body, message) => {
    const { api } = answering(() => Response.json(body, { status: 400 }));
    const error = await api()
      .apiKey.test()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, message });
  });

  it("finds a message alone where the operation publishes it, and believes none where it does not", async () => {
    const { api } = answering(() => Response.json({ message: "why" }, { status: 404 }));
    const thrownBy = (answer: Promise<unknown>) => answer.catch((thrown: unknown) => thrown);
    const content = await thrownBy(api().themes.list());
    expect(content).toBeInstanceOf(ApiError);
    expect(content).toMatchObject({ status: 404, message: "why" });
    expect(await thrownBy(api().contacts.delete({ email: "ada@example.com" }))).toBeInstanceOf(ForeignAnswerError);
  });

  it("reads Retry-After as seconds or as a date, and ignores anything else", async () => {
    const now = Date.UTC(2090, 0, 1);
    const retryAfter = async (value: string, clock = {}) => {
      const fetch = async () => new Response("<html>", { status: 503, headers: { "Retry-After": value } });
      const api = createClient({ baseUrl: "https://host.test", apiKey: "k", fetch, ...clock });
      return ((await api.apiKey.test().catch((error: unknown) => error)) as ForeignAnswerError).retryAfter;
    };
    expect(await retryAfter("0.5")).toBe(500);
    expect(await retryAfter("soon")).toBeUndefined();
    expect(await retryAfter(new Date(now + 10_000).toUTCString(), { now: () => now })).toBe(10_000);
    expect(await retryAfter(new Date(now - 10_000).toUTCString(), { now: () => now })).toBe(0);
    expect(await retryAfter(new Date(Date.now() + 10_000).toUTCString())).toBeGreaterThan(8_000);
  });

  it("knows a 429 without a body by the headers that every answer of the API has", async () => {
    const { api } = answering(
      () => new Response(null, { status: 429, headers: { "x-ratelimit-limit": "10", "Retry-After": "1" } }),
    );
    const error = await api()
      .apiKey.test()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 429, retryAfter: 1_000 });
  });

  it("follows no redirect, so that the key reaches no other email service", async () => {
    const { api } = answering(() => new Response(null, { status: 302, headers: { Location: "https://evil.test" } }));
    await expect(api().apiKey.test()).rejects.toMatchObject({ status: 302 });
  });
});
