import { Text } from "@mantine/core";
import type { Ref } from "react";
import { Side } from "../../../parts/graph/beside.tsx";
import type { Look } from "../../../parts/graph/types.ts";
import { PanelTabs } from "../../../parts/page/panel-tabs.tsx";
import type { Add } from "../edit/add.tsx";
import type { StepEdits } from "../edit/edits.ts";
import { countsText, nodeOf } from "../looks.ts";
import type { Shown } from "../use-workflow.ts";
import { people } from "../words.ts";
import { Here } from "./here.tsx";
import { Numbers } from "./numbers.tsx";
import { Settings } from "./settings.tsx";

type Props = Shown & {
  nodeId: string;
  look: Look | undefined;
  tab: string | undefined;
  onTab: (tab: string | undefined) => void;
  edits: StepEdits;
  add: Add;
  onSelect: (nodeId: string | undefined) => void;
  onClose: () => void;
  ref: Ref<HTMLElement>;
};

/** A step: its settings, who is there, and its numbers. */
export const NodePanel = ({ look, tab = "settings", onTab, edits, add, onSelect, onClose, ref, ...props }: Props) => {
  const { nodeId, ...shown } = props;
  const node = nodeOf(shown.status, nodeId);
  const side = { label: "The step", close: "Close the step", onClose, ref };
  if (!node || !look)
    return (
      <Side {...side} title="This step does not exist" tile={{ icon: "nothing", tone: "end" }}>
        <Text size="sm">It was deleted from the workflow.</Text>
      </Side>
    );
  const isExit = node.typeName === "ExitAction";
  const here = isExit ? "" : `${people(node.waiting, "is", "are")} here · `;
  return (
    <Side {...side} title={look.name} fact={here + countsText(node)} tile={look}>
      <PanelTabs
        value={isExit && tab === "here" ? "settings" : tab}
        onChange={onTab}
        tabs={[
          {
            value: "settings",
            label: "Settings",
            content: () => <Settings {...props} edits={edits} add={add} onSelect={onSelect} />,
          },
          !isExit && {
            value: "here",
            label: "Who is here",
            count: node.waiting || undefined,
            content: () => <Here shown={shown} node={node} />,
          },
          { value: "numbers", label: "Numbers", content: () => <Numbers shown={shown} node={node} /> },
        ]}
      />
    </Side>
  );
};
