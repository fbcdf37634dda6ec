import fc from "fast-check";
import { sampleFiles as samples } from "../../../../scripts/lib/sample-files.ts";
import type { AttributeRule } from "../../../../src/lib/lmx/language/rule.ts";
import { childrenOf, tags, topLevel } from "../../../../src/lib/lmx/language/tags.ts";
import { attributeCases, everything, plainCase } from "./documents.ts";
import { broken, misused, unreadable, usingLibrary, variables } from "./mistakes.ts";

// Random documents: those that the grammar makes, and real ones with changes.

/** Texts that make an element or an attribute named "planted", or a link that runs code, where escaping fails. */
export const payloads = [
  '"><x-planted onplanted="1">',
  "'><x-planted onplanted='1'>",
  "</title></style></td></a><x-planted>",
  "--><x-planted><!--",
  "--!><x-planted>",
  "<![endif]--><x-planted><!--[if mso]>",
  "]]><x-planted/>",
  "javascript:planted()",
  "data:text/html,<x-planted>",
  "//planted.example",
  'https://a.io/" onplanted="1',
  "https://a.io/ onplanted=1",
  "&lt;x-planted&gt; &quot; onplanted=1",
  "{data.b}{data.url}",
  "x;}</style><x-planted>{",
] as const;

const encoded = (text: string): string => text.replace(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`);

const variable = fc.constantFrom("{data.a}", "{data.b}", "{data.url}");
const word = fc.constantFrom("word", "two words", " ", "\n  ", "é 日本", "a &amp; b", "&lt;", "&#38;", "{ }", "שלום");
const planted = fc.constantFrom(...payloads).map(encoded);
const text = fc.oneof({ weight: 3, arbitrary: word }, { weight: 3, arbitrary: variable }, planted);

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const address = fc.tuple(fc.constantFrom("https://a.io/", "mailto:", "tel:", "HTTP://a.io?x=", ""), text, text);

/** A value that an attribute of this kind takes, and sometimes another one. */
const valueFor = (rule: AttributeRule): fc.Arbitrary<string> => {
  const wrong = fc.oneof(
    text,
    fc.constantFrom("", "red", "-1", "1e9", "javascript:x", "{data.a}", "#12", "x{data.", "100000"),
  );
  const right = ((): fc.Arbitrary<string> => {
    switch (rule.is) {
      case "color":
        return color;
      case "number":
        return fc.integer({ min: rule.min, max: rule.max }).map(String);
      case "choice":
        return fc.constantFrom(...rule.of);
      case "link":
      case "image":
        return address.map((parts) => {
          const value = parts.join("").replaceAll("\n", "");
          return rule.variables ? value : value.replaceAll(/\{[^}]*\}/g, "x");
        });
      case "font":
        return fc.constantFrom("Inter, 'Open Sans'", "serif");
      case "widths":
        return fc.constantFrom("50,50", "30,70", "20%, 30%, 50%", "100");
      case "icon":
        return fc.constantFrom("github", "x-twitter", "envelope");
      case "text":
        return fc.oneof(
          text,
          fc.constantFrom("th_brand", "cmp_footer", "cmp_card", ...Object.keys(broken.components ?? {})),
        );
    }
  })();
  return fc.oneof({ weight: 60, arbitrary: right }, wrong);
};

const attributesOf = (tag: string): fc.Arbitrary<string> => {
  const all = Object.entries(tags.get(tag)?.attributes ?? {});
  if (all.length === 0) return fc.constant("");
  const given = all.map(([name, rule]) => {
    const one = valueFor(rule).map((value) => ` ${name}="${value.replaceAll('"', "&quot;")}"`);
    return fc.oneof(
      { weight: rule.required ? 30 : 1, arbitrary: one },
      { weight: Math.ceil(all.length / 3), arbitrary: fc.constant("") },
    );
  });
  return fc.tuple(...given).map((parts) => parts.join(""));
};

const many = (one: fc.Arbitrary<string>, min: number, max: number): fc.Arbitrary<string> =>
  fc.array(one, { minLength: min, maxLength: max }).map((parts) => parts.join(""));

const known = new Map<string, fc.Arbitrary<string>>();

/** An element of this tag, with content that may stand in it: most of the time all of it is allowed. */
const element = (tag: string, depth: number): fc.Arbitrary<string> => {
  const key = `${tag} ${depth}`;
  const made = known.get(key) ?? makeElement(tag, depth);
  known.set(key, made);
  return made;
};

const makeElement = (tag: string, depth: number): fc.Arbitrary<string> => {
  const { content = "empty", children } = tags.get(tag) ?? {};
  const attributes = attributesOf(tag);
  if (content === "empty") return attributes.map((all) => `<${tag}${all}/>`);
  const inside = ((): fc.Arbitrary<string> => {
    if (content === "raw") return many(fc.oneof(text, fc.constantFrom(...payloads, "if (a < b) {", "</p>")), 0, 3);
    if (content === "text" || (content === "inline" && depth <= 0)) return many(text, 0, 5);
    const inner = oneOf(childrenOf(content), depth - 1);
    if (content === "inline") return many(fc.oneof({ weight: 4, arbitrary: text }, inner), 0, 6);
    return many(inner, Math.max(1, children?.min ?? 0), Math.min(children?.max ?? 2, 3));
  })();
  return fc.tuple(attributes, inside).map(([all, content]) => `<${tag}${all}>${content}</${tag}>`);
};

/** One of these elements. Where a document is deep enough, only those that hold no other blocks, if there are any. */
const oneOf = (names: readonly string[], depth: number): fc.Arbitrary<string> => {
  const flat = names.filter((name) => typeof tags.get(name)?.content === "string");
  const chosen = depth <= 0 && flat.length > 0 ? flat : names;
  return fc.oneof(...chosen.map((name) => element(name, depth)));
};

/** A document that the grammar makes. */
export const grammarMade: fc.Arbitrary<string> = many(oneOf(topLevel, 3), 1, 5);

const whole: readonly string[] = [everything, ...samples.map(({ lmx }) => lmx)];
const small: readonly string[] = [
  ...[...tags.keys()].flatMap((tag) => [plainCase(tag), ...attributeCases(tag).map(({ source }) => source)]),
  ...[...unreadable, ...misused, ...usingLibrary].map(([source]) => source),
  ...variables.map(([, source]) => source),
].filter(({ length }) => length < 8_000);
const real = fc.oneof(fc.constantFrom(...whole), fc.constantFrom(...small));

/** Marks that have a meaning in documents. */
export const marks = [
  "<",
  ">",
  "/",
  "</",
  "/>",
  "<!--",
  "-->",
  "&",
  ";",
  "{",
  "}",
  '"',
  "'",
  "=",
  " ",
  "\n",
  "\u0000",
  "\ud800",
];

const piece = fc.oneof(
  fc.constantFrom(...marks),
  fc.constantFrom(
    ...payloads,
    "{data.a}",
    "<Br/>",
    "<Section>",
    "</Section>",
    "<Paragraph>",
    "</Paragraph>",
    ' href="',
    "]]>",
  ),
  oneOf(["Strong", "Paragraph", "Button", "Component", "Link"], 1),
);
const place = fc.double({ min: 0, max: 0.999, noNaN: true });

type Edit = (source: string) => string;

/** Replaces a piece wherever it is: most documents cannot be read afterwards. */
const cut: fc.Arbitrary<Edit> = fc
  .tuple(place, fc.nat(12), fc.option(piece, { nil: "" }))
  .map(([at, length, put]) => (source) => {
    const from = Math.floor(at * source.length);
    return source.slice(0, from) + put + source.slice(from + length);
  });

/** Changes one of the matches of a pattern: an end of a tag, a value of an attribute. */
const changed =
  (pattern: RegExp, at: number, change: (found: string) => string): Edit =>
  (source) => {
    const all = [...source.matchAll(pattern)];
    const found = all[Math.floor(at * all.length)];
    if (found === undefined) return source;
    return source.slice(0, found.index) + change(found[0]) + source.slice(found.index + found[0].length);
  };

/** Adds text, a payload or an inline element at the start of a text. */
const added = fc
  .tuple(place, fc.oneof({ weight: 3, arbitrary: text }, oneOf(["Strong", "Link", "Text", "Br"], 1)))
  .map(([at, put]) => changed(/<(?:Paragraph|H[123]|Quote|ListItem|Strong|Em)\b[^>]*>/g, at, (tag) => tag + put));

/** Changes a value of an attribute that may have text or an address. */
const revalued = fc
  .tuple(
    place,
    fc.oneof(
      address.map((parts) => parts.join("")),
      text,
    ),
  )
  .map(([at, value]) =>
    changed(/ (?:href|alt|dynamicSrc)="[^"]*"/g, at, (found) => {
      return `${found.slice(0, found.indexOf('"'))}"${value.replaceAll('"', "&quot;")}"`;
    }),
  );

/** A real document with a few changes. */
export const mutated: fc.Arbitrary<string> = fc
  .tuple(
    real,
    fc.oneof(
      { weight: 2, arbitrary: fc.array(fc.oneof(added, revalued), { minLength: 1, maxLength: 4 }) },
      fc.array(fc.oneof(cut, added, revalued), { minLength: 1, maxLength: 4 }),
    ),
  )
  .map(([source, edits]) => edits.reduce((edited, edit) => edit(edited), source));
