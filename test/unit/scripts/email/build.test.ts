import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { build, type Given } from "../../../../scripts/email/build.ts";
import type { Finding } from "../../../../scripts/email/frames.ts";
import { makeFolder } from "./folder.ts";

let folder = makeFolder({});
afterEach(() => folder.remove());

type Contents = Readonly<Record<string, string | Uint8Array>>;
const built = (files: Contents, given: Given = {}) => {
  folder.remove();
  folder = makeFolder(files);
  return build(join(folder.path, "a.lmx"), "a.lmx", given);
};
const short = ({ path, line, column, severity, code, message, fix }: Finding): string =>
  `${path}:${line}:${column} ${severity} ${code}: ${message} | ${fix}`;
const findings = (files: Contents, given?: Given): string[] => built(files, given).findings.map(short);

const RECEIPT = `---
subject: Receipt for {data.amount}
previewText: Thank you, {data.name}
fromName: Acme
fromEmail: billing
replyToEmail: help@acme.example
data.amount: $49.00
fallback.data.name: there
---
<H1>Thank you, {data.name}</H1>
<Paragraph>{data.amount} <Link href="{data.link}">Open</Link></Paragraph>
`;

describe("a file", () => {
  it("becomes a mail with its fields, its sample values and its fallbacks", () => {
    const { mail, findings } = built({ "a.lmx": RECEIPT }, { values: { "data.link": "https://a.example/?a=1&b=2" } });
    expect(findings).toEqual([]);
    expect(mail).toMatchObject({
      from: "Acme <billing@…>",
      replyTo: "help@acme.example",
      subject: "Receipt for $49.00",
      preview: "Thank you, there",
      values: [
        { name: "data.amount", value: "$49.00", from: "sample" },
        { name: "data.name", value: "there", from: "fallback" },
        { name: "data.link", value: "https://a.example/?a=1&b=2", from: "option" },
      ],
    });
    expect(mail?.html).toContain('href="https://a.example/?a=1&amp;b=2"');
    expect(mail?.text).toContain("Thank you, there");
    expect(mail?.bytes).toBe(Buffer.byteLength(mail?.html ?? ""));
  });

  it("without front matter is LMX", () => {
    const { mail, findings } = built({ "a.lmx": "<H1>Hello</H1>" });
    expect([findings, mail?.subject, mail?.from]).toEqual([[], "", ""]);
    expect(mail?.text).toContain("Hello");
  });

  it("shows the name of a variable without a value, and a warning says so", () => {
    const { mail, findings } = built({ "a.lmx": RECEIPT });
    expect(findings.map(short)).toEqual([
      'a.lmx:11:38 warning no_value: data.link has no value here, so the mail shows its name | add "data.link: …" to the front matter, or --set data.link=…',
    ]);
    expect(mail?.values.at(-1)).toEqual({ name: "data.link", from: "nothing" });
    expect(mail?.text).toContain("Thank you, there");
  });

  it("uses a fallback in the place of a blank value, as a send does", () => {
    const { mail } = built({ "a.lmx": RECEIPT }, { values: { "data.name": " " } });
    expect(mail?.preview).toBe("Thank you, there");
  });

  it.each([
    [
      "---\nfallback.contact.firstName: you\n---\n<Paragraph>{contact.firstName} {system.unsubscribe_link}</Paragraph>",
      "https://example.com/unsubscribe",
    ],
    ["---\nevent.plan: Pro\nfallback.event.plan: Free\n---\n<Paragraph>{event.plan}</Paragraph>", "Pro"],
  ])("may be mail of every kind: %j", (text, shown) => {
    const { mail, findings } = built({ "a.lmx": text }, { values: { "contact.firstName": "Ada" } });
    expect(findings).toEqual([]);
    expect(mail?.text).toContain(shown);
  });

  it("has errors at their place in the file, in fields and in the LMX", () => {
    const text = RECEIPT.replace("Receipt for {data.amount}", "{amount}").replace("{data.name}</H1>", "<Strong>a</H1>");
    const [field, ...lmx] = findings({ "a.lmx": text });
    expect(field).toBe(
      "a.lmx:2:10 error invalidCustomDataVariables: Invalid variables ({amount}) | {amount} has no namespace: write {data.amount}",
    );
    expect(lmx[0]).toBe(
      "a.lmx:10:25 error mismatched_tag: </H1> does not match <Strong> | close <Strong> of line 10 with </Strong> first",
    );
    expect(built({ "a.lmx": text }).mail).toBeUndefined();
  });

  it("has what the guardian finds at its place, in the words of a file, and is shown all the same", () => {
    const text = "---\nsubject: Hi\n---\n<Button>Go</Button>\n<Paragraph>{contact.firstName} Lorem ipsum</Paragraph>";
    const { mail, findings } = built({ "a.lmx": text }, { values: { "contact.firstName": "Ada" } });
    expect(findings.map(short)).toEqual([
      'a.lmx:1:1 error mailspan.emptyFields: The mail has no fromName | add a line "fromName: …" to the front matter',
      'a.lmx:1:1 error mailspan.emptyFields: The mail has no fromEmail | add a line "fromEmail: …" to the front matter',
      'a.lmx:4:1 error missingButtonHrefs: Buttons without an address (Go) | <Button> leads nowhere: add href="https://…"',
      "a.lmx:5:12 warning mailspan.fillerText: Filler text (Lorem ipsum) | Replace the filler by your text",
      "a.lmx:5:12 warning missingFallbackContactProperties: Contact properties without a fallback ({contact.firstName}) | Give a fallback as fallback.contact.… in the front matter: a contact without a value does not get the mail",
    ]);
    expect(mail?.text).toContain("Ada Lorem ipsum");
  });

  it("without a sender has that of the team, where it is given", () => {
    const text = "---\nsubject: Hello\n---\n<Paragraph>Hi</Paragraph>";
    expect(findings({ "a.lmx": text }).map((line) => line.split(" | ")[0])).toEqual([
      "a.lmx:1:1 error mailspan.emptyFields: The mail has no fromName",
      "a.lmx:1:1 error mailspan.emptyFields: The mail has no fromEmail",
    ]);
    const sender = { fromName: "Acme", fromEmail: "hello", replyToEmail: null };
    const { mail, findings: none } = built({ "a.lmx": text }, { sender });
    expect([mail?.from, none]).toEqual(["Acme <hello@…>", []]);
  });

  it("has errors of its front matter", () => {
    expect(findings({ "a.lmx": "---\nsubjet: x\n---\n<H1>a</H1>" })).toEqual([
      'a.lmx:2:1 error unknown_key: There is no key "subjet" | did you mean subject?',
    ]);
  });

  it.each<[string, Contents, string]>([
    ["does not exist", {}, "1:1 error no_file: There is no such file | correct the path"],
    ["is misspelled", { "aa.lmx": "" }, "1:1 error no_file: There is no such file | did you mean aa.lmx?"],
    [
      "is empty",
      { "a.lmx": " \n" },
      "1:1 error empty_file: The file is empty | write LMX, such as <Paragraph>Hello</Paragraph>",
    ],
    [
      "is not UTF-8",
      { "a.lmx": new Uint8Array([60, 72, 49, 62, 10, 97, 233, 98]) },
      "2:2 error not_utf8: The file is not UTF-8 here | save it with the encoding UTF-8",
    ],
    [
      "has more than 200 KB",
      { "a.lmx": "x".repeat(205 * 1024) },
      "1:1 error too_large: The file has 205 KB | a mail has at most 100 KB of LMX: shorten it",
    ],
    [
      "has more than 100 KB of LMX",
      { "a.lmx": `---\npreviewText: a\n---\n<H1>${"x".repeat(101 * 1024)}</H1>` },
      "4:1 error too_large: The document is larger than 100 KB | shorten it",
    ],
  ])("that %s has one error with the fix", (_what, files, line) => {
    expect(findings(files)).toEqual([`a.lmx:${line}`]);
  });

  it("that is a folder has an error with the fix", () => {
    folder = makeFolder({});
    mkdirSync(join(folder.path, "a.lmx"));
    expect(build(join(folder.path, "a.lmx"), "a.lmx").findings.map(short)).toEqual([
      "a.lmx:1:1 error is_folder: This is a folder | name a file in it, or check all: npm run email -- --check a.lmx",
    ]);
  });

  it("may begin with a byte order mark, which counts no column", () => {
    expect(findings({ "a.lmx": "\ufeff<H9>a</H9>" })[0]).toContain("a.lmx:1:1 error unknown_tag");
  });
});

const theme = (styles: object) => JSON.stringify({ name: "Calm", styles }, null, 2);

describe("a theme", () => {
  const mail = "---\ntheme: calm\n---\n<H1>a</H1>";

  it("is a file beside the mail", () => {
    const { mail: shown, files } = built({ "a.lmx": mail, "themes/calm.json": theme({ bodyColor: "#ffeeee" }) });
    expect(shown?.html).toContain("#ffeeee");
    expect(files).toEqual(["a.lmx", "themes/calm.json"].map((name) => join(folder.path, name)));
  });

  it("of the API is known by its id, and one may be chosen in the place of the file's own", () => {
    const files = {
      "themes/calm.json": theme({ bodyColor: "#ffeeee" }),
      "themes/bold.json": theme({ bodyColor: "#eeeeff" }),
    };
    const named = built({ ...files, "a.lmx": '<Style themeId="thm_bold"/><H1>a</H1>' });
    expect([named.findings, named.mail?.html.includes("#eeeeff")]).toEqual([[], true]);
    const chosen = built({ ...files, "a.lmx": mail }, { theme: "bold" });
    expect([chosen.findings, chosen.mail?.html.includes("#eeeeff")]).toEqual([[], true]);
  });

  it("that does not exist is an error at its name, and its file is watched", () => {
    const { findings, files } = built({ "a.lmx": mail, "themes/calmer.json": theme({}) });
    expect(findings.map(short)).toEqual([
      "a.lmx:2:8 error unknown_theme: There is no theme calm | did you mean calmer? Or make the file themes/calm.json beside the mail",
    ]);
    expect(files).toContain(join(folder.path, "themes/calm.json"));
  });

  it("that a tag or the command line names and that does not exist is an error", () => {
    const fix = "make the file themes/x.json beside the mail";
    expect(findings({ "a.lmx": '<H1>a</H1>\n<Style themeId="thm_x"/>' })).toEqual([
      `a.lmx:2:17 error unknown_theme: There is no theme thm_x | ${fix}`,
    ]);
    expect(findings({ "a.lmx": mail }, { theme: "x" })).toEqual([
      `a.lmx:1:1 error unknown_theme: There is no theme x | ${fix}`,
    ]);
  });

  it.each([
    ["{", "themes/calm.json:1:2 error bad_json: The file is not JSON: Expected property name or '}' | correct it"],
    [
      "[]",
      'themes/calm.json:1:1 error bad_theme: A theme is an object with styles | write { "name": "…", "styles": { "bodyColor": "#ffffff" } }',
    ],
    [
      theme({ bodyColor: "red" }),
      "themes/calm.json:4:5 error bad_theme: bodyColor is red | give a color such as #2563eb",
    ],
    [theme({ color: "red" }), "themes/calm.json:4:5 error bad_theme: A theme has no style color | remove it"],
  ])("with a fault has the error in its own file: %j", (text, line) => {
    expect(findings({ "a.lmx": mail, "themes/calm.json": text })).toEqual([line]);
  });
});

describe("a component", () => {
  it("is a file beside the mail, and may use others", () => {
    const { mail, findings, files } = built({
      "a.lmx": '<Component componentId="footer"/>',
      "components/footer.lmx": '<Section><Component componentId="cmp_legal"/></Section>',
      "components/legal.lmx": "<Paragraph>Acme Ltd</Paragraph>",
    });
    expect(findings).toEqual([]);
    expect(mail?.text).toContain("Acme Ltd");
    expect(files).toEqual(
      ["a.lmx", "components/footer.lmx", "components/legal.lmx"].map((name) => join(folder.path, name)),
    );
  });

  it("has its errors in its own file, with the place that uses it", () => {
    const { findings } = built({
      "a.lmx": '<H1>a</H1>\n<Component componentId="footer"/>',
      "components/footer.lmx": '<Paragraph>\n <Link href="x">a</Link></Paragraph>',
    });
    expect(findings.map(short)).toEqual([
      'components/footer.lmx:2:14 error invalidLinkHrefs: Links with an invalid address (a) | href="x": give a full address such as https://example.com (or mailto: or tel:)',
    ]);
    expect(findings[0]?.usedAt).toMatchObject({ path: "a.lmx", line: 2, column: 1 });
  });

  it("that does not exist is an error at its use, and no path leads out of the folder", () => {
    expect(findings({ "a.lmx": '<Component componentId="foot"/>', "components/footer.lmx": "x" })).toEqual([
      "a.lmx:1:1 error unknown_component: There is no component foot | did you mean footer? Or make the file components/foot.lmx beside the mail",
    ]);
    expect(built({ "a.lmx": '<Component componentId="../a"/>' }).files).toEqual([join(folder.path, "a.lmx")]);
  });
});
