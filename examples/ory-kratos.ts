/**
 * Ory Kratos: sign-ups and confirmed addresses. Kratos has no hook for a deleted identity.
 *
 * To use it, copy this file to `src/mappings/ory-kratos.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import oryKratos from "./mappings/ory-kratos.ts";
 *     "ory-kratos": { rules: oryKratos, secret: "ORY_KRATOS_WEBHOOK_SECRET" },
 */
import { type OryKratosEvent, oryKratos } from "../src/handlers/ory-kratos.ts";
import { type Account, contactOf, isOwn, linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";

/**
 * Whether the address is the person's own: the one that Kratos has verified. Ory's default schema keeps it in
 * `traits.email`.
 */
const account = ({ identity }: OryKratosEvent): Account => ({
  userId: identity?.id,
  email: identity?.traits?.email,
  verified: identity?.verifiable_addresses?.some((it) => it.verified && it.value === identity.traits?.email) === true,
});

/**
 * What Kratos sends is up to the hook's Jsonnet. These rules are for one after registration and one after verification,
 * each with its own `type`:
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
