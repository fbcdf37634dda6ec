import { type EmailAction, type EmailData, type SupabaseHook, supabase } from "../handlers/supabase.ts";
import {
  type Metadata,
  metadataFirstName,
  metadataLastName,
  ownFirstName,
  ownLastName,
} from "../rules/people/metadata-name.ts";
import { joined, rules } from "../rules/types.ts";
import securityNotices from "./supabase/security-notices.ts";

type SendEmail = Extract<SupabaseHook, { type: "send-email" }>;
type Copy = { heading: string; explanation: string; button: string };

/** Texts of "magic-link" mails. Resets, invitations and security notices have separate templates. */
const COPY: Partial<Record<EmailAction, Copy>> = {
  signup: {
    heading: "Confirm your email address",
    explanation: "Follow the link, or enter the code, to finish signing up.",
    button: "Confirm email",
  },
  magiclink: {
    heading: "Sign in",
    explanation: "Follow the link, or enter the code, to sign in. If you did not ask for it, ignore this mail.",
    button: "Sign in",
  },
  email: {
    heading: "Sign in",
    explanation: "Follow the link, or enter the code, to sign in. If you did not ask for it, ignore this mail.",
    button: "Sign in",
  },
  reauthentication: {
    heading: "Confirm that it is you",
    explanation: "Enter the code where you were asked for it. If you did not ask for it, ignore this mail.",
    button: "Back to the app",
  },
};

const CHANGE: Copy = {
  heading: "Confirm your change of email address",
  explanation: "Follow the link, or enter the code, to confirm the change.",
  button: "Confirm change",
};

const copy = ({ email_data: { email_action_type: action } }: SendEmail): Copy | undefined =>
  Object.hasOwn(COPY, action) ? COPY[action] : undefined;

/** Names a code only where the mail has one. */
const explained = (explanation: string | undefined, code: string): string | undefined =>
  code ? explanation : explanation?.replace("Follow the link, or enter the code,", "Follow the link");

const newCode = ({ email_data: email }: SendEmail) => email.token_new || email.token;

/** An unconfirmed name could reach another person's contact. */
const confirmed = ({ user }: { user: { email_confirmed_at?: string | null; user_metadata?: Metadata } }) =>
  user.email_confirmed_at ? user.user_metadata : undefined;

/** In the hook, `site_url` is the Auth server's URL, with or without its path. */
const verifyLink = (email: EmailData, hash: string) => {
  const site = email.site_url.replace(/\/+$/, "");
  const auth = site.endsWith("/auth/v1") ? site : `${site}/auth/v1`;
  const redirect = email.redirect_to ? `&redirect_to=${encodeURIComponent(email.redirect_to)}` : "";
  return `${auth}/verify?token=${encodeURIComponent(hash)}&type=${email.email_action_type}${redirect}`;
};

/** A reauthentication uses only its code (its token has no hash); its link opens the app. */
const signInLink = ({ email_data }: SendEmail) =>
  email_data.email_action_type === "reauthentication"
    ? email_data.redirect_to || email_data.site_url
    : verifyLink(email_data, email_data.token_hash);

/** Supabase's default token lifetime. Match your project's setting (Auth > Email > OTP expiry). */
const urgent = { expires: "1h" };
const LIFETIME = "one hour";

/** Includes the user id only for a confirmed address: otherwise an attacker could merge with a victim's contact. */
const person = {
  userId: ({ user }: SupabaseHook) => (user.email_confirmed_at ? user.id : undefined),
  email: ({ user }: SupabaseHook) => user.email,
};

const signIn = rules(
  supabase,
  [
    {
      name: "sign-in mail",
      on: "send-email",
      when: (e) => copy(e) !== undefined,
      contact: { email: (e) => e.user.email },
      transactional: {
        template: "magic-link",
        variables: {
          heading: (e) => copy(e)?.heading,
          explanation: (e) => explained(copy(e)?.explanation, e.email_data.token),
          button: (e) => copy(e)?.button,
          link: signInLink,
          code: (e) => e.email_data.token,
        },
        urgent,
      },
    },
    {
      name: "password reset mail",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "recovery",
      contact: { email: (e) => e.user.email },
      transactional: {
        template: "password-reset",
        variables: { link: signInLink, code: (e) => e.email_data.token, expires: LIFETIME },
        urgent,
      },
    },
    {
      name: "invitation mail",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "invite",
      contact: { email: (e) => e.user.email },
      transactional: {
        template: "invitation",
        variables: { link: signInLink, email: (e) => e.user.email },
        urgent,
      },
    },
    // Supabase's names are swapped: `token_hash_new` belongs to the current address, `token_hash` to the new one.
    // With "Secure email change" off, only `token` exists.
    // https://supabase.com/docs/guides/auth/auth-hooks/send-email-hook
    {
      name: "email change mail to the current address",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "email_change" && Boolean(e.email_data.token_hash_new),
      contact: { email: (e) => e.user.email },
      transactional: {
        template: "magic-link",
        variables: {
          ...CHANGE,
          explanation: (e) => explained(CHANGE.explanation, e.email_data.token),
          link: (e) => verifyLink(e.email_data, e.email_data.token_hash_new),
          code: (e) => e.email_data.token,
        },
        urgent,
      },
    },
    {
      name: "email change mail to the new address",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "email_change" && Boolean(e.email_data.token_hash),
      contact: { email: (e) => e.user.new_email },
      transactional: {
        template: "magic-link",
        variables: {
          ...CHANGE,
          explanation: (e) => explained(CHANGE.explanation, newCode(e)),
          link: (e) => verifyLink(e.email_data, e.email_data.token_hash),
          code: newCode,
        },
        urgent,
      },
    },
    {
      name: "sign-up contact",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "signup",
      contact: person,
      // Creates a missing contact.
      update: {},
      // Not "signed up": the person may ask for this mail several times.
      event: { name: "confirmationRequested" },
    },
    {
      name: "magic link contact",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "magiclink",
      contact: person,
      update: {},
      event: { name: "magicLinkRequested" },
    },
    {
      // Not on before-user-created: the sign-up may still be refused.
      name: "user created",
      on: "after-user-created",
      when: (e) => Boolean(e.user.email),
      contact: person,
      update: {
        firstName: {
          given: (e) => ownFirstName(confirmed(e)),
          guess: (e) => metadataFirstName(confirmed(e)),
          from: "account",
        },
        lastName: {
          given: (e) => ownLastName(confirmed(e)),
          guess: (e) => metadataLastName(confirmed(e)),
          from: "account",
        },
      },
      event: { name: "userCreated" },
    },
  ],
  ({ user }) => (user?.email && user.email_confirmed_at ? [{ userId: user.id, email: user.email }] : []),
);

export default joined(supabase, [signIn, securityNotices]);
