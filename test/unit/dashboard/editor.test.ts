import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { variablesFor } from "../../../src/dashboard/app/parts/editor/completion.ts";
import { diagnosticsOf, fixOf, offsetOf } from "../../../src/dashboard/app/parts/editor/diagnostics.ts";
import { language } from "../../../src/dashboard/app/parts/editor/extensions.ts";
import { openAt, overClosing } from "../../../src/dashboard/app/parts/editor/over-closing.ts";
import { checkComponent, compile, type Kind } from "../../../src/lib/lmx/compile.ts";

const NAMES = { components: [{ id: "cmp_1", name: "Footer" }], themes: [{ id: "thm_1", name: "Brand" }] };
const KNOWN = ["contact.firstName", "contact.plan", "data.amount"];

const offered = (text: string, kind: Kind = "transactional"): string[] => {
  const at = text.indexOf("|");
  const doc = text.replace("|", "");
  const state = EditorState.create({ doc, extensions: [language(kind, NAMES, () => KNOWN)] });
  const context = new CompletionContext(state, at, false);
  return state
    .languageDataAt<(context: CompletionContext) => CompletionResult | null>("autocomplete", at)
    .flatMap((source) => {
      const result = source(context);
      const typed = doc.slice(result?.from ?? at, at);
      return result?.options.filter(({ label }) => label.startsWith(typed)).map(({ label }) => label) ?? [];
    });
};

describe("the completion of LMX", () => {
  it("offers the tags that may stand at a place", () => {
    expect(offered("<|")).toContain("Columns");
    expect(offered("<|")).toContain("Style");
    expect(offered("<|")).not.toContain("Strong");
    expect(offered("<Paragraph>Hello <|</Paragraph>")).toContain("Strong");
    expect(offered("<Paragraph>Hello <|</Paragraph>")).not.toContain("Columns");
    expect(offered("<UnorderedList><|</UnorderedList>")).toEqual(["ListItem"]);
  });

  it("offers no Style in a component: the document has it", () => {
    expect(offered("<|", "component")).toContain("Section");
    expect(offered("<|", "component")).not.toContain("Style");
  });

  it("offers the attributes of a tag", () => {
    expect(offered("<Button |></Button>")).toEqual(expect.arrayContaining(["href", "bgColor", "align"]));
    expect(offered("<Button |></Button>")).not.toContain("src");
    expect(offered("<Style |/>")).toContain("buttonTextColor");
  });

  it("offers the values of an attribute, and what a document may name", () => {
    expect(offered('<Paragraph align="|"></Paragraph>')).toEqual(["left", "center", "right"]);
    expect(offered('<Paragraph align="ce|"></Paragraph>')).toEqual(["center"]);
    expect(offered("<Paragraph align='|'")).toEqual(["left", "center", "right"]);
    expect(offered('<Paragraph align="left"|></Paragraph>')).not.toContain("left");
    expect(offered('<Component componentId="|"/>')).toEqual(["cmp_1"]);
    expect(offered('<Style themeId="|"/>')).toEqual(["thm_1"]);
    expect(offered('<Icons><Icon name="|"/></Icons>')).toContain("github");
  });

  it("offers the variables of this kind of mail, also those that the document has", () => {
    expect(offered("<Paragraph>{data.city} {|</Paragraph>")).toEqual(["data.amount", "data.city", "data."]);
    expect(offered("<Paragraph>{contact.f|</Paragraph>", "campaign")).toEqual(["contact.firstName"]);
    expect(offered("<Paragraph>{s|}</Paragraph>", "campaign")).toEqual([
      "system.unsubscribe_link",
      "system.view_in_browser_link",
    ]);
  });

  it("offers variables in the attributes that take them, and in no other", () => {
    expect(offered('<Link href="https://x.example/{d|"></Link>')).toContain("data.amount");
    expect(offered('<Button bgColor="{d|"></Button>')).toEqual([]);
  });

  it("does not take what is being written for a known variable", () => {
    expect(variablesFor("transactional", [], "{data.am")).toEqual([]);
    expect(offered("<Paragraph>{data.ne|}</Paragraph>")).toEqual([]);
  });
});

describe("the marks of an editor", () => {
  const marked = (text: string) => {
    const state = EditorState.create({ doc: text });
    const { problems } = compile(text, "transactional");
    return diagnosticsOf(state, problems).map(({ from, to, severity }) => [state.sliceDoc(from, to), severity]);
  };

  it("stand at the tag, the variable or the word that a problem is about", () => {
    expect(marked("<Paragraf>Hi</Paragraf>")).toEqual([["<Paragraf", "error"]]);
    expect(marked("<Paragraph>Hi {contact.name}</Paragraph>")).toEqual([["{contact.name}", "error"]]);
    expect(marked('<Paragraph>\n  <Link href="x.example">Hi</Link></Paragraph>')).toEqual([["x.example", "error"]]);
    expect(marked('<Paragraph color="red">Hi</Paragraph>')).toEqual([["color", "warning"]]);
  });

  it("stay in the text when it became shorter", () => {
    const { doc } = EditorState.create({ doc: "one\ntwo" });
    expect(offsetOf(doc, { line: 9, column: 9 })).toBe(7);
    expect(offsetOf(doc, { line: 1, column: 9 })).toBe(3);
    expect(offsetOf(doc, { line: 0, column: 0 })).toBe(0);
    expect(diagnosticsOf(EditorState.create(), compile("", "transactional").problems)).toMatchObject([
      { from: 0, to: 0 },
    ]);
  });

  it("have a fix where the compiler knows what is meant", () => {
    const fixes = (text: string) => compile(text, "transactional").problems.map(fixOf);
    expect(fixes("<p>Hi</p>")).toEqual(["Paragraph"]);
    expect(fixes("<Paragraph>{contact.name}</Paragraph>")).toEqual(["{data.name}"]);
    expect(fixes('<Paragraph alignn="left">Hi</Paragraph>')).toEqual(["align"]);
    expect(fixes('<Paragraph align="middle">Hi</Paragraph>')).toEqual([undefined]);
  });

  it("have none for what is wrong in a component", () => {
    const library = { components: { cmp_1: { name: "Footer", lmx: "<p>Hi</p>" } } };
    const { problems } = compile('<Component componentId="cmp_1"/>', "transactional", {}, library);
    expect(problems.map(fixOf)).toEqual([undefined]);
    expect(checkComponent("<p>Hi</p>").problems.map(fixOf)).toEqual(["Paragraph"]);
  });
});

describe("a closing tag that stands already", () => {
  const typed = (text: string, characters: string): string => {
    let [before = "", after = ""] = text.split("|");
    for (const character of characters) {
      const over = overClosing(before, after, character);
      if (over) before = before.slice(0, before.length - over.drop) + after.slice(0, over.skip);
      else before += character;
      after = over ? after.slice(over.skip) : after;
    }
    return `${before}|${after}`;
  };

  it.each([
    ["<Paragraph>|</Paragraph>", "Hello</Paragraph>", "<Paragraph>Hello</Paragraph>|"],
    ["<Paragraph>|</Paragraph>", "Hello</", "<Paragraph>Hello</|Paragraph>"],
    ["<Section>\n  |\n</Section>", "Hi</Section>", "<Section>\n  Hi\n</Section>|"],
    ["<A><B>x|</A>", "</B>", "<A><B>x</B>|</A>"],
    ["<A>|</A>", "<B>x</B></A>", "<A><B>x</B></A>|"],
    ['<A title="</A>">|</A>', "x</A>", '<A title="</A>">x</A>|'],
    ["<A>|", "x</A>", "<A>x</A>|"],
    ["<A>x</|B>", "A", "<A>x</A|B>"],
  ])("is typed over, and not doubled: %s", (text, characters, result) => {
    expect(typed(text, characters)).toBe(result);
  });

  it("is that of the innermost element that is open", () => {
    expect(openAt('<A><B/><!-- <C> --><D x="a > b">')).toBe("D");
    expect(openAt("<A><B></A>")).toBeUndefined();
    expect(openAt("no tag")).toBeUndefined();
  });
});
