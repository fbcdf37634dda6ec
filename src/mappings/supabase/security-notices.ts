import { type EmailAction, type SupabaseHook, supabase } from "../../handlers/supabase.ts";
import { rules } from "../../rules/types.ts";

type SendEmail = Extract<SupabaseHook, { type: "send-email" }>;
type Notice = { heading: string; explanation: (e: SendEmail) => string };

const FACTORS: Readonly<Record<string, string>> = {
  totp: "an authenticator app",
  phone: "a phone",
  webauthn: "a passkey",
};
const factor = ({ email_data: { factor_type: type = "" } }: SendEmail) =>
  (Object.hasOwn(FACTORS, type) ? FACTORS[type] : undefined) ?? "a second factor";

/** "Github"; for a provider that is absent, "another account". */
const provider = ({ email_data: { provider: name } }: SendEmail) =>
  name ? name.slice(0, 1).toUpperCase() + name.slice(1, 80) : "another account";

const NOTICES: Partial<Record<EmailAction, Notice>> = {
  password_changed_notification: {
    heading: "Your password was changed",
    explanation: () => "The password of your account was changed.",
  },
  email_changed_notification: {
    heading: "Your email address was changed",
    explanation: ({ user }) =>
      user.email ? `The email address of your account is now ${user.email}.` : "The email address was changed.",
  },
  phone_changed_notification: {
    heading: "Your phone number was changed",
    explanation: () => "The phone number of your account was changed.",
  },
  identity_linked_notification: {
    heading: "A sign-in was added to your account",
    explanation: (e) => `${provider(e)} can now be used to sign in to your account.`,
  },
  identity_unlinked_notification: {
    heading: "A sign-in was removed from your account",
    explanation: (e) => `${provider(e)} can no longer be used to sign in to your account.`,
  },
  mfa_factor_enrolled_notification: {
    heading: "Two-step sign-in was added to your account",
    explanation: (e) => `Sign-in to your account can now be confirmed with ${factor(e)}.`,
  },
  mfa_factor_unenrolled_notification: {
    heading: "Two-step sign-in was removed from your account",
    explanation: (e) => `Sign-in to your account is no longer confirmed with ${factor(e)}.`,
  },
};

const noticeOf = ({ email_data: { email_action_type: action } }: SendEmail) =>
  Object.hasOwn(NOTICES, action) ? NOTICES[action] : undefined;

/** The owner of the former address has to hear that it was replaced. */
const recipient = ({ user, email_data: { email_action_type: action, old_email } }: SendEmail) =>
  (action === "email_changed_notification" && old_email) || user.email || undefined;

export default rules(supabase, [
  {
    name: "security notice mail",
    on: "send-email",
    when: (e) => noticeOf(e) !== undefined && recipient(e) !== undefined,
    contact: { email: recipient },
    transactional: {
      template: "security-notice",
      variables: { heading: (e) => noticeOf(e)?.heading, explanation: (e) => noticeOf(e)?.explanation(e) },
    },
  },
]);
