import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadSources } from "../../../../scripts/check/load.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { checkRedact } from "../../../../scripts/check/redact.ts";
import { notCheckable } from "../../../../scripts/check/subjects.ts";
import { generic } from "../../../../src/handlers/generic.ts";
import { segment } from "../../../../src/handlers/segment.ts";
import { type Source, settingsOf } from "../../../../src/sources.ts";
import type { Handler } from "../../../../src/webhook.ts";
import { checkAll, fixture, folder, good, PAID, problemsOf, sourceOf, useFolder, write } from "./setup.ts";

useFolder();

describe("fixtures", () => {
  test("that are not JSON, or not of the provider, are errors", async () => {
    fixture("invoice.paid", PAID);
    writeFileSync(join(folder, "generic", "broken.json"), "{");
    write("generic/list.json", []);
    const found = await problemsOf([good]);
    expect(found).toEqual([
      expect.stringContaining("generic, fixture broken: cannot be read: "),
      expect.stringContaining("generic, fixture list: cannot be read: The body is not a Standard Webhooks event"),
    ]);
    for (const [i, name] of ["broken", "list"].entries())
      expect(found[i]).toContain(
        `If the handler reads headers of the provider, put them into ${name}.headers.json beside the fixture`,
      );
    write("generic/list.headers.json", { "x-topic": "t" });
    expect((await problemsOf([good]))[1]).not.toContain("headers.json");
  });

  test("headers of a fixture replace the usual ones; a batch is several webhooks", async () => {
    const seen: (string | null)[] = [];
    const handler: Handler = {
      ...segment,
      items: (content) => content as unknown[],
      read: async ({ headers }, item, now) => {
        seen.push(headers.get("webhook-id"), headers.get("x-topic"));
        return { id: "1", type: "invoice.paid", occurredAt: now, body: item };
      },
    };
    write("segment/batch.json", [{ data: PAID }, { data: PAID }]);
    write("segment/batch.headers.json", { "X-Topic": "t" });
    const [checked] = await checkAll({ segment: sourceOf([good], handler) }, true);
    expect(seen).toEqual(["msg_batch", "t", "msg_batch", "t"]);
    expect(checked?.problems).toEqual([]);
    const kept = JSON.parse(readFileSync(join(folder, "segment", "expected", "batch.json"), "utf8"));
    expect(kept).toHaveLength(2);
  });

  test("come from the folder of the source, otherwise of its provider; one set of rules is checked once", async () => {
    fixture("invoice.paid", PAID);
    const shared = sourceOf([good]);
    const sources = { generic: shared, other: shared, "generic-eu": shared };
    expect((await checkAll(sources, true)).map(({ sources, runs }) => [sources, runs.length])).toEqual([
      [["generic", "other", "generic-eu"], 1],
    ]);
    write("generic-eu/invoice.paid.json", { type: "invoice.paid", data: { ...PAID, plan: "EU" } });
    const [again] = await checkAll(sources, true);
    expect(again?.runs).toHaveLength(2);
    expect(existsSync(join(folder, "generic-eu", "expected", "invoice.paid.json"))).toBe(true);
  });

  test("other rules over the same fixtures have golden files of their own", async () => {
    fixture("invoice.paid", PAID);
    const other = sourceOf([{ ...good, update: { plan: "EU" } }]);
    const sources = { generic: sourceOf([good]), "generic-eu": other };
    await checkAll(sources, true);
    expect((await checkAll(sources)).flatMap(({ problems }) => problems)).toEqual([]);
    expect(existsSync(join(folder, "generic-eu", "expected", "invoice.paid.json"))).toBe(true);
  });
});

test("a path in redact that no fixture of its source has", async () => {
  fixture("invoice.paid", { ...PAID, card: { last4: null } });
  const withPaths = (redact: string[]) => ({ ...sourceOf([good]), redact });
  const check = async (sources: Record<string, Source>, only?: string) =>
    (await checkRedact(sources, folder, only)).map((problem) => [problem.level, textOf(problem)]);
  expect(await check({ generic: withPaths(["data.email", "data.card.last4"]) })).toEqual([]);
  const missing = (path: string, where = "no fixture has this path", of = "generic") => [
    "error",
    `${of}: redact has the path "${path}", but ${where}. Is it misspelled? A wrong path redacts nothing. Otherwise add a payload with it to test/fixtures/${of}`,
  ];
  const sources = { generic: withPaths(["data.email", "data.emial", "email", "data.card.last4.x"]) };
  expect(await check(sources)).toEqual(["data.emial", "email", "data.card.last4.x"].map((path) => missing(path)));
  const silent = { handler: generic as unknown as Handler, secret: "S", redact: ["data.emial"] };
  expect(await check({ generic: silent })).toEqual([missing("data.emial")]);
  expect(await check({ segment: { handler: segment as Handler, secret: "S", redact: ["userId"] } })).toEqual([
    missing("userId", "there is no fixture", "segment"),
  ]);
  expect(await check({ generic: silent, other: withPaths([]) }, "other")).toEqual([]);
});

test("--only needs a source that exists and has rules", () => {
  const sources = { generic: sourceOf([good]), segment: { handler: segment as Handler, secret: "S" } };
  expect(notCheckable(sources, "generic")).toBeUndefined();
  expect(notCheckable(sources, "segment")).toMatch(/"segment" has no rules.*nothing to check/);
  expect(notCheckable(sources, "genric")).toMatch(/no source "genric".*Did you mean generic/);
});

describe("sources", () => {
  test("are loaded", async () => {
    const sources = { generic: sourceOf([good]) };
    expect(await loadSources(async () => ({ sources }))).toEqual({ sources, problems: [] });
  });

  test("with a setting that no deployment would start with are a problem", async () => {
    const sources = { generic: { ...sourceOf([good]), header: "X-Acme-Token" } };
    expect((await loadSources(async () => ({ sources, settingsOf }))).problems.map(textOf)).toEqual([
      expect.stringContaining(
        'The source "generic" has a wrong header: Standard Webhooks sends no header that you name.',
      ),
    ]);
  });

  test("with a rule whose template names none are a problem, which names the rule", async () => {
    const problemWith = async (transactional: unknown) => {
      const sources = { generic: sourceOf([{ ...good, transactional } as never]) };
      return (await loadSources(async () => ({ sources, settingsOf }))).problems.map(textOf).join();
    };
    const about = 'The rule "paid" of the source "generic" has a wrong template: ';
    const template = () => "receipt";
    expect(await problemWith({ template })).toContain(`${about}template is a function, so templates must list`);
    expect(await problemWith({ template, templates: [] })).toContain(about);
    expect(await problemWith({ template: "" })).toContain(`${about}template must be a name in TEMPLATES`);
    expect(await problemWith({ template, templates: ["receipt"] })).toBe("");
  });

  test("that cannot be loaded are a problem with file and line", async () => {
    mkdirSync(join(folder, "src", "mappings"), { recursive: true });
    const mapping = join(folder, "src", "mappings", "planted.ts");
    writeFileSync(mapping, '\nthrow new Error("planted");\n');
    const { sources, problems } = await loadSources(() => import(mapping));
    expect([sources, problems.map(textOf)]).toEqual([
      {},
      ["src/mappings/planted.ts:2: the rules cannot be loaded: planted"],
    ]);
  });
});
