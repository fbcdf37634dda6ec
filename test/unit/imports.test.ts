import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Import, importsOf, parse, SRC, sources, sourcesIn } from "./source.ts";

/**
 * Folders and files of src with their allowed imports. The first entry that holds a file applies.
 * `types`: `import type` only. `own`: the folder with the file's name, such as `stripe/` for `stripe.ts`.
 */
const LAYERS: { from: string; may: string[]; types?: string[]; own?: true }[] = [
  { from: "lib/audit/note-acts.ts", may: ["lib", "hono"] },
  { from: "lib/contract/mount.ts", may: ["lib/contract", "zod", "hono"] },
  { from: "lib/contract", may: ["lib/contract", "zod"] },
  { from: "lib/imports", may: ["lib", "papaparse"] },
  { from: "lib/signature/kinds/jwt.ts", may: ["lib", "jose"] },
  { from: "lib", may: ["lib"] },
  { from: "webhook.ts", may: [], types: ["lib/signature", "lib/webhook"] },
  {
    from: "handlers",
    may: ["lib", "handlers"],
    types: ["webhook.ts", "stripe", "@clerk/backend", "@supabase/auth-js"],
  },
  { from: "rules", may: ["lib", "rules"], types: ["webhook.ts"] },
  {
    from: "mappings",
    may: ["rules", "handlers"],
    own: true,
    types: ["lib/contract", "webhook.ts", "stripe", "@clerk/backend", "@supabase/auth-js"],
  },
  { from: "outbox", may: ["lib", "outbox", "cloudflare:workers"], types: ["rules"] },
  { from: "email/types", may: ["email/types"], types: ["lib"] },
  { from: "email/env.ts", may: [], types: ["lib", "email/types", "email/delivery/senders"] },
  { from: "email/policy", may: ["lib", "email/policy"] },
  {
    from: "email/mail",
    may: ["lib", "email/mail", "postal-mime", "tldts", "zod", "@noble/hashes/sha2.js"],
    types: ["email/types"],
  },
  {
    from: "email/delivery/mailer",
    may: ["lib", "email/delivery/mailer", "email/mail", "email/types"],
  },
  {
    from: "email/delivery",
    may: [
      "lib",
      "email/delivery",
      "email/mail",
      "email/types",
      "zod",
      "aws4fetch",
      "cloudflare:sockets",
      "cloudflare:email",
    ],
  },
  { from: "email/notifier", may: ["lib", "email/notifier", "email/types", "tldts"], types: ["email/mail/dns"] },
  {
    from: "email/objects/mailer.ts",
    may: ["lib", "email/delivery", "email/mail", "email/types", "email/env.ts", "cloudflare:workers"],
  },
  {
    from: "email/objects/notifier.ts",
    may: ["email/notifier", "email/mail/dns", "email/types", "email/env.ts", "cloudflare:workers"],
  },
  {
    from: "email/objects",
    may: ["lib", "email/mail", "email/objects", "email/types", "email/env.ts", "cloudflare:workers"],
  },
  {
    from: "email/http",
    may: [
      "lib",
      "email/http",
      "email/types",
      "email/env.ts",
      "email/delivery/senders",
      "email/mail",
      "email/notifier",
      "hono",
      "zod",
    ],
  },
  { from: "email/samples", may: ["email/samples"] },
  {
    from: "email/workspace",
    may: [
      "lib",
      "email/workspace",
      "email/policy",
      "email/mail",
      "email/delivery",
      "email/samples",
      "email/types",
      "email/env.ts",
      "zod",
      "@noble/hashes/sha2.js",
      "cloudflare:workers",
    ],
  },
  { from: "email", may: ["lib", "email", "hono"] },
  {
    from: "dashboard/app/vite.config.ts",
    may: ["lib/contract", "dashboard/app", "node:fs", "node:path", "vite", "@vitejs/plugin-react"],
  },
  {
    from: "dashboard/app",
    may: [
      "dashboard/app",
      "lib/mail-body",
      "lib/lmx",
      "lib/workflow-graph",
      "lib/contract/admin/to-end.ts",
      "lib/contract/audience/operators.ts",
      "lib/contract/audience/condition-words.ts",
      "lib/imports",
      "lib/pages",
      "lib/picture/picture.ts",
      "lib/contract/outgoing-events.ts",
      "lib/util/dates.ts",
      "virtual:routes",
      "virtual:rules",
      "react",
      "react-dom",
      "@mantine",
      "@tanstack",
      "get-nonce",
      "@codemirror",
      "@lezer/highlight",
      "@dagrejs/dagre",
      "diff",
    ],
    types: ["lib"],
  },
  {
    from: "dashboard/worker",
    may: ["lib", "dashboard/worker", "hono", "zod", "cloudflare:workers", "@simplewebauthn/server"],
  },
  {
    from: "",
    may: [
      "lib",
      "webhook.ts",
      "handlers",
      "rules",
      "mappings",
      "outbox",
      "routes",
      "sources.ts",
      "env.ts",
      "hono",
      "zod",
    ],
  },
];

/** Folders made of rooms. rooms.json has, for each room, the files that each reader imports: `vitest run --update` writes it. */
const HOUSES = ["outbox", "email/workspace", "lib/lmx"];
/** Rooms that every room of the house may read. */
const OPEN = ["outbox/model", "email/workspace/core"];
type Rooms = Record<string, Record<string, Record<string, string>>>;
const ROOMS = join(import.meta.dirname, "rooms.json");
const allowed: Rooms = JSON.parse(readFileSync(ROOMS, "utf8"));

const isIn = (path: string, folder: string) => folder === "" || path === folder || path.startsWith(`${folder}/`);

const ownFolder = (file: string, from: string) => {
  const [name = ""] = file.slice(from.length + 1).split("/");
  return `${from}/${name.replace(/\.ts$/, "")}`;
};

const layerOffence = ({ file, target, typeOnly }: Import): string | undefined => {
  const rule = LAYERS.find(({ from }) => isIn(file, from));
  const own = rule?.own ? [ownFolder(file, rule.from)] : [];
  const allowed = [...(rule?.may ?? []), ...own, ...(typeOnly ? (rule?.types ?? []) : [])];
  return allowed.some((folder) => isIn(target, folder)) ? undefined : `src/${file} imports ${target}`;
};

const entryOf = ({ file, target }: Import) => {
  const at = HOUSES.find((house) => target.startsWith(`${house}/`));
  if (at === undefined) return undefined;
  const roomOf = (path: string) => {
    const [room = "", ...rest] = path.slice(at.length + 1).split("/");
    return rest.length > 0 ? room : "top";
  };
  const room = roomOf(target);
  const name = target.slice(at.length + 1).replace(/\.ts$/, "");
  const reader = isIn(file, at) ? roomOf(file) : "src";
  return { at, room, name: room === "top" ? name : name.slice(room.length + 1), reader };
};

const isFor = (entry: string, reader: string) => entry === reader || (entry === "all" && reader !== "src");

const roomOffence = (one: Import): string | undefined => {
  const found = entryOf(one);
  if (!found || found.room === found.reader) return undefined;
  const { at, room, name, reader } = found;
  if (room === "top" && reader !== "src") return undefined;
  const open = Object.entries(allowed[at]?.[room] ?? {}).filter(([entry]) => isFor(entry, reader));
  return open.some(([, names]) => names.split(" ").includes(name))
    ? undefined
    : `src/${one.file} imports ${one.target}`;
};

/** The imports between the rooms of each house. */
const roomsOf = (all: readonly Import[]): Rooms => {
  const found: Rooms = {};
  const lines = all.flatMap((one) => {
    const entry = entryOf(one);
    if (!entry || entry.room === entry.reader || (entry.room === "top" && entry.reader !== "src")) return [];
    const { at, room, name } = entry;
    const reader = entry.reader !== "src" && OPEN.includes(`${at}/${room}`) ? "all" : entry.reader;
    return [[at, room, reader, name].join(" ")];
  });
  for (const line of [...new Set(lines)].sort()) {
    const [at = "", room = "", reader = "", name = ""] = line.split(" ");
    found[at] ??= {};
    found[at][room] ??= {};
    const readers = found[at][room];
    readers[reader] = readers[reader] ? `${readers[reader]} ${name}` : name;
  }
  return found;
};

/** Groups of nodes that import each other, sorted: Tarjan's strongly connected components of two or more. */
const circles = (arrows: readonly (readonly [from: string, to: string])[]): string[][] => {
  const next = Map.groupBy(arrows, ([from]) => from);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const own = index.size;
    index.set(node, own);
    path.push(node);
    let low = own;
    for (const [, to] of next.get(node) ?? []) {
      if (!index.has(to)) low = Math.min(low, visit(to));
      else if (path.includes(to)) low = Math.min(low, lowest.get(to) ?? index.get(to) ?? low);
    }
    lowest.set(node, low);
    if (low === own) found.push(path.splice(path.indexOf(node)).sort());
    return low;
  };
  for (const [from] of arrows) if (!index.has(from)) visit(from);
  return found.filter(({ length }) => length > 1);
};

const fileCircles = (imports: readonly Import[]): string[] =>
  circles(imports.map(({ file, target }) => [file, target] as const)).map((circle) => `files: ${circle.join(" ")}`);

const circlesOf = (imports: readonly Import[]): string[] => {
  const folders = new Set<string>();
  for (const { file } of imports) for (let at = dirname(file); at !== "."; at = dirname(at)) folders.add(at);
  const between = (folder: string) => {
    const entry = (path: string) => path.slice(folder === "" ? 0 : folder.length + 1).split("/")[0] ?? "";
    return imports
      .filter(({ file, target }) => isIn(file, folder) && isIn(target, folder))
      .map(({ file, target }) => [entry(file), entry(target)] as const)
      .filter(([from, to]) => from !== to);
  };
  return [
    ...fileCircles(imports),
    ...["", ...folders].flatMap((folder) =>
      circles(between(folder)).map((circle) => `${folder || "src"}: ${circle.join(" ")}`),
    ),
  ];
};

const imports = sources.flatMap(importsOf);
const files = new Set(sources.map(({ file }) => file));
const inner = imports.filter(({ target }) => files.has(target));
const from = (file: string, target: string, typeOnly = false): Import => ({ file, target, typeOnly });

describe("imports", () => {
  it("are read from every file: statements, re-exports, import() and types", () => {
    const text = [
      'import a from "./a.ts";',
      'import { type b } from "../b.ts";',
      'export * from "./c/c.ts";',
      'import "zod";',
      'const d = () => import("./d.ts");',
      'type E = import("./e.ts").E;',
    ].join("\n");
    expect(importsOf({ file: "rules/x.ts", tree: parse(text) })).toEqual([
      from("rules/x.ts", "rules/a.ts"),
      from("rules/x.ts", "b.ts", true),
      from("rules/x.ts", "rules/c/c.ts"),
      from("rules/x.ts", "zod"),
      from("rules/x.ts", "rules/d.ts"),
      from("rules/x.ts", "rules/e.ts", true),
    ]);
    const unknown = imports.filter(({ file, target }) => target.endsWith(".ts") && !files.has(target) && file);
    expect(unknown).toEqual([]);
  });

  it("stay within their layer", () => {
    expect(imports.map(layerOffence).filter(Boolean)).toEqual([]);
  });

  it.each([
    ["the bridge imports the email service", from("outbox/dispatch/deliver.ts", "email/workspace/object.ts", true)],
    ["a route imports the email service", from("routes/hooks.ts", "email/index.ts")],
    ["the email service imports the bridge", from("email/workspace/contacts/handlers.ts", "outbox/journal/read.ts")],
    ["a rule imports the outbox", from("rules/billing/money.ts", "outbox/journal/read.ts", true)],
    ["a handler imports a vendor's code", from("handlers/stripe.ts", "stripe")],
    ["the contract imports hono", from("lib/contract/v1.ts", "hono")],
    ["a leaf imports a product type", from("lib/webhook/event.ts", "webhook.ts", true)],
    ["a mapping does I/O", from("mappings/stripe.ts", "lib/client.ts")],
    ["a mapping's file does I/O", from("mappings/stripe/quotes.ts", "lib/client.ts")],
    ["a mapping imports another's file", from("mappings/clerk.ts", "mappings/stripe/customers.ts")],
    ["a mapping's file imports another mapping", from("mappings/stripe/quotes.ts", "mappings/clerk.ts", true)],
    ["the outbox runs rules", from("outbox/intake/journal-webhook.ts", "rules/evaluate.ts")],
    ["the compiler reads rows", from("lib/lmx/compile.ts", "email/workspace/core/context.ts", true)],
    ["a route of the email service imports an object", from("email/http/app.ts", "email/workspace/object.ts", true)],
    ["the operator's contract imports hono", from("lib/contract/admin/email.ts", "hono")],
    ["an RPC type imports code", from("email/types/workspace.ts", "email/http/app.ts")],
  ])("out of their layer are refused: %s", (_what, planted) => {
    expect(layerOffence(planted)).toBeDefined();
  });

  it("go into a room through its open files only", () => {
    expect(inner.map(roomOffence).filter(Boolean)).toEqual([]);
  });

  it.each([
    ["from another room", from("outbox/monitor/gauges.ts", "outbox/dispatch/send-and-settle.ts")],
    ["from a room that it is not open to", from("outbox/queue/enqueue.ts", "outbox/journal/write.ts")],
    ["from the class", from("outbox/outbox.ts", "outbox/dispatch/claims.ts")],
    ["from outside the house", from("routes/hooks.ts", "outbox/queue/person-queues.ts", true)],
    ["into a room that is in no table", from("outbox/intake/journal-webhook.ts", "outbox/attic/attic.ts")],
    ["into a folder of a room", from("lib/lmx/compile.ts", "lib/lmx/draw/blocks/rows.ts")],
    ["into the compiler's rooms", from("email/workspace/sending/compose.ts", "lib/lmx/draw/css.ts")],
  ])("into a closed room are refused: %s", (_what, planted) => {
    expect(roomOffence(planted)).toBeDefined();
  });

  it("go into rooms as rooms.json says", async () => {
    await expect(`${JSON.stringify(roomsOf(inner), null, 2)}\n`).toMatchFileSnapshot(ROOMS);
  });

  it("form no circle, neither of files nor of the entries of one folder", () => {
    expect(circlesOf(inner)).toEqual([]);
  });

  it("form no circle of files in scripts", () => {
    expect(fileCircles(sourcesIn(join(SRC, "..", "scripts")).flatMap(importsOf))).toEqual([]);
  });

  it("in a circle are found, types included, and named", () => {
    const planted = [
      from("outbox/a/one.ts", "outbox/b/two.ts"),
      from("outbox/b/three.ts", "outbox/c/four.ts", true),
      from("outbox/c/four.ts", "outbox/a/five.ts"),
      from("lib/x.ts", "lib/y.ts"),
      from("lib/y.ts", "lib/z.ts", true),
      from("lib/z.ts", "lib/x.ts"),
      from("lib/w.ts", "lib/x.ts"),
    ];
    expect(circlesOf(planted)).toEqual(["files: lib/x.ts lib/y.ts lib/z.ts", "outbox: a b c", "lib: x.ts y.ts z.ts"]);
  });
});

describe("clocks and random numbers", () => {
  const EDGE =
    /^(index|sources|env)\.ts$|^routes\/|^lib\/util\/(id|retry-object)\.ts$|^outbox\/model\/dependencies\.ts$|^email\/index\.ts$|^email\/http\/(app|v1|admin\/authorize|(bounces|domains)\/routes|inbox|uploads)\.ts$|^email\/workspace\/object\.ts$|^email\/objects\/(directory|inbox|mailer|notifier)\.ts$|^email\/delivery\/senders\/runtime\.ts$|^lib\/client\.ts$|^dashboard\/worker\/(app|logins)\.ts$|^dashboard\/app\/((frame|parts)\/|api\/service-time\.ts$)/;
  const CLOCK = /Date\.now\(|Math\.random\(|new Date\(\)/;

  it("enter at the edge only", () => {
    expect(sources.filter(({ file, text }) => !EDGE.test(file) && CLOCK.test(text)).map(({ file }) => file)).toEqual(
      [],
    );
  });
});
