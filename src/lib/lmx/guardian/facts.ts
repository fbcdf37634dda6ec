import { expand } from "../check/expand.ts";
import { styleOf } from "../check/style.ts";
import type { Kind, Library, Parts } from "../compile.ts";
import { literalOf } from "../draw/parts.ts";
import { defaultTheme, type Theme } from "../language/theme.ts";
import { parse } from "../parse/parse.ts";
import type { Problem } from "../problem.ts";
import { type Node, nodesOf } from "./nodes.ts";
import { type LINES, type VariableUse, variableUses } from "./uses.ts";

type Message = Readonly<Record<(typeof LINES)[number], string>> & {
  readonly lmx: string;
  readonly emailFormat: "styled" | "plain";
  readonly contactPropertiesFallbacks: Readonly<Record<string, string>>;
  readonly eventPropertiesFallbacks: Readonly<Record<string, string>>;
  readonly dataVariablesFallbacks: Readonly<Record<string, string>>;
};

/** Team names; absent lists are not checked. `requiredDataVariables` belong to the published message. */
export type Known = {
  contactProperties?: ReadonlySet<string>;
  eventProperties?: ReadonlySet<string>;
  requiredDataVariables?: ReadonlySet<string>;
};

export type FieldProblem = Problem & { field: string };

/** A compiled message. `html` is absent after errors. */
export type Subject = {
  message: Message;
  kind: Kind;
  library: Library;
  html: Parts | undefined;
  problems: readonly FieldProblem[];
  known: Known;
};

/** Inputs of rules. `nodes` include components. */
export type Facts = Subject & {
  nodes: readonly Node[];
  theme: Theme;
  uses: readonly VariableUse[];
  literal: string;
};

const treeOf = ({ message, library }: Subject) => {
  const read = parse(message.lmx);
  if (read.problems.some(({ severity }) => severity === "error")) return [];
  return expand(read.nodes, library).nodes;
};

export const factsOf = (subject: Subject): Facts => {
  const tree = treeOf(subject);
  const nodes = nodesOf(tree);
  return {
    ...subject,
    nodes,
    theme: subject.html === undefined ? defaultTheme : styleOf(tree, subject.library).theme,
    uses: variableUses(subject.message, nodes, subject.kind),
    literal: (subject.html ?? []).map(literalOf).join(""),
  };
};
