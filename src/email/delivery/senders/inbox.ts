import type { Objects } from "../../env.ts";
import { INBOX_NAME, type InboxRpc } from "../../types/inbox.ts";
import type { Sender } from "../../types/mail.ts";

/** Captures one mail per id in the local inbox. */
export const inboxSender = (inbox: Objects<InboxRpc>): Sender => ({
  name: "inbox",
  idempotent: true,
  send: (mail) => inbox.getByName(INBOX_NAME).capture(mail),
});
