import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from "@codemirror/autocomplete";
import type { ElementSpec } from "@codemirror/lang-xml";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { usualIcons } from "../../../../lib/lmx/language/icons.ts";
import type { AttributeRule } from "../../../../lib/lmx/language/rule.ts";
import { childrenOf, tags, topLevel } from "../../../../lib/lmx/language/tags.ts";
import { type Kind, namespacesOf, splitVariables, systemLinks } from "../../../../lib/lmx/language/variables.ts";
import type { Named } from "./types.ts";

/** Items that documents name by id. */
export type Names = { components: readonly Named[]; themes: readonly Named[] };

const detailOf = (rule: AttributeRule): string => {
  if (rule.is === "number") return `${rule.min} to ${rule.max}${rule.unit === "" ? "" : ` ${rule.unit}`}`;
  if (rule.is === "widths") return "percentages";
  return rule.is === "choice" ? rule.of.join(", ") : rule.is;
};

const named = (all: readonly Named[]): Completion[] =>
  all.map(({ id, name }) => ({ label: id, detail: name, type: "constant" }));

const writeAttribute = (view: EditorView, { label }: Completion, from: number, to: number): void => {
  const hasValue = view.state.sliceDoc(to, to + 1) === "=";
  const insert = hasValue ? label : `${label}=""`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length - (hasValue ? 0 : 1) },
    userEvent: "input.complete",
  });
  if (!hasValue) startCompletion(view);
};

/** Compiler tags and attributes for the XML mode. */
export const elementsOf = (kind: Kind): ElementSpec[] => {
  const top = kind === "component" ? childrenOf(tags.get("Component")?.content ?? "empty") : topLevel;
  return [...tags].map(([name, rule]) => ({
    name,
    top: top.includes(name),
    children: [...childrenOf(rule.content)],
    attributes: Object.entries(rule.attributes).map(([attribute, of]) => ({
      name: attribute,
      completion: { detail: detailOf(of), apply: writeAttribute, boost: of.required ? 1 : 0 },
    })),
  }));
};

const textOf = (state: EditorState, node: { from: number; to: number } | null | undefined): string =>
  node ? state.sliceDoc(node.from, node.to) : "";

const attributeAt = (state: EditorState, at: number) => {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (node.name !== "Attribute") continue;
    const name = textOf(state, node.getChild("AttributeName"));
    const tag = textOf(state, node.parent.getChild("TagName"));
    return { node, name, rule: tags.get(tag)?.attributes[name] };
  }
  return undefined;
};

/** True in text and in attributes that allow variables. */
const takesVariables = (state: EditorState, at: number): boolean => {
  const attribute = attributeAt(state, at);
  return attribute === undefined || attribute.rule?.variables === true;
};

const valuesOf = (attribute: string, rule: AttributeRule, names: Names): Completion[] => {
  if (attribute === "componentId") return named(names.components);
  if (attribute === "themeId") return named(names.themes);
  const values = rule.is === "choice" ? rule.of : rule.is === "icon" ? usualIcons : [];
  return values.map((label) => ({ label, type: "constant" }));
};

const writeValue =
  (quote: string, isClosed: boolean) =>
  (view: EditorView, { label }: Completion, from: number, to: number): void => {
    view.dispatch({
      changes: { from, to, insert: isClosed ? label : label + quote },
      selection: { anchor: from + label.length + 1 },
      userEvent: "input.complete",
    });
  };

/** Completes attribute values. The XML mode includes the quotes and fails on empty values. */
export const valueSource =
  (names: Names) =>
  ({ state, pos }: CompletionContext): CompletionResult | null => {
    const { node, name, rule } = attributeAt(state, pos) ?? {};
    const value = node?.getChild("AttributeValue");
    if (!value || !rule || name === undefined) return null;
    const written = textOf(state, value);
    const isClosed = written.length > 1 && written.at(-1) === written[0];
    const [from, to] = [value.from + 1, isClosed ? value.to - 1 : value.to];
    const apply = writeValue(written[0] ?? '"', isClosed);
    const options = valuesOf(name, rule, names).map((option) => ({ ...option, apply }));
    if (pos < from || pos > to || options.length === 0) return null;
    return { from, to, options, validFor: /^[^"'<]*$/ };
  };

/** Variables to offer: known ones and those in the document. */
export const variablesFor = (kind: Kind, known: readonly string[], text: string): string[] => {
  const namespaces = namespacesOf(kind);
  const written = splitVariables(text).flatMap((piece) =>
    typeof piece !== "string" && piece.written.endsWith("}") ? [piece.name] : [],
  );
  const own = namespaces.includes("system") ? systemLinks : [];
  const isOfKind = (name: string) =>
    namespaces.some((namespace) => name.startsWith(`${namespace}.`) && name !== `${namespace}.`);
  return [...new Set([...known, ...own, ...written].filter(isOfKind))].sort();
};

const writeVariable = (view: EditorView, { label }: Completion, from: number, to: number): void => {
  const isClosed = view.state.sliceDoc(to, to + 1) === "}";
  view.dispatch({
    changes: { from, to, insert: isClosed ? label : `${label}}` },
    selection: { anchor: from + label.length + 1 },
    userEvent: "input.complete",
  });
};

const writeNamespace = (view: EditorView, { label }: Completion, from: number, to: number): void => {
  const isClosed = view.state.sliceDoc(to, to + 1) === "}";
  view.dispatch({
    changes: { from, to, insert: isClosed ? label : `${label}}` },
    selection: { anchor: from + label.length },
    userEvent: "input.complete",
  });
  startCompletion(view);
};

/** Completes names in `{…}`. `known`: read at each completion. */
export const variableSource =
  (kind: Kind, known: () => readonly string[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const before = context.matchBefore(/\{[\w.-]*/);
    if (!before || !takesVariables(state, pos)) return null;
    const whole = state.doc.toString();
    const others = whole.slice(0, before.from) + whole.slice(pos);
    const names = variablesFor(kind, known(), others);
    const begun = namespacesOf(kind).filter((one) => one !== "system");
    return {
      from: before.from + 1,
      options: [
        ...names.map((label) => ({ label, type: "variable", apply: writeVariable })),
        ...begun.map((one) => ({ label: `${one}.`, type: "namespace", apply: writeNamespace, boost: -1 })),
      ],
      validFor: /^[\w.-]*$/,
    };
  };
