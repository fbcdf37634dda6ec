import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Team } from "../../team/team.tsx";
import { pollOf } from "./state.ts";
import type { Status, Workflow } from "./types.ts";

export type { NodeStatus, Status, Workflow } from "./types.ts";

/** Props of all page parts. `id`: team id. */
export type Shown = { team: Team; id: string; workflow: Workflow; status: Status };

/** Query key prefix of a workflow. */
export const keyOf = (team: string, workflowId: string) => ["email", team, "workflow", workflowId] as const;

/** Workflow and counts in one answer, so they match. */
export const useWorkflow = (team: Team, id: string, workflowId: string) =>
  useQuery({
    queryKey: [...keyOf(id, workflowId), "shown"],
    queryFn: async ({ signal }) => {
      const [workflow, status] = await Promise.all([
        team.v1.workflows.get({ workflowId }, { signal }),
        api.email.workflows.status({ team: id, workflowId }, { signal }),
      ]);
      return { workflow, status };
    },
    refetchInterval: ({ state }) => pollOf(state.data?.status),
  });

export const useNode = (team: Team, id: string, workflow: Workflow, nodeId: string) =>
  useQuery({
    queryKey: [...keyOf(id, workflow.id), "node", nodeId, workflow.workflowRevisionId],
    queryFn: ({ signal }) => team.v1.workflows.getNode({ workflowId: workflow.id, nodeId }, { signal }),
    staleTime: 60_000,
  });
