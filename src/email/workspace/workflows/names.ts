import type { NameOf } from "../../workflows/run/words.ts";
import { findSegment } from "../audience/segment-rows.ts";
import { readMailingList } from "../contacts/lists.ts";
import { subjectsOf } from "./messages.ts";

/** Names for the texts about a workflow: subjects of its mails, segments and mailing lists, by their ids. */
export const createNames = (sql: SqlStorage, workflow: number): NameOf => {
  const subjects = subjectsOf(sql, workflow);
  return (id) => subjects.get(id) ?? findSegment(sql, id)?.name ?? readMailingList(sql, id)?.name;
};
