/**
 * Auth0 log streams: sign-ups and changed passwords. If you can use event streams, use `src/mappings/auth0.ts` instead:
 * it has more rules.
 *
 * To use it, copy this file to `src/mappings/auth0-logs.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import auth0Logs from "./mappings/auth0-logs.ts";
 *     "auth0-logs": { rules: auth0Logs, secret: "AUTH0_LOGS_WEBHOOK_SECRET" },
 */
import { type Auth0Log, auth0Logs } from "../src/handlers/auth0-logs.ts";
import { rules } from "../src/rules/types.ts";

/**
 * The email address in an entry: `user_name` of a database connection, if it is an address. An entry does not show
 * whether the address is verified, so these rules use it alone and link nothing. It is unconfirmed that every entry has
 * a `user_name`.
 * @see https://auth0.com/docs/deploy-monitor/logs/log-event-type-codes
 */
const address = (e: Auth0Log) => (e.data.user_name?.includes("@") ? e.data.user_name : undefined);

export default rules(auth0Logs, [
  {
    name: "signed up",
    on: "ss",
    when: (e) => address(e) !== undefined,
    contact: { email: address },
    event: { name: "signedUp" },
  },
  {
    name: "password changed",
    on: "scp",
    when: (e) => address(e) !== undefined,
    contact: { email: address },
    event: { name: "passwordReset" },
  },
]);
