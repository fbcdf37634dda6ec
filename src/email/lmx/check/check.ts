import { closest } from "../../../lib/util/nearest.ts";
import type { Content } from "../language/rule.ts";
import { childrenOf, htmlNames, tags, topLevel } from "../language/tags.ts";
import type { Kind } from "../language/variables.ts";
import { type ElementNode, isElement, type MarkupNode, type TextNode } from "../parse/tree.ts";
import { error, excerpt, inComponent, type Problem, warning } from "../problem.ts";
import { checkAttributes } from "./attributes.ts";
import { referenceProblems } from "./references.ts";

/** Place of a node: its parent tag (none at the top), the content allowed there, and whether it is inside a link. */
type Place = { parent?: ElementNode; content: Content; linked: boolean };

const nameOf = (tag: string): string => `<${excerpt(tag)}>`;

const unknownTag = (element: ElementNode): Problem => {
  const html = htmlNames.get(element.tag.toLowerCase());
  const meant = html ?? closest(element.tag, tags.keys());
  const fix = meant === undefined ? "see the list of tags" : `did you mean <${meant}>?`;
  const message = `Unknown tag ${nameOf(element.tag)}: ${fix}`;
  return { ...error(element, "unknown_tag", message), tag: excerpt(element.tag) };
};

const misplaced = (element: ElementNode, { parent }: Place): Problem => {
  const where = parent === undefined ? "at the top level" : `in ${nameOf(parent.tag)}`;
  const homes = [...tags].flatMap(([tag, rule]) => (childrenOf(rule.content).includes(element.tag) ? [tag] : []));
  const fix =
    parent?.tag === undefined || !topLevel.includes(element.tag)
      ? `put it in ${homes.slice(0, 4).map(nameOf).join(", ")}`
      : `put it outside ${nameOf(parent.tag)}`;
  const message = `${nameOf(element.tag)} cannot stand ${where}: ${fix}`;
  return { ...error(element, "bad_child", message), tag: excerpt(element.tag) };
};

/** The tag for a text in content that takes no text. */
const wrapperIn = (content: Content): string | undefined =>
  childrenOf(content).includes("Paragraph") ? "Paragraph" : childrenOf(content)[0];

const checkText = (node: TextNode, place: Place, kind: Kind): Problem[] => {
  const { content, parent } = place;
  if (content === "raw" || node.raw.trim() === "") return [];
  if (content === "inline" || content === "text") return referenceProblems(node.raw, node, kind);
  const [where, fix] =
    parent === undefined
      ? ["at the top level", "wrap it in <Paragraph>"]
      : [`in ${nameOf(parent.tag)}`, content === "empty" ? "it holds nothing" : `wrap it in <${wrapperIn(content)}>`];
  return [error(node, "text_not_allowed", `Text cannot stand ${where}: ${fix}`)];
};

const elementsOf = (nodes: readonly MarkupNode[]): ElementNode[] => nodes.filter(isElement);

const has = (element: ElementNode, name: string): boolean => element.attributes.some((one) => one.name === name);

const isBlank = (element: ElementNode): boolean =>
  element.children.every((child) => !isElement(child) && child.raw.trim() === "");

/** Rules of single tags that need several attributes or children at once. */
const SPECIAL: Readonly<Record<string, (element: ElementNode) => Problem[]>> = {
  Columns: (element) => {
    const count = elementsOf(element.children).length;
    const widths = element.attributes.find((attribute) => attribute.name === "widths");
    const given = widths?.raw.split(",").length;
    return [
      ...(count > 2 ? [warning(element, "many_columns", "More than two columns get narrow: two are safe")] : []),
      ...(widths !== undefined && given !== count
        ? [error(widths, "bad_value", `widths has ${given} values for ${count} columns: give one per column`)]
        : []),
    ];
  },
  Button: (element) => [
    ...(has(element, "href") ? [] : [warning(element, "missing_href", '<Button> leads nowhere: add href="https://…"')]),
    ...(isBlank(element) ? [warning(element, "empty_tag", "<Button> has no text: add some")] : []),
  ],
  Link: (element) => (isBlank(element) ? [warning(element, "empty_tag", "<Link> has no text: add some")] : []),
  Image: (element) =>
    has(element, "alt")
      ? []
      : [warning(element, "missing_alt", '<Image> has no alt: describe it, or alt="" for decoration')],
  Icon: (element) =>
    has(element, "href") ? [] : [warning(element, "missing_href", '<Icon> leads nowhere: add href="https://…"')],
};

const checkChildren = (element: ElementNode): Problem[] => {
  const limits = tags.get(element.tag)?.children;
  const count = elementsOf(element.children).length;
  if (limits === undefined || (count >= limits.min && count <= limits.max)) return [];
  const [child] = childrenOf(tags.get(element.tag)?.content ?? "empty");
  const wanted = limits.max === Number.POSITIVE_INFINITY ? `at least ${limits.min}` : `${limits.min} to ${limits.max}`;
  return [error(element, "bad_count", `<${element.tag}> has ${count} children: give ${wanted} <${child}>`)];
};

const checkElement = (element: ElementNode, place: Place, kind: Kind): Problem[] => {
  const rule = tags.get(element.tag);
  if (rule === undefined) return [unknownTag(element)];
  const allowed = place.parent === undefined ? topLevel : childrenOf(place.content);
  const problems = allowed.includes(element.tag) ? [] : [misplaced(element, place)];
  const links = has(element, "href");
  if (links && place.linked) {
    const message = `${nameOf(element.tag)} has an href inside another link: keep one of the two`;
    problems.push(error(element, "nested_link", message));
  }
  const inside: Place = { parent: element, content: rule.content, linked: place.linked || links };
  for (const problem of [
    ...checkAttributes(element, rule, kind),
    ...(SPECIAL[element.tag]?.(element) ?? []),
    ...checkChildren(element),
  ]) {
    problems.push(problem);
  }
  const { from } = element;
  for (const problem of checkAll(element.children, inside, kind)) {
    problems.push(from === undefined ? problem : inComponent(problem, from, element));
  }
  return problems;
};

const checkAll = (nodes: readonly MarkupNode[], place: Place, kind: Kind): Problem[] =>
  nodes.flatMap((node) => (isElement(node) ? checkElement(node, place, kind) : checkText(node, place, kind)));

/** A problem in a component counts once, however often the document uses the component. */
const once = (problems: readonly Problem[]): Problem[] => {
  const seen = new Set<string>();
  return problems.filter(({ code, component }) => {
    if (component === undefined) return true;
    const key = `${component.id} ${component.line}:${component.column} ${code}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/**
 * Checks a tree from `expand`: tags, their places and attributes, and the variables available in mail of this kind.
 *
 * Errors: `unknown_tag`, `bad_child`, `bad_count`, `text_not_allowed`, `missing_attribute`,
 * `bad_value`, `nested_link`, `duplicate_style`, and of variables `unprefixed_variable`, `wrong_namespace`,
 * `unknown_variable`, `bad_variable`, `unclosed_variable`, `variable_not_allowed`. Warnings: `unknown_attribute`,
 * `many_columns`, `missing_href`, `missing_alt`, `empty_tag`, `empty_document`.
 */
export const check = (nodes: readonly MarkupNode[], kind: Kind): Problem[] => {
  const problems = once(checkAll(nodes, { content: [], linked: false }, kind));
  const elements = elementsOf(nodes);
  const styles = elements.filter(({ tag }) => tag === "Style");
  for (const style of styles.slice(1)) {
    problems.push(error(style, "duplicate_style", "A document has one <Style>: merge this one into the first"));
  }
  if (styles.length === elements.length && problems.length === 0) {
    problems.push(warning({ line: 1, column: 1 }, "empty_document", "The document shows nothing: add a <Paragraph>"));
  }
  return problems;
};

/** Checks the content of a component as `check` does a document, for mail of every kind. */
export const checkInside = (nodes: readonly MarkupNode[]): Problem[] => {
  const parent: ElementNode = { tag: "Component", attributes: [], children: [], line: 1, column: 1 };
  const content = tags.get("Component")?.content ?? [];
  return once(checkAll(nodes, { parent, content, linked: false }, "component"));
};
