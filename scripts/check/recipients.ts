import type { Recipients } from "../../src/outbox/model/recipients.ts";
import type { Problem } from "./problem.ts";

const ENTRY = /^[^@*]*@([\w-]+\.)+[\w-]+$/;

const wrongIn = (setting: string, entries: readonly string[]): Problem[] =>
  entries
    .filter((entry) => !ENTRY.test(entry))
    .map((entry) => {
      const domain = entry
        .split("@")
        .at(-1)
        ?.replaceAll(/[^\w.-]/g, "")
        .replace(/^\.+/, "");
      const like = domain?.includes(".") ? `@${domain}` : "@example.com";
      const message = `${setting} in wrangler.toml has "${entry}", which is no address and no domain: it matches no person. Write an address, or a domain as "${like}"`;
      return { level: "error", message };
    });

/** Finds entries of the lists of recipients that match no person, and those in both lists. */
export const checkRecipients = ({ allowed, ignored }: Recipients): Problem[] => [
  ...wrongIn("ALLOWED_RECIPIENTS", allowed),
  ...wrongIn("IGNORED_RECIPIENTS", ignored),
  ...allowed
    .filter((entry) => ignored.includes(entry))
    .map((entry): Problem => {
      const message = `"${entry}" is in ALLOWED_RECIPIENTS and in IGNORED_RECIPIENTS of wrangler.toml: it is ignored`;
      return { level: "note", message };
    }),
];
