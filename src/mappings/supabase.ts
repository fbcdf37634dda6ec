import { type EmailAction, type EmailData, type SupabaseHook, supabase } from "../handlers/supabase.ts";
import {
  type Metadata,
  metadataFirstName,
  metadataLastName,
  ownFirstName,
  ownLastName,
} from "../rules/people/metadata-name.ts";
import { rules } from "../rules/types.ts";

type SendEmail = Extract<SupabaseHook, { type: "send-email" }>;
type Copy = { heading: string; explanation: string; button: string };

/**
 * The text of the "magic-link" template for mails that Supabase Auth asks for. Password resets and invitations have
 * templates of their own. Other mails are not sent.
 */
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

/** The metadata of a user with a confirmed address. A name may otherwise be written to the contact of another person. */
const confirmed = ({ user }: { user: { email_confirmed_at?: string | null; user_metadata?: Metadata } }) =>
  user.email_confirmed_at ? user.user_metadata : undefined;

/** URL of Supabase's own verify page. In the hook, `site_url` is the Auth server's URL, with or without its path. */
const verifyLink = (email: EmailData, hash: string) => {
  const site = email.site_url.replace(/\/+$/, "");
  const auth = site.endsWith("/auth/v1") ? site : `${site}/auth/v1`;
  const redirect = email.redirect_to ? `&redirect_to=${encodeURIComponent(email.redirect_to)}` : "";
  return `${auth}/verify?token=${encodeURIComponent(hash)}&type=${email.email_action_type}${redirect}`;
};

/**
 * The link in the mail. A reauthentication uses its code alone (its token has no hash to verify); its link opens the
 * app.
 */
const signInLink = ({ email_data }: SendEmail) =>
  email_data.email_action_type === "reauthentication"
    ? email_data.redirect_to || email_data.site_url
    : verifyLink(email_data, email_data.token_hash);

/**
 * Supabase's default lifetime of a token. If your project's differs (Auth > Email > OTP expiry), change it here too.
 */
const urgent = { expires: "1h" };
const LIFETIME = "one hour";

/**
 * The contact. The user id is included only when the address is confirmed: otherwise an attacker could sign up with a
 * victim's address and be merged with the victim's contact.
 */
const person = {
  userId: ({ user }: SupabaseHook) => (user.email_confirmed_at ? user.id : undefined),
  email: ({ user }: SupabaseHook) => user.email,
};

export default rules(
  supabase,
  [
    {
      // Security notices (such as a changed password) are not mapped: keep them disabled in the project, or add their
      // texts.
      name: "sign-in mail",
      on: "send-email",
      when: (e) => copy(e) !== undefined,
      contact: { email: (e) => e.user.email },
      transactional: {
        template: "magic-link",
        variables: {
          heading: (e) => copy(e)?.heading,
          explanation: (e) => copy(e)?.explanation,
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
      // Supabase does not say who invites.
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
    // A change of address. Supabase's names are swapped and stay so: token_hash_new belongs to the current address and
    // token_hash to the new one. With "Secure email change" off there is only the new address, with its code in
    // `token`. https://supabase.com/docs/guides/auth/auth-hooks/send-email-hook
    {
      name: "email change mail to the current address",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "email_change" && Boolean(e.email_data.token_hash_new),
      contact: { email: (e) => e.user.email },
      transactional: {
        template: "magic-link",
        variables: {
          ...CHANGE,
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
          link: (e) => verifyLink(e.email_data, e.email_data.token_hash),
          code: (e) => e.email_data.token_new || e.email_data.token,
        },
        urgent,
      },
    },
    {
      name: "sign-up contact",
      on: "send-email",
      when: (e) => e.email_data.email_action_type === "signup",
      contact: person,
      // An update without properties creates the contact if it does not exist.
      update: {},
      // Not a "signed up" event: the person may ask for this mail several times.
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
  // Only a confirmed address links the user id.
  ({ user }) => (user?.email && user.email_confirmed_at ? [{ userId: user.id, email: user.email }] : []),
);
