import { type ComponentPosition, excerpt } from "../problem.ts";
import type { Facts } from "./facts.ts";
import type { ContentLocation } from "./nodes.ts";

export type Item = {
  label: string;
  codeName?: string;
  path: string;
  line: number;
  column: number;
  component?: ComponentPosition;
  fix: string;
};

/** A rule. An `error` prevents publishing; `covers` lists compiler codes that it replaces. */
export type Rule = {
  rule: string;
  severity: "error" | "warning";
  title: string;
  description: string;
  covers?: readonly string[];
  find: (facts: Facts) => Item[];
};

export const itemAt = (location: ContentLocation, label: string, fix: string, codeName?: string): Item => ({
  label,
  ...(codeName === undefined ? {} : { codeName }),
  ...location,
  fix: inComponent(location, fix),
});

const inComponent = ({ component }: ContentLocation, fix: string): string =>
  component === undefined
    ? fix
    : `In the component ${excerpt(component.id)}, line ${component.line}, column ${component.column}: ${fix}`;

export const inField = (field: string): ContentLocation => ({ path: field, line: 1, column: 1 });
