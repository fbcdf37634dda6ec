import { Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allPages } from "../../../api/all-pages.ts";
import { filled } from "../../../parts/form/checks.ts";
import { FormDialog } from "../../../parts/form/form-dialog.tsx";
import type { Team } from "../../../team/team.tsx";
import type { Shown } from "../use-workflow.ts";
import { useChange } from "./change.ts";
import { ChangeRefused } from "./stale.tsx";

const useWorkflowGroups = ({ id, v1 }: Team) =>
  useQuery({
    queryKey: ["v1", id, "workflow-groups"],
    queryFn: () => allPages((asked) => v1.workflowGroups.list(asked)),
  });

type Fields = { name: string; description: string; workflowGroupId: string };
type Workflow = Shown["workflow"];

const changesOf = (workflow: Workflow, { name, description, workflowGroupId }: Fields): Partial<Fields> => ({
  ...(name.trim() === workflow.name ? {} : { name: name.trim() }),
  ...(description === workflow.description ? {} : { description }),
  ...(workflowGroupId === workflow.workflowGroupId ? {} : { workflowGroupId }),
});

export const Settings = (shown: Shown) => {
  const { team, id, workflow } = shown;
  const { data: groups = [] } = useWorkflowGroups(team);
  const [before, setBefore] = useState(workflow);
  const { name, description, workflowGroupId } = workflow;
  const fieldsOf = (values: Fields, expectedRevisionId: string) => ({
    workflowId: workflow.id,
    expectedRevisionId,
    ...changesOf(before, values),
  });
  const save = useChange(
    shown,
    (revision, values: Fields) => team.v1.workflows.update(fieldsOf(values, revision)),
    () => {},
  );
  const choices = groups.map((group) => ({ value: group.id, label: group.name }));
  return (
    <FormDialog<Fields, unknown>
      opener="Name and group"
      openerProps={{ variant: "default" }}
      shortcut="e"
      title="Name and group of the workflow"
      onOpen={() => setBefore(workflow)}
      draft={`workflow ${id} ${workflow.id}`}
      first={{ name, description, workflowGroupId }}
      check={{ name: filled("Write a name") }}
      label="Save"
      isReady={(values) => Object.keys(changesOf(before, values)).length > 0}
      run={(values) => save.mutateAsync(values)}
      refusal={(error, again) => <ChangeRefused error={error} onAgain={again} />}
      done={() => "The workflow is saved."}
      asked={(values) => ({
        api: "v1",
        name: "workflows.update",
        fields: fieldsOf(values, workflow.workflowRevisionId),
      })}
    >
      {(form) => {
        const chosen = form.getValues().workflowGroupId;
        const isKnown = choices.some(({ value }) => value === chosen);
        return (
          <>
            <TextInput label="Name" maxLength={255} {...form.getInputProps("name")} data-autofocus />
            <Textarea label="Description" autosize maxLength={1_000} {...form.getInputProps("description")} />
            <Select
              label="Group"
              data={isKnown ? choices : [...choices, { value: chosen, label: "Unsorted" }]}
              {...form.getInputProps("workflowGroupId")}
              allowDeselect={false}
              searchable
            />
          </>
        );
      }}
    </FormDialog>
  );
};
