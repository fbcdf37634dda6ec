import { Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { RequestError } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { useAct } from "../../../api/use-act.ts";
import { useEdits } from "../../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../../parts/acts/leave-guard.ts";
import { toast } from "../../../parts/acts/toast.tsx";
import { Answer } from "../../../parts/states.tsx";
import { MessageButton } from "../../../parts/usage/message-link.tsx";
import type { Team } from "../../../team/team.tsx";
import { messageKey } from "../../message/editing.ts";
import type { Shown } from "../use-workflow.ts";
import { readAnew } from "./change.ts";
import { ChangeRefused, Conflict } from "./stale.tsx";

type Props = Shown & { emailMessageId: string; isLocked: boolean };

type Kept = { draft: string; base: string };
type Message = Awaited<ReturnType<Team["v1"]["emailMessages"]["get"]>>;

export const MailFields = (props: Props) => {
  const { team, emailMessageId } = props;
  const query = useQuery({
    queryKey: messageKey(team, emailMessageId),
    queryFn: ({ signal }) => team.v1.emailMessages.get({ emailMessageId }, { signal }),
  });
  return (
    <Answer query={query} rows={2}>
      {(message) => <Form {...props} message={message} />}
    </Answer>
  );
};

const Form = ({ message, emailMessageId, isLocked, ...shown }: Props & { message: Message }) => {
  const { team } = shown;
  const { kept, keep, undo, saved } = useEdits<Kept | null>(`workflow subject ${team.id} ${emailMessageId}`, null);
  const subject = kept?.draft ?? message.subject;
  const isChanged = subject !== message.subject;
  const save = useAct({
    stays: true,
    mutationFn: async () => {
      const { contentRevisionId } = message;
      const now = await team.v1.emailMessages.update({
        emailMessageId,
        subject,
        ...(contentRevisionId === null ? {} : { expectedRevisionId: contentRevisionId }),
      });
      await Promise.all([
        readAnew(queries, shown),
        queries.invalidateQueries({ queryKey: messageKey(team, emailMessageId) }),
      ]);
      return { now, sent: kept };
    },
    onSuccess: ({ now, sent }) => {
      saved(sent, (typed) => typed && { draft: typed.draft, base: now.subject });
      toast("The subject is saved.");
    },
    onError: () => void queries.invalidateQueries({ queryKey: messageKey(team, emailMessageId) }),
  });
  const isConflict = kept !== null && isChanged && !save.isPending && kept.base !== message.subject;
  useLeaveGuard(isChanged);
  useSaveKey();
  const canSave = isChanged && !isLocked && !isConflict && !save.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSave) save.mutate();
  };
  const wrong = save.error instanceof RequestError && save.error.path === "subject" ? save.error.message : undefined;
  return (
    <Stack gap="sm">
      <form onSubmit={submit} aria-label="Subject of the mail">
        <Fieldset variant="unstyled" p={0} disabled={isLocked}>
          <Stack gap="sm">
            {isConflict && <Conflict onKeep={() => keep({ draft: subject, base: message.subject })} onTake={undo} />}
            <TextInput
              label="Subject"
              maxLength={500}
              maw={480}
              value={subject}
              error={wrong}
              onChange={({ currentTarget }) => {
                if (save.isError) save.reset();
                keep({ draft: currentTarget.value, base: kept?.base ?? message.subject });
              }}
            />
            {save.error && wrong === undefined && <ChangeRefused error={save.error} onAgain={() => save.mutate()} />}
            <Group gap="xs">
              <Button type="submit" size="xs" disabled={!canSave} loading={save.isPending} data-save>
                Save
              </Button>
              {isChanged && <Text size="sm">Not saved yet. It stays in this tab.</Text>}
            </Group>
          </Stack>
        </Fieldset>
      </form>
      <Group>
        <MessageButton emailMessageId={emailMessageId}>
          {isLocked ? "Read the mail" : message.lmx === "" ? "Write the mail" : "Edit the mail"}
        </MessageButton>
      </Group>
    </Stack>
  );
};
