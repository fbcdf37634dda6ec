import { checkComponent, compile, type Library, type Problem } from "../../../../lib/lmx/compile.ts";
import { fill } from "../../../../lib/lmx/fill.ts";

const KINDS = ["transactional", "workflow", "campaign"] as const;

/** Compiler problems of a component. `id`: its id, so that self-use is an error. */
export const problemsOf = (lmx: string, library: Library, id?: string): Problem[] =>
  checkComponent(lmx, library, id).problems;

/**
 * HTML of a mail with only this component. Variables show their names.
 * Undefined for errors or variables that no single mail kind has.
 */
export const drawn = (lmx: string, library: Library): string | undefined => {
  for (const kind of KINDS) {
    const { compiled } = compile(lmx, kind, {}, library);
    if (compiled) return fill(compiled.html, Object.fromEntries(compiled.variables.map((name) => [name, `{${name}}`])));
  }
  return undefined;
};
