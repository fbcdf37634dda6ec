import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { localSettings, parseDevVars, readDevVars } from "../../../scripts/dev-vars.ts";
import { assign } from "../../../scripts/samples/assign.ts";
import { listSamples, sampleBody, signedSample } from "../../../scripts/samples/samples.ts";
import { stripe } from "../../../src/handlers/stripe.ts";
import { nearest } from "../../../src/lib/util/nearest.ts";
import { verify } from "../signed.ts";

const NOW = 1_760_000_000_000;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const scripts = (path: string) => fileURLToPath(new URL(`../../../scripts/${path}`, import.meta.url).href);

/** Samples with another fixture name. The subscription sample enters the sample workflow about a trial. */
const FIXTURES: Readonly<Record<string, string>> = {
  "customer.subscription.created": "customer.subscription.created.trialing",
};

describe("the samples", () => {
  test("each is the fixture of its name, so that npm run check shows what it makes", () => {
    expect(listSamples().length).toBeGreaterThan(10);
    for (const { source, type } of listSamples()) {
      const fixture = join(import.meta.dirname, "../..", "fixtures", source, `${FIXTURES[type] ?? type}.json`);
      expect(sampleBody(source, type)).toEqual(JSON.parse(readFileSync(fixture, "utf8")));
    }
  });

  test.each(listSamples().map(({ source, type }) => [`${source} ${type}`, source, type] as const))(
    "%s has only example addresses, and its own type",
    (_name, source, type) => {
      const body = sampleBody(source, type);
      const addresses = JSON.stringify(body).match(/[\w.+-]+@[\w.-]+/g) ?? [];
      expect(addresses.filter((address) => !address.endsWith("@example.com"))).toEqual([]);
      if (source !== "supabase") expect(body.type).toBe(type);
    },
  );

  test.each(["stripe", "clerk", "supabase", "generic"])(
    "%s: a new id each time, and the time of now",
    async (source) => {
      const type = listSamples().find((sample) => sample.source === source)?.type ?? "";
      const [a, b] = await Promise.all([1, 2].map(() => signedSample(source, type, { secret: SECRET, now: NOW })));
      expect(a?.id).not.toBe(b?.id);
      expect(a?.id.length).toBeGreaterThan(20);
      const body = JSON.parse(a?.raw ?? "");
      const at = body.created ?? body.timestamp ?? body.metadata.time;
      expect(new Date(source === "stripe" ? at * 1000 : at).getTime()).toBe(NOW);
    },
  );

  test("values that are set are in the signed body, and replace the fresh ones", async () => {
    const { raw, headers, id } = await signedSample("stripe", "checkout.session.completed", {
      secret: SECRET,
      now: NOW,
      set: { id: "evt_mine", "data.object.amount_total": "4900" },
    });
    expect(id).toBe("evt_mine");
    expect(JSON.parse(raw)).toMatchObject({ id: "evt_mine", data: { object: { amount_total: 4900 } } });
    expect(await verify(stripe.scheme, { headers: new Headers(headers), raw }, [SECRET], NOW)).toBe(undefined);
  });

  test("each delivery gives a new copy", () => {
    assign(sampleBody("generic", "user.created"), "data.email", "grace@example.com");
    expect(sampleBody("generic", "user.created")).toHaveProperty("data.email", "ada@example.com");
  });

  test("an unknown one is an error with the nearest name", async () => {
    const options = { secret: SECRET, now: NOW };
    await expect(signedSample("strip", "x", options)).rejects.toThrow('no samples of "strip". Did you mean stripe?');
    await expect(signedSample("stripe", "invoice.payed", options)).rejects.toThrow("Did you mean invoice.paid?");
    await expect(signedSample("constructor", "name", options)).rejects.toThrow("no samples");
    await expect(signedSample("stripe", "toString", options)).rejects.toThrow("no sample");
  });
});

describe("assign", () => {
  const changed = (path: string, value: unknown) => {
    const body = { a: { list: [{ n: 1 }, { n: 2 }], none: null, metadata: {} }, metadata: { name: "x" } };
    assign(body, path, value);
    return body;
  };

  test("paths through objects and lists", () => {
    expect(changed("a.list[1].n", "3").a.list).toEqual([{ n: 1 }, { n: 3 }]);
    expect(changed("a.list.0.n", "3").a.list).toEqual([{ n: 3 }, { n: 2 }]);
    expect(changed("a.none", "x").a.none).toBe("x");
  });

  test.each([
    ["4900", 4900],
    ['"4900"', "4900"],
    ["null", null],
    ["true", true],
    ["[1]", [1]],
    ["jpy", "jpy"],
    ["", ""],
    [7, 7],
  ])("the value %o is %o", (given, value) => {
    expect(changed("a.none", given).a.none).toEqual(value);
  });

  test("an unknown path is an error with the nearest one", () => {
    expect(() => changed("a.lisst[0].n", 1)).toThrow("No such path: a.lisst[0].n. Did you mean a.list?");
    expect(() => changed("a.list[2].n", 1)).toThrow("No such path: a.list[2].n. Did you mean a.list.");
    expect(() => changed("a.none.b", 1)).toThrow("a.none is null in this sample; set it as a whole.");
    expect(() => changed("__proto__.polluted", 1)).toThrow("No such path");
    expect(() => changed("metadata.nmae", 1)).toThrow("Did you mean metadata.name?");
    expect(() => changed("", 1)).toThrow("No such path");
  });

  test("metadata takes any key", () => {
    expect(changed("a.metadata.mine", "1").a.metadata).toEqual({ mine: 1 });
    expect(Object.getPrototypeOf(changed("a.metadata.__proto__", "{}").a.metadata)).toBe(Object.prototype);
  });
});

test("the nearest word", () => {
  expect(nearest("user.craeted", ["user.deleted", "user.created"])).toBe("user.created");
  expect(nearest("puase", ["resume", "pause"])).toBe("pause");
  expect(nearest("help", ["retry", "discard", "erase"])).toBe(undefined);
  expect(nearest("x", [])).toBe(undefined);
});

test(".dev.vars", () => {
  const text = "# note\nA=1\r\nexport B = \"two words\" \nC='x=y#z'\nD=v1,whsec_a+b/c== # why\n\nnot a line\nE=\n";
  expect(parseDevVars(text)).toEqual({ A: "1", B: "two words", C: "x=y#z", D: "v1,whsec_a+b/c==", E: "" });
  expect(readDevVars("/nowhere/.dev.vars")).toEqual({});
  expect(localSettings("/nowhere/.dev.vars")).toEqual({ ...process.env });
});

describe("npm run demo", () => {
  const demo = (args: readonly string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [scripts("demo.ts"), ...args],
        { env: { ...process.env, ...env } },
        (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });

  test("without arguments it lists the samples", async () => {
    const { code, out } = await demo([]);
    expect(code).toBe(0);
    for (const { type } of listSamples()) expect(out).toContain(type);
    expect(out).toContain("npm run demo -- stripe checkout.session.completed --set data.object.amount_total=4900");
  });

  test("posts a signed sample to the source and shows the answer", async () => {
    const got: { url?: string | undefined; headers: IncomingHttpHeaders; raw: string }[] = [];
    const server = createServer(async (request, response) => {
      let raw = "";
      for await (const chunk of request) raw += chunk;
      got.push({ url: request.url, headers: request.headers, raw });
      response.writeHead(202, { "content-type": "application/json" }).end('{"accepted":true}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const args = ["stripe", "invoice.paid", "--set", "data.object.amount_paid=4900"];
    const { code, out, err } = await demo(args, { STRIPE_WEBHOOK_SECRET: `${SECRET}|whsec_old`, PORT: String(port) });
    await new Promise((resolve) => server.close(resolve));

    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain('202 Accepted\n{"accepted":true}');
    expect(got).toHaveLength(1);
    const [{ url, headers, raw } = { headers: {}, raw: "" }] = got;
    expect(url).toBe("/hooks/stripe");
    expect(JSON.parse(raw).data.object.amount_paid).toBe(4900);
    const signed = new Headers({ "stripe-signature": String(headers["stripe-signature"]) });
    expect(await verify(stripe.scheme, { headers: signed, raw }, [SECRET], Date.now())).toBe(undefined);
  });

  test.each([
    [["stripe", "invoice.payed"], "Did you mean invoice.paid?", 2],
    [["stripe", "invoice.paid", "--source", "strip"], "Did you mean stripe?", 2],
    [["stripe", "invoice.paid", "--set", "nothing"], "expected path=value", 2],
    [["stripe", "invoice.paid", "--set", "data.objec.id=1"], "Did you mean data.object?", 2],
    [["stripe", "invoice.paid"], "set STRIPE_WEBHOOK_SECRET in .dev.vars", 1],
    [
      ["stripe", "invoice.paid", "--url", "http://127.0.0.1:9"],
      "Start the bridge in another terminal: npm start",
      1,
      "s",
    ],
    [["clerk", "user.created"], "not base64", 1, "%%%"],
  ] as const)("%j fails with one sentence", async (args, sentence, expected, secret: string = "") => {
    const { code, err } = await demo(args, { STRIPE_WEBHOOK_SECRET: secret, CLERK_WEBHOOK_SECRET: secret });
    expect(code).toBe(expected);
    expect(err).toContain(sentence);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});
