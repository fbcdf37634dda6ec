import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Import, importsOf, parse, SRC, sources, sourcesIn } from "./source.ts";

/**
 * Folders and files of src and what each may import; the first entry that holds a file is its rule. `types` allows
 * `import type` only; `own` allows the folder of the file's own name: `stripe/` to `stripe.ts` and all in `stripe/`.
 */
const LAYERS: { from: string; may: string[]; types?: string[]; own?: true }[] = [
  { from: "lib/contract/mount.ts", may: ["lib/contract", "zod", "hono"] },
  { from: "lib/contract", may: ["lib/contract", "zod"] },
  { from: "lib/imports", may: ["lib", "papaparse"] },
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
  {
    from: "email/types",
    may: ["email/types"],
    types: ["lib", "email/lmx/compile.ts"],
  },
  { from: "email/env.ts", may: [], types: ["lib", "email/types"] },
  { from: "email/lmx", may: ["lib", "email/lmx"] },
  { from: "email/body", may: ["email/body", "email/lmx"] },
  { from: "email/mime", may: ["lib", "email/mime"], types: ["email/types"] },
  { from: "email/bounces", may: ["lib", "email/bounces", "postal-mime"], types: ["email/types"] },
  { from: "email/dns", may: ["lib", "email/dns", "tldts", "zod"] },
  { from: "email/audience", may: ["lib", "email/audience"] },
  { from: "email/readiness", may: ["lib", "email/audience", "email/readiness"] },
  { from: "email/workflows", may: ["lib", "email/audience", "email/readiness", "email/workflows"] },

  { from: "email/campaigns", may: ["lib", "email/audience", "email/campaigns", "email/readiness"] },
  {
    from: "email/senders",
    may: [
      ...["lib", "email/bounces", "email/mime", "email/senders", "email/env.ts", "email/types", "zod", "aws4fetch"],
      ...["cloudflare:sockets", "cloudflare:email"],
    ],
    types: ["email/dns"],
  },
  { from: "email/links", may: ["lib", "email/links", "@noble/hashes/sha2.js"], types: ["email/types"] },
  { from: "email/tracking", may: ["email/tracking", "email/body", "email/lmx"], types: ["email/types"] },
  {
    from: "email/mailer",
    may: [
      ...["lib", "email/mailer", "email/bounces", "email/mime", "email/lmx", "email/types", "email/links"],
      ...["email/body", "email/tracking"],
    ],
  },
  { from: "email/notifier", may: ["lib", "email/notifier", "email/types", "tldts"] },
  {
    from: "email/objects/mailer.ts",
    may: [
      ...["lib", "email/bounces", "email/links", "email/mailer", "email/senders", "email/types", "email/env.ts"],
      "cloudflare:workers",
    ],
  },
  {
    from: "email/objects/notifier.ts",
    may: ["email/notifier", "email/types", "email/env.ts", "cloudflare:workers"],
  },
  {
    from: "email/objects",
    may: ["lib", "email/mime", "email/objects", "email/types", "email/env.ts", "cloudflare:workers"],
  },
  {
    from: "email/http",
    may: [
      ...["lib", "email/http", "email/types", "email/env.ts", "email/senders", "email/dns"],
      ...["email/bounces", "email/links", "email/mime", "email/notifier", "email/tracking", "hono"],
      "zod",
    ],
  },
  { from: "email/samples", may: ["email/samples"] },
  {
    from: "email/workspace",
    may: [
      "lib",
      "email/workspace",
      "email/audience",
      "email/body",
      "email/bounces",
      "email/campaigns",
      "email/dns",
      "email/links",
      "email/lmx",
      "email/mime",
      "email/readiness",
      "email/samples",
      "email/workflows",
      "email/mailer",
      "email/tracking",
      "email/senders",
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
    may: ["lib/contract", "dashboard/app", "node:path", "vite", "@vitejs/plugin-react"],
  },
  // It is built: none of these packages runs in a Worker.
  {
    from: "dashboard/app",
    may: [
      ...[
        "dashboard/app",
        "email/body",
        "email/lmx",
        // The code that will judge an edit says which ones are possible.
        "email/workflows/graph",
        "lib/contract/admin/to-end.ts",
        "lib/contract/audience/operators.ts",
        "lib/contract/audience/words.ts",
        "lib/imports",
        "lib/workflows",
        "lib/picture/picture.ts",
        "lib/contract/outgoing-events.ts",
        "lib/util/dates.ts",
        "virtual:routes",
        "react",
        "react-dom",
        "@mantine",
        "@tanstack",
        "get-nonce",
      ],
      ...["uplot", "@codemirror", "@lezer/highlight", "@xyflow/react", "@dagrejs/dagre"],
    ],
    types: ["lib"],
  },
  {
    from: "dashboard/worker",
    may: ["lib", "dashboard/worker", "hono", "zod", "cloudflare:workers", "@simplewebauthn/server"],
  },
  // All of the bridge, and nothing of the email service.
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

/**
 * Folders made of rooms. For each room: who may import which of its files. A reader is another room, `top` (the files
 * beside the rooms), `all` (every room and `top`), or `src` (the rest of src). Everything that is not listed is closed.
 */
const HOUSES: Record<string, Record<string, Record<string, string>>> = {
  outbox: {
    top: { src: "outbox rpc" },
    model: {
      all: "calls config dependencies interruption kv observation outcome policy reasons schema source-settings types",
      src: "calls config reasons source-settings types",
    },
    intake: { top: "intake rpc-text", src: "rpc-text" },
    journal: {
      intake: "read write",
      delivery: "read rows write",
      operator: "read rows secrets write",
      monitor: "activity read refusals rows write",
      top: "purge read refusals",
      src: "refusals secrets",
    },
    identity: {
      intake: "former learn object-names rows",
      queue: "resolve watermarks",
      delivery: "resolve rows subscriptions watermarks",
      operator: "learn names object-names person-search resolve shown-person watermarks",
      monitor: "links",
      top: "person-search purge",
    },
    queue: {
      intake: "enqueue queue room",
      delivery: "enqueue pick queue",
      operator: "enqueue queue room",
      monitor: "enqueue queue room",
      top: "room",
    },
    delivery: { operator: "dispatcher", monitor: "dispatcher", top: "dispatcher gateway", src: "gateway" },
    operator: {
      top: "operator replay search",
      src: "actions operator replay search sentences timeline waiting",
    },
    monitor: { operator: "open-alerts", top: "monitor status", src: "status" },
  },
  "email/workspace": {
    top: { src: "object" },
    feedback: { top: "feedback" },
    suppression: { sending: "soft-bounces", feedback: "soft-bounces", runtime: "soft-bounces" },
    base: { all: "chore context cursor ending handler kept-counts migrations numbers pause quota retention" },
    team: {
      contacts: "team",
      "opt-in": "team",
      sending: "team",
      marketing: "team",
      domains: "team",
      runs: "team",
      insight: "team",
      imports: "team",
      runtime: "handlers known-keys sending-ips team",
      top: "team",
      launch: "team",
      campaigns: "team",
      ledger: "team",
    },
    imports: { runs: "rows slices", runtime: "chores handlers parts preview upload" },
    "opt-in": { imports: "confirmation", runtime: "confirmation pending", top: "confirmation" },
    audience: {
      workflows: "named segment-rows",
      campaigns: "audience exclusions named segment-rows team-facts",
      runs: "activity segment-rows team-facts",
      insight: "activity audience team-facts",
      overview: "audience sample",
      runtime: "estimate segment-admin segments",
      launch: "audience estimate exclusions named sample segment-rows team-facts",
      people: "activity audience segment-rows team-facts",
    },
    contacts: {
      audience: "properties row",
      ledger: "row",
      "opt-in": "row",
      events: "changes properties upsert",
      sending: "report row upsert",
      marketing: "row upsert",
      feedback: "row upsert",
      workflows: "lists properties",
      campaigns: "lists row",
      runs: "lists row",
      insight: "changes opt-in row",
      imports: "changes left-lists lists properties row upsert",
      people: "left-lists lists report row upsert",
      overview: "list-counts properties property-removal row",
      runtime: "handlers list-admin list-counts lists property-handlers property-removal report row",
      top: "recipient",
      launch: "lists row",
    },
    content: {
      team: "cascade groups samples themes",
      "opt-in": "messages samples templates",
      sending: "cascade messages templates",
      marketing: "messages",
      ledger: "messages samples templates",
      workflows: "groups library messages",
      campaigns: "cascade groups inspect library messages",
      runs: "inspect messages",
      insight: "messages",
      runtime: "cascade components email-messages groups revisions samples themes transactional-emails uploads",
      top: "messages uploads",
      launch: "cascade groups messages",
      overview: "cascade components messages themes uploads",
    },
    events: {
      overview: "patterns",
      workflows: "learn patterns",
      runs: "patterns",
      insight: "patterns",
      runtime: "chores handlers patterns",
    },
    sending: {
      audience: "gate suppression",
      "opt-in": "sends values",
      imports: "suppression",
      campaigns: "gate story",
      marketing: "gate report sends story values",
      feedback: "copies report results/failure story suppression",
      insight: "gate sends values",
      runtime: "chores preview sends story suppression transactional",
      ledger: "gate queue sends story suppression values",
      people: "suppression",
      overview: "preview sends",
      runs: "queue",
      top: "attachments copies pump report",
      launch: "queue",
    },
    limits: {
      sending: "limits windows/rows words",
      campaigns: "windows/show",
      domains: "warmup-settings",
      ledger: "handlers",
      runtime: "chores handlers",
      top: "handlers",
      launch: "handlers",
      overview: "handlers",
    },
    ledger: {
      workflows: "message-metrics",
      campaigns: "message-metrics shown",
      runs: "shown",
      insight: "shown story",
      people: "shown story",
      overview: "shown",
      runtime: "content metrics search show template-counts",
    },
    domains: {
      sending: "sending-domain",
      "opt-in": "sending-domain",
      runs: "obstacles sending-domain",
      insight: "sending-domain",
      runtime: "chores handlers",
      top: "check sending-domain shared",
      launch: "obstacles sending-domain",
      campaigns: "obstacles",
      overview: "obstacles rows sending-domain",
    },
    marketing: {
      runs: "accept",
      campaigns: "accept links tracking",
      runtime: "tracking",
      ledger: "story",
      top: "hits unsubscribes",
    },
    webhooks: {
      contacts: "emit forget",
      sending: "emit endpoints",
      runtime: "admin chores forget replay",
      overview: "endpoints",
      top: "pump",
    },
    campaigns: {
      launch: "again control handlers ready rows show",
      insight: "read-recipients rows",
      people: "read-recipients",
      runs: "slices",
      runtime: "again handlers recipients statistics",
      overview: "rows",
    },
    sweeps: { contacts: "sweeps", workflows: "sweeps", runs: "sweeps" },
    workflows: {
      campaigns: "counts",
      runs: "counts names passed rows waiting",
      insight: "change names rows versions waiting",
      runtime: "handlers",
    },
    runs: { insight: "flow story trigger", runtime: "chores handlers trigger", top: "pump trigger" },
    launch: { runtime: "count duplicate go-on handlers launch remove status", overview: "waiting" },
    people: { overview: "beginning", runtime: "bulk search show suppressions timeline" },
    overview: { runtime: "content-uses events library-removal overview pictures properties search usage" },
    insight: { people: "contact", runtime: "campaign contact diff dry-run explain here simulate" },
    runtime: { top: "admin insight prepare run upkeep" },
  },
  "email/lmx": {
    top: { src: "compile file fill" },
    parse: {
      check: "entities parse tree",
      draw: "entities tree whitespace",
      guardian: "entities parse tree",
      top: "parse",
    },
    language: {
      parse: "tags",
      check: "icons library links rule tags theme variables",
      draw: "icons links rule theme variables",
      guardian: "library links tags theme variables",
      top: "direction library links tags variables",
      src: "icons links rule tags theme variables",
    },
    check: { guardian: "expand style", top: "check expand places references style", src: "style" },
    draw: {
      guardian: "blocks/button blocks/inline color dark parts values",
      message: "parts",
      top: "document escape parts plain text",
      src: "escape parts",
    },
    guardian: { message: "facts guardian", src: "guardian" },
    message: { src: "compile-message inspect message-source" },
  },
};

const isIn = (path: string, folder: string) => folder === "" || path === folder || path.startsWith(`${folder}/`);

/** The folder in `from` that has the name of a file, or that the file is in. */
const ownFolder = (file: string, from: string) => {
  const [name = ""] = file.slice(from.length + 1).split("/");
  return `${from}/${name.replace(/\.ts$/, "")}`;
};

/** Why an import breaks the table of layers, or undefined. */
const layerOffence = ({ file, target, typeOnly }: Import): string | undefined => {
  const rule = LAYERS.find(({ from }) => isIn(file, from));
  const own = rule?.own ? [ownFolder(file, rule.from)] : [];
  const allowed = [...(rule?.may ?? []), ...own, ...(typeOnly ? (rule?.types ?? []) : [])];
  return allowed.some((folder) => isIn(target, folder)) ? undefined : `src/${file} imports ${target}`;
};

/** An import into a house: the room and the name of the file, and who imports it. */
const entryOf = ({ file, target }: Import) => {
  const at = Object.keys(HOUSES).find((house) => target.startsWith(`${house}/`));
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

/** Whether an entry of the table for `reader` is about an import by this room. */
const isFor = (entry: string, reader: string) => entry === reader || (entry === "all" && reader !== "src");

/** Why an import goes into a room that is closed to it, or undefined. */
const roomOffence = (one: Import): string | undefined => {
  const found = entryOf(one);
  if (!found || found.room === found.reader) return undefined;
  const { at, room, name, reader } = found;
  // The files beside the rooms are open to each of them.
  if (room === "top" && reader !== "src") return undefined;
  const open = Object.entries(HOUSES[at]?.[room] ?? {}).filter(([entry]) => isFor(entry, reader));
  return open.some(([, names]) => names.split(" ").includes(name))
    ? undefined
    : `src/${one.file} imports ${one.target}`;
};

/** Groups of nodes that import each other, each sorted (Tarjan's strongly connected components of two or more). */
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

/** Circles of files: `files: member member …`. */
const fileCircles = (imports: readonly Import[]): string[] =>
  circles(imports.map(({ file, target }) => [file, target] as const)).map((circle) => `files: ${circle.join(" ")}`);

/** Circles of files, and in each folder circles of its folders and files; `place: member member …`. */
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
/** Imports of other files of src. */
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
    ["the bridge imports the email service", from("outbox/delivery/deliver.ts", "email/workspace/object.ts", true)],
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
    ["the compiler reads rows", from("email/lmx/compile.ts", "email/workspace/base/context.ts", true)],
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
    ["from another room", from("outbox/monitor/gauges.ts", "outbox/delivery/in-flight.ts")],
    ["from a room that it is not open to", from("outbox/queue/enqueue.ts", "outbox/journal/write.ts")],
    ["from the class", from("outbox/outbox.ts", "outbox/delivery/claims.ts")],
    ["from outside the house", from("routes/hooks.ts", "outbox/queue/queue.ts", true)],
    ["into a room that is in no table", from("outbox/intake/journal-webhook.ts", "outbox/attic/attic.ts")],
    ["into a folder of a room", from("email/lmx/compile.ts", "email/lmx/draw/blocks/rows.ts")],
    ["into the compiler's rooms", from("email/workspace/sending/compose.ts", "email/lmx/draw/css.ts")],
  ])("into a closed room are refused: %s", (_what, planted) => {
    expect(roomOffence(planted)).toBeDefined();
  });

  it("use every file that a table opens, by each reader that it names", () => {
    const entries = inner.flatMap((one) => entryOf(one) ?? []);
    const unused = Object.entries(HOUSES).flatMap(([at, rooms]) =>
      Object.entries(rooms).flatMap(([room, readers]) =>
        Object.entries(readers).flatMap(([reader, names]) =>
          names
            .split(" ")
            .filter(
              (name) =>
                !entries.some(
                  (one) =>
                    one.at === at &&
                    one.room === room &&
                    one.name === name &&
                    one.reader !== room &&
                    isFor(reader, one.reader),
                ),
            )
            .map((name) => `${at}/${room}/${name} for ${reader}`),
        ),
      ),
    );
    expect(unused).toEqual([]);
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
  /** Files that may read the clock: entry points, the classes of objects, and what makes ids. */
  const EDGE =
    /^(index|sources|env)\.ts$|^routes\/|^lib\/util\/(id|retry-object)\.ts$|^outbox\/model\/dependencies\.ts$|^email\/index\.ts$|^email\/http\/(app|(bounces|domains)\/routes|inbox|uploads)\.ts$|^email\/workspace\/object\.ts$|^email\/objects\/(inbox|mailer|notifier)\.ts$|^email\/senders\/runtime\.ts$|^lib\/client\.ts$|^dashboard\/worker\/(app|door)\.ts$|^dashboard\/app\/((frame|parts)\/|api\/service-time\.ts$)/;
  const CLOCK = /Date\.now\(|Math\.random\(|new Date\(\)/;

  it("enter at the edge only", () => {
    expect(sources.filter(({ file, text }) => !EDGE.test(file) && CLOCK.test(text)).map(({ file }) => file)).toEqual(
      [],
    );
  });
});
