import type { ChargebeeContent, ChargebeeEvent } from "../../handlers/chargebee.ts";
import type { NameOf, ObjectName } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";

type Event = { content: ChargebeeContent };

/** Item price id ("pro-USD-Monthly"), else plan id; for segments. */
export const plan = ({ content: { subscription } }: Event) =>
  subscription?.subscription_items?.find(({ item_type }) => item_type === "plan")?.item_price_id ??
  subscription?.plan_id;

const planName = (e: Event): string | NameOf | undefined => {
  const id = plan(e);
  if (id === undefined) return undefined;
  const lines = e.content.invoice?.line_items?.filter(({ entity_id }) => entity_id === id) ?? [];
  // A proration has a longer description.
  const [shortest] = lines.flatMap(({ description }) => description || []).toSorted((a, b) => a.length - b.length);
  return clip(shortest) ?? { nameOf: id };
};

export const named = { plan, planName };

export const names = ({ content }: ChargebeeEvent): readonly ObjectName[] => {
  const { id, name, external_name, invoice_name } = content.item_price ?? content.plan ?? {};
  const shown = clip(external_name || invoice_name || name);
  return id && shown ? [{ id, name: shown }] : [];
};
