import type { Response } from "../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../lib/contract/v1.ts";

export type Listed = Response<V1["transactionalEmails"]["list"]>["data"][number];

/** The messages that a transactional email has: it may be sent while a new draft is being written. */
export const statesOf = ({
  draftEmailMessageId: draft,
  publishedEmailMessageId: published,
}: Pick<Listed, "draftEmailMessageId" | "publishedEmailMessageId">): ("published" | "draft")[] => [
  ...(published === null ? [] : ["published" as const]),
  ...(draft === null ? [] : ["draft" as const]),
];

/** A value for each variable that a caller has to give, as a person fills it in. */
export const exampleValues = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, "…"]));
