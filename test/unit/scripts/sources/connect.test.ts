import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readDevVars } from "../../../../scripts/dev-vars.ts";
import { parse } from "../../../../scripts/lib/command.ts";
import { connect, SNAPSHOT_ONLY } from "../../../../scripts/sources/connect.ts";
import { listSources } from "../../../../scripts/sources/list.ts";
import { SOURCES } from "../../../../scripts/sources/usage.ts";
import { sources } from "../../../../src/sources.ts";

type Destination = {
  id: string;
  enabled_events: string[];
  event_payload: string;
  status: string;
  webhook_endpoint: { url: string };
};

const KEY = "sk_test_destinations";
const URL_OF_BRIDGE = "https://bridge.example.com";
const ADDRESS = `${URL_OF_BRIDGE}/hooks/stripe`;

/** A stand-in of Stripe's event destinations, two on a page. */
const stripe = {
  destinations: [] as Destination[],
  asked: [] as string[],
  failure: undefined as { status: number; body: object } | undefined,
  made: 0,
};

const bodyOf = async (request: IncomingMessage) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? {} : JSON.parse(text);
};

const answer = (method: string, path: string, query: URLSearchParams, body: Record<string, unknown>): object => {
  const [, id, act] = /^\/v2\/core\/event_destinations(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? [];
  const known = stripe.destinations.find((one) => one.id === id);
  if (method === "GET") {
    const from = Number(query.get("page") ?? 0);
    const next = from + 2 < stripe.destinations.length ? `/v2/core/event_destinations?page=${from + 2}` : null;
    return { data: stripe.destinations.slice(from, from + 2), next_page_url: next };
  }
  if (method === "DELETE") {
    stripe.destinations = stripe.destinations.filter((one) => one !== known);
    return { id };
  }
  if (known) return Object.assign(known, act === "enable" ? { status: "enabled" } : body);
  const { include: _, name: _name, ...given } = body;
  const made = { ...given, id: `ed_${++stripe.made}`, status: "enabled" } as Destination;
  stripe.destinations.push(made);
  return { ...made, webhook_endpoint: { ...made.webhook_endpoint, signing_secret: `whsec_made${stripe.made}` } };
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const body = await bodyOf(request);
  stripe.asked.push(`${request.method} ${pathname}`);
  const bad =
    request.headers.authorization === `Bearer ${KEY}` && request.headers["stripe-version"]
      ? stripe.failure
      : { status: 401, body: { error: { message: "Invalid API key." } } };
  response.writeHead(bad?.status ?? 200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(bad?.body ?? answer(request.method ?? "", pathname, searchParams, body)));
});

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-connect-"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => Object.assign(stripe, { destinations: [], asked: [], failure: undefined, made: 0 }));

let files = 0;
const world = () => ({ file: join(folder, `${++files}.vars`), lines: [] as string[] });

const run = async (
  line: string[],
  { file, lines }: ReturnType<typeof world>,
  more: Record<string, string | undefined> = {},
) => {
  const { args, values } = parse(SOURCES, ["connect", ...line]);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const vars = { STRIPE_API_KEY: KEY, STRIPE_API_URL: base, PUBLIC_URL: URL_OF_BRIDGE, ...more };
  await connect(args[0] ?? "", values, { vars, file, fetch, print: (text) => void lines.push(text) });
  return lines.join("\n");
};

const rules = sources.stripe?.rules;
const types = [...new Set([...(rules?.rules.flatMap(({ on }) => on) ?? []), ...(rules?.namedBy ?? [])])];

describe("npm run sources -- connect stripe", () => {
  it("makes a destination with exactly the events of the rules, and stores its secret before the former one", async () => {
    const own = world();
    const printed = await run(["stripe"], own);
    expect(stripe.destinations).toHaveLength(1);
    expect(stripe.destinations[0]).toMatchObject({
      type: "webhook_endpoint",
      event_payload: "thin",
      webhook_endpoint: { url: ADDRESS },
    });
    const expected = types.filter((type) => !SNAPSHOT_ONLY.includes(type)).map((type) => `v1.${type}`);
    expect(stripe.destinations[0]?.enabled_events.toSorted()).toEqual(expected.toSorted());
    const [made, former] = readDevVars(own.file).STRIPE_WEBHOOK_SECRET?.split(" ") ?? [];
    expect([made, former]).toEqual(["whsec_made1", expect.stringMatching(/^whsec_/)]);
    expect(printed).not.toContain("whsec_");
    expect(printed).toContain("npx wrangler secret put STRIPE_WEBHOOK_SECRET");
    expect(printed).toContain("npx wrangler secret put STRIPE_API_KEY");
  });

  it("makes one of snapshot events beside a thin one, and keeps both secrets", async () => {
    const own = world();
    await run(["stripe"], own);
    const printed = await run(["stripe", "--payload", "snapshot"], own);
    expect(stripe.destinations.map(({ event_payload: kind }) => kind)).toEqual(["thin", "snapshot"]);
    expect(stripe.destinations[1]?.enabled_events.toSorted()).toEqual(types.toSorted());
    expect(readDevVars(own.file).STRIPE_WEBHOOK_SECRET).toBe("whsec_made2 whsec_made1");
    expect(printed).toContain("another destination (thin) with this address: ed_1");
  });

  it("a dry run says what would be done, and changes nothing", async () => {
    const own = world();
    const printed = await run(["stripe", "--dry-run"], own);
    expect(printed).toContain(`Would make a destination for ${ADDRESS}`);
    expect(printed).toContain("  + v1.customer.created");
    expect(stripe.asked).toEqual(["GET /v2/core/event_destinations"]);
    expect(() => readFileSync(own.file)).toThrow(/ENOENT/);
  });

  it("brings the events of an existing destination up to date, and enables it, on a later page too", async () => {
    const own = world();
    const other = { event_payload: "thin", status: "enabled", enabled_events: ["v1.customer.created"] };
    for (const n of [1, 2])
      stripe.destinations.push({
        ...other,
        id: `ed_other${n}`,
        webhook_endpoint: { url: `https://other.example/${n}` },
      });
    await run(["stripe"], own);
    const [, , known] = stripe.destinations;
    Object.assign(known ?? {}, { enabled_events: ["v1.customer.created", "v1.price.created"], status: "disabled" });
    const dry = await run(["stripe", "--dry-run"], world());
    expect(dry).toMatch(
      /Would update ed_1:\n(.*\n)*\s+\+ v1\.customer\.updated\n(.*\n)*\s+- v1\.price\.created\n\s+\+ enabled/,
    );
    expect(known).toMatchObject({ status: "disabled" });
    await run(["stripe"], world());
    expect(known?.status).toBe("enabled");
    expect(known?.enabled_events).not.toContain("v1.price.created");
    expect(known?.enabled_events.length).toBeGreaterThan(40);
    const again = await run(["stripe"], world());
    expect(again).toContain("ed_1 has exactly the");
    expect(again).toContain("--replace");
    expect(stripe.destinations.map(({ enabled_events: events }) => events.length)).toEqual([
      1,
      1,
      known?.enabled_events.length,
    ]);
  });

  it("--replace makes a new one and deletes the former, for a secret that was lost", async () => {
    const own = world();
    await run(["stripe"], own);
    expect(await run(["stripe", "--replace"], own)).toContain("Deleted the former destination ed_1");
    expect(stripe.destinations.map(({ id }) => id)).toEqual(["ed_2"]);
    expect(readDevVars(own.file).STRIPE_WEBHOOK_SECRET).toBe("whsec_made2 whsec_made1");
  });

  it.each([
    [["clerk"], {}, /only a source of Stripe can be connected/],
    [["stirpe"], {}, /Did you mean stripe/],
    [["stripe", "--payload", "fat"], {}, /expected thin or snapshot/],
    [["stripe"], { PUBLIC_URL: undefined }, /--url https/],
    [["stripe", "--url", "http://bridge.example.com"], {}, /needs an https address/],
    [["stripe"], { STRIPE_API_KEY: "" }, /STRIPE_API_KEY is not set/],
    [["stripe"], { STRIPE_API_KEY: "rk_read" }, /status 401: Invalid API key.*write access to event destinations/],
    [["stripe"], { STRIPE_API_URL: "http://127.0.0.1:1" }, /cannot be reached at http:\/\/127\.0\.0\.1:1/],
  ])("%s with %o is refused", async (line, more, message) => {
    await expect(run(line, world(), more)).rejects.toThrow(message);
    expect(stripe.destinations).toEqual([]);
  });

  it("a failure of Stripe has its message, and nothing is stored", async () => {
    const own = world();
    stripe.failure = { status: 400, body: { error: { message: "Unknown event type v1.customer.created." } } };
    await expect(run(["stripe"], own)).rejects.toThrow("status 400: Unknown event type v1.customer.created.");
    expect(() => readFileSync(own.file)).toThrow(/ENOENT/);
  });
});

it("every thin event of the rules exists at Stripe, and those without a thin form do not", () => {
  const declared = readFileSync("node_modules/stripe/esm/resources/V2/Core/Events.d.ts", "utf8");
  const missing = types.filter((type) => !declared.includes(`'v1.${type}'`));
  expect(missing).toEqual(SNAPSHOT_ONLY);
});

it("npm run sources lists sources with what is set, and no value", () => {
  const listed = listSources({ STRIPE_WEBHOOK_SECRET: "whsec_secret", STRIPE_API_KEY: "rk_key" });
  expect(listed).toMatch(/stripe +Stripe +\/hooks\/stripe +STRIPE_WEBHOOK_SECRET is set +STRIPE_API_KEY is set/);
  expect(listed).toContain("CLERK_WEBHOOK_SECRET is not set");
  expect(listed).not.toMatch(/whsec_secret|rk_key/);
});
