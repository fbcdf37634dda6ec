import { Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import type { Detailed } from "./state.ts";

const text = (words: string) => ({ text: <Text size="sm">{words}</Text> });

export const ImportActs = ({ team, one }: { team: string; one: Detailed }) => {
  const { id, name, state, paused, rows, processed, dryRun } = one;
  const fields = { team, importId: id };
  const isRunning = state === "running";
  return (
    <>
      {isRunning && !paused && (
        <ActButton
          icon="pause"
          act={{
            title: `Pause ${name}?`,
            label: "Pause",
            effect: () =>
              text("No more rows of it are imported until it is resumed. After seven days it is cancelled."),
            run: () => api.email.imports.pause(fields),
            done: () => `${name} is paused.`,
            asked: { api: "email", name: "imports.pause", fields },
          }}
        >
          Pause
        </ActButton>
      )}
      {isRunning && paused && (
        <ActButton
          icon="play"
          act={{
            title: `Resume ${name}?`,
            label: "Resume",
            effect: () => text(`It goes on: ${counted(rows - processed, "row")} left.`),
            run: () => api.email.imports.resume(fields),
            done: () => `${name} goes on.`,
            asked: { api: "email", name: "imports.resume", fields },
          }}
        >
          Resume
        </ActButton>
      )}
      {state !== "done" && state !== "cancelled" && (
        <ActButton
          color="red"
          variant="outline"
          act={{
            title: `Cancel the import of ${name}?`,
            label: "Cancel the import",
            color: "red",
            effect: () =>
              text(
                isRunning && !dryRun
                  ? `${counted(processed, "row")} of it ${processed === 1 ? "is" : "are"} imported, and stay so. The others are deleted from the service.`
                  : "No contact was changed. The rows are deleted from the service.",
              ),
            run: () => api.email.imports.cancel(fields),
            done: () => `The import of ${name} is cancelled.`,
            asked: { api: "email", name: "imports.cancel", fields },
            command: { name: "import", options: ["--cancel", id, "--team", team] },
          }}
        >
          Cancel the import
        </ActButton>
      )}
    </>
  );
};
