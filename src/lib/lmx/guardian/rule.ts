import { type ComponentPlace, excerpt } from "../problem.ts";
import type { Facts } from "./facts.ts";
import type { Place } from "./nodes.ts";

export type Item = {
  label: string;
  codeName?: string;
  path: string;
  line: number;
  column: number;
  component?: ComponentPlace;
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

export const itemAt = (place: Place, label: string, fix: string, codeName?: string): Item => ({
  label,
  ...(codeName === undefined ? {} : { codeName }),
  ...place,
  fix: inComponent(place, fix),
});

const inComponent = ({ component }: Place, fix: string): string =>
  component === undefined
    ? fix
    : `In the component ${excerpt(component.id)}, line ${component.line}, column ${component.column}: ${fix}`;

export const inField = (field: string): Place => ({ path: field, line: 1, column: 1 });
