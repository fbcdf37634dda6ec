import type { Parts } from "../../lib/lmx/compile.ts";

/** `variables`: such as "data.amount". `fallbacks`: default values. */
export type CompiledMessage = {
  subject: Parts;
  fromName: Parts;
  fromEmail: Parts;
  replyTo: Parts;
  cc: Parts;
  bcc: Parts;
  html: Parts;
  text: Parts;
  variables: string[];
  fallbacks: Readonly<Record<string, string>>;
};
