import { Group, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { changed, type Filters } from "../../parts/filters.ts";
import { PageHead } from "../../parts/page/page.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id } from "../../parts/text.tsx";
import type { Looked } from "./acts/findings.tsx";
import { problemsByNode } from "./acts/problems.ts";
import { WorkflowActs } from "./acts/workflow-acts.tsx";
import { EditHead } from "./edit/head.tsx";
import { Unfinished } from "./new/unfinished.tsx";
import { Nodes } from "./nodes.tsx";
import { ExplainPerson } from "./person/explain.tsx";
import { stateOf } from "./state.ts";
import { Summary } from "./summary.tsx";
import { TrialHead } from "./try/head.tsx";
import type { Trying } from "./try/panel.tsx";
import type { Shown } from "./use-workflow.ts";
import { Versions } from "./versions/versions.tsx";

const route = getRouteApi("/team/workflows/$workflowId");

type Checked = { revision: string; looked: Looked };

export const View = (shown: Shown) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const [checked, setChecked] = useState<Checked>();
  const go = (changes: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: ".", search: changed(filters, changes), replace: true, resetScroll: false });
  const select = (nodeId: string | undefined) =>
    go({ node: nodeId, ...(nodeId === undefined ? {} : { trial: undefined }) });
  const { workflow, status } = shown;
  const revision = workflow.workflowRevisionId;
  const problems = checked?.revision === revision ? problemsByNode(checked.looked.problems) : new Map<string, string>();
  return (
    <Stack>
      <PageHead
        name={workflow.name}
        meta={
          <>
            <Status kind={stateOf(status.status)} />
            <Id>{workflow.id}</Id>
          </>
        }
      />
      <Group gap="xs">
        <WorkflowActs {...shown} onSelect={select} onLooked={(looked) => setChecked({ revision, looked })} />
        <TrialHead {...shown} onBegin={(trying: Trying) => go({ trial: trying, node: undefined })} />
        <EditHead {...shown} />
      </Group>
      <Unfinished {...shown} />
      <Summary status={status} />
      <Nodes {...shown} filters={filters} problems={problems} onSelect={select} onGo={go} />
      <ExplainPerson {...shown} person={filters.person} onPerson={(person) => go({ person })} onSelect={select} />
      <Versions {...shown} from={filters.from} to={filters.to} onRange={go} onSelect={select} />
    </Stack>
  );
};
