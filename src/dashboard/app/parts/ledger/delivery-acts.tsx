import { Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { type Act, ActButton } from "../acts/act.tsx";
import { readDelivery } from "./bulks.ts";
import { capital, whatOf, whomOf } from "./ledger-words.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Delivery } from "./types.ts";

const say = (text: string) => ({ text: <Text size="sm">{text}</Text> });

const toneOf = ({ tone }: Outcome) => tone;
const said = ({ text }: Outcome): string => `${capital(text)}.`;

const retry = (delivery: Delivery): Act<Outcome> => ({
  title: `Retry the ${whatOf(delivery)} for ${whomOf(delivery)}?`,
  label: "Retry",
  effect: () => say("Mailspan tries it once more. If the first try arrived, nothing is sent twice."),
  run: async () => outcomeOf(await api.bridge.deliveries.retry({ deliveryId: delivery.id }), readDelivery),
  done: said,
  toneOf,
  asked: { api: "bridge", name: "deliveries.retry", fields: { deliveryId: delivery.id } },
  command: { name: "act", args: ["retry", delivery.id] },
});

const discard = (delivery: Delivery): Act<{ state: string }> => ({
  title: `Discard the ${whatOf(delivery)} for ${whomOf(delivery)}?`,
  label: "Discard",
  color: "red",
  effect: () => say("It is not sent, now or later. You can still replay the webhook."),
  run: () => api.bridge.deliveries.discard({ deliveryId: delivery.id }),
  done: () => "Discarded.",
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

const sendAgain = (delivery: Delivery): Act<Outcome> => ({
  title: `Send the ${whatOf(delivery)} for ${whomOf(delivery)} again?`,
  label: "Send again",
  color: "red",
  word: "send again",
  effect: async () => say(await factsOf(delivery.id)),
  run: async () =>
    outcomeOf(await api.bridge.deliveries.sendAgain({ deliveryId: delivery.id, confirm: true }), readDelivery),
  done: said,
  toneOf,
  asked: { api: "bridge", name: "deliveries.sendAgain", fields: { deliveryId: delivery.id, confirm: true } },
  command: { name: "act", args: ["send-again", delivery.id], options: ["--yes"] },
});

export const isStuck = ({ state }: Delivery): boolean => state === "failed" || state === "undecided";
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
