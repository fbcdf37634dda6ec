import { listRecipients } from "../../campaigns/list-recipients.ts";
import { showLinks, showResults, showSeries } from "../../campaigns/statistics.ts";
import type { AdminHandlers } from "../../core/handler.ts";
import { countForSend, goOn } from "./count-audience.ts";
import { duplicate } from "./duplicate.ts";
import { explainRecipient } from "./explain-recipient.ts";
import { cancel, estimate, list, pause, resume, retry, unschedule } from "./handlers.ts";
import { remove } from "./remove.ts";
import { sendCampaign } from "./send.ts";
import { showStatus } from "./status.ts";

export const campaigns: AdminHandlers<"campaigns"> = {
  list,
  duplicate,
  remove,
  send: {
    prepare: async ({ sql, now }, input) => {
      const counted = await countForSend({ sql, now, campaignId: input.campaignId });
      return (context) => sendCampaign(context, input, counted);
    },
  },
  unschedule,
  pause,
  resume,
  cancel,
  retryUnknown: retry,
  estimate: async (context, input, { secret }) => estimate(context, input, await goOn(context, input, secret)),
  status: showStatus,
};

export const statistics: AdminHandlers<"statistics"> = {
  results: showResults,
  series: showSeries,
  links: showLinks,
  recipients: listRecipients,
  contact: explainRecipient,
};
