// Takes the place of src/email/workspace/sending/claims.ts, with a place where a test kills the process.
import { settle as production } from "../../../src/email/workspace/sending/claims.ts";
import { reach } from "./reach.ts";

export * from "../../../src/email/workspace/sending/claims.ts";

/** The request leaves when the result is durable. */
export const settle: typeof production = (...given) => {
  const due = production(...given);
  void reach("settled");
  return due;
};
