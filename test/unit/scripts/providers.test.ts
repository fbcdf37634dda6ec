import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listWithFiles } from "../../../scripts/providers/list.ts";
import { SENDERS_PAGE, senderTable } from "../../../scripts/providers/senders.ts";
import { PAGE, providerTable, withTable } from "../../../scripts/providers/table.ts";

const handlers = await listWithFiles();
const root = join(import.meta.dirname, "../../..");
const rows = providerTable(handlers).split("\n").slice(2);
const namesIn = (folder: string) => readdirSync(join(root, folder)).filter((file) => file.endsWith(".ts"));
const linked = (folder: string) =>
  [...rows.join("\n").matchAll(/\]\(\.\.\/([^)]+)\)/g)]
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

  test("has a row for each handler, with a title, a scheme, a secret, where to find it, and rules or an example", () => {
    const titles = rows.map((row) => {
      const [, title = "", ...cells] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      expect([row, cells.length]).toEqual([row, 5]);
      expect([row, cells.slice(0, 4).every(Boolean)]).toEqual([row, true]);
      return /^\[(.+)\]\(/.exec(title)?.[1];
    });
    expect(titles.sort()).toEqual(handlers.map(({ handler }) => handler.about.title).sort());
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
