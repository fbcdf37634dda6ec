import type { About, Handover } from "../../types/mail.ts";

/** What an error code of a sending API means: what it refused for good, or why the mail is deferred. */
export type Meaning = About | "deferred" | "throttled" | "configuration";

/** The handover that an error code means. */
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
