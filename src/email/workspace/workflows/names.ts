import type { NameOf } from "../../policy/workflows/run/words.ts";
import { readMailingList } from "../contacts/lists.ts";
import { findSegment } from "../segments/segment-rows.ts";
import { subjectsOf } from "./messages.ts";

/** Names for the texts about a workflow: subjects of its mails, segments and mailing lists, by their ids. */
export const createNames = (sql: SqlStorage, workflow: number): NameOf => {
  const subjects = subjectsOf(sql, workflow);
  return (id) => subjects.get(id) ?? findSegment(sql, id)?.name ?? readMailingList(sql, id)?.name;
};
