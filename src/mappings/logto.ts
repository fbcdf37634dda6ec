import { type LogtoMutation, type LogtoUser, logto } from "../handlers/logto.ts";
import { type Account, contactOf, formerContactOf, linksOf } from "../rules/people/account.ts";
import { firstName, lastName } from "../rules/people/name.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";

/**
 * A primary address counts as verified by Logto or the team. `email_verified` shows only its existence.
 * @see https://github.com/logto-io/logto/blob/master/packages/core/src/oidc/scope.ts
 */
const account = (user: LogtoUser | null | undefined): Account => ({
  userId: user?.id,
  email: user?.primaryEmail,
  verified: true,
});

/** A deletion by the Management API has the id only in the path. */
const former = (e: LogtoMutation): Account => ({
  ...account(e.data),
  userId: e.data?.id ?? e.params?.userId,
});

/**
 * Logto sends mail itself. Not mapped: `PostSignIn` and `Organization.Membership.Updated` (many users). Welcome mail
 * for "signed up":
 *
 * transactional: { template: "welcome", variables: { name: (e) => firstName(clip(e.user?.name)) ?? "there" } },
 */
export default rules(
  logto,
  [
    {
      // New users only: guessed names must not overwrite later input.
      name: "new user profile",
      on: "User.Created",
      when: (e) => Boolean(e.data?.primaryEmail),
      contact: (e) => contactOf(account(e.data)),
      update: {
        firstName: {
          given: (e) => clip(e.data?.profile?.givenName) || undefined,
          guess: (e) => firstName(clip(e.data?.name)),
          from: "account",
        },
        lastName: {
          given: (e) => clip(e.data?.profile?.familyName) || undefined,
          guess: (e) => lastName(clip(e.data?.name)),
          from: "account",
        },
      },
    },
    {
      name: "user profile",
      on: "User.Data.Updated",
      when: (e) => Boolean(e.data?.primaryEmail),
      contact: (e) => contactOf(account(e.data)),
      update: {
        firstName: (e) => clip(e.data?.profile?.givenName) || undefined,
        lastName: (e) => clip(e.data?.profile?.familyName) || undefined,
      },
    },
    {
      // Not on User.Created: imports send it too.
      name: "signed up",
      on: "PostRegister",
      when: (e) => Boolean(e.user?.primaryEmail),
      contact: (e) => contactOf(account(e.user)),
      event: { name: "signedUp" },
    },
    {
      name: "password reset",
      on: "PostResetPassword",
      when: (e) => Boolean(e.user?.primaryEmail),
      contact: (e) => contactOf(account(e.user)),
      event: { name: "passwordReset" },
    },
    {
      name: "suspended",
      on: "User.SuspensionStatus.Updated",
      when: (e) => Boolean(e.data?.primaryEmail) && e.data?.isSuspended === true,
      contact: (e) => contactOf(account(e.data)),
      event: { name: "accountSuspended" },
    },
    {
      name: "suspension lifted",
      on: "User.SuspensionStatus.Updated",
      when: (e) => Boolean(e.data?.primaryEmail) && e.data?.isSuspended === false,
      contact: (e) => contactOf(account(e.data)),
      event: { name: "accountReinstated" },
    },
    {
      // Keeps the contact and its unsubscription.
      name: "account deleted",
      on: "User.Deleted",
      when: (e) => Boolean(former(e).userId),
      contact: (e) => formerContactOf(former(e)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => {
    switch (e.type) {
      case "PostRegister":
      case "PostSignIn":
      case "PostResetPassword":
        return linksOf(account(e.user));
      case "User.Deleted":
        return [];
      default:
        return linksOf(account(e.data));
    }
  },
  ["User.Created", "User.Data.Updated", "PostRegister", "PostSignIn", "PostResetPassword"],
);
