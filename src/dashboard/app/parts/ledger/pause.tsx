import { Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../acts/act.tsx";
import { counted } from "./ledger-words.ts";

type Status = Awaited<ReturnType<typeof api.bridge.dispatch.status>>;

const scopeOf = (source?: string) => (source === undefined ? {} : { source });

const waitingIn = async (source?: string): Promise<number> => {
  const { waiting } = await api.bridge.dispatch.status({});
  return source === undefined ? waiting.total : (waiting.sources[source]?.waiting ?? 0);
};

const pause = (source?: string): Act<Status> => ({
  title: source === undefined ? "Pause delivery?" : `Pause the deliveries of ${source}?`,
  label: "Pause",
  effect: async () => {
    const waiting = await waitingIn(source);
    return {
      text: (
        <Text size="sm">
          {counted(waiting, "delivery")} {waiting === 1 ? "waits" : "wait"} now. Until you resume, no delivery
          {source === undefined ? "" : ` of ${source}`} is sent. Webhooks are still accepted, and nothing is lost.
        </Text>
      ),
    };
  },
  run: () => api.bridge.dispatch.pause(scopeOf(source)),
  done: () => (source === undefined ? "Delivery is paused." : `${source} is paused.`),
  asked: { api: "bridge", name: "dispatch.pause", fields: scopeOf(source) },
  command: { name: "act", args: ["pause", ...Object.values(scopeOf(source))] },
});

const resume = (source?: string): Act<Status> => ({
  title: source === undefined ? "Resume delivery?" : `Resume the deliveries of ${source}?`,
  label: "Resume",
  effect: async () => {
    const waiting = await waitingIn(source);
    return {
      text: (
        <Text size="sm">
          {waiting === 0
            ? "No delivery waits."
            : `${counted(waiting, "delivery")} ${waiting === 1 ? "waits" : "wait"}, and will be sent.`}
        </Text>
      ),
    };
  },
  run: () => api.bridge.dispatch.resume(scopeOf(source)),
  done: () => (source === undefined ? "Delivery is resumed." : `${source} runs.`),
  asked: { api: "bridge", name: "dispatch.resume", fields: scopeOf(source) },
  command: { name: "act", args: ["resume", ...Object.values(scopeOf(source))] },
});

export const PauseButton = ({ isPaused, source }: { isPaused: boolean; source?: string }) => (
  <ActButton
    act={isPaused ? resume(source) : pause(source)}
    icon={isPaused ? "play" : "pause"}
    size="xs"
    data-key={source === undefined ? "p" : undefined}
  >
    {isPaused ? "Resume" : "Pause"} {source ?? "delivery"}
  </ActButton>
);
