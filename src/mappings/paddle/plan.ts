import type { PaddleSubscription } from "../../handlers/paddle.ts";
import { clip } from "../../rules/values/clip.ts";

type Event = { data: PaddleSubscription };

/** The name of the first item's product or price. Webhooks from before 2024 have ids alone. */
const planName = ({ items: [first] }: PaddleSubscription) =>
  clip(first?.product?.name || first?.price?.name || undefined);

/** The plan's name, or the id of its price where no name is known: for segments. A mail uses `planName`. */
export const plan = (subscription: PaddleSubscription) => planName(subscription) ?? subscription.items[0]?.price?.id;

/** The plan in an event. `planName` is absent where only an id is known: no mail should show an id. */
export const named = {
  plan: ({ data }: Event) => plan(data),
  planName: ({ data }: Event) => planName(data),
};
