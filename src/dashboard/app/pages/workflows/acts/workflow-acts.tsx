import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { askToEnd } from "../../../../../lib/contract/admin/to-end.ts";
import { api } from "../../../api/api.ts";
import { type Act, ActButton, ActDialog } from "../../../parts/acts/act.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { Icon } from "../../../parts/icons.tsx";
import { canStop, mainActFor, type WorkflowAct } from "../state.ts";
import type { Shown } from "../use-workflow.ts";
import { DifferenceOf } from "../versions/difference.tsx";
import { people, stayText } from "../words.ts";
import { Findings, type Looked } from "./findings.tsx";

type Given = Shown & {
  onNode: (nodeId: string) => void;
  onLooked: (looked: Looked) => void;
};

const text = (words: string) => <Text size="sm">{words}</Text>;

const commonOf = (name: WorkflowAct, { id: team, workflow }: Shown) => {
  const fields = { team, workflowId: workflow.id };
  return {
    fields,
    asked: { api: "email" as const, name: `workflows.${name}`, fields },
    command: { name: "workflow", args: [name, workflow.id], options: ["--team", team] },
  };
};

const starting = (given: Given): Act<unknown> => {
  const { workflow, onNode, onLooked } = given;
  const { fields, ...same } = commonOf("start", given);
  return {
    title: `Start ${workflow.name}?`,
    label: "Start",
    effect: async () => {
      const looked = await api.email.workflows.start({ ...fields, dryRun: true });
      onLooked(looked);
      const isReady = looked.problems.length === 0;
      return {
        nothing: !isReady,
        text: (
          <Stack gap="sm">
            <Findings looked={looked} onNode={onNode} />
            {isReady && text("People enter from now on, not for what happened before. To edit it later, pause it.")}
          </Stack>
        ),
      };
    },
    run: () => api.email.workflows.start(fields),
    done: () => `${workflow.name} is live.`,
    ...same,
  };
};

const resuming = (given: Given): Act<unknown> => {
  const { workflow, status, onNode, onLooked } = given;
  const { fields, ...same } = commonOf("resume", given);
  return {
    title: `Resume ${workflow.name}?`,
    label: "Resume",
    effect: async () => {
      const [looked, diff] = await Promise.all([
        api.email.workflows.resume({ ...fields, dryRun: true }),
        askToEnd((more) => api.email.insight.diff({ ...fields, ...more })),
      ]);
      onLooked(looked);
      const isReady = looked.problems.length === 0;
      return {
        nothing: !isReady,
        text: (
          <Stack gap="sm">
            <Findings looked={looked} onNode={onNode} />
            {text(`${people(status.active, "continues", "continue")}, who waited longest goes first.`)}
            {text("Since it ran last:")}
            <DifferenceOf diff={diff} onSelect={onNode} has={(nodeId) => nodeId in workflow.nodes} />
          </Stack>
        ),
      };
    },
    run: () => api.email.workflows.resume(fields),
    done: () => `${workflow.name} is live again.`,
    ...same,
  };
};

const pausing = (given: Given): Act<unknown> => {
  const { workflow, status } = given;
  const { fields, ...same } = commonOf("pause", given);
  return {
    title: `Pause ${workflow.name}?`,
    label: "Pause",
    effect: () => ({
      text: (
        <Stack gap="xs">
          {text(stayText(status.active))}
          {text("New people are queued for 24 hours, and enter when it is resumed. After that, new ones do not enter.")}
        </Stack>
      ),
    }),
    run: () => api.email.workflows.pause(fields),
    done: () => `${workflow.name} is paused.`,
    ...same,
  };
};

const stopping = (given: Shown): Act<unknown> => {
  const { workflow, status } = given;
  const { fields, ...same } = commonOf("stop", given);
  return {
    title: `Stop ${workflow.name}?`,
    label: "Stop",
    color: "red",
    effect: () => ({
      text: text(`${stayText(status.active)} New ones are not queued: they do not enter, also not after a resume.`),
    }),
    run: () => api.email.workflows.stop(fields),
    done: () => `${workflow.name} is stopped.`,
    ...same,
  };
};

const ACTS = { start: starting, resume: resuming, pause: pausing } as const;
const ICONS = { start: "play", resume: "play", pause: "pause" } as const;

type Props = Shown & { onSelect: (nodeId: string) => void; onLooked: (looked: Looked) => void };

/** The act that a workflow in this state waits for. A draft has no other primary button. */
export const MainAct = ({ onSelect, onLooked, ...shown }: Props) => {
  const [opened, setOpened] = useState<Act<unknown>>();
  const name = mainActFor(shown.status.status);
  const denied = useDenied({ api: "email", name: `workflows.${name}` });
  const onNode = (nodeId: string) => {
    setOpened(undefined);
    onSelect(nodeId);
  };
  return (
    <>
      <Button
        variant={name === "pause" ? "default" : "filled"}
        leftSection={<Icon name={ICONS[name]} />}
        {...off(denied)}
        onClick={() => denied === undefined && setOpened(ACTS[name]({ ...shown, onNode, onLooked }))}
      >
        {name.charAt(0).toUpperCase() + name.slice(1)}
      </Button>
      <ActDialog act={opened} onClose={() => setOpened(undefined)} />
    </>
  );
};

export const Stop = (shown: Shown) => canStop(shown.status.status) && <ActButton act={stopping(shown)}>Stop</ActButton>;
