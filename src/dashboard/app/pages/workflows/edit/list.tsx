import { Alert, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useAct } from "../../../api/use-act.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { toast } from "../../../parts/acts/toast.tsx";
import { Dialog, useBusy } from "../../../parts/dialog.tsx";
import { Loading } from "../../../parts/states.tsx";
import type { Team } from "../../../team/team.tsx";
import type { Shown } from "../use-workflow.ts";
import { leaveText, waitText, withConfirmed } from "./discard.ts";

export const useLists = ({ id, v1 }: Team) =>
  useQuery({ queryKey: ["v1", id, "lists"], queryFn: () => v1.lists.list({}) });

export const MailingList = (shown: Shown) => {
  const { team, workflow } = shown;
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "v1", name: "workflows.changeMailingList" });
  const { data: lists = [] } = useLists(team);
  const list = lists.find(({ id }) => id === workflow.mailingListId);
  return (
    <>
      <Group gap="xs">
        <Text size="sm" className="wrap">
          {workflow.mailingListId === null
            ? "For all contacts: it has no mailing list."
            : `For contacts on the list ${list?.name ?? workflow.mailingListId}${list?.isArchived ? ", which is archived" : ""}.`}
        </Text>
        <Button size="xs" variant="default" {...off(denied)} onClick={() => denied === undefined && open()}>
          Change the list
        </Button>
      </Group>
      <Dialog opened={opened} onClose={close} title="Change the mailing list">
        <Form {...shown} lists={lists} onClose={close} />
      </Dialog>
    </>
  );
};

type List = NonNullable<ReturnType<typeof useLists>["data"]>[number];
const NONE = "none";

const PauseFirst = () => (
  <Alert variant="light" color="span" title="It cannot be changed while the workflow is sending">
    Pause the workflow first: contacts stay where they are, and new ones are queued for 24 hours.
  </Alert>
);

/** An archived list is offered only if it is current. */
const choicesOf = (lists: readonly List[], mailingListId: string | null) => [
  { value: NONE, label: "No list: for all contacts" },
  ...lists
    .filter((list) => !list.isArchived || list.id === mailingListId)
    .map((list) => ({ value: list.id, label: list.name })),
];

const Form = ({ lists, onClose, ...shown }: Shown & { lists: readonly List[]; onClose: () => void }) => {
  const { team, id, workflow } = shown;
  const [choice, setChoice] = useState(workflow.mailingListId ?? NONE);
  const [typed, setTyped] = useState("");
  const mailingListId = choice === NONE ? null : choice;
  const isChanged = mailingListId !== workflow.mailingListId;
  const fields = { workflowId: workflow.id, expectedRevisionId: workflow.workflowRevisionId, mailingListId };
  const isSending = workflow.status === "Sending";
  const effect = useQuery({
    queryKey: ["email", id, "workflow-list", fields],
    queryFn: () => team.v1.workflows.changeMailingList({ ...fields, dryRun: true }),
    enabled: isChanged && !isSending,
    gcTime: 0,
    retry: false,
  });
  const leaving = effect.data?.queuedContactCount ?? 0;
  const change = useAct({
    mutationFn: () =>
      withConfirmed(shown, leaving, (policy) => team.v1.workflows.changeMailingList({ ...fields, ...policy })),
    onSuccess: () => {
      toast("The mailing list is changed.");
      onClose();
    },
  });
  useBusy(change.isPending);
  const isReady = isChanged && effect.data !== undefined && (leaving === 0 || typed.trim() === String(leaving));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React would also submit the outer form.
    event.stopPropagation();
    if (isReady) change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {isSending && <PauseFirst />}
        <Select
          label="Mailing list"
          description="Contacts that are not on it do not enter, and leave at their next step"
          data={choicesOf(lists, workflow.mailingListId)}
          value={choice}
          disabled={isSending}
          onChange={(value) => value && setChoice(value)}
          allowDeselect={false}
          data-autofocus
        />
        {effect.error && <Refused error={effect.error} onProved={() => void effect.refetch()} />}
        {isChanged && effect.isLoading && <Loading rows={1} />}
        {isChanged && effect.data && (
          <Text size="sm">
            {leaving === 0
              ? "Nobody who waits in the workflow would have to leave it."
              : `${waitText(leaving)} in the workflow without being on this list. ${leaveText(leaving)} Nothing changes while you keep the list as it is.`}
          </Text>
        )}
        {leaving > 0 && isChanged && (
          <TextInput
            label={`Type "${leaving}" to let them leave`}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
          />
        )}
        {change.error && <Refused error={change.error} onProved={() => change.mutate()} />}
        <Group justify="space-between">
          <CopyAs
            asked={{
              api: "v1",
              name: "workflows.changeMailingList",
              fields: { ...fields, ...(leaving > 0 ? { queuedContactPolicy: "discard" } : {}) },
            }}
          />
          <Button type="submit" color={leaving > 0 ? "red" : undefined} loading={change.isPending} disabled={!isReady}>
            Change
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
