import { personOfContact } from "../identity/resolve.ts";
import { noteLate } from "../identity/watermarks.ts";
import type { Call, CallRef } from "../model/types.ts";

/** Notes that a request of a call that is not made any more may reach the host after the contact was deleted there. */
export const noteRequest = (sql: SqlStorage, ref: CallRef, call: Call, now: number): void => {
  const last = call.attempts.at(-1);
  if (call.unknownSince === undefined || call.state === "done" || !last) return;
  const person = personOfContact(sql, call.contact);
  if (person !== undefined) noteLate(sql, person, ref, last.at, now);
};
