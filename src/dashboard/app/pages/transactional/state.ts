import type { Response } from "../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../lib/contract/v1.ts";

export type Listed = Response<V1["transactionalEmails"]["list"]>["data"][number];

/** Message states. A published email may also have a draft. */
export const statesOf = ({
  draftEmailMessageId: draft,
  publishedEmailMessageId: published,
}: Pick<Listed, "draftEmailMessageId" | "publishedEmailMessageId">): ("published" | "draft")[] => [
  ...(published === null ? [] : ["published" as const]),
  ...(draft === null ? [] : ["draft" as const]),
];

/** Example values for required variables. */
export const exampleValues = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, "…"]));
