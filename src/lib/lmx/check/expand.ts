import { type Component, entry, type Library } from "../language/library.ts";
import { decode } from "../parse/entities.ts";
import { parse } from "../parse/parse.ts";
import { type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import { error, excerpt, inComponent, type Problem, warning } from "../problem.ts";

const MAX_DEPTH = 4;
/** Each use counts. */
const MAX_CHARACTERS = 200 * 1024;

type Expansion = {
  readonly library: Library;
  readonly parsed: Map<string, MarkupNode[]>;
  readonly problems: Problem[];
  characters: number;
};

const idOf = (element: ElementNode): string | undefined => {
  const raw = element.attributes.find(({ name }) => name === "componentId")?.raw;
  return raw === undefined ? undefined : decode(raw.trim());
};

const isBlank = ({ children }: ElementNode): boolean =>
  children.every((child) => !isElement(child) && child.raw.trim() === "");

const refusal = (element: ElementNode, id: string, component: Component, path: readonly string[], all: Expansion) => {
  const name = `"${excerpt(component.name)}" (${excerpt(id)})`;
  if (path.includes(id)) {
    const message = `The component ${name} contains itself (${[...path, id].map(excerpt).join(" → ")}): remove one use`;
    return error(element, "component_cycle", message);
  }
  if (path.length >= MAX_DEPTH) {
    const message = `Components use one another more than ${MAX_DEPTH} levels deep: copy the content of ${name} here`;
    return error(element, "component_too_deep", message);
  }
  if (all.characters > MAX_CHARACTERS) {
    const message = `With its components the document is larger than ${MAX_CHARACTERS / 1024} KB: use fewer of them`;
    return error(element, "expands_too_large", message);
  }
  return undefined;
};

const unknown = (id: string): string => `There is no component ${excerpt(id)}: create it, or correct the id`;

const read = (element: ElementNode, id: string, component: Component, all: Expansion): MarkupNode[] => {
  const known = all.parsed.get(id);
  if (known !== undefined) return known;
  const { nodes, problems } = parse(component.lmx);
  for (const problem of problems) all.problems.push(inComponent(problem, { id, name: component.name }, element));
  all.parsed.set(id, nodes);
  return nodes;
};

const expandComponent = (element: ElementNode, path: readonly string[], all: Expansion): ElementNode => {
  const id = idOf(element);
  const component = id === undefined ? undefined : entry(all.library.components, id);
  if (id === undefined || !isBlank(element)) {
    // Children replace the content, so the component is not needed.
    if (id !== undefined && component === undefined)
      all.problems.push(warning(element, "unknown_component", unknown(id)));
    return { ...element, children: expandAll(element.children, path, all) };
  }
  if (component === undefined) {
    all.problems.push(error(element, "unknown_component", unknown(id)));
    return element;
  }
  all.characters += component.lmx.length;
  const refused = refusal(element, id, component, path, all);
  if (refused !== undefined) {
    all.problems.push(refused);
    return element;
  }
  const from = { id, name: component.name };
  const nodes = read(element, id, component, all);
  const before = all.problems.length;
  const children = expandAll(nodes, [...path, id], all);
  const inside = all.problems.splice(before);
  for (const problem of inside) all.problems.push(inComponent(problem, from, element));
  return { ...element, children, from };
};

const expandAll = (nodes: readonly MarkupNode[], path: readonly string[], all: Expansion): MarkupNode[] =>
  nodes.map((node) => {
    if (!isElement(node)) return node;
    if (node.tag === "Component") return expandComponent(node, path, all);
    return node.children.length === 0 ? node : { ...node, children: expandAll(node.children, path, all) };
  });

/**
 * Replaces component references by content, at most 4 levels deep and without cycles. `path` lists enclosing ids.
 *
 * Errors: `unknown_component` (a warning with children), `component_cycle`, `component_too_deep`,
 * `expands_too_large`, and those of `parse`.
 */
export const expand = (
  nodes: readonly MarkupNode[],
  library: Library,
  path: readonly string[] = [],
): { nodes: MarkupNode[]; problems: Problem[]; components: string[] } => {
  const all: Expansion = { library, parsed: new Map(), problems: [], characters: 0 };
  const expanded = expandAll(nodes, path, all);
  return { nodes: expanded, problems: all.problems, components: [...all.parsed.keys()].sort() };
};
