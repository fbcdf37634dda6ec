/**
 * Ory Polis: people who are added to or removed from a customer's directory.
 *
 * To use it, copy this file to `src/mappings/ory-polis.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import oryPolis from "./mappings/ory-polis.ts";
 *     "ory-polis": { rules: oryPolis, secret: "ORY_POLIS_WEBHOOK_SECRET" },
 */
import { oryPolis } from "../src/handlers/ory-polis.ts";
import { rules } from "../src/rules/types.ts";

/**
 * A customer's administrator can enter any address into a directory, so these rules write no name and link nothing; a
 * person who leaves it may still have an account. The first synchronization sends a webhook for every person in the
 * directory, and each becomes a contact.
 */
export default rules(oryPolis, [
  {
    name: "directory user created",
    on: "user.created",
    when: (e) => Boolean(e.data.email),
    contact: { email: (e) => e.data.email },
    event: { name: "directoryUserCreated", properties: { organizationId: (e) => e.tenant } },
  },
  {
    name: "directory user deleted",
    on: "user.deleted",
    when: (e) => Boolean(e.data.email),
    contact: { email: (e) => e.data.email },
    event: { name: "directoryUserDeleted", properties: { organizationId: (e) => e.tenant } },
  },
]);
