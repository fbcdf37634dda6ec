import { confirmSubscription } from "../lib/signature/kinds/sns.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type SnsEvent = {
  type: "Notification" | "SubscriptionConfirmation" | "UnsubscribeConfirmation";
  MessageId: string;
  TopicArn: string;
  Subject?: string;
  Message: string;
  Timestamp: string;
};

/**
 * Amazon SNS: the signature identifies Amazon, so the "secret" is the topic's ARN. A GET of `SubscribeURL` confirms a
 * subscription.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html
 */
export const awsSns: Handler<SnsEvent> = {
  provider: "aws-sns",
  about: { title: "Amazon SNS", secret: "AWS_SNS_TOPIC_ARN", setUp: "SNS → Topics → topic → ARN" },
  scheme: { kind: "sns" },
  endpointCheck: {
    method: "POST",
    answer: async (_request, _secrets, content, { fetch }) => {
      const isConfirmed = await confirmSubscription(content, fetch);
      return isConfirmed === false ? { status: 503, body: SUBSCRIPTION_FAILED } : undefined;
    },
  },
  secretPaths: ["Token", "SubscribeURL"],
  read: readEvent({ what: "an SNS message", id: "MessageId", type: "Type", time: [["Timestamp", "iso"]] }),
};

const SUBSCRIPTION_FAILED = JSON.stringify({
  error: { code: "subscription_not_confirmed", message: "SubscribeURL could not be visited. Send it again." },
});
