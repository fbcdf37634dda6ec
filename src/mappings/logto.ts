import { type LogtoMutation, type LogtoUser, logto } from "../handlers/logto.ts";
import { type Account, contactOf, formerContactOf, linksOf } from "../rules/people/account.ts";
import { firstName, lastName } from "../rules/people/name.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";

/**
 * A primary address is one that Logto verified, or the team entered: its own claim `email_verified` is whether there is
 * one.
 * @see https://github.com/logto-io/logto/blob/master/packages/core/src/oidc/scope.ts
 */
const account = (user: LogtoUser | null | undefined): Account => ({
  userId: user?.id,
  email: user?.primaryEmail,
  verified: true,
});

/** Whose account it was: some deletions come with the user, those of the Management API with the id in the path alone. */
const former = (e: LogtoMutation): Account => ({
  ...account(e.data),
  userId: e.data?.id ?? e.params?.userId,
});

/**
 * Logto sends its own mail, so none is sent here. Not mapped: `PostSignIn`, which does not say whether it is the first, and
 * `Organization.Membership.Updated`, which tells of many people at once. To send a welcome, add to "signed up":
 *
 *     transactional: { template: "welcome", variables: { name: (e) => firstName(clip(e.user?.name)) ?? "there" } },
 */
export default rules(
  logto,
  [
    {
      // A guess from the full name is good enough to start with, and no more: what the person wrote since stays.
      name: "new user profile",
      on: "User.Created",
      when: (e) => Boolean(e.data?.primaryEmail),
      contact: (e) => contactOf(account(e.data)),
      update: {
        firstName: (e) => clip(e.data?.profile?.givenName) ?? firstName(clip(e.data?.name)),
        lastName: (e) => clip(e.data?.profile?.familyName) ?? lastName(clip(e.data?.name)),
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
      // Not on User.Created: that also tells of every user the team imports.
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
      // The contact stays, so that it is known not to be written to: `remove: "delete"` forgets it, and that as well.
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
);
