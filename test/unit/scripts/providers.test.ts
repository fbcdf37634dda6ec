import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listWithFiles } from "../../../scripts/providers/list.ts";
import { SENDERS_PAGE, senderTable } from "../../../scripts/providers/senders.ts";
import { PAGE, providerTable, withTable } from "../../../scripts/providers/table.ts";
import { sources } from "../../../src/sources.ts";

const handlers = await listWithFiles();
const root = join(import.meta.dirname, "../../..");
const written = providerTable(handlers);
const namesIn = (folder: string) => readdirSync(join(root, folder)).filter((file) => file.endsWith(".ts"));
const linked = (folder: string) =>
  [...written.matchAll(/\]\(\.\.\/([^)]+)\)/g)]
    .map(([, path = ""]) => path)
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));

test("the table of senders is what `npm run providers` writes", () => {
  const page = readFileSync(join(root, SENDERS_PAGE), "utf8");
  expect(withTable(page, "senders", senderTable()) === page ? "up to date" : "run npm run providers").toBe(
    "up to date",
  );
  for (const name of ["SMTP_URL", "SES_REGION", "EMAIL"]) expect(page).toContain(`| \`${name}\` |`);
});

describe("the table of providers", () => {
  test("is what `npm run providers` writes", () => {
    const page = readFileSync(join(root, PAGE), "utf8");
    expect(
      withTable(page, "providers", providerTable(handlers)) === page ? "up to date" : "run npm run providers",
    ).toBe("up to date");
  });

  test("has a row of event types for each mapping over one handler", () => {
    const { generic } = sources;
    if (!generic?.rules) throw new Error("no generic source");
    const own = { ...generic.rules, rules: [{ name: "shipped", on: "order.shipped", contact: {} }] };
    const page = providerTable(handlers, { ...sources, shop: { rules: own } });
    const rows = page.split("\n").filter((line) => line.startsWith("- **Standard Webhooks"));
    expect(rows).toEqual([
      expect.stringContaining("(`generic`): `user.created`"),
      "- **Standard Webhooks** (`shop`): `order.shipped`",
    ]);
  });

  test("has a row for each handler, with a title, a secret and where to find it", () => {
    const [table = ""] = written.split("\n\n");
    const titles = table
      .split("\n")
      .slice(2)
      .map((row) => {
        const [, title = "", ...cells] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
        expect([row, cells.length]).toEqual([row, 3]);
        expect([row, cells.slice(0, 2).every(Boolean)]).toEqual([row, true]);
        return title;
      });
    expect(titles.sort()).toEqual(handlers.map(({ handler }) => handler.about.title).sort());
  });

  test("lists each handler once by its signature, and with default rules or an example", () => {
    const {
      Events = "",
      Examples = "",
      Signatures = "",
    } = Object.fromEntries(written.split("\n## ").map((section) => [/^\w+/.exec(section)?.[0] ?? "", section]));
    for (const { handler, file } of handlers) {
      const { title } = handler.about;
      expect([title, Signatures.split(`[${title}](../src/handlers/${file})`).length]).toEqual([title, 2]);
      expect([title, Events.includes(`- **${title}**: \``)]).toEqual([title, !Examples.includes(`[${title}]`)]);
    }
  });

  test("links every handler's file, and every example there is", () => {
    expect(linked("src/handlers").filter((file) => !existsSync(join(root, "src/handlers", file)))).toEqual([]);
    expect(linked("examples").sort()).toEqual(namesIn("examples").sort());
  });
});

test("providers and secrets are named once", () => {
  const all = handlers.map(({ handler }) => handler);
  expect(new Set(all.map(({ provider }) => provider)).size).toBe(all.length);
  expect(new Set(all.map(({ about }) => about.secret)).size).toBe(all.length);
  for (const { about } of all) expect(about.secret).toMatch(/^[A-Z][A-Z0-9_]*$/);
});
