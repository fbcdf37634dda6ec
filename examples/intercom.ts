/**
 * Intercom: new users, and conversations that users start.
 *
 * To use it, copy this file to `src/mappings/intercom.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import intercom from "./mappings/intercom.ts";
 *     intercom: { rules: intercom, secret: "INTERCOM_WEBHOOK_SECRET" },
 */
import { intercom } from "../src/handlers/intercom.ts";
import { rules } from "../src/rules/types.ts";

/**
 * Intercom stores whatever its messenger on your site sends. Unless identity verification is enabled there, anyone can
 * send any address: these rules use the address alone, link nothing and write no name.
 */
export default rules(intercom, [
  {
    name: "user created",
    on: "contact.user.created",
    when: (e) => Boolean(e.data.item.email),
    contact: { email: (e) => e.data.item.email },
    event: { name: "intercomUserCreated" },
  },
  {
    name: "conversation started",
    on: "conversation.user.created",
    when: (e) => Boolean(e.data.item.source?.author?.email),
    contact: { email: (e) => e.data.item.source?.author?.email },
    event: { name: "conversationStarted", properties: { channel: (e) => e.data.item.source?.type } },
  },
]);
