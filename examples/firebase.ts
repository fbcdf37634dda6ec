/**
 * Firebase blocking functions: new users, and their names at each sign-in.
 *
 * To use it, copy this file to `src/mappings/firebase.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import firebase from "./mappings/firebase.ts";
 *     firebase: { rules: firebase, secret: "FIREBASE_PROJECT_ID" },
 */
import { type FirebaseEvent, firebase } from "../src/handlers/firebase.ts";
import { type Account, contactOf, isOwn, linksOf } from "../src/rules/people/account.ts";
import { firstName, lastName } from "../src/rules/people/name.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

const account = ({ user_record: user }: FirebaseEvent): Account => ({
  userId: user.uid,
  email: user.email,
  verified: user.email_verified === true,
});

export default rules(
  firebase,
  [
    {
      // Another blocking function may still refuse the user.
      name: "signed up",
      on: "beforeCreate",
      when: (e) => Boolean(e.user_record.email),
      contact: (e) => contactOf(account(e)),
      event: { name: "signedUp", properties: { emailVerified: (e) => account(e).verified } },
    },
    {
      // A guess from the full name. Remove it if people enter their names elsewhere.
      name: "user profile",
      on: "beforeSignIn",
      when: (e) => isOwn(account(e)),
      contact: (e) => contactOf(account(e)),
      update: {
        firstName: (e) => firstName(clip(e.user_record.display_name)),
        lastName: (e) => lastName(clip(e.user_record.display_name)),
      },
    },
  ],
  (e) => linksOf(account(e)),
);
