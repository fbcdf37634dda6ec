/**
 * Ory Kratos: sign-ups and confirmed addresses. Kratos has no hook for a deleted identity.
 *
 * To use it, copy this file to `src/mappings/ory-kratos.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import oryKratos from "./mappings/ory-kratos.ts";
 *     "ory-kratos": { rules: oryKratos, secret: "ORY_KRATOS_WEBHOOK_SECRET" },
 */
import { type OryKratosEvent, oryKratos } from "../src/handlers/ory-kratos.ts";
import { type Account, contactOf, isOwn, linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";

/**
 * True where Kratos has verified the address. Ory's default schema stores it in `traits.email`.
 */
const account = ({ identity }: OryKratosEvent): Account => ({
  userId: identity?.id,
  email: identity?.traits?.email,
  verified: identity?.verifiable_addresses?.some((it) => it.verified && it.value === identity.traits?.email) === true,
});

/**
 * The hook's Jsonnet decides what Kratos sends. These rules are for one hook after registration and one after
 * verification, each with its own `type`:
 *
 *     function(ctx) {
 *       type: "registration",
 *       identity: {
 *         id: ctx.identity.id,
 *         traits: ctx.identity.traits,
 *         verifiable_addresses: ctx.identity.verifiable_addresses,
 *       },
 *     }
 */
export default rules(
  oryKratos,
  [
    {
      name: "signed up",
      on: "registration",
      when: (e) => Boolean(account(e).email),
      contact: (e) => contactOf(account(e)),
      event: { name: "signedUp" },
    },
    {
      name: "email confirmed",
      on: "verification",
      when: (e) => isOwn(account(e)),
      contact: (e) => contactOf(account(e)),
      event: { name: "emailConfirmed" },
    },
  ],
  (e) => linksOf(account(e)),
);
