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
