import { describe, expect, it } from "vitest";
import { sampleFiles as samples } from "../../../../scripts/lib/sample-files.ts";
import { type Compiled, compile, compileLine, type Kind, type MessageFields } from "../../../../src/lib/lmx/compile.ts";
import { deadLinks } from "../../../../src/lib/lmx/dead-links.ts";
import { fill, missing } from "../../../../src/lib/lmx/fill.ts";
import { childrenOf, tags, topLevel } from "../../../../src/lib/lmx/language/tags.ts";

const compiled = (source: string, kind: Kind = "transactional", fields: MessageFields = {}): Compiled => {
  const result = compile(source, kind, fields);
  if (result.compiled === undefined) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
};
const html = (source: string): string => fill(compiled(source).html, {});
const text = (source: string): string => fill(compiled(source).text, {});
const P = (inner: string, attributes = ""): string => `<Paragraph${attributes}>${inner}</Paragraph>`;

const around = (content: string, page: string): string =>
  page
    .split(content)[0]
    ?.split(/(?=<[a-z])/)
    .at(-1) ?? "";

describe("variables", () => {
  it("are each found once, in every place where they are allowed", () => {
    const source = `<H1>{data.a}</H1>${P('{data.b} {data.a} <Link href="https://a.io/{data.c}?x={data.d}">x</Link>')}
      <Image src="https://a.io/a.png" alt="{data.e}" href="{data.f}" dynamicSrc="{data.g}"/>
      <Section href="{data.h}">${P("x")}</Section><Button href="{data.i}">{data.j-k_2}</Button>
      <CodeBlock>{data.no} {none}</CodeBlock>`;
    expect(compile(source, "transactional").problems).toEqual([]);
    expect(compiled(source).variables.toSorted()).toEqual([
      "data.a",
      "data.b",
      "data.c",
      "data.d",
      "data.e",
      "data.f",
      "data.g",
      "data.h",
      "data.i",
      "data.j-k_2",
    ]);
  });

  it.each([
    ["campaign", "{contact.firstName} {system.unsubscribe_link}"],
    ["workflow", "{contact.email} {event.plan} {system.unsubscribe_link}"],
    ["transactional", "{data.amount}"],
  ] as const)("of %s mail", (kind, line) => {
    const names = line.replaceAll(/[{}]/g, "").split(" ");
    expect(compile(P(line), kind).problems).toEqual([]);
    expect(compiled(P(line), kind).variables).toEqual(names);
    expect(compileLine(line, kind)).toMatchObject({ variables: names, problems: [] });
  });

  it.each([
    ["{data.u}", "https://a.io/x?y=1&z=2", "https://a.io/x?y=1&z=2"],
    ["{data.u}", "javascript:alert(1)", "#"],
    ["{data.u}", "a.io", "#"],
    // A value in the host cannot lead elsewhere.
    ["https://{data.u}.acme.com/", "team-1", "https://team-1.acme.com/"],
    ["https://{data.u}.acme.com/", "evil.example/", "https://evil.example%2F.acme.com/"],
    ["https://{data.u}.acme.com/", "/evil.example/", "https://%2Fevil.example%2F.acme.com/"],
    ["https://acme.com{data.u}", "@evil.example/", "https://acme.com%40evil.example%2F"],
    ["https://acme.com{data.u}", ".evil.example", "https://acme.com.evil.example"],
    ["https://acme.com{data.u}", "/orders/7?a=b", "https://acme.com/orders/7?a=b"],
    ["https://acme.com{data.u}", "?a=b", "https://acme.com?a=b"],
    ["https://acme.com:{data.u}/", "8443", "https://acme.com:8443/"],
    // A value ends no part of an address.
    ["https://acme.com/?user={data.u}&amp;t=1", "a b&c=1#x\ny", "https://acme.com/?user=a%20b%26c%3D1%23x%0Ay&t=1"],
    ["https://acme.com/p?email={data.u}", "ada+news@example.org", "https://acme.com/p?email=ada%2Bnews%40example.org"],
    ["https://acme.com/p?next=/{data.u}", "a/b?c", "https://acme.com/p?next=/a%2Fb%3Fc"],
    [
      "https://acme.com/in?to={data.u}",
      "https://a.io/x?y=1&z=2",
      "https://acme.com/in?to=https%3A%2F%2Fa.io%2Fx%3Fy%3D1%26z%3D2",
    ],
    ["https://acme.com/?a=1&amp;{data.u}=2", "b=c", "https://acme.com/?a=1&b%3Dc=2"],
    ["https://acme.com/?{data.u}", "a=1&b=2#c", "https://acme.com/?a=1&b=2%23c"],
    ["https://acme.com/?a=1&amp;{data.u}", "b=2&c=é d", "https://acme.com/?a=1&b=2&c=é%20d"],
    ["https://acme.com/u/{data.u}/edit", "a/b?c#d é%", "https://acme.com/u/a%2Fb%3Fc%23d%20%C3%A9%25/edit"],
    ["https://acme.com/u/{data.u}", "../x", "https://acme.com/u/..%2Fx"],
    ["https://acme.com/{data.u}?a=1", "docs/intro?b=2", "https://acme.com/docs/intro%3Fb%3D2?a=1"],
    ["https://acme.com/{data.u}", "reset?token=a%20b&c=1", "https://acme.com/reset?token=a%20b&c=1"],
    ["https://acme.com/files/{data.u}.pdf", "Bill 1/2", "https://acme.com/files/Bill%201%2F2.pdf"],
    ["https://acme.com/#{data.u}", "/reset/a?b=1#c", "https://acme.com/#/reset/a?b=1%23c"],
    ["https://acme.com/#/reset/{data.u}", "a&b=c", "https://acme.com/#/reset/a%26b%3Dc"],
    ["https://acme.com/p?q={data.u}", "\ud800a\u202eb", "https://acme.com/p?q=ab"],
    ["mailto:{data.u}", "ada@example.com", "mailto:ada@example.com"],
    ["mailto:{data.u}", "ada+x@example.com?bcc=eve@example.org", "mailto:ada+x@example.com%3Fbcc%3Deve@example.org"],
    ["mailto:a@example.com?subject={data.u}", "Q&A #1", "mailto:a@example.com?subject=Q%26A%20%231"],
    ["tel:{data.u}", "+49 30 (123) 45", "tel:+4930(123)45"],
  ])("in the address %j, the value %j gives %j in HTML and text alike", (href, value, expected) => {
    const { html, text } = compiled(P(`<Link href="${href}">z</Link>`));
    const values = { "data.u": value };
    expect(fill(text, values)).toBe(`z: ${expected}\n`);
    expect(fill(html, values)).toContain(`<a href="${expected.replaceAll("&", "&amp;")}"`);
  });

  it("have no control character, and none that turns the direction of text", () => {
    const { html, text } = compiled(P("{data.u}."));
    const values = { "data.u": "a\u0000b\u001bc\u0085d\u202ee\u2066f\u2069g\u200f\u200e\u061ch\ti\nj" };
    const left = "abcdefgh\ti\nj";
    expect(fill(text, values)).toBe(`${left}.\n`);
    expect(fill(html, values)).toContain(`>${left}.<`);
    expect(fill(compileLine("{data.u}", "transactional").parts ?? [], values)).toBe("a b c defgh i j");
  });

  it("have no mark of direction, which the text around them may have where it turns no other text", () => {
    const own = "א!\u200f \u200eC++\u200e ع\u061c";
    const hidden = "\u202d&#x202e;\u2067";
    const { html, text } = compiled(
      P(`${own.replace("\u200f", "&rlm;")}${hidden}<Link href="https://acme.com/\u200f\u202e{data.u}">{data.u}</Link>`),
    );
    const values = { "data.u": "\u200fא\u200e" };
    expect(fill(text, values)).toBe(`${own}א: https://acme.com/%D7%90\n`);
    expect(fill(html, values)).toContain(`>${own}<a href="https://acme.com/%D7%90"`);
    expect(fill(html, values)).toContain(">א</a>");
    const line = compileLine(`${own}\u202e{data.u}`, "transactional").parts ?? [];
    expect(fill(line, values)).toBe(`${own}א`);
    expect(
      deadLinks(compiled(P('<Link href="{data.u}">a</Link>')).html, { "data.u": "\u200fhttps://acme.com" }),
    ).toEqual([]);
  });

  it("become parts that say how their value is escaped, between merged strings", () => {
    const source = P('a<Br/>b <Link href="{data.url}">{data.name}</Link>!');
    const valueParts = compiled(source).html.filter((part) => typeof part !== "string");
    expect(valueParts).toEqual([
      { variable: "data.url", as: "url", at: "start" },
      { variable: "data.name", as: "html" },
    ]);
    expect(compiled(source).text).toEqual([
      "a\nb ",
      { variable: "data.name", as: "text" },
      ": ",
      { variable: "data.url", as: "address", at: "start" },
      "!\n",
    ]);
  });

  it("are not confused with a lone brace, or a brace written as an entity", () => {
    expect(text(P("a { b, c } {} {1} &#123;data.x&#125;"))).toBe("a { b, c } {} {1} {data.x}\n");
  });

  it("without a value are listed", () => {
    expect(missing(["data.a", "data.b", "data.c"], { "data.b": "", "data.x": 1 })).toEqual(["data.a", "data.c"]);
  });
});

describe("HTML", () => {
  it("is a complete document for mail clients", () => {
    const page = fill(compiled(P("x"), "transactional", { lang: "pt-BR" }).html, {});
    expect(page).toMatch(/^<!doctype html>\n<html lang="pt-BR" dir="ltr">\n<head>\n<meta charset="utf-8">/);
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(page).toContain('<meta name="color-scheme" content="light dark">');
    expect(page).toContain(
      '<div role="article" aria-roledescription="email" lang="pt-BR" dir="ltr" aria-label="Message">',
    );
    expect(page).toContain("max-width:600px;");
    expect(page).toContain('<!--[if mso]><table role="presentation" width="600"');
    expect(page).toMatch(/<\/body>\n<\/html>\n$/);
    expect(page).not.toContain("display:none");
    expect(page).not.toContain("undefined");
  });

  it.each(['"><script>', "", "e", "en_US"])("does not accept %j as a language", (lang) => {
    expect(fill(compiled(P("x"), "campaign", { lang }).html, {})).toContain('<html lang="en" dir="ltr">');
  });

  it("hides the preview text from readers: only inboxes show it", () => {
    const { parts } = compileLine("Paid: {data.amount}", "transactional");
    const page = compiled(P("x"), "transactional", { preview: parts ?? [], subject: ["Receipt & thanks"] });
    expect(page.variables).toEqual(["data.amount"]);
    const filled = fill(page.html, { "data.amount": "€ 5" });
    expect(filled).toMatch(/<div style="display:none;[^>]*>Paid: € 5&#847;/);
    expect(filled).toContain("<title>Receipt &amp; thanks</title>");
  });

  it("closes every tag it opens", () => {
    for (const source of [...samples.map(({ lmx }) => lmx), everything]) {
      const page = fill(compiled(source).html, {});
      const open: string[] = [];
      const marks = page.replaceAll(/<!--.*?-->|<!doctype html>/g, "").matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/g);
      for (const [, slash, name = ""] of marks) {
        if (["meta", "br", "img"].includes(name)) continue;
        if (slash === "") open.push(name);
        else expect(open.pop()).toBe(name);
      }
      expect(open).toEqual([]);
    }
  });

  it.each([
    ["<H1>x</H1>", "<h1 ", "font-size:28px"],
    ["<H2>x</H2>", "<h2 ", "font-weight:700"],
    ['<H3 fontSize="20">x</H3>', "<h3 ", "font-size:20px"],
    ['<Paragraph align="center" lineHeight="200">x</Paragraph>', "<p ", "line-height:200%"],
    ["<Quote>x</Quote>", "<blockquote ", "font-style:italic"],
    ["<CodeBlock>x</CodeBlock>", "<pre ", "white-space:pre-wrap"],
    ['<OrderedList start="3"><ListItem>x</ListItem></OrderedList>', "<li ", "margin:0 0 8px"],
    [P('<Text textColor="#abc">x</Text>'), "<span ", "color:#aabbcc"],
    [P("<Strong>x</Strong>"), "<strong ", "font-weight:700"],
    [P("<Em>x</Em>"), "<em ", "font-style:italic"],
    [P("<Underline>x</Underline>"), "<span ", "text-decoration:underline"],
    [P("<Strike>x</Strike>"), "<s ", "text-decoration:line-through"],
    [P("<Code>x</Code>"), "<code ", "monospace"],
    [
      P('<Link href="https://a.io/?a=1&amp;b=2">x</Link>'),
      '<a href="https://a.io/?a=1&amp;b=2" target="_blank"',
      "underline",
    ],
  ])("draws %s", (source, tag, style) => {
    const drawn = around(">x<", `${html(source)}`);
    expect(drawn).toContain(tag);
    expect(drawn).toContain(style);
  });

  it("gives a block its padding and color", () => {
    const page = html(P("x", ' blockColor="#FED" blockBorderRadius="6" paddingTop="1" paddingLeft="4px"'));
    expect(page).toContain(
      '<td class="back-ffeedd" bgcolor="#FFEEDD" style="padding:1px 0 0 4px;background-color:#FFEEDD;border-radius:6px;"><p',
    );
  });

  it("leaves space between blocks and none at the ends", () => {
    expect(html(P("a") + P("b")).match(/<td style="padding:[^"]*"><p/g)).toEqual([
      '<td style="padding:0 0 16px 0;"><p',
      '<td style="padding:0 0 0 0;"><p',
    ]);
  });

  it("draws a button as a padded cell, and as a shape of its own for Outlook", () => {
    const page = html('<Button href="https://a.io" bgColor="#123456" innerXPadding="30" align="center">Go</Button>');
    expect(page).toContain('<td align="center" style="padding:0 0 0 0;"><!--[if mso]><v:roundrect ');
    expect(page).toContain('<!--[if !mso]><!--><table role="presentation"');
    expect(page).toMatch(/<td align="center" class="flip-123456" bgcolor="#123456" style="background-color:#123456;/);
    expect(page).toMatch(
      /<a href="https:\/\/a\.io" target="_blank"[^>]* style="display:inline-block;padding:12px 30px;/,
    );
    // Without an address there is no link to pad: Outlook pads the cell.
    expect(html("<Button>Go</Button>")).toContain("mso-padding-alt:12px 24px;");
  });

  it("draws an image with its text, its width and its link", () => {
    const page = html(
      '<Image src="https://a.io/a b.png" alt="A &quot;b&quot;" width="120" href="https://a.io" align="center"/>',
    );
    expect(page).toMatch(
      /<a href="https:\/\/a\.io"[^>]*><img src="https:\/\/a\.io\/a%20b\.png" alt="A &quot;b&quot;" width="120"/,
    );
    expect(page).toContain("margin:0 auto;");
    expect(html('<Image src="https://a.io/a.png" alt=""/>')).toContain('width="518"');
  });

  it("gives a colored section padding, which narrows its images", () => {
    const section = (attributes: string): string =>
      html(`<Section ${attributes}><Image src="https://a.io/a.png" alt=""/></Section>`);
    expect(section("")).toContain('width="518"');
    expect(section('blockColor="#eeeeee"')).toContain('width="470"');
    expect(section('blockColor="#eeeeee" paddingLeft="0"')).toContain('width="494"');
    expect(section('href="https://a.io"')).toMatch(/<a href="https:\/\/a\.io"[^>]*display:block;[^>]*><table/);
  });

  it("stacks columns on small screens by default", () => {
    const columns = (attributes: string): string =>
      html(
        `<Columns gap="18" ${attributes}><ColumnItem>${P("a")}</ColumnItem><ColumnItem>${P("b")}</ColumnItem></Columns>`,
      );
    expect(columns("")).toContain("@media (max-width:620px){");
    expect(columns("").match(/class="column" width="250"/g)).toHaveLength(2);
    expect(columns('widths="20,80"')).toMatch(
      /class="column" width="100".*class="gap" width="18".*class="column" width="400"/,
    );
    expect(columns('stackOnMobile="false"')).not.toContain('class="column"');
    expect(columns('reverseOnMobile="true"')).toContain('<tr class="reverse">');
    expect(columns('verticalAlignment="middle"')).toContain('valign="middle"');
  });

  it("uses the attributes of the Style tag", () => {
    const look = `<Style backgroundColor="#111" bodyColor="#222222" bodyFontFamily="Inter, 'Open Sans'" bodyFontCategory="serif"
      buttonBodyColor="#333333" buttonTextFormat="10" textBaseColor="#444444" textLinkColor="#555555" heading1FontSize="40"
      dividerColor="#666666" borderWidth="0" textBaseLetterSpacing="1"/>`;
    const page = html(
      `${look}<H1>h</H1>${P('<Link href="https://a.io">l</Link>')}<Divider/><Button href="https://a.io">b</Button>`,
    );
    expect(page).toContain("background-color:#111111");
    expect(page).toContain('bgcolor="#222222"');
    expect(page).toContain("font-family:Inter, 'Open Sans', Georgia, 'Times New Roman', serif;");
    expect(around(">h<", page)).toContain("font-size:40px");
    expect(around(">l<", page)).toContain("color:#555555");
    expect(around(">b<", page)).toMatch(/font-weight:400;font-style:italic;.*text-decoration:underline;/);
    expect(page).toContain('bgcolor="#333333"');
    expect(page).toContain("border-top:1px solid #666666");
    expect(page).toContain("letter-spacing:1px;color:#444444");
    expect(page).not.toContain("#e4e4e7");
  });

  it("is the same with an empty Style tag", () => {
    expect(compiled(`<Style/>${P("x")}`)).toEqual(compiled(P("x")));
  });
});

const everything = `<H1>One</H1>
<H2>Two</H2> <!-- not shown -->
<Paragraph>
  Some <Strong>bold</Strong>,  <Em>soft</Em> <Br/>  words &amp;
  a <Link href="https://a.io">link </Link>here: <Link href="https://b.io">https://b.io</Link>
</Paragraph>
<Quote>To be<Br/>or not</Quote>
<CodeBlock>
  if (a < b) {
    return "&lt;";
  }
</CodeBlock>
<Button href="https://a.io/go">Go</Button>
<Image src="https://a.io/a.png" alt="A cat" href="https://a.io/cat"/>
<Image src="https://a.io/b.png" alt="" />
<Divider width="50%"/>
<OrderedList start="9"><ListItem>nine</ListItem><ListItem>ten<Br/>more</ListItem></OrderedList>
<UnorderedList align="center"><ListItem>a <Link href="mailto:a@b.c">a@b.c</Link></ListItem></UnorderedList>
<Columns><ColumnItem><Paragraph>left</Paragraph></ColumnItem><ColumnItem><Paragraph>right</Paragraph></ColumnItem></Columns>
<Columns><ColumnItem><H3>A</H3><Paragraph>a</Paragraph></ColumnItem><ColumnItem><H3>B</H3></ColumnItem></Columns>
<Section href="https://a.io/card"><Paragraph>card</Paragraph></Section>
`;

describe("text", () => {
  it("has no space at the start of a line", () => {
    expect(text(P("\n a<Br/> b<Strong> c </Strong> d "))).toBe("a\nb c d\n");
  });

  it("keeps a code block as it is, including unknown entities", () => {
    const source = "<CodeBlock>\n\n  a && b&nbsp;&amp;  {x}\n</CodeBlock>";
    expect(compile(source, "transactional").problems).toEqual([]);
    expect(text(source)).toBe("  a && b\u00a0&  {x}\n");
  });

  it("reads like a letter", () => {
    expect(text(everything)).toBe(`One

Two

Some bold, soft
words & a link: https://a.io here: https://b.io

> To be
> or not

  if (a < b) {
    return "<";
  }

Go: https://a.io/go

A cat: https://a.io/cat

----------

9. nine
10. ten
    more

- a a@b.c

left | right

A

a

B

card

https://a.io/card
`);
  });
});

describe("the table of tags", () => {
  it("refers to existing tags only, and each tag has a place", () => {
    const named = [
      ...topLevel,
      ...childrenOf("inline"),
      ...[...tags.values()].flatMap(({ content }) => childrenOf(content)),
    ];
    expect([...new Set(named)].toSorted()).toEqual([...tags.keys()].toSorted());
  });
});
