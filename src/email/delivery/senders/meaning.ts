import { neverLeft } from "../../../lib/util/never-left.ts";
import type { About, Handover } from "../../types/mail-handover.ts";

/** Meaning of an API error code: a final refusal or a reason to defer. */
export type Meaning = About | "deferred" | "throttled" | "configuration";

export const handoverAs = (meaning: Meaning, message: string): Handover => {
  switch (meaning) {
    case "deferred":
      return { outcome: "deferred", message };
    case "throttled":
      return { outcome: "deferred", throttled: "account", message };
    case "configuration":
      return { outcome: "deferred", configuration: true, message };
    default:
      return { outcome: "refused", about: meaning, message };
  }
};

/** Outcome of a call that threw. The mail provider may have taken the mail, unless the call never left. */
export const handoverAfter = (error: unknown, mailProvider: string): Handover => {
  const said = error instanceof Error ? error.message : String(error);
  return neverLeft(error)
    ? { outcome: "deferred", local: true, message: `The mail was not sent: ${said}` }
    : { outcome: "unknown", message: `${mailProvider} may have accepted the mail: ${said}` };
};
