import { Button, Menu, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { Icon } from "../../parts/icons.tsx";
import { More } from "../../parts/page/more.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id } from "../../parts/text.tsx";
import { EmailPage, type Team } from "../../team/team.tsx";
import type { Looked } from "./acts/findings.tsx";
import { problemsByNode } from "./acts/problems.ts";
import { MainAct, Stop } from "./acts/workflow-acts.tsx";
import { RareActs } from "./edit/head.tsx";
import { useAudienceText } from "./edit/list.tsx";
import { Unfinished } from "./new/unfinished.tsx";
import { ExplainPerson } from "./person/explain.tsx";
import { stateOf } from "./state.ts";
import { Steps } from "./steps.tsx";
import { Outcomes, Pauses } from "./summary.tsx";
import { type Shown, useWorkflow } from "./use-workflow.ts";
import { Versions } from "./versions/versions.tsx";
import { totalText } from "./words.ts";

const route = getRouteApi("/team/workflows/$workflowId");

export const WorkflowPage = () => {
  const { workflowId } = route.useParams();
  return (
    <EmailPage title="Workflow" isOne>
      {(id, team) => <One key={workflowId} team={team} id={id} workflowId={workflowId} />}
    </EmailPage>
  );
};

const One = ({ team, id, workflowId }: { team: Team; id: string; workflowId: string }) => (
  <Answer query={useWorkflow(team, id, workflowId)}>{(read) => <View team={team} id={id} {...read} />}</Answer>
);

type Checked = { revision: string; looked: Looked };

const View = (shown: Shown) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const [checked, setChecked] = useState<Checked>();
  const audience = useAudienceText(shown);
  const go = (changes: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: ".", search: changed(filters, changes), replace: true, resetScroll: false });
  const select = (nodeId: string | undefined) =>
    go({ node: nodeId, ...(nodeId === undefined ? {} : { trial: undefined }) });
  const { id, workflow, status } = shown;
  const revision = workflow.workflowRevisionId;
  const problems = checked?.revision === revision ? problemsByNode(checked.looked.problems) : new Map<string, string>();
  const command = { name: "workflow", args: ["status", workflow.id], options: ["--team", id] };
  return (
    <Stack>
      <PageHead
        name={workflow.name}
        meta={
          <>
            <Status kind={stateOf(status.status)} />
            <span>{totalText(status)}</span>
            <span>{audience}</span>
            <Id>{workflow.id}</Id>
          </>
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<Icon name="test" />}
              onClick={() => go({ trial: "person", node: undefined })}
            >
              Simulate
            </Button>
            <MainAct {...shown} onSelect={select} onLooked={(looked) => setChecked({ revision, looked })} />
            <More>
              <Stop {...shown} />
              {workflow.nodes[workflow.rootNodeId]?.typeName === "EventTrigger" && (
                <Menu.Item onClick={() => go({ trial: "events", node: undefined })}>Try on past events</Menu.Item>
              )}
              <RareActs {...shown} />
              <CopyAs
                asked={{ api: "email", name: "workflows.status", fields: { team: id, workflowId: workflow.id } }}
                command={command}
              />
            </More>
          </>
        }
      />
      <Unfinished {...shown} />
      <Pauses status={status} />
      <Steps {...shown} filters={filters} problems={problems} onSelect={select} onGo={go} />
      <Outcomes status={status} />
      <ExplainPerson {...shown} person={filters.person} onPerson={(person) => go({ person })} onSelect={select} />
      <Versions {...shown} from={filters.from} to={filters.to} onRange={go} onSelect={select} />
    </Stack>
  );
};
