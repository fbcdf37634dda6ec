import type { Parts } from "../../lib/lmx/compile.ts";

/**
 * The compiled part of a revision: a send only fills its slots. `variables`: those of all parts, such as "data.amount".
 * `fallbacks`: values of variables that a send gives none for. Revisions of older versions lack the
 * optional parts.
 */
export type CompiledMessage = {
  subject: Parts;
  fromName: Parts;
  fromEmail: Parts;
  replyTo?: Parts;
  cc?: Parts;
  bcc?: Parts;
  html: Parts;
  text: Parts;
  variables: string[];
  fallbacks?: Readonly<Record<string, string>>;
};
