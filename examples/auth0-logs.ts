/**
 * Auth0 log streams: sign-ups and changed passwords. Where you can have event streams, `src/mappings/auth0.ts` knows
 * more.
 *
 * To use it, copy this file to `src/mappings/auth0-logs.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import auth0Logs from "./mappings/auth0-logs.ts";
 *     "auth0-logs": { rules: auth0Logs, secret: "AUTH0_LOGS_WEBHOOK_SECRET" },
 */
import { type Auth0Log, auth0Logs } from "../src/handlers/auth0-logs.ts";
import { rules } from "../src/rules/types.ts";

/**
 * The address in an entry, where it is one: `user_name` of a database connection. An entry does not say whether that is
 * verified, so these rules go by it alone and tie nothing. That every entry has it is unconfirmed.
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
