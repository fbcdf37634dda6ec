import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const src = join(import.meta.dirname, "..", "..", "src");

/**
 * Folders and files of src and what each may import; the first that matches a file is its rule. `types` allows
 * `import type` only; `own` allows what is in the folder of its own name: `stripe/` to `stripe.ts` and all in `stripe/`.
 */
const rules: { from: string; may: string[]; types?: string[]; own?: true }[] = [
  { from: "lib/contract/mount.ts", may: ["lib/contract", "zod", "hono"] },
  { from: "lib/contract", may: ["lib/contract", "zod"] },
  { from: "lib/webhook", may: ["lib"], types: ["webhook.ts"] },
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
  { from: "email/lmx", may: ["lib", "email/lmx"] },
  { from: "email/workspace/content/samples", may: ["email/workspace/content/samples"] },
  { from: "email/senders", may: ["lib", "email/senders", "email/env.ts", "email/types"] },
  {
    from: "email/workspace",
    may: [
      "lib",
      "email/workspace",
      "email/lmx",
      "email/senders",
      "email/types",
      "email/env.ts",
      "zod",
      "cloudflare:workers",
    ],
    types: ["email/admin/contract.ts"],
  },
  { from: "email", may: ["lib", "email", "hono", "zod", "cloudflare:workers"] },
  // All of the bridge, and nothing of the email service.
  {
    from: "",
    may: ["lib", "webhook.ts", "handlers", "rules", "mappings", "outbox", "routes", "sources.ts", "env.ts", "hono"],
  },
];

type Import = { file: string; target: string; typeOnly: boolean };

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(src, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gms);
  const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"/g);
  const resolve = (target: string) =>
    target.startsWith(".") ? relative(src, join(src, dirname(file), target)) : target;
  return [
    ...[...statements].map((match) => ({ file, target: resolve(match[2] ?? ""), typeOnly: match[1] !== undefined })),
    ...[...dynamic].map((match) => ({ file, target: resolve(match[1] ?? ""), typeOnly: false })),
  ];
};

const isIn = (path: string, folder: string) => folder === "" || path === folder || path.startsWith(`${folder}/`);

/** The folder in `from` that has the name of a file, or that it stands in. */
const ownFolder = (file: string, from: string) => {
  const [name = ""] = file.slice(from.length + 1).split("/");
  return `${from}/${name.replace(/\.ts$/, "")}`;
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const imports = files.flatMap(importsOf);

/** Why an import is not allowed, or undefined. */
const offence = ({ file, target, typeOnly }: Import): string | undefined => {
  const rule = rules.find(({ from }) => isIn(file, from));
  const own = rule?.own ? [ownFolder(file, rule.from)] : [];
  const allowed = [...(rule?.may ?? []), ...own, ...(typeOnly ? (rule?.types ?? []) : [])];
  return allowed.some((folder) => isIn(target, folder)) ? undefined : `src/${file} imports ${target}`;
};

describe("import rules", () => {
  it("hold for every file of src", () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.map(offence).filter(Boolean)).toEqual([]);
  });

  it("are found broken where they are", () => {
    const planted: [file: string, target: string, typeOnly: boolean][] = [
      ["outbox/delivery/deliver.ts", "email/workspace/object.ts", true],
      ["routes/hooks.ts", "email/index.ts", false],
      ["email/workspace/contacts/handlers.ts", "outbox/journal/journal.ts", false],
      ["rules/billing/money.ts", "outbox/journal/journal.ts", true],
      ["handlers/stripe.ts", "stripe", false],
      ["lib/contract/v1.ts", "hono", false],
      ["mappings/stripe.ts", "lib/client.ts", false],
      ["mappings/stripe/quotes.ts", "lib/client.ts", false],
      ["mappings/clerk.ts", "mappings/stripe/customers.ts", false],
      ["mappings/stripe/quotes.ts", "mappings/clerk.ts", true],
      ["outbox/intake/accept.ts", "rules/evaluate.ts", false],
    ];
    for (const [file, target, typeOnly] of planted) expect(offence({ file, target, typeOnly })).toBeDefined();
  });

  it("keep time and randomness at the edge: no clock in rules, mappings, lmx, or below an object's methods", () => {
    const edge =
      /^(index|sources|env)\.ts$|^routes\/|^lib\/util\/(id|retry-object)\.ts$|^outbox\/model\/config\.ts$|^email\/index\.ts$|^email\/http\/app\.ts$|^email\/workspace\/object\.ts$|^email\/objects\/inbox\.ts$|^email\/http\/inbox\.ts$|^lib\/contract\/client\.ts$/;
    const clocked = files.filter(
      (file) =>
        !edge.test(file) && /Date\.now\(|Math\.random\(|new Date\(\)/.test(readFileSync(join(src, file), "utf8")),
    );
    expect(clocked).toEqual([]);
  });
});
