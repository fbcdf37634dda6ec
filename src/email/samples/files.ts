import cancellation from "./cancellation.lmx";
import invitation from "./invitation.lmx";
import magicLink from "./magic-link.lmx";
import confirmSubscription from "./opt-in/confirm-subscription.lmx";
import passwordReset from "./password-reset.lmx";
import paymentFailed from "./payment-failed.lmx";
import receipt from "./receipt.lmx";
import bold from "./themes/bold.json" with { type: "json" };
import calm from "./themes/calm.json" with { type: "json" };
import trialEnding from "./trial-ending.lmx";
import welcome from "./welcome.lmx";

/** The texts of the sample templates, in the order that lists show. `readFile` of LMX reads them. */
export const templates: readonly string[] = [
  welcome,
  magicLink,
  passwordReset,
  invitation,
  receipt,
  paymentFailed,
  trialEnding,
  cancellation,
];

/** The sample themes by their names in files. The first one is the theme of messages that name none. */
export const themes = { calm, bold };

/** The text of the mail that asks a person to confirm a subscription. A team gets it with double opt-in. */
export { confirmSubscription };
