/**
 * Ory Polis: people who come into or leave a customer's directory.
 *
 * To use it, copy this file to `src/mappings/ory-polis.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import oryPolis from "./mappings/ory-polis.ts";
 *     "ory-polis": { rules: oryPolis, secret: "ORY_POLIS_WEBHOOK_SECRET" },
 */
import { oryPolis } from "../src/handlers/ory-polis.ts";
import { rules } from "../src/rules/types.ts";

/**
 * A customer's administrator writes what is in a directory, so it names nobody and ties nothing, and who leaves it may
 * well have an account of their own. The first synchronization tells of every person in it: each becomes a contact.
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
