import { Button } from "@mantine/core";
import type { Shown } from "../use-workflow.ts";
import type { Trying } from "./props.ts";

export const TrialHead = ({ workflow, onBegin }: Shown & { onBegin: (trying: Trying) => void }) => (
  <>
    <Button size="xs" variant="default" onClick={() => onBegin("person")}>
      Simulate a person
    </Button>
    {workflow.nodes[workflow.rootNodeId]?.typeName === "EventTrigger" && (
      <Button size="xs" variant="default" onClick={() => onBegin("events")}>
        Dry run over past events
      </Button>
    )}
  </>
);
