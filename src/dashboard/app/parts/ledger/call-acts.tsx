import { Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { type Act, ActButton } from "../acts/act.tsx";
import type { Call } from "./types.ts";
import { whatOf, whomOf } from "./words.ts";

type Done = { state: string };

const say = (text: string) => ({ text: <Text size="sm">{text}</Text> });

const retry = (call: Call): Act<Done> => ({
  title: "Retry this call?",
  label: "Retry",
  effect: () =>
    say(
      `The ${whatOf(call)} for ${whomOf(call)} is attempted once more, with the same key. If an earlier attempt reached the host, the host does not act twice.`,
    ),
  run: () => api.bridge.calls.retry({ callId: call.id }),
  done: () => "The call is retried.",
  asked: { api: "bridge", name: "calls.retry", fields: { callId: call.id } },
  command: { name: "act", args: ["retry", call.id] },
});

const discard = (call: Call): Act<Done> => ({
  title: "Discard this call?",
  label: "Discard",
  color: "red",
  effect: () => say(`The ${whatOf(call)} for ${whomOf(call)} is never made. It does not need you any more.`),
  run: () => api.bridge.calls.discard({ callId: call.id }),
  done: () => "The call is discarded.",
  asked: { api: "bridge", name: "calls.discard", fields: { callId: call.id } },
  command: { name: "act", args: ["discard", call.id] },
});

/** Facts come from the bridge's refusal without `confirm`. */
const factsOf = async (callId: string): Promise<string> => {
  try {
    await api.bridge.calls.sendAgain({ callId });
  } catch (error) {
    if (error instanceof RequestError && error.code === "confirmation_needed") return error.message;
    throw error;
  }
  return "The call is sent.";
};

const sendAgain = (call: Call): Act<Done> => ({
  title: "Send this call again?",
  label: "Send again",
  color: "red",
  word: "send again",
  effect: async () => say(await factsOf(call.id)),
  run: () => api.bridge.calls.sendAgain({ callId: call.id, confirm: true }),
  done: () => "The call is sent again, with a new key.",
  asked: { api: "bridge", name: "calls.sendAgain", fields: { callId: call.id, confirm: true } },
  command: { name: "act", args: ["send-again", call.id], options: ["--yes"] },
});

const isStuck = ({ state }: Call): boolean => state === "dead" || state === "parked";
const isDiscarded = ({ state, acts }: Call): boolean => state === "dead" && acts?.at(-1)?.act === "discard";

export const CallActs = ({ call }: { call: Call }) => (
  <>
    {isStuck(call) && (
      <ActButton act={retry(call)} icon="replay" data-key="r">
        Retry
      </ActButton>
    )}
    {isStuck(call) && !isDiscarded(call) && (
      <ActButton act={discard(call)} data-key="d">
        Discard
      </ActButton>
    )}
    {(isStuck(call) || call.state === "done" || call.state === "skipped") && (
      <ActButton act={sendAgain(call)}>Send again</ActButton>
    )}
  </>
);
