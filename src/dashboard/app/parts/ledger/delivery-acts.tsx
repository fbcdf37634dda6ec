import { Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { type Act, ActButton } from "../acts/act.tsx";
import { whatOf, whomOf } from "./ledger-words.ts";
import type { Delivery } from "./types.ts";

type Done = { state: string };

const say = (text: string) => ({ text: <Text size="sm">{text}</Text> });

const retry = (delivery: Delivery): Act<Done> => ({
  title: "Retry this delivery?",
  label: "Retry",
  effect: () =>
    say(
      `The ${whatOf(delivery)} for ${whomOf(delivery)} is attempted once more, with the same key. If an earlier attempt arrived, nothing is sent twice.`,
    ),
  run: () => api.bridge.deliveries.retry({ deliveryId: delivery.id }),
  done: () => "The delivery is retried.",
  asked: { api: "bridge", name: "deliveries.retry", fields: { deliveryId: delivery.id } },
  command: { name: "act", args: ["retry", delivery.id] },
});

const discard = (delivery: Delivery): Act<Done> => ({
  title: "Discard this delivery?",
  label: "Discard",
  color: "red",
  effect: () => say(`The ${whatOf(delivery)} for ${whomOf(delivery)} is never made. It does not need you any more.`),
  run: () => api.bridge.deliveries.discard({ deliveryId: delivery.id }),
  done: () => "The delivery is discarded.",
  asked: { api: "bridge", name: "deliveries.discard", fields: { deliveryId: delivery.id } },
  command: { name: "act", args: ["discard", delivery.id] },
});

/** Facts come from the bridge's refusal without `confirm`. */
const factsOf = async (deliveryId: string): Promise<string> => {
  try {
    await api.bridge.deliveries.sendAgain({ deliveryId });
  } catch (error) {
    if (error instanceof RequestError && error.code === "confirmation_needed") return error.message;
    throw error;
  }
  return "The delivery is sent.";
};

const sendAgain = (delivery: Delivery): Act<Done> => ({
  title: "Send this delivery again?",
  label: "Send again",
  color: "red",
  word: "send again",
  effect: async () => say(await factsOf(delivery.id)),
  run: () => api.bridge.deliveries.sendAgain({ deliveryId: delivery.id, confirm: true }),
  done: () => "The delivery is sent again, with a new key.",
  asked: { api: "bridge", name: "deliveries.sendAgain", fields: { deliveryId: delivery.id, confirm: true } },
  command: { name: "act", args: ["send-again", delivery.id], options: ["--yes"] },
});

const isStuck = ({ state }: Delivery): boolean => state === "failed" || state === "undecided";
const isDiscarded = ({ state, acts }: Delivery): boolean => state === "failed" && acts?.at(-1)?.act === "discard";

export const DeliveryActs = ({ delivery }: { delivery: Delivery }) => (
  <>
    {isStuck(delivery) && (
      <ActButton act={retry(delivery)} icon="retry" data-key="r">
        Retry
      </ActButton>
    )}
    {isStuck(delivery) && !isDiscarded(delivery) && (
      <ActButton act={discard(delivery)} data-key="d">
        Discard
      </ActButton>
    )}
    {(isStuck(delivery) || delivery.state === "done" || delivery.state === "skipped") && (
      <ActButton act={sendAgain(delivery)}>Send again</ActButton>
    )}
  </>
);
