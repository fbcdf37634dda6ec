/**
 * Amazon SNS: messages that your own systems publish become events of the person they name.
 *
 * To use it, copy this file to `src/mappings/aws-sns.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import awsSns from "./mappings/aws-sns.ts";
 *     "aws-sns": { rules: awsSns, secret: "AWS_SNS_TOPIC_ARN" },
 */
import { awsSns } from "../src/handlers/aws-sns.ts";
import { rules } from "../src/rules/types.ts";
import { clip, shortLink } from "../src/rules/values/clip.ts";

/** The messages that your systems publish. Add yours here. */
type Published = { event: "report.ready"; email: string; reportName?: string; reportUrl?: string };

/** The message as JSON, or undefined where it is not JSON. */
const published = (e: { Message: string }): Published | undefined => {
  try {
    const message: unknown = JSON.parse(e.Message);
    return typeof message === "object" && message !== null && "event" in message ? (message as Published) : undefined;
  } catch {
    return undefined;
  }
};

export default rules(awsSns, [
  {
    name: "report ready",
    on: "Notification",
    when: (e) => published(e)?.event === "report.ready",
    contact: { email: (e) => published(e)?.email },
    event: {
      name: "reportReady",
      properties: {
        reportName: (e) => clip(published(e)?.reportName),
        reportUrl: (e) => shortLink(published(e)?.reportUrl),
      },
    },
  },
]);
