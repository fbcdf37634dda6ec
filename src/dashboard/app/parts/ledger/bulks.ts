import { api } from "../../api/api.ts";
import type { Bulk } from "../acts/bulk.tsx";
import type { Each } from "../acts/commands.ts";
import { deliveriesOf, searchOf } from "./causes.ts";
import { counted } from "./ledger-words.ts";
import { outcomesOf } from "./outcome.ts";
import type { Cause, Delivery, DeliverySearch, FoundDelivery } from "./types.ts";

/** A bulk run acts on this many of the newest deliveries. */
const AT_ONCE = 2_000;
/** More than these are acted on only after a typed word. */
const MANY = 1_000;

export const readDeliveries = (request: DeliverySearch) => api.bridge.deliveries.search(request);

/** Reads one delivery, from its webhook. */
export const readDelivery = async (deliveryId: string): Promise<Delivery | undefined> => {
  const webhook = await api.bridge.webhooks.get({ webhookId: deliveryId.replace(/\.\d+$/, ""), body: "0" });
  return webhook.deliveries.find(({ id }) => id === deliveryId);
};

type Without = ReadonlySet<string>;

const NONE: Without = new Set();

/** How many deliveries of a cause an act is for. `without`: ids that a person left out. */
export const chosenOf = ({ count }: Cause, without: Without): number => Math.min(count, AT_ONCE) - without.size;

const inWords = ({ length }: readonly FoundDelivery[], { count }: Cause): string =>
  length === AT_ONCE && count > length
    ? `the newest ${counted(length, "delivery")} of ${count.toLocaleString("en")}`
    : counted(length, "delivery");

const bulkOf = (cause: Cause, without: Without) => ({
  find: async () => (await deliveriesOf(cause, AT_ONCE, readDeliveries)).filter(({ id }) => !without.has(id)),
  many: counted(chosenOf(cause, without), "delivery"),
});

/** The same in a terminal is for all of a cause. */
const each = (cause: Cause, without: Without, name: string, fields = {}): Each | undefined =>
  without.size > 0
    ? undefined
    : {
        list: { api: "bridge", name: "deliveries.search", fields: searchOf(cause) },
        state: cause.state,
        each: name,
        parameter: "deliveryId",
        fields,
      };

/** Tries the deliveries of a cause once more, with the same keys. */
export const retryOf = (cause: Cause, without = NONE): Bulk<FoundDelivery> => {
  const { find, many } = bulkOf(cause, without);
  return {
    title: `Retry ${many}?`,
    participle: "retried",
    find,
    label: (count) => `Retry ${counted(count, "delivery")}`,
    effect: (found) =>
      `Mailspan tries ${inWords(found, cause)} once more. Where an earlier try arrived, nothing is sent twice.`,
    act: ({ id }) => api.bridge.deliveries.retry({ deliveryId: id }),
    outcomes: (handled) => outcomesOf(handled, readDelivery),
    asked:
      without.size > 0
        ? undefined
        : { api: "bridge", name: "deliveries.retryAll", fields: { ...searchOf(cause), dryRun: true } },
  };
};

/** Ends the deliveries of a cause. */
export const discardOf = (cause: Cause, without = NONE): Bulk<FoundDelivery> => {
  const { find, many } = bulkOf(cause, without);
  const isUnknown = cause.state === "undecided";
  return {
    title: isUnknown ? `Leave ${many} as they are?` : `Discard ${many}?`,
    participle: isUnknown ? "left as they are" : "discarded",
    find,
    ...(isUnknown ? {} : { color: "red" }),
    ...(chosenOf(cause, without) > MANY ? { word: "discard" } : {}),
    label: (count) => (isUnknown ? "Leave as they are" : `Discard ${counted(count, "delivery")}`),
    effect: (found) =>
      isUnknown
        ? `Mailspan does not try ${inWords(found, cause)} again. What arrived stays.`
        : `Mailspan never sends ${inWords(found, cause)}. You can still replay the webhooks.`,
    act: ({ id }) => api.bridge.deliveries.discard({ deliveryId: id }),
    asked: each(cause, without, "deliveries.discard"),
  };
};

/** Sends the deliveries of a cause with new keys. */
export const sendAgainOf = (cause: Cause, without = NONE): Bulk<FoundDelivery> => {
  const { find, many } = bulkOf(cause, without);
  return {
    title: `Send ${many} again?`,
    participle: "sent again",
    find,
    color: "red",
    word: "send again",
    label: (count) => `Send ${counted(count, "delivery")} again`,
    effect: (found) =>
      `Mailspan sends ${inWords(found, cause)} with new keys. ${cause.state === "undecided" ? "An earlier try may have arrived: a person can get a mail twice." : "Where an earlier try had no answer, a person can get a mail twice."} Retry is safer where it is possible.`,
    act: ({ id }) => api.bridge.deliveries.sendAgain({ deliveryId: id, confirm: true }),
    outcomes: (handled) => outcomesOf(handled, readDelivery),
    asked: each(cause, without, "deliveries.sendAgain", { confirm: true }),
  };
};
