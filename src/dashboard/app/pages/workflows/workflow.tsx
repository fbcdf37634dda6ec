import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Answer } from "../../parts/states.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { useWorkflow } from "./use-workflow.ts";
import { View } from "./view.tsx";

const route = getRouteApi("/team/workflows/$workflowId");

export const WorkflowPage = () => {
  const { workflowId } = route.useParams();
  return (
    <TeamPage
      title="Workflow"
      isOne
      more={({ id }) =>
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

const One = ({ team, id, workflowId }: { team: Team; id: string; workflowId: string }) => (
  <Answer query={useWorkflow(team, id, workflowId)}>{(read) => <View team={team} id={id} {...read} />}</Answer>
);
