import type { NameOf } from "../../policy/workflows/run/run-words.ts";
import { readMailingList } from "../contacts/lists.ts";
import { findSegment } from "../segments/segment-rows.ts";
import { subjectsOf } from "./messages.ts";

export const createNames = (sql: SqlStorage, workflow: number): NameOf => {
  const subjects = subjectsOf(sql, workflow);
  return (id) => subjects.get(id) ?? findSegment(sql, id)?.name ?? readMailingList(sql, id)?.name;
};
