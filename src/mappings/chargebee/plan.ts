import type { ChargebeeContent, ChargebeeEvent } from "../../handlers/chargebee.ts";
import type { NameOf, ObjectName } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";

type Event = { content: ChargebeeContent };

/** Id of the plan's price ("pro-USD-Monthly") on sites with items, else of the plan. For segments. */
export const plan = ({ content: { subscription } }: Event) =>
  subscription?.subscription_items?.find(({ item_type }) => item_type === "plan")?.item_price_id ??
  subscription?.plan_id;

/** The name that customers see: from the invoice in this webhook, else learned from webhooks of the price or plan. */
const planName = (e: Event): string | NameOf | undefined => {
  const id = plan(e);
  if (id === undefined) return undefined;
  const line = e.content.invoice?.line_items?.find(({ entity_id }) => entity_id === id);
  return clip(line?.description || undefined) ?? { nameOf: id };
};

/** The plan in an event. `planName` is absent where only an id is known. */
export const named = { plan, planName };

/** The names of prices and plans. */
export const names = ({ content }: ChargebeeEvent): readonly ObjectName[] => {
  const { id, name, external_name, invoice_name } = content.item_price ?? content.plan ?? {};
  const shown = clip(external_name || invoice_name || name);
  return id && shown ? [{ id, name: shown }] : [];
};
