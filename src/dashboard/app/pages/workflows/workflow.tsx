import { Group, Stack, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { Answer } from "../../parts/states.tsx";
import { Id, State } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { EditHead } from "./edit/head.tsx";
import { NodeEdit } from "./edit/node-edit.tsx";
import { NodeFacts } from "./node/facts.tsx";
import { type Shown, useWorkflow } from "./read.ts";
import { stateOf } from "./state.ts";
import { TrialHead } from "./try/head.tsx";
import { TrialPanel, type Trying } from "./try/panel.tsx";

const route = getRouteApi("/team/workflows/$workflowId");

/** One workflow: its nodes with their counts, who is there, and what can be done with it. */
export const WorkflowPage = () => {
  const { workflowId } = route.useParams();
  return (
    <TeamPage
      title="A workflow"
      actions={({ id }) =>
        id !== undefined && (
          <CopyAs
            asked={{ api: "email", name: "workflows.status", fields: { team: id, workflowId } }}
            command={{ name: "workflow", args: ["status", workflowId], options: ["--team", id] }}
          />
        )
      }
    >
      {(team) =>
        team.id === undefined ? (
          <Text>The email service is not deployed here.</Text>
        ) : (
          <One key={`${team.id} ${workflowId}`} team={team} id={team.id} workflowId={workflowId} />
        )
      }
    </TeamPage>
  );
};

const One = ({ team, id, workflowId }: { team: Team; id: string; workflowId: string }) => {
  const [traced, setTraced] = useState<readonly string[]>([]);
  return (
    <Answer query={useWorkflow(team, id, workflowId)}>
      {(read) => {
        const shown = { team, id, ...read };
        return (
          <Stack>
            <Head {...shown} />
            <Nodes {...shown} traced={traced} onTrace={setTraced} />
          </Stack>
        );
      }}
    </Answer>
  );
};

const Head = (shown: Shown) => {
  const { workflow, status } = shown;
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const begin = (trying: Trying) =>
    void navigate({ to: ".", search: changed(filters, { trial: trying, node: undefined }), replace: true });
  return (
    <>
      <Group gap="md">
        <Text fw={600} style={{ overflowWrap: "anywhere" }}>
          {workflow.name}
        </Text>
        <State state={stateOf(status.status)} />
        <Id>{workflow.id}</Id>
      </Group>
      <Group gap="xs">
        <TrialHead {...shown} onBegin={begin} />
        <EditHead {...shown} />
      </Group>
    </>
  );
};

/** The nodes that a trial went through, and what tells them. */
type Traced = { traced: readonly string[]; onTrace: (nodeIds: readonly string[]) => void };

/** The nodes, and beside them the trial or the one that the address names. */
const Nodes = ({ traced, onTrace, ...shown }: Shown & Traced) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const { node, trial: trying } = filters;
  const isTrying = trying === "person" || trying === "events";
  const close = () => {
    onTrace([]);
    void navigate({ to: ".", search: changed(filters, { trial: undefined }), replace: true });
  };
  const select = (nodeId: string | undefined) =>
    void navigate({ to: ".", search: changed(filters, { node: nodeId }), replace: true });
  return (
    <Stack>
      {shown.status.nodes.map(({ nodeId, text }) => (
        <button type="button" key={nodeId} onClick={() => select(nodeId)}>
          {traced.includes(nodeId) && "→ "}
          {text}
        </button>
      ))}
      {isTrying && (
        <Stack component="section" aria-label="The trial">
          <TrialPanel {...shown} trying={trying} onTrace={onTrace} onSelect={select} onClose={close} />
        </Stack>
      )}
      {node !== undefined && (
        <Stack component="section" aria-label="The node">
          <NodeFacts {...shown} nodeId={node} />
          {shown.workflow.nodes[node] && <NodeEdit {...shown} nodeId={node} onSelect={select} />}
        </Stack>
      )}
    </Stack>
  );
};
