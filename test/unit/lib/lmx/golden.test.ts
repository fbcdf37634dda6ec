import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile, compileLine, type MessageFields } from "../../../../src/lib/lmx/compile.ts";
import { fill } from "../../../../src/lib/lmx/fill.ts";
import { tags } from "../../../../src/lib/lmx/language/tags.ts";
import { attributeCases, documents, everything, library, plainCase, publicUrl, values } from "./documents.ts";
import { lines } from "./lines.ts";

const golden = (name: string): string => join(import.meta.dirname, "../../../fixtures/email/lmx", name);

const drawn = (source: string, fields: MessageFields = {}): { html: string; text: string } => {
  const { compiled, problems } = compile(source, "transactional", fields, library);
  if (compiled === undefined) throw new Error(`${source}: ${JSON.stringify(problems)}`);
  return { html: fill(compiled.html, values, publicUrl), text: fill(compiled.text, values) };
};

const blocks = (html: string): string[] =>
  lines(/class="inner[^>]*>\n([\s\S]*)\n<\/td><\/tr><\/tbody><\/table>\n<!--\[if mso\]>/.exec(html)?.[1] ?? "");

const more = (of: readonly string[], than: readonly string[], sign: string): string[] => {
  const left = Map.groupBy(than, (line) => line);
  return of.filter((line) => left.get(line)?.pop() === undefined).map((line) => `${sign} ${line}`);
};

const change = (from: string, to: string): string[] => {
  const [old, now] = [lines(from), lines(to)];
  return [...more(old, now, "-"), ...more(now, old, "+")];
};

/** Tags without an address in their plain document: notrack changes nothing there. */
const WITHOUT_LINK = ["Image", "Section"];

const attributeGolden = (tag: string): string[] => {
  const drawnCases = attributeCases(tag).map((one) => {
    const [from, to] = [drawn(one.without), drawn(one.source)];
    const text =
      from.text === to.text
        ? []
        : [
            "text:",
            ...to.text
              .trimEnd()
              .split("\n")
              .map((line) => `  ${line}`),
          ];
    return { ...one, html: change(from.html, to.html), text };
  });
  for (const [name, all] of Map.groupBy(drawnCases, (one) => one.name)) {
    expect([name, all.some(({ html }) => html.length > 0)]).toEqual([
      name,
      !(name === "notrack" && WITHOUT_LINK.includes(tag)),
    ]);
  }
  return drawnCases.flatMap(({ name, value, html, text }) => [
    "",
    `${name}="${value}"`,
    ...(html.length === 0 ? ["no change"] : html),
    ...text,
  ]);
};

describe("every tag", () => {
  it("has a document", () => expect(Object.keys(documents).toSorted()).toEqual([...tags.keys()].toSorted()));

  it.each([...tags.keys()])("%s is drawn as in its golden file, and so is each of its attributes", async (tag) => {
    const source = plainCase(tag);
    const { html, text } = drawn(source);
    const all = [source, "", "html:", ...blocks(html), "", "text:", text.trimEnd(), ...attributeGolden(tag)];
    await expect(`${all.join("\n")}\n`).toMatchFileSnapshot(golden(`tags/${tag}.txt`));
  });
});

describe("a whole page", () => {
  const line = (source: string) => compileLine(source, "transactional").parts ?? [];
  const fields = { subject: line("Hello {data.name}"), preview: line("All of it & more") };
  const pages: readonly (readonly [name: string, fields: MessageFields])[] = [
    ["styled", fields],
    ["right-to-left", { ...fields, lang: "ar" }],
    ["plain", { ...fields, format: "plain" }],
  ];

  it.each(pages)("%s is drawn as in its golden file", async (name, shown) => {
    const { html, text } = drawn(everything, shown);
    await expect(`${lines(html).join("\n")}\n`).toMatchFileSnapshot(golden(`pages/${name}.txt`));
    await expect(text).toMatchFileSnapshot(golden("pages/text-part.txt"));
  });
});
