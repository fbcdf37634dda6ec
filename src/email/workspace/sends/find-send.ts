import type { Refusal } from "../../../lib/contract/errors.ts";
import { findSend } from "../sending/sends.ts";
import { readSend, type SendRow } from "./send-rows.ts";

export const findRow = (sql: SqlStorage, id: string): SendRow | undefined => {
  // An invalid id would cause a full table scan.
  const n = /^snd_[0-9a-z_]+$/.test(id) ? findSend(sql, id) : undefined;
  return n === undefined ? undefined : readSend(sql, n);
};

export const sendNotFound = (id: string): { refusal: Refusal } => {
  const message = `There is no send with the id "${id}" in this team. Settled sends are kept for 30 days. GET /admin/teams/{team}/sends?to=… finds those to an address.`;
  return { refusal: { code: "send_not_found", path: "sendId", message } };
};
