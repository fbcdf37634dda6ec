import { describe, expect, it } from "vitest";
import { shownPlaces, trackLinks } from "../../../../../src/email/mail/tracking/rewrite.ts";
import { fill, type Values } from "../../../../../src/lib/lmx/fill.ts";
import { compileMessage } from "../../../../../src/lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../../../src/lib/lmx/message/message-source.ts";

const library = { themes: new Map(), components: new Map() } as never;

const htmlOf = (lmx: string) => {
  const { compiled, problems } = compileMessage({ ...emptySource, lmx }, "campaign", library);
  if (!compiled) throw new Error(JSON.stringify(problems));
  return compiled.html;
};

const tracked = async (lmx: string, values: Values = {}) => {
  const parts = htmlOf(lmx);
  const made: [url: string, link: number, place: number][] = [];
  const html = await trackLinks(fill(parts, values), {
    linkOf: async (url, link, place) => {
      made.push([url, link, place]);
      return `https://t.test/${link}-${place}`;
    },
    isOwn: (url) => url.startsWith("https://own.test/"),
    places: shownPlaces(parts, () => values),
  });
  return { made, html };
};

describe("the links of a measured mail", () => {
  it("have a number for each address, and a place for each link", async () => {
    const { made, html } = await tracked(
      '<Paragraph><Link href="https://a.test/x">One</Link> <Link href="https://b.test/">Two</Link> <Link href="https://a.test/x">Three</Link></Paragraph>',
    );
    expect(made).toEqual([
      ["https://a.test/x", 1, 1],
      ["https://b.test/", 2, 2],
      ["https://a.test/x", 1, 3],
    ]);
    expect(html.match(/https:\/\/t\.test\/[\d-]+/g)).toEqual([
      "https://t.test/1-1",
      "https://t.test/2-2",
      "https://t.test/1-3",
    ]);
  });

  it("of a button are one, in Outlook too", async () => {
    const { made, html } = await tracked('<Button href="https://a.test/">Go</Button>');
    expect(made).toEqual([["https://a.test/", 1, 1]]);
    expect(html.match(/https:\/\/t\.test\/1-1"/g)).toHaveLength(2);
  });

  it("count those that are not measured, so that a place is one of the mail's links", async () => {
    const { made } = await tracked(
      '<Paragraph><Link href="mailto:a@b.test">Mail</Link> <Link href="https://own.test/">Own</Link> <Link href="https://a.test/">A</Link></Paragraph>',
    );
    expect(made).toEqual([["https://a.test/", 1, 3]]);
  });

  it("have the same places for everybody, also for those who do not get a section", async () => {
    const lmx =
      '<Section showIf="{contact.code}"><Button href="https://a.test/">Code</Button></Section><Button href="https://b.test/">Go</Button>';
    expect((await tracked(lmx, { "contact.code": "1" })).made.map(([, , place]) => place)).toEqual([1, 2]);
    expect((await tracked(lmx, {})).made).toEqual([["https://b.test/", 1, 2]]);
  });
});
