import type { Kind } from "../compile.ts";
import type { Known } from "../guardian/facts.ts";
import { guardian, type Verdict } from "../guardian/guardian.ts";
import { type CompiledSource, compileMessage, type FieldProblem, type TeamLibrary } from "./compile-message.ts";
import { type MessageSource, withDefaults } from "./message-source.ts";

/** Compiles and judges a message. */
export const inspect = (
  source: MessageSource,
  kind: Kind,
  library: TeamLibrary,
  known: Known = {},
): { compiled: CompiledSource | undefined; problems: FieldProblem[]; verdict: Verdict } => {
  const { compiled, problems } = compileMessage(source, kind, library);
  const message = withDefaults(source, library.defaults);
  const subject = { message, kind, library, html: compiled?.html, problems, known };
  return { compiled, problems, verdict: guardian(subject) };
};
