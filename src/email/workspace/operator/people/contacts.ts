import type { AdminHandlers } from "../../core/handler.ts";
import { changeContacts } from "./bulk.ts";
import { searchContacts } from "./search.ts";
import { showContact } from "./show-contact.ts";
import { showTimeline } from "./timeline.ts";

export const contacts: AdminHandlers<"contacts"> = {
  list: searchContacts,
  get: showContact,
  timeline: showTimeline,
  bulk: changeContacts,
};
