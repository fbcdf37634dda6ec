import { personOfContact } from "../identity/resolve.ts";
import { noteLate } from "../identity/watermarks.ts";
import type { Call, CallRef } from "../model/types.ts";

/** Records that a stopped delivery's request may arrive after the contact's deletion. */
export const noteRequest = (sql: SqlStorage, ref: CallRef, call: Call, now: number): void => {
  const last = call.attempts.at(-1);
  if (call.unknownSince === undefined || call.state === "done" || !last) return;
  const person = personOfContact(sql, call.contact);
  if (person !== undefined) noteLate(sql, person, ref, last.at, now);
};
