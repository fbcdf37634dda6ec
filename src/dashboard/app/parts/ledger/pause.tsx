import { Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../acts/act.tsx";
import { counted } from "./words.ts";

type Status = Awaited<ReturnType<typeof api.bridge.delivery.status>>;

/** Of one source; of all delivery where none is named. */
const scopeOf = (source?: string) => (source === undefined ? {} : { source });

const pause = (waiting: number, source?: string): Act<Status> => ({
  title: source === undefined ? "Pause all delivery?" : `Pause the calls of ${source}?`,
  label: "Pause",
  effect: () => ({
    text: (
      <Text size="sm">
        {counted(waiting, "call")} {waiting === 1 ? "waits" : "wait"} now. Until you resume, no call
        {source === undefined ? "" : ` of ${source}`} is sent. Webhooks are still accepted, and nothing is lost.
      </Text>
    ),
  }),
  run: () => api.bridge.delivery.pause(scopeOf(source)),
  done: () => (source === undefined ? "Delivery is paused." : `${source} is paused.`),
  asked: { api: "bridge", name: "delivery.pause", fields: scopeOf(source) },
  command: { name: "act", args: ["pause", ...Object.values(scopeOf(source))] },
});

const resume = (waiting: number, source?: string): Act<Status> => ({
  title: source === undefined ? "Resume delivery?" : `Resume the calls of ${source}?`,
  label: "Resume",
  effect: () => ({
    text: (
      <Text size="sm">
        {waiting === 0
          ? "No call waits."
          : `${counted(waiting, "call")} ${waiting === 1 ? "waits" : "wait"}, and will be sent.`}
      </Text>
    ),
  }),
  run: () => api.bridge.delivery.resume(scopeOf(source)),
  done: () => (source === undefined ? "Delivery runs." : `${source} runs.`),
  asked: { api: "bridge", name: "delivery.resume", fields: scopeOf(source) },
  command: { name: "act", args: ["resume", ...Object.values(scopeOf(source))] },
});

/** Pauses or resumes all delivery, or one source. */
export const PauseButton = ({ waiting, isPaused, source }: { waiting: number; isPaused: boolean; source?: string }) => {
  const name = source === undefined ? "all" : source;
  return (
    <ActButton
      act={isPaused ? resume(waiting, source) : pause(waiting, source)}
      icon={isPaused ? "play" : "pause"}
      size={source === undefined ? "xs" : "compact-xs"}
      data-key={source === undefined ? "p" : undefined}
    >
      {isPaused ? "Resume" : "Pause"} {name}
    </ActButton>
  );
};
