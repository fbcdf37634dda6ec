import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Team } from "../../team/team.tsx";
import { pollOf } from "./state.ts";
import type { Status, Workflow } from "./types.ts";

export type { NodeStatus, ShortNode, Status, Workflow } from "./types.ts";

/** What the parts of the page of a workflow are about. `id`: of the team. */
export type Shown = { team: Team; id: string; workflow: Workflow; status: Status };

/** The first part of the keys of all queries about a workflow. */
export const keyOf = (team: string, workflowId: string) => ["email", team, "workflow", workflowId] as const;

/** The workflow as its graph is now, with its counts: one answer, so that no count belongs to another graph. */
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

/** A node of a workflow with all of its fields. */
export const useNode = (team: Team, id: string, workflow: Workflow, nodeId: string) =>
  useQuery({
    queryKey: [...keyOf(id, workflow.id), "node", nodeId, workflow.workflowRevisionId],
    queryFn: ({ signal }) => team.v1.workflows.getNode({ workflowId: workflow.id, nodeId }, { signal }),
    staleTime: 60_000,
  });
