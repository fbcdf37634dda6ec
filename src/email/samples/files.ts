import cancellation from "./cancellation.lmx";
import endedUnpaid from "./ended-unpaid.lmx";
import invitation from "./invitation.lmx";
import magicLink from "./magic-link.lmx";
import campaignNotice from "./notices/campaign-held.lmx";
import confirmSubscription from "./opt-in/confirm-subscription.lmx";
import passwordReset from "./password-reset.lmx";
import paymentFailed from "./payment-failed.lmx";
import receipt from "./receipt.lmx";
import securityNotice from "./security-notice.lmx";
import bold from "./themes/bold.json" with { type: "json" };
import calm from "./themes/calm.json" with { type: "json" };
import trialEnding from "./trial-ending.lmx";
import welcome from "./welcome.lmx";

/** In list order, for `readFile` of LMX. */
export const templates: readonly string[] = [
  welcome,
  magicLink,
  passwordReset,
  securityNotice,
  invitation,
  receipt,
  paymentFailed,
  trialEnding,
  cancellation,
  endedUnpaid,
];

/** Sample themes by file name. The first is the default theme. */
export const themes = { calm, bold };

export { campaignNotice, confirmSubscription };
