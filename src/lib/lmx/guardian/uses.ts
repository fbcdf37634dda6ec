import { tags } from "../language/tags.ts";
import { type Kind, referenceFault, splitVariables } from "../language/variables.ts";
import { isElement } from "../parse/tree.ts";
import { locator, type Position } from "../problem.ts";
import type { ContentLocation, Node } from "./nodes.ts";

export const LINES = [
  "subject",
  "previewText",
  "fromName",
  "fromEmail",
  "replyToEmail",
  "ccEmail",
  "bccEmail",
] as const;

/** A variable; `written` may have a `fault`. */
export type VariableUse = {
  namespace: string;
  name: string;
  written: string;
  fault: ReturnType<typeof referenceFault>;
  location: ContentLocation;
};

const START = { line: 1, column: 1 };

const usesIn = (
  raw: string,
  start: Position,
  kind: Kind,
  locationOf: (at: Position) => ContentLocation,
): VariableUse[] => {
  if (!raw.includes("{")) return [];
  const position = locator(raw, start);
  return splitVariables(raw).flatMap((piece) => {
    if (typeof piece === "string") return [];
    const [namespace = "", ...rest] = piece.name.split(".");
    const location = locationOf(position(piece.offset));
    return [{ namespace, name: rest.join("."), written: piece.written, fault: referenceFault(piece, kind), location }];
  });
};

const inNode = ({ node, parents, location }: Node, kind: Kind): VariableUse[] => {
  if (!isElement(node)) {
    const parent = parents.at(-1);
    const isCode = parent !== undefined && tags.get(parent.tag)?.content === "raw";
    return isCode ? [] : usesIn(node.raw, node, kind, location);
  }
  const rule = tags.get(node.tag);
  return node.attributes
    .filter(
      ({ name }) => rule !== undefined && Object.hasOwn(rule.attributes, name) && rule.attributes[name]?.variables,
    )
    .flatMap(({ raw, value }) => usesIn(raw, value, kind, location));
};

/** Lists variables, fields first. */
export const variableUses = (
  message: Readonly<Record<(typeof LINES)[number], string>>,
  nodes: readonly Node[],
  kind: Kind,
): VariableUse[] => [
  ...LINES.flatMap((field) =>
    usesIn(message[field], START, kind, ({ line, column }) => ({ path: field, line, column })),
  ),
  ...nodes.flatMap((node) => inNode(node, kind)),
];
