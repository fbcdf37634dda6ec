import { caniemail } from "caniemail";
import { describe, expect, it } from "vitest";
import { compile, compileLine, type MessageFields } from "../../../../src/lib/lmx/compile.ts";
import { fill } from "../../../../src/lib/lmx/fill.ts";
import { tags } from "../../../../src/lib/lmx/language/tags.ts";
import { attributeCases, everything, library, plainCase, publicUrl, values } from "./documents.ts";
import { inOutlook, judge } from "./judge.ts";
import { sampleMails } from "./sample-mails.ts";
import { ACCEPTED } from "./unsupported.ts";

const preview = compileLine("Preview {data.name}", "transactional").parts ?? [];

const page = (source: string, fields: MessageFields): string => {
  const { compiled, problems } = compile(source, "transactional", { preview, ...fields }, library);
  if (compiled === undefined) throw new Error(`${source}: ${JSON.stringify(problems)}`);
  return fill(compiled.html, values, publicUrl);
};

const sources: [name: string, source: string][] = [
  ["everything", everything],
  ["black icons", '<Icons color="#000000"><Icon name="github" href="https://example.com"/></Icons>'],
  ...[...tags.keys()].map((tag) => [tag, plainCase(tag)] as [string, string]),
];
const attributes = [...tags.keys()].flatMap((tag) => attributeCases(tag).map(({ source }) => source));
const forms: MessageFields[] = [{}, { lang: "he" }, { format: "plain" }];

describe("an HTML parser", () => {
  it.each(sources)("repairs nothing in %s, nor in what Outlook reads of it", (_, source) => {
    for (const form of forms) {
      const html = page(source, form);
      expect(judge(html).repairs).toEqual([]);
      expect(judge(inOutlook(html)).repairs).toEqual([]);
    }
  });

  it.each(sampleMails)("repairs nothing in the sample %s, nor in what Outlook reads of it", (_, html) => {
    expect(judge(html).repairs).toEqual([]);
    expect(judge(inOutlook(html)).repairs).toEqual([]);
  });

  it("repairs nothing with any attribute", () => {
    for (const source of attributes) {
      for (const form of forms) {
        const html = page(source, form);
        expect([source, judge(html).repairs, judge(inOutlook(html)).repairs]).toEqual([source, [], []]);
      }
    }
    expect(attributes.length).toBeGreaterThan(150);
  });

  it.each([
    ["<!doctype html><html><head></head><body><p>a<div>b</div></p></body></html>", "<p> was added"],
    ["<!doctype html><html><head></head><body><p>x</b></p></body></html>", "end tags"],
    ["<!doctype html><html><head></head><body><p>x<td></p></body></html>", "start tags"],
    ["<!doctype html><html><head></head><body><table><tr><td>x</td></tr></table></body></html>", "<tbody> was added"],
    ["<!doctype html><html><head></head><body><ul><li>x</ul></body></html>", "</li> was added"],
    ['<!doctype html><html><head></head><body><p a="1"b="2">x</p></body></html>', "missing-whitespace"],
  ])("would repair %s", (html, repair) => expect(judge(html).repairs.join()).toContain(repair));
});

describe("the data of caniemail", () => {
  const clients = ["gmail.*", "outlook.*", "apple-mail.*", "yahoo.*"] as const;

  const unsupported = (html: string): string[] => {
    const { errors } = caniemail({ clients: [...clients], html }).issues;
    return [...(errors ?? [])].flatMap(([client, issues]) => issues.map(({ title }) => `${title}: ${client}`));
  };

  it("names nothing that the list of accepted findings does not give a reason for, and the list has nothing else", () => {
    const found = new Set([
      ...sources.flatMap(([, source]) => forms.flatMap((form) => unsupported(page(source, form)))),
      ...sampleMails.flatMap(([, html]) => unsupported(html)),
    ]);
    const accepted = ACCEPTED.flatMap(({ feature, clients: all }) => all.map((client) => `${feature}: ${client}`));
    expect([...found].toSorted()).toEqual(accepted.toSorted());
  });

  it("knows features that clients lack", () => {
    const html = '<!doctype html><html><body><div style="display:grid;position:fixed">x</div></body></html>';
    expect(unsupported(html).join()).toContain("display:grid: outlook.windows");
  });
});
