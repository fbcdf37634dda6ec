import { join } from "node:path";
import { parse } from "parse5";
import { afterEach, describe, expect, it } from "vitest";
import { type Built, build } from "../../../../scripts/email/build.ts";
import { pageOf, versionOf } from "../../../../scripts/email/page.ts";
import { inScheme } from "../../../../scripts/email/scheme.ts";
import { makeFolder } from "./folder.ts";

let folder = makeFolder({});
afterEach(() => folder.remove());
const built = (text: string, shown = "a.lmx"): Built => {
  folder.remove();
  folder = makeFolder({ "a.lmx": text });
  return build(join(folder.path, "a.lmx"), shown);
};

type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[]; value?: string };
const nodesOf = (node: Node): Node[] => [node, ...(node.childNodes ?? []).flatMap(nodesOf)];
const pageNodes = async (one: Built): Promise<Node[]> => nodesOf(parse(String(await pageOf(one, "n"))) as Node);
const textOf = (node: Node): string =>
  nodesOf(node)
    .map(({ value = "" }) => value)
    .join("");
const attribute = ({ attrs = [] }: Node, name: string) => attrs.find((one) => one.name === name)?.value;
const section = (nodes: readonly Node[], id: string): string =>
  textOf(nodes.find((node) => attribute(node, "id") === id) ?? { nodeName: "" });

const MAIL = `---
subject: Receipt for {data.amount}
previewText: Thank you
fromName: Acme
fromEmail: billing
data.amount: $49.00
---
<H1>Thank you</H1>
<Paragraph>{data.amount} {data.extra} <Link href="https://a.example/x">Open</Link></Paragraph>
`;

describe("the page of a mail", () => {
  it("shows both widths in both modes, the text, the HTML, the values, the findings and the LMX", async () => {
    const one = built(MAIL);
    const nodes = await pageNodes(one);
    const tabs = nodes.filter(({ nodeName }) => nodeName === "nav").flatMap(nodesOf);
    expect(
      tabs.filter(({ nodeName }) => nodeName === "a").map((link) => [attribute(link, "href"), textOf(link)]),
    ).toEqual([
      ["#desktop", "Desktop"],
      ["#mobile", "Mobile"],
      ["#text", "Text"],
      ["#html", "HTML"],
      ["#values", "Values (2)"],
      ["#checks", "Checks (1)"],
      ["#lmx", "LMX"],
    ]);
    const frames = nodes.filter(({ nodeName }) => nodeName === "iframe");
    expect(
      frames.map((frame) => [attribute(frame, "src"), attribute(frame, "width"), attribute(frame, "sandbox")]),
    ).toEqual(
      [682, 377].flatMap((width) => ["light", "dark"].map((scheme) => [`/mail/${scheme}.html`, String(width), ""])),
    );
    const header = textOf(nodes.find(({ nodeName }) => nodeName === "header") ?? { nodeName: "" });
    for (const shown of ["a.lmx", "Acme <billing@…>", "Receipt for $49.00", "Thank you", "1 warning", "KB of HTML"])
      expect(header).toContain(shown);
    expect(section(nodes, "text")).toContain("https://a.example/x");
    expect(section(nodes, "html")).toContain(one.mail?.html.trim());
    expect(section(nodes, "values")).toMatch(
      /data\.amount\$49\.00sample value of the file\ndata\.extramissingno value/,
    );
    expect(section(nodes, "checks")).toContain("a.lmx:9:26");
    expect(section(nodes, "lmx")).toContain("9<Paragraph>{data.amount}");
    expect(nodes.some((node) => attribute(node, "id") === "line-9" && attribute(node, "class") === "marked")).toBe(
      true,
    );
  });

  it("shows errors first, and no mail, where the file has errors", async () => {
    const nodes = await pageNodes(built("<Paragaph>x</Paragaph>"));
    expect(nodes.filter(({ nodeName }) => nodeName === "iframe")).toEqual([]);
    const links = nodes.filter(({ nodeName }) => nodeName === "a").map((link) => attribute(link, "href"));
    expect(links).toEqual(["#checks", "#lmx", "#line-1"]);
    expect(section(nodes, "checks")).toContain("did you mean <Paragraph>?");
    expect(section(nodes, "checks")).toContain("   | ^^^^^^^^^");
  });

  const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)></textarea></style>`;
  it.each([
    ["a file name", built("<H1>a</H1>", HOSTILE)],
    ["a subject", built(`---\nsubject: ${HOSTILE}\n---\n<H1>a</H1>`)],
    ["a name of a sender", built(`---\nfromName: ${HOSTILE}\npreviewText: ${HOSTILE}\n---\n<H1>a</H1>`)],
    ["a value", built(`---\ndata.x: ${HOSTILE}\n---\n<H1>{data.x}</H1>`)],
    ["LMX that is wrong", built(`${HOSTILE}<Paragraph a="${HOSTILE}">`)],
    ["an address in the text", built(`---\ndata.x: https://a.example/"onclick="x\n---\n<H1>{data.x}</H1>`)],
  ])("escapes %s", async (_what, one) => {
    const nodes = await pageNodes(one);
    const scripts = nodes.filter(({ nodeName }) => nodeName === "script");
    expect(scripts.map((script) => attribute(script, "nonce"))).toEqual(["n"]);
    expect(nodes.filter(({ nodeName }) => nodeName === "img")).toEqual([]);
    expect(nodes.flatMap(({ attrs = [] }) => attrs).filter(({ name }) => /^on/.test(name))).toEqual([]);
    expect(nodes.filter(({ nodeName }) => nodeName === "style")).toHaveLength(1);
    const shown = textOf(nodes.find(({ nodeName }) => nodeName === "body") ?? { nodeName: "" });
    expect(shown).toMatch(/alert\(1\)|onclick/);
  });

  it("has a version that names its content", () => {
    expect(versionOf(built(MAIL))).toBe(versionOf({ ...built(MAIL), files: [] }));
    expect(versionOf(built(MAIL))).not.toBe(versionOf(built(MAIL.replace("Thank", "thank"))));
  });
});

describe("a mail in another mode than that of this device", () => {
  const html = built("<H1>a</H1>\n<Paragraph>@media (prefers-color-scheme:dark)</Paragraph>").mail?.html ?? "";

  it("has its rules for dark mode always or never, in the head alone", () => {
    expect(html).toContain("<style>@media (prefers-color-scheme:dark){");
    expect(inScheme(html, "dark")).toContain("<style>@media all{");
    expect(inScheme(html, "light")).toContain("<style>@media not all{");
    for (const scheme of ["light", "dark"] as const) {
      const shown = inScheme(html, scheme);
      expect(shown).toContain(`<meta name="color-scheme" content="${scheme}">`);
      expect(shown.slice(shown.indexOf("</head>"))).toBe(html.slice(html.indexOf("</head>")));
      expect(shown.split("prefers-color-scheme")).toHaveLength(2);
    }
  });

  it("that is made for light mode alone stays light", () => {
    const light = '<html><head><meta name="color-scheme" content="light"></head><body></body></html>';
    expect(inScheme(light, "dark")).toContain('content="light"');
  });

  it("keeps its frame when a link is clicked, and is unchanged without a head", () => {
    expect(inScheme(html, "light")).toContain('<base target="_blank">\n</head>');
    expect(inScheme("<p>x</p>", "dark")).toBe("<p>x</p>");
  });
});
