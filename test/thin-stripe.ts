type Json = Record<string, unknown>;
export type Snapshot = Json & {
  id: string;
  type: string;
  created: number;
  livemode: boolean;
  account?: string;
  data: { object: Json; previous_attributes?: Json };
};

/** Names in a thin event: `event` is its snapshot event, `later` too, but in the fetched event only. */
export type Named = "event" | "later" | "object";

const PATHS: Readonly<Record<string, string>> = {
  subscription: "subscriptions",
  "checkout.session": "checkout/sessions",
  "radar.early_fraud_warning": "radar/early_fraud_warnings",
};

const parts = (object: Json, of: Json): Json =>
  Object.fromEntries(
    Object.entries(of).map(([key, value]) => {
      const own = object[key];
      const isObject = (one: unknown): one is Json => typeof one === "object" && one !== null && !Array.isArray(one);
      return [key, isObject(own) && isObject(value) ? parts(own, value) : (own ?? null)];
    }),
  );

/** The thin event of a snapshot event, and what Stripe's API has at each path. */
export const thinOf = (snapshot: Snapshot, named: Named): { thin: Json; api: Record<string, unknown> } => {
  const { id, type, created, livemode, account, data } = snapshot;
  const { object, previous_attributes: before } = data;
  const url = `/v1/${PATHS[object.object as string] ?? `${object.object}s`}/${object.id}`;
  const common = {
    id: `thin_${id}`,
    object: "v2.core.event",
    type: `v1.${type}`,
    livemode,
    created: new Date(created * 1000 + 345).toISOString(),
    reason: null,
    ...(account === undefined ? {} : { context: account }),
    // An upcoming invoice has no id.
    ...(object.id === undefined ? {} : { related_object: { id: object.id, type: object.object, url } }),
  };
  const thin = named === "event" ? { ...common, snapshot_event: id } : common;
  const changes = before && { before, after: parts(object, before) };
  const fetched = { ...common, ...(named === "object" ? {} : { snapshot_event: id }), changes: changes ?? null };
  return {
    thin,
    api: {
      [`/v2/core/events/${common.id}`]: fetched,
      ...(named === "object" ? {} : { [`/v1/events/${id}`]: snapshot }),
      ...(object.id === undefined ? {} : { [url]: object }),
    },
  };
};
