import { Select, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Refused } from "../../../parts/acts/refused.tsx";
import { Note } from "../../../parts/cards/cards.tsx";
import { FormDialog } from "../../../parts/form/form-dialog.tsx";
import { Loading } from "../../../parts/states.tsx";
import type { Team } from "../../../team/team.tsx";
import type { Shown } from "../use-workflow.ts";
import { leaveText, waitText, withConfirmed } from "./discard.ts";

export const useLists = ({ id, v1 }: Team) =>
  useQuery({ queryKey: ["v1", id, "lists"], queryFn: () => v1.lists.list({}) });

/** Audience of a workflow in words. */
export const useAudienceText = ({ team, workflow: { mailingListId } }: Shown): string => {
  const { data: lists = [] } = useLists(team);
  const list = lists.find(({ id }) => id === mailingListId);
  if (mailingListId === null) return "for everyone, without a mailing list";
  return `for people on the list ${list?.name ?? mailingListId}${list?.isArchived ? ", which is archived" : ""}`;
};

const NONE = "none";

/** Changes the mailing list, after it says who would come out. */
export const ChangeList = (shown: Shown) => {
  const { team, id, workflow } = shown;
  const { data: lists = [] } = useLists(team);
  const first = { list: workflow.mailingListId ?? NONE, typed: "" };
  const [chosen, setChosen] = useState(first.list);
  const fieldsOf = (list: string) => ({
    workflowId: workflow.id,
    expectedRevisionId: workflow.workflowRevisionId,
    mailingListId: list === NONE ? null : list,
  });
  const isLocked = workflow.status === "Sending";
  const isChanged = chosen !== first.list;
  const effect = useQuery({
    queryKey: ["email", id, "workflow-list", fieldsOf(chosen)],
    queryFn: () => team.v1.workflows.changeMailingList({ ...fieldsOf(chosen), dryRun: true }),
    enabled: isChanged && !isLocked,
    gcTime: 0,
    retry: false,
  });
  const leaving = effect.data?.queuedContactCount ?? 0;
  // An archived list is offered only if it is current.
  const open = lists.filter((list) => !list.isArchived || list.id === workflow.mailingListId);
  return (
    <FormDialog
      opener="Change the list"
      openerProps={{ variant: "default" }}
      title="Change the mailing list"
      onOpen={() => setChosen(first.list)}
      first={first}
      label="Change"
      {...(leaving > 0 ? { color: "red" } : {})}
      isReady={({ typed }) =>
        isChanged && effect.data !== undefined && (leaving === 0 || typed.trim() === String(leaving))
      }
      run={({ list }) =>
        withConfirmed(shown, leaving, (policy) => team.v1.workflows.changeMailingList({ ...fieldsOf(list), ...policy }))
      }
      done={() => "The mailing list is changed."}
      asked={({ list }) => ({
        api: "v1",
        name: "workflows.changeMailingList",
        fields: { ...fieldsOf(list), ...(leaving > 0 ? { queuedContactPolicy: "discard" } : {}) },
      })}
    >
      {(form) => (
        <>
          {isLocked && (
            <Note title="It cannot be changed while the workflow is live.">
              Pause the workflow first: people stay where they are, and new ones are queued for 24 hours.
            </Note>
          )}
          <Select
            label="Mailing list"
            description="Who is not on it does not enter, and comes out at the next step"
            data={[
              { value: NONE, label: "No list: for everyone" },
              ...open.map((list) => ({ value: list.id, label: list.name })),
            ]}
            disabled={isLocked}
            value={chosen}
            onChange={(value) => {
              if (value === null) return;
              setChosen(value);
              form.setFieldValue("list", value);
            }}
            allowDeselect={false}
            data-autofocus
          />
          {effect.error && <Refused error={effect.error} onProved={() => void effect.refetch()} />}
          {isChanged && effect.isLoading && <Loading rows={1} />}
          {isChanged && effect.data && (
            <Text size="sm">
              {leaving === 0
                ? "Nobody who waits in the workflow would have to come out of it."
                : `${waitText(leaving)} in the workflow without being on this list. ${leaveText(leaving)} Nothing changes while you keep the list as it is.`}
            </Text>
          )}
          {leaving > 0 && isChanged && (
            <TextInput
              label={`Type "${leaving}" to let them come out`}
              {...form.getInputProps("typed")}
              autoComplete="off"
            />
          )}
        </>
      )}
    </FormDialog>
  );
};
