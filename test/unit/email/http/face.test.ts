import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { TOKENS } from "../../../../src/email/http/face.ts";

const css = readFileSync("src/dashboard/app/tokens.css", "utf8");

/** The tokens in a block of tokens.css. */
const tokensIn = (selector: string): Map<string, string> => {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map(
    Array.from(block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g), ([, name = "", color = ""]) => [name, color]),
  );
};

it("the pages of the email Worker have the colors of the dashboard, light and dark", () => {
  const light = tokensIn("\n:root");
  const dark = tokensIn('[data-mantine-color-scheme="dark"]');
  const own = Array.from(TOKENS.matchAll(/--([\w-]+):light-dark\((#\w+),(#\w+)\)/g));
  expect(own.length).toBeGreaterThan(15);
  for (const [, name = "", inLight, inDark] of own) {
    expect([name, light.get(name), dark.get(name)]).toEqual([name, inLight, inDark]);
  }
});
