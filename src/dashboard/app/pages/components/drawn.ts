import { checkComponent, compile, type Library, type Problem } from "../../../../lib/lmx/compile.ts";
import { fill } from "../../../../lib/lmx/fill.ts";

/** The kinds of mail whose variables a component may have. */
const KINDS = ["transactional", "workflow", "campaign"] as const;

/** What the compiler says of the LMX of a component. `id`: of an existing one, so that it cannot use itself. */
export const problemsOf = (lmx: string, library: Library, id?: string): Problem[] =>
  checkComponent(lmx, library, id).problems;

/**
 * The HTML of a mail with nothing but this component. A variable is shown by its name. Undefined while the LMX has errors, or has variables
 * that no single kind of mail has.
 */
export const drawn = (lmx: string, library: Library): string | undefined => {
  for (const kind of KINDS) {
    const { compiled } = compile(lmx, kind, {}, library);
    if (compiled) return fill(compiled.html, Object.fromEntries(compiled.variables.map((name) => [name, `{${name}}`])));
  }
  return undefined;
};
