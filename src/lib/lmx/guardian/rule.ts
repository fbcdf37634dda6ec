import { type ComponentPlace, excerpt } from "../problem.ts";
import type { Facts } from "./facts.ts";
import type { Place } from "./nodes.ts";

/** One finding. `label`: the text or variable that it is about. `codeName`: the name of the property or the code. */
export type Item = {
  label: string;
  codeName?: string;
  path: string;
  line: number;
  column: number;
  component?: ComponentPlace;
  /** What the author should do. */
  fix: string;
};

/**
 * A rule and how it finds. `error`: the mail is wrong for every reader, so it cannot be published. `covers`: the codes of
 * the compiler's problems that the rule reports, so that they are not reported twice.
 */
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

/** The place of a field that is one line. */
export const inField = (field: string): Place => ({ path: field, line: 1, column: 1 });
