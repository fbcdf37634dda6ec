import { type ElementNode, isElement } from "../parse/tree.ts";
import { excerpt, type Position } from "../problem.ts";
import type { Facts } from "./facts.ts";
import { faultOf, type Href, hrefOf, isBareEmail, isInsecure, isShortYouTube } from "./hrefs.ts";
import { type Node, wordsOf } from "./nodes.ts";
import { type Item, itemAt, type Rule } from "./rule.ts";

type Target = {
  element: ElementNode;
  written: string | undefined;
  at: Position;
  location: Node["location"];
  href: Href | undefined;
};

const labelOf = (element: ElementNode, href: string | undefined): string => {
  const named = element.attributes.find(({ name }) => name === "alt" || name === "name")?.raw ?? "";
  return excerpt(wordsOf(element) || named || href || `<${element.tag}>`);
};

const targetsIn = ({ nodes }: Facts, tags: readonly string[]): Target[] =>
  nodes.flatMap(({ node, location }): Target[] => {
    if (!isElement(node) || !tags.includes(node.tag)) return [];
    const attribute = node.attributes.find(({ name }) => name === "href");
    const written = attribute?.raw;
    const href = written === undefined || written.trim() === "" ? undefined : hrefOf(written);
    return [{ element: node, written, at: attribute?.value ?? node, location, href }];
  });

const itemOf = ({ element, written, at, location }: Target, fix: string): Item =>
  itemAt(location(at), labelOf(element, written), fix);

const missing =
  (...tags: string[]) =>
  (facts: Facts): Item[] =>
    targetsIn(facts, tags)
      .filter(({ href }) => href === undefined)
      .map((target) => itemOf(target, `<${target.element.tag}> leads nowhere: add href="https://…"`));

const faulty =
  (tags: readonly string[], fixOf: (href: Href) => string | undefined) =>
  (facts: Facts): Item[] =>
    targetsIn(facts, tags).flatMap((target) => {
      const { href } = target;
      const fix = href === undefined ? undefined : fixOf(href);
      return href === undefined || fix === undefined ? [] : [itemOf(target, `href="${excerpt(href.raw)}": ${fix}`)];
    });

const invalid = (href: Href): string | undefined => (isBareEmail(href) ? undefined : faultOf(href));
const shortened = (href: Href): string | undefined =>
  isShortYouTube(href) ? "give the full address, https://www.youtube.com/watch?v=…" : undefined;
const withoutMailto = (href: Href): string | undefined =>
  isBareEmail(href) ? `write mailto:${excerpt(href.raw.replace(/^https?:\/\//i, ""))}` : undefined;

const rulesOf = (tag: "Button" | "Link" | "Image", words: string): Rule[] => [
  ...(tag === "Image"
    ? []
    : [
        {
          rule: `missing${tag}Hrefs`,
          severity: "error" as const,
          title: `${words} without an address`,
          description: "They lead nowhere.",
          covers: ["missing_href", "missing_attribute", "bad_value"],
          find: missing(tag),
        },
        {
          rule: `invalid${tag}Hrefs`,
          severity: "error" as const,
          title: `${words} with an invalid address`,
          description: "No mail client can open the address.",
          covers: ["bad_value"],
          find: faulty([tag], invalid),
        },
      ]),
  {
    rule: `shortenedYouTube${tag}Hrefs`,
    severity: "warning",
    title: `${words} with a short YouTube address`,
    description: "Spam filters distrust short addresses, because these hide where they lead.",
    find: faulty([tag], shortened),
  },
  {
    rule: `emailWithoutMailto${tag}Hrefs`,
    severity: "error",
    title: `${words} with an email address that lacks mailto:`,
    description: "Mail clients read the address as one of a web page.",
    covers: ["bad_value"],
    find: faulty([tag], withoutMailto),
  },
];

const LEADING = ["Button", "Link", "Image", "Section", "Icon"];

const insecure = (facts: Facts): Item[] => {
  const links = faulty(LEADING, (href) => (isInsecure(href) ? "write https://" : undefined))(facts);
  const pictures = facts.nodes.flatMap(({ node, location }) =>
    !isElement(node)
      ? []
      : node.attributes
          .filter(({ name, raw }) => (name === "src" || name === "dynamicSrc") && isInsecure(hrefOf(raw)))
          .map(({ name, raw, value }) =>
            itemAt(location(value), labelOf(node, raw), `${name}="${excerpt(raw)}": write https://`),
          ),
  );
  return [...links, ...pictures];
};

const otherInvalid = (href: Href): string | undefined => withoutMailto(href) ?? faultOf(href);

export const linkRules: readonly Rule[] = [
  ...rulesOf("Button", "Buttons"),
  ...rulesOf("Link", "Links"),
  ...rulesOf("Image", "Pictures"),
  {
    rule: "missingSocialIconHrefs",
    severity: "warning",
    title: "Icons without an address",
    description: "They lead nowhere.",
    covers: ["missing_href", "bad_value"],
    find: missing("Icon"),
  },
  {
    rule: "mailspan.invalidHrefs",
    severity: "error",
    title: "Pictures, sections and icons with an invalid address",
    description: "No mail client can open the address.",
    covers: ["bad_value"],
    find: (facts) => [...faulty(["Image"], invalid)(facts), ...faulty(["Section", "Icon"], otherInvalid)(facts)],
  },
  {
    rule: "mailspan.insecureLinks",
    severity: "warning",
    title: "Addresses without https",
    description: "Browsers warn of such pages, and anyone in between can change them.",
    find: insecure,
  },
];
