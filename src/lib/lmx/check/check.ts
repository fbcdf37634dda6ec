import { nearest } from "../../util/nearest.ts";
import type { Content } from "../language/rule.ts";
import { childrenOf, htmlNames, tags, topLevel } from "../language/tags.ts";
import type { Kind } from "../language/variables.ts";
import { type ComponentName, type ElementNode, isElement, type MarkupNode, type TextNode } from "../parse/tree.ts";
import { error, excerpt, inComponent, MAX_PROBLEMS, type Problem, warning } from "../problem.ts";
import { checkAttributes } from "./attributes.ts";
import { referenceProblems } from "./references.ts";

type Enclosing = { parent?: ElementNode; content: Content; linked: boolean };

const nameOf = (tag: string): string => `<${excerpt(tag)}>`;

const unknownTag = (element: ElementNode): Problem => {
  const html = htmlNames.get(element.tag.toLowerCase());
  const meant = html ?? nearest(element.tag, tags.keys());
  const fix = meant === undefined ? "see the list of tags" : `did you mean <${meant}>?`;
  const message = `Unknown tag ${nameOf(element.tag)}: ${fix}`;
  return { ...error(element, "unknown_tag", message), tag: excerpt(element.tag) };
};

const misplaced = (element: ElementNode, { parent }: Enclosing): Problem => {
  const where = parent === undefined ? "at the top level" : `in ${nameOf(parent.tag)}`;
  const homes = [...tags].flatMap(([tag, rule]) => (childrenOf(rule.content).includes(element.tag) ? [tag] : []));
  const fix =
    parent?.tag === undefined || !topLevel.includes(element.tag)
      ? `put it in ${homes.slice(0, 4).map(nameOf).join(", ")}`
      : `put it outside ${nameOf(parent.tag)}`;
  const message = `${nameOf(element.tag)} cannot stand ${where}: ${fix}`;
  return { ...error(element, "bad_child", message), tag: excerpt(element.tag) };
};

const wrapperIn = (content: Content): string | undefined =>
  childrenOf(content).includes("Paragraph") ? "Paragraph" : childrenOf(content)[0];

const checkText = (node: TextNode, enclosing: Enclosing, kind: Kind): Problem[] => {
  const { content, parent } = enclosing;
  if (content === "raw" || node.raw.trim() === "") return [];
  if (content === "inline" || content === "text") return referenceProblems(node.raw, node, kind);
  const [where, fix] =
    parent === undefined
      ? ["at the top level", "wrap it in <Paragraph>"]
      : [`in ${nameOf(parent.tag)}`, content === "empty" ? "it holds nothing" : `wrap it in <${wrapperIn(content)}>`];
  return [error(node, "text_not_allowed", `Text cannot stand ${where}: ${fix}`)];
};

const elementsOf = (nodes: readonly MarkupNode[]): ElementNode[] => nodes.filter(isElement);

const has = (element: ElementNode, name: string): boolean =>
  element.attributes.some((attribute) => attribute.name === name);

const isBlank = (element: ElementNode): boolean =>
  element.children.every((child) => !isElement(child) && child.raw.trim() === "");

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

type Checking = {
  readonly kind: Kind;
  readonly problems: Problem[];
  /** The limit keeps broken documents as fast as good ones. */
  readonly room: Record<Problem["severity"], number>;
  readonly inside: { from: ComponentName; use: ElementNode }[];
  /** Each component counts once, however often it is used. */
  readonly checked: Set<string>;
  readonly found: Set<string>;
};

const checking = (kind: Kind): Checking => ({
  kind,
  problems: [],
  room: { error: MAX_PROBLEMS, warning: MAX_PROBLEMS },
  inside: [],
  checked: new Set(),
  found: new Set(),
});

const add = (all: Checking, problem: Problem): void => {
  if (all.room[problem.severity] === 0) return;
  const whole = all.inside.reduceRight((inner, { from, use }) => inComponent(inner, from, use), problem);
  const { code, component } = whole;
  if (component !== undefined) {
    const key = `${component.id} ${component.line}:${component.column} ${code}`;
    if (all.found.has(key)) return;
    all.found.add(key);
  }
  all.room[problem.severity] -= 1;
  all.problems.push(whole);
};

const checkElement = (element: ElementNode, enclosing: Enclosing, all: Checking): void => {
  const rule = tags.get(element.tag);
  if (rule === undefined) {
    add(all, unknownTag(element));
    return;
  }
  const allowed = enclosing.parent === undefined ? topLevel : childrenOf(enclosing.content);
  if (!allowed.includes(element.tag)) add(all, misplaced(element, enclosing));
  const links = has(element, "href");
  if (links && enclosing.linked) {
    const message = `${nameOf(element.tag)} has an href inside another link: keep one of the two`;
    add(all, error(element, "nested_link", message));
  }
  for (const problem of checkAttributes(element, rule, all.kind, all.room.warning)) add(all, problem);
  for (const problem of SPECIAL[element.tag]?.(element) ?? []) add(all, problem);
  for (const problem of checkChildren(element)) add(all, problem);
  checkContent(element, { parent: element, content: rule.content, linked: enclosing.linked || links }, all);
};

const checkContent = (element: ElementNode, inside: Enclosing, all: Checking): void => {
  const { from } = element;
  const key = `${inside.linked} ${from?.id}`;
  if (from !== undefined && all.checked.has(key)) return;
  if (from !== undefined) {
    all.checked.add(key);
    all.inside.push({ from, use: element });
  }
  checkAll(element.children, inside, all);
  if (from !== undefined) all.inside.pop();
};

const checkAll = (nodes: readonly MarkupNode[], enclosing: Enclosing, all: Checking): void => {
  for (const node of nodes) {
    // Errors come before warnings, so no other problem would be shown.
    if (all.room.error === 0) return;
    if (isElement(node)) checkElement(node, enclosing, all);
    else for (const problem of checkText(node, enclosing, all.kind)) add(all, problem);
  }
};

/**
 * Checks tags, places, attributes and variables of a tree from `expand`. Returns at most the first 100 errors and 100
 * warnings.
 */
export const check = (nodes: readonly MarkupNode[], kind: Kind): Problem[] => {
  const all = checking(kind);
  checkAll(nodes, { content: [], linked: false }, all);
  const { problems } = all;
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

/** Checks a component for every kind of mail. */
export const checkInside = (nodes: readonly MarkupNode[]): Problem[] => {
  const parent: ElementNode = { tag: "Component", attributes: [], children: [], line: 1, column: 1 };
  const content = tags.get("Component")?.content ?? [];
  const all = checking("component");
  checkAll(nodes, { parent, content, linked: false }, all);
  return all.problems;
};
