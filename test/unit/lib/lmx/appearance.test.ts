import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile, type Library, type MessageFields } from "../../../../src/lib/lmx/compile.ts";
import { luminance } from "../../../../src/lib/lmx/draw/color.ts";
import { fill } from "../../../../src/lib/lmx/fill.ts";
import { inOutlook, judge } from "./judge.ts";
import { P } from "./mistakes.ts";

const page = (source: string, fields: MessageFields = {}, library: Library = {}, publicUrl?: string): string => {
  const { compiled, problems } = compile(source, "transactional", fields, library);
  if (compiled === undefined) throw new Error(JSON.stringify(problems));
  return fill(compiled.html, {}, publicUrl);
};

const darkRules = (html: string): Map<string, string> => {
  const [, rules = ""] = /prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(html) ?? [];
  return new Map(
    [...rules.matchAll(/\.([\w-]+)\{[a-z-]+:([^!]+)!important\}/g)].map(([, name = "", to = ""]) => [name, to]),
  );
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("dark mode", () => {
  it("keeps every text readable that is readable in light mode", () => {
    let readable = 0;
    const check = (back: string, text: string) => {
      if (contrast(back, text) < 4.5) return;
      readable += 1;
      const rules = darkRules(
        page(`<Section blockColor="${back}">${P(`<Text textColor="${text}">x</Text>`)}</Section>`),
      );
      const [darkBack, darkText] = [
        rules.get(`back-${back.slice(1)}`) ?? back,
        rules.get(`text-${text.slice(1)}`) ?? text,
      ];
      expect([back, text, contrast(darkBack, darkText) > 4.4]).toEqual([back, text, true]);
    };
    fc.assert(fc.property(color, color, check), { numRuns: 2000 });
    expect(readable).toBeGreaterThan(100);
  });

  it("keeps every button readable, and visible on the dark card", () => {
    const check = (back: string, label: string) => {
      if (contrast(back, label) < 4.5) return;
      const rules = darkRules(page(`<Button href="https://a.io" bgColor="${back}" textColor="${label}">x</Button>`));
      const card = rules.get("back-ffffff") ?? "";
      const [darkBack, darkLabel] = [
        rules.get(`flip-${back.slice(1)}`) ?? back,
        rules.get(`label-${label.slice(1)}`) ?? label,
      ];
      expect([back, label, contrast(darkBack, darkLabel) > 4.4]).toEqual([back, label, true]);
      expect([back, contrast(darkBack, card) > 1.6]).toEqual([back, true]);
    };
    fc.assert(fc.property(color, color, check), { numRuns: 2000 });
  });

  it("is the same for Outlook, which marks what it recolored", () => {
    const html = page(P("x"));
    expect(html).toContain("[data-ogsb] .back-ffffff{background-color:#1a1a1a!important}");
    expect(html).toContain("[data-ogsc] .text-3f3f46{color:#e3e3e6!important}");
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
  });

  it("is left out of a mail with more colors than a style sheet may hold", () => {
    const shade = (n: number) => `#${(0xf00000 + n * 257).toString(16)}`;
    const many = Array.from({ length: 70 }, (_, n) => `<Section blockColor="${shade(n)}">${P("x")}</Section>`).join("");
    expect(darkRules(page(many)).size).toBe(0);
    expect(page(many)).toContain('<meta name="color-scheme" content="light">');
  });

  it("reads no class in what an author writes", () => {
    const html = page(P(' class="text-000000" &lt;p class="back-ffff00"&gt;'));
    expect([...darkRules(html).keys()].filter((name) => /000000|ffff00/.test(name))).toEqual([]);
  });
});

describe("Outlook on Windows", () => {
  it("gets a shape for a button, with its address, label and a size that fits", () => {
    const html = page('<Button href="https://a.io/?a=1&amp;b=2" borderRadius="22">Set up &amp; go</Button>');
    const shape = judge(inOutlook(html)).elements.find(({ tagName }) => tagName === "v:roundrect");
    const at = Object.fromEntries((shape?.attrs ?? []).map(({ name, value }) => [name, value]));
    expect(at).toMatchObject({ href: "https://a.io/?a=1&b=2", arcsize: "50%", fillcolor: "#18181b", stroked: "f" });
    expect(at.style).toMatch(/^height:44px;width:1\d\dpx;v-text-anchor:middle;$/);
    expect(judge(inOutlook(html)).text.match(/Set up & go/g)).toHaveLength(1);
    expect(judge(html).text.match(/Set up & go/g)).toHaveLength(1);
  });

  it("gets a shape no wider than the mail", () => {
    const html = page(`<Button href="https://a.io">${"long label ".repeat(30)}</Button>`);
    const [, height, width] = /height:(\d+)px;width:(\d+)px/.exec(html) ?? [];
    expect(Number(width)).toBeLessThanOrEqual(518);
    expect(Number(height)).toBeGreaterThan(100);
  });

  it("gets a table of fixed width, pictures at their size, and a font that it knows", () => {
    const html = inOutlook(page(`<Style bodyFontFamily="Inter" bodyFontCategory="serif"/>${P("x")}`));
    expect(html).toContain('<table role="presentation" width="600"');
    expect(html).toContain("<o:PixelsPerInch>96</o:PixelsPerInch>");
    expect(html).toContain("font-family:Georgia, serif!important");
    expect(inOutlook(page(P("x")))).toContain("'Segoe UI', Arial");
  });
});

describe("a language that is written from right to left", () => {
  it.each([
    ["ar", "rtl"],
    ["he-IL", "rtl"],
    ["fa", "rtl"],
    ["az-Arab", "rtl"],
    ["ur-Latn", "ltr"],
    ["en", "ltr"],
    ["nonsense_tag", "ltr"],
  ])("%s is %s", (lang, direction) => {
    const html = page(P("x"), { lang });
    expect(html).toMatch(new RegExp(`<html lang="[^"]+" dir="${direction}">`));
    expect(html).toContain(`text-align:${direction === "rtl" ? "right" : "left"};`);
  });

  it("has lists, quotes and icons at the right, and code at the left", () => {
    const source = `<UnorderedList><ListItem>x</ListItem></UnorderedList><Quote>x</Quote><CodeBlock>x</CodeBlock>
      <Icons><Icon name="github" href="https://a.io"/><Icon name="x-twitter" href="https://a.io"/></Icons>`;
    const html = page(source, { lang: "ar" });
    expect(html).toContain("margin:0 24px 0 0;");
    expect(html).toContain("border-right:3px solid");
    expect(html).toContain("padding-left:12px");
    expect(html).toMatch(/<pre[^>]* dir="ltr"/);
  });
});

describe("icons", () => {
  const source =
    '<Icons size="32" color="#000000"><Icon name="x-twitter" href="https://x.com"/><Icon name="globe"/></Icons>';

  it("are pictures with their names as text, where the address of their Worker is known", () => {
    const html = page(source, {}, {}, "https://mail.example.com");
    const images = judge(html).elements.filter(({ tagName }) => tagName === "img");
    const shown = images.map(({ attrs }) => attrs.map(({ name, value }) => `${name}=${value}`).join(" "));
    expect(shown[0]).toContain("src=https://mail.example.com/icons/x-twitter-000000.png alt=X width=32 height=32");
    expect(shown[1]).toContain("globe-000000.png alt=Website");
    expect(html).toContain(".icon-000000{filter:invert(1)!important}");
  });

  it("have every name of Font Awesome, and are called by it where they have no title", () => {
    const named = (name: string) => judge(page(`<Icons><Icon name="${name}" href="https://a.io"/></Icons>`)).text;
    for (const [name, title] of [
      ["square-github", "GitHub"],
      ["paper-plane", "Paper plane"],
      ["hacker-news", "Hacker news"],
      ["home", "Home"],
      ["0", "0"],
    ] as const) {
      expect(named(name)).toContain(title);
    }
  });

  it("are words without it", () => {
    const html = page(source);
    expect(judge(html).elements.filter(({ tagName }) => tagName === "img")).toEqual([]);
    expect(html).toMatch(/<a href="https:\/\/x\.com"[^>]*>X<\/a>/);
  });

  it("are lines in the text, where they lead somewhere", () => {
    const { compiled } = compile(`${source}${P("end")}`, "campaign");
    expect(fill(compiled?.text ?? [], {})).toBe("X: https://x.com\n\nend\n");
  });
});

describe("the plain format", () => {
  const source = `<Style bodyColor="#ff0000"/><H1>Title</H1>${P('Hi <Text textColor="#00ff00">you</Text>')}
    <Section blockColor="#0000ff" href="https://a.io/card"><Button href="https://a.io/go" bgColor="#123456">Go</Button></Section>`;

  it("has no theme, no colors and no tables", () => {
    const { compiled, problems } = compile(source.replace(' href="https://a.io/card"', ""), "campaign", {
      format: "plain",
    });
    expect(problems).toEqual([]);
    const html = fill(compiled?.html ?? [], {});
    expect(html).not.toMatch(/<table|#[0-9a-f]{6}|class=|prefers-color-scheme/i);
    expect(html).toContain('<a href="https://a.io/go" target="_blank">Go</a>');
    expect(judge(html).text.replaceAll(/\s+/g, " ")).toContain("Title Hi you Go");
  });

  it("uses no theme, and has the same text", () => {
    const library: Library = { themes: { t: {} }, defaultThemeId: "t" };
    const styled = compile(P("x"), "campaign", {}, library).compiled;
    const plain = compile(P("x"), "campaign", { format: "plain" }, library).compiled;
    expect([styled?.themes, plain?.themes]).toEqual([["t"], []]);
    expect(plain?.text).toEqual(styled?.text);
  });
});
