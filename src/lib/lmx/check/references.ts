import { type Kind, referenceFault, splitVariables } from "../language/variables.ts";
import { error, locator, type Position, type Problem } from "../problem.ts";

export const referenceProblems = (raw: string, start: Position, kind: Kind): Problem[] => {
  if (!raw.includes("{")) return [];
  const position = locator(raw, start);
  return splitVariables(raw).flatMap((piece) => {
    const fault = typeof piece === "string" ? undefined : referenceFault(piece, kind);
    return fault === undefined || typeof piece === "string"
      ? []
      : [error(position(piece.offset), fault.code, fault.message)];
  });
};
