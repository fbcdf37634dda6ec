import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { askToEnd } from "../../../../../lib/contract/admin/to-end.ts";
import { api } from "../../../api/api.ts";
import { type Act, ActDialog } from "../../../parts/acts/act.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import type { IconName } from "../../../parts/icon-paths.ts";
import { Icon } from "../../../parts/icons.tsx";
import { actsFor, type WorkflowAct } from "../state.ts";
import type { Shown } from "../use-workflow.ts";
import { DifferenceOf } from "../versions/difference.tsx";
import { numberText, stayText } from "../workflow-words.ts";
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
            {isReady &&
              text(
                "Contacts enter from now on. What happened before does not start it. While it is sending, its graph cannot change.",
              )}
          </Stack>
        ),
      };
    },
    run: () => api.email.workflows.start(fields),
    done: () => `${workflow.name} is sending.`,
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
            {text(
              `It goes on: contacts whose step is due take it, in the order in which they were due. ${numberText(status.active)} ${status.active === 1 ? "is" : "are"} in it.`,
            )}
            {text("Since it ran last:")}
            <DifferenceOf diff={diff} onSelect={onNode} has={(nodeId) => nodeId in workflow.nodes} />
          </Stack>
        ),
      };
    },
    run: () => api.email.workflows.resume(fields),
    done: () => `${workflow.name} goes on.`,
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
          {text(
            "New contacts are queued for 24 hours, and enter when it is resumed. After that, new ones do not enter.",
          )}
        </Stack>
      ),
    }),
    run: () => api.email.workflows.pause(fields),
    done: () => `${workflow.name} is paused.`,
    ...same,
  };
};

const stopping = (given: Given): Act<unknown> => {
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

const ACTS: Readonly<Record<WorkflowAct, { act: (given: Given) => Act<unknown>; label: string; icon?: IconName }>> = {
  start: { act: starting, label: "Start", icon: "play" },
  resume: { act: resuming, label: "Resume", icon: "play" },
  pause: { act: pausing, label: "Pause", icon: "pause" },
  stop: { act: stopping, label: "Stop" },
};

type Props = Shown & { onSelect: (nodeId: string) => void; onLooked: (looked: Looked) => void };

export const WorkflowActs = ({ onSelect, onLooked, ...shown }: Props) => {
  const [opened, setOpened] = useState<Act<unknown>>();
  const onNode = (nodeId: string) => {
    setOpened(undefined);
    onSelect(nodeId);
  };
  return (
    <Group gap="xs">
      {actsFor(shown.status.status).map((name) => (
        <Opener key={name} name={name} onOpen={() => setOpened(ACTS[name].act({ ...shown, onNode, onLooked }))} />
      ))}
      <ActDialog act={opened} onClose={() => setOpened(undefined)} />
    </Group>
  );
};

const Opener = ({ name, onOpen }: { name: WorkflowAct; onOpen: () => void }) => {
  const { label, icon } = ACTS[name];
  const denied = useDenied({ api: "email", name: `workflows.${name}` });
  return (
    <Button
      size="xs"
      variant={name === "start" ? "filled" : "default"}
      leftSection={icon && <Icon name={icon} size={14} />}
      {...off(denied)}
      onClick={() => denied === undefined && onOpen()}
    >
      {label}
    </Button>
  );
};
