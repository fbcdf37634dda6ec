import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from "@codemirror/autocomplete";
import type { AttrSpec, ElementSpec } from "@codemirror/lang-xml";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { usualIcons } from "../../../../email/lmx/language/icons.ts";
import type { AttributeRule } from "../../../../email/lmx/language/rule.ts";
import { childrenOf, tags, topLevel } from "../../../../email/lmx/language/tags.ts";
import { type Kind, namespacesOf, SYSTEM, splitVariables } from "../../../../email/lmx/language/variables.ts";
import type { Named } from "./types.ts";

/** What documents may name by ids. */
export type Names = { components: readonly Named[]; themes: readonly Named[] };

/** What an attribute takes, in few words. */
const detailOf = (rule: AttributeRule): string => {
  if (rule.is === "number") return `${rule.min} to ${rule.max}${rule.unit === "" ? "" : ` ${rule.unit}`}`;
  if (rule.is === "widths") return "percentages";
  return rule.is === "choice" ? rule.of.join(", ") : rule.is;
};

const named = (all: readonly Named[]): Completion[] =>
  all.map(({ id, name }) => ({ label: id, detail: name, type: "constant" }));

/** The values to offer for an attribute; none where any text or number may stand. */
const valuesOf = (attribute: string, rule: AttributeRule, names: Names): (string | Completion)[] => {
  if (attribute === "componentId") return named(names.components);
  if (attribute === "themeId") return named(names.themes);
  if (rule.is === "choice") return [...rule.of];
  return rule.is === "icon" ? [...usualIcons] : [];
};

/** Writes an attribute with its quotes, and goes between them. */
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

const attributeSpec = (name: string, rule: AttributeRule, names: Names): AttrSpec => {
  const values = valuesOf(name, rule, names);
  const completion = { detail: detailOf(rule), apply: writeAttribute, boost: rule.required ? 1 : 0 };
  return { name, completion, ...(values.length === 0 ? {} : { values }) };
};

/** The tags of the compiler with their attributes and values, as the XML mode wants them. */
export const elementsOf = (kind: Kind, names: Names): ElementSpec[] => {
  const top = kind === "component" ? childrenOf(tags.get("Component")?.content ?? "empty") : topLevel;
  return [...tags].map(([name, rule]) => ({
    name,
    top: top.includes(name),
    children: [...childrenOf(rule.content)],
    attributes: Object.entries(rule.attributes).map(([attribute, of]) => attributeSpec(attribute, of, names)),
  }));
};

const textOf = (state: EditorState, node: { from: number; to: number } | null | undefined): string =>
  node ? state.sliceDoc(node.from, node.to) : "";

/** Whether a variable may stand here: in text, and in the attributes that the compiler allows one in. */
const takesVariables = (state: EditorState, at: number): boolean => {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (node.name !== "Attribute") continue;
    const tag = textOf(state, node.parent.getChild("TagName"));
    const attribute = textOf(state, node.getChild("AttributeName"));
    return tags.get(tag)?.attributes[attribute]?.variables === true;
  }
  return true;
};

/** The variables to offer in mail of this kind: those that are known, and those that the document has. */
export const variablesFor = (kind: Kind, known: readonly string[], text: string): string[] => {
  const namespaces = namespacesOf(kind);
  const written = splitVariables(text).flatMap((piece) =>
    typeof piece !== "string" && piece.written.endsWith("}") ? [piece.name] : [],
  );
  const own = namespaces.includes("system") ? [SYSTEM] : [];
  const isOfKind = (name: string) => namespaces.some((one) => name.startsWith(`${one}.`) && name !== `${one}.`);
  return [...new Set([...known, ...own, ...written].filter(isOfKind))].sort();
};

/** Writes the beginning of a variable, and goes on from there. */
const writeNamespace = (view: EditorView, { label }: Completion, from: number, to: number): void => {
  view.dispatch({
    changes: { from, to, insert: `${label}}` },
    selection: { anchor: from + label.length },
    userEvent: "input.complete",
  });
  startCompletion(view);
};

/** Completes `{…}`. `known`: names of variables, read at each completion. */
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
      from: before.from,
      to: pos + (state.sliceDoc(pos, pos + 1) === "}" ? 1 : 0),
      options: [
        ...names.map((name) => ({ label: `{${name}}`, type: "variable" })),
        ...begun.map((one) => ({ label: `{${one}.`, type: "namespace", apply: writeNamespace, boost: -1 })),
      ],
      validFor: /^\{[\w.-]*\}?$/,
    };
  };
