import type { PaddleSubscription } from "../../handlers/paddle.ts";
import { clip } from "../../rules/values/clip.ts";

type Event = { data: PaddleSubscription };

/** Webhooks from before 2024 have ids alone. */
const planName = ({ items: [first] }: PaddleSubscription) =>
  clip(first?.product?.name || first?.price?.name || undefined);

/** Plan name, else price id; for segments. */
export const plan = (subscription: PaddleSubscription) => planName(subscription) ?? subscription.items[0]?.price?.id;

/** `planName` is absent if only an id is known: no mail should show an id. */
export const named = {
  plan: ({ data }: Event) => plan(data),
  planName: ({ data }: Event) => planName(data),
};
