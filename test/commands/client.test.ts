import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../scripts/bundle.ts";
import { startWorker } from "../../scripts/worker.ts";
import { type Clone, cloneRepository } from "../system/clone.ts";
import { type Mailspan, startMailspan } from "../system/mailspan.ts";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

let mailspan: Mailspan;
let clone: Clone;
let project: string;
beforeAll(async () => {
  mailspan = await startMailspan();
  clone = await cloneRepository();
  const { stdout } = await run("npm", ["pack", "--silent"], { cwd: clone.path });
  project = await mkdtemp(join(tmpdir(), "mailspan-client-"));
  writeFileSync(join(project, "package.json"), '{ "name": "a-user", "type": "module" }');
  writeFileSync(join(project, "program.js"), program);
  const tarball = join(clone.path, stdout.trim().split("\n").at(-1) ?? "");
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: project });
});
afterAll(async () => {
  await mailspan.stop();
  await clone.remove();
  await rm(project, { recursive: true, force: true });
});
/** The team's rate limit is real here: each run starts with an empty window. */
const emptyWindow = () => new Promise((resolve) => setTimeout(resolve, 1_050));

const program = `
import { ApiError, createClient } from "mailspan/client";
export const program = async (baseUrl, apiKey, who) => {
  const api = createClient({ baseUrl, apiKey, headers: { "User-Agent": "a-user/1" } });
  const email = who + "@example.com";
  const refusal = async (promise) => {
    const error = await promise.then(() => undefined, (thrown) => thrown);
    if (!(error instanceof ApiError && error instanceof Error)) throw new Error("no ApiError: " + error);
    const { name, status, code, message, requestId, retryAfter } = error;
    return { name, status, code, message, requestId, retryAfter };
  };
  const { teamName } = await api.apiKey.test();
  const { id } = await api.contacts.update({ email, userId: who, firstName: "Ünï", properties: { plan: "pro" } });
  const [found] = await api.contacts.find({ email });
  await api.events.send({ email, eventName: "client/" + who }, { idempotencyKey: who });
  const again = await refusal(api.events.send({ email, eventName: "x" }, { idempotencyKey: who }));
  const pattern = await api.eventPatterns.getByName({ eventName: "client/" + who });
  const missing = await refusal(api.contacts.delete({ userId: "nobody" }));
  const forged = await refusal(createClient({ baseUrl, apiKey: apiKey + "0" }).apiKey.test());
  const burst = await Promise.allSettled(Array.from({ length: 12 }, () => api.apiKey.test()));
  const limited = await refusal(Promise.reject(burst.find(({ status }) => status === "rejected").reason));
  return { teamName, id, found, again, pattern, missing, forged, limited };
};
`;

const expected = (who: string) => {
  const refused = (status: number, code: string, more = {}) =>
    expect.objectContaining({
      name: "ApiError",
      status,
      code,
      message: expect.stringMatching(/\w/),
      requestId: expect.stringMatching(/^req_/),
      ...more,
    });
  return {
    teamName: "Demo",
    id: expect.stringMatching(/^con_/),
    found: expect.objectContaining({ email: `${who}@example.com`, userId: who, firstName: "Ünï", plan: "pro" }),
    again: refused(409, "idempotency_key_used"),
    pattern: expect.objectContaining({ eventName: `client/${who}`, eventProperties: [] }),
    missing: refused(404, "contact_not_found"),
    forged: refused(401, "invalid_api_key"),
    limited: refused(429, "rate_limited", { retryAfter: 1_000 }),
  };
};

const isExecutable = (name: string) => (process.platform === "win32" ? `${name}.exe` : name);
const onPath = (name: string) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => name !== "node" || !folder.includes("node_modules"))
    .map((folder) => join(folder, isExecutable(name)))
    .find((path) => existsSync(path));

const runIn = async (command: string, args: string[], who: string): Promise<unknown> => {
  const main = `import { program } from "./program.js";
console.log(JSON.stringify(await program(${JSON.stringify(mailspan.emailUrl)}, ${JSON.stringify(mailspan.key)}, "${who}")));`;
  writeFileSync(join(project, `${who}.js`), main);
  await emptyWindow();
  const { stdout } = await run(command, [...args, `${who}.js`], { cwd: project });
  return JSON.parse(stdout);
};

describe("mailspan/client, packed and installed in an empty project", () => {
  it("contains its two files only: no dependency, no script", () => {
    const installed = join(project, "node_modules");
    expect(readdirSync(installed).filter((name) => !name.startsWith("."))).toEqual(["mailspan"]);
    const files = readdirSync(join(installed, "mailspan"), { recursive: true, encoding: "utf8" });
    expect(files.toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist",
      join("dist", "client.d.ts"),
      join("dist", "client.js"),
      "package.json",
    ]);
    const { dependencies, optionalDependencies, scripts } = JSON.parse(
      readFileSync(join(installed, "mailspan", "package.json"), "utf8"),
    );
    expect({ dependencies, optionalDependencies }).toEqual({});
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });

  it("works in the machine's own Node", async () => {
    const node = process.env.npm_node_execpath ?? onPath("node") ?? process.execPath;
    const { stdout } = await run(node, ["--version"]);
    expect(Number(stdout.slice(1).split(".")[0])).toBeGreaterThanOrEqual(20);
    expect(await runIn(node, [], "in-node")).toEqual(expected("in-node"));
  });

  it("works in a Worker", async () => {
    const entry = `import { program } from "./program.js";
export default { fetch: async (_, env) => Response.json(await program(env.URL, env.KEY, "in-workerd")) };`;
    writeFileSync(join(project, "worker.js"), entry);
    const { url, stop } = await startWorker({
      script: await bundle(join(project, "worker.js")),
      vars: { URL: mailspan.emailUrl, KEY: mailspan.key },
    });
    try {
      await emptyWindow();
      const response = await fetch(url);
      expect(await response.json()).toEqual(expected("in-workerd"));
    } finally {
      await stop();
    }
  });

  const deno = onPath("deno");
  if (deno === undefined) {
    if (process.env.npm_lifecycle_event === "test:deno") throw new Error("npx brought no deno onto the PATH.");
    // Written directly: vitest shows no output of passing tests.
    writeSync(
      2,
      "\n*** mailspan/client was NOT run in Deno, which is not on the PATH: npm run test:deno does. ***\n\n",
    );
  }
  it.skipIf(deno === undefined)("works in Deno", async () => {
    const args = ["run", "--quiet", "--no-remote", "--node-modules-dir=manual", "--allow-net=127.0.0.1"];
    expect(await runIn(deno ?? "", args, "in-deno")).toEqual(expected("in-deno"));
  });

  it("uses only the language and web standards", async () => {
    const text = readFileSync(join(project, "node_modules", "mailspan", "dist", "client.js"), "utf8");
    expect(text).not.toMatch(/^\s*import\b|\bimport\(|\brequire\(/m);
    // A context of node:vm has only the language's globals and these. Any other name is a ReferenceError.
    const asked: string[] = [];
    const web = {
      URL,
      Response,
      TextDecoder,
      AbortSignal,
      fetch: async (url: string, { method }: RequestInit) => {
        asked.push(`${method} ${url}`);
        return Response.json(
          { success: false, message: "Slow down." },
          { status: 429, headers: { "Retry-After": "2" } },
        );
      },
    };
    const script = text.replace(/export \{([^}]*)\};?\s*$/, "({$1})");
    const { createClient, ApiError } = runInContext(script, createContext(web));
    const api = createClient({ baseUrl: "https://host.test/v1/", apiKey: "k" });
    const deliveries = Object.values(api).flatMap((group) =>
      Object.values(group as Record<string, (input: object) => Promise<unknown>>),
    );
    for (const delivery of deliveries) {
      const input = { email: "a@b.c", eventPatternId: "p", eventName: "e", transactionalId: "t" };
      const error = await delivery(input).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status: 429, message: "Slow down.", retryAfter: 2_000 });
    }
    expect(asked).toHaveLength(deliveries.length);
    expect(asked.every((line) => line.includes(" https://host.test/v1/"))).toBe(true);
  });
});

const check = async (file: string, text: string, options: object, at = project): Promise<string> => {
  writeFileSync(join(at, file), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2023", "dom"],
    types: [],
    ...options,
  };
  writeFileSync(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  return run(process.execPath, [tsc, "-p", at]).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
};

const typed = `import { ApiError, type Client, type Contact, createClient, type Workflow, type WorkflowNode } from "mailspan/client";
const api: Client = createClient({ baseUrl: "https://host.test", apiKey: "k" });
export const id: Promise<string> = api.contacts.create({ email: "a@b.c", seats: 3 }).then((created) => created.id);
export const plan: Promise<unknown> = api.contacts.find({ email: "a@b.c" }).then(([first]) => first?.plan);
export const wait = (error: unknown): number | undefined => (error instanceof ApiError ? error.retryAfter : undefined);
export const named: Promise<Contact[]> = api.contacts.find({ email: "a@b.c" });
export const nodes = (workflow: Workflow): WorkflowNode[] => Object.values(workflow.nodes);
api.apiKey.test({ signal: AbortSignal.timeout(200) });
// @ts-expect-error where there is nothing to ask, the options come first
api.apiKey.test({}, { idempotencyKey: "k" });
// @ts-expect-error email is required
api.contacts.create({});
// @ts-expect-error a name is a text
api.events.send({ email: "a@b.c", eventName: 1 });
// @ts-expect-error there is no such operation
api.contacts.nothing();
// @ts-expect-error perPage is a text, as queries are
api.eventPatterns.list({ perPage: 10 });
`;

describe("its types", () => {
  it.each([
    ["nodenext", { module: "nodenext", moduleResolution: "nodenext" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler", exactOptionalPropertyTypes: true }],
  ])("are complete, and found with %s", async (_, options) => {
    expect(await check("typed.ts", typed, { ...options, skipLibCheck: false })).toBe("");
    const wrong = await check(
      "wrong.ts",
      'import { createClient } from "mailspan/client";\ncreateClient({});',
      options,
    );
    expect(wrong).toContain("wrong.ts(2,");
  });

  it("equal the types of the source", async () => {
    const at = join(root, ".test-build", "client-types");
    await mkdir(at, { recursive: true });
    writeFileSync(join(at, "published.d.ts"), readFileSync(join(project, "node_modules/mailspan/dist/client.d.ts")));
    const both = `import type * as published from "./published.d.ts";
import type * as source from "../../src/lib/client.ts";
type P = typeof published; type S = typeof source;
declare const p: P; declare const s: S;
export const toSource: S["createClient"] = p.createClient;
export const toPublished: P["createClient"] = s.createClient;
export const errorToSource: source.ApiError = new p.ApiError(1, "");
export const errorToPublished: published.ApiError = new s.ApiError(1, "");
export const options: source.CallOptions = {} as published.CallOptions;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type PC = published.Client; type SC = ReturnType<S["createClient"]>;
type Differing = { [G in keyof SC]: { [O in keyof SC[G]]: G extends keyof PC ? O extends keyof PC[G]
  ? Same<Parameters<SC[G][O] & ((...args: any) => any)>, Parameters<PC[G][O] & ((...args: any) => any)>> extends true
    ? Same<ReturnType<SC[G][O] & ((...args: any) => any)>, ReturnType<PC[G][O] & ((...args: any) => any)>> extends true ? never : [G, O, "answer"]
    : [G, O, "request"] : [G, O, "missing"] : [G, "missing"] }[keyof SC[G]] }[keyof SC];
const none: Differing[] = [] as never[];
export const nothingDiffers: never[] = none;
`;
    const options = {
      module: "esnext",
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      exactOptionalPropertyTypes: true,
      types: ["@cloudflare/workers-types"],
      lib: ["es2024"],
      target: "es2024",
    };
    expect(await check("both.ts", both, options, at)).toBe("");
  });
});
