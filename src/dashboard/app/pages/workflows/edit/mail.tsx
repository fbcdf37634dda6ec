import { Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { RequestError } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { useDraft } from "../../../parts/acts/draft.ts";
import { useLeaveGuard } from "../../../parts/acts/leave-guard.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { toast } from "../../../parts/acts/toast.ts";
import { Answer } from "../../../parts/states.tsx";
import { MessageButton } from "../../../parts/usage/message-link.tsx";
import type { Team } from "../../../team/team.tsx";
import { messageKey } from "../../message/editing.ts";
import type { Shown } from "../read.ts";
import { readAnew } from "./change.ts";

type Props = Shown & { emailMessageId: string; isLocked: boolean };
type Message = Awaited<ReturnType<Team["v1"]["emailMessages"]["get"]>>;

/** The mail of a node: its subject, and the way to its content. */
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
  const [kept, keep, clear] = useDraft<string | undefined>(`subject ${team.id} ${emailMessageId}`, undefined);
  const subject = kept ?? message.subject;
  const isChanged = subject !== message.subject;
  const save = useMutation({
    mutationFn: async () => {
      const { contentRevisionId } = message;
      await team.v1.emailMessages.update({
        ...{ emailMessageId, subject },
        ...(contentRevisionId === null ? {} : { expectedRevisionId: contentRevisionId }),
      });
      await Promise.all([
        readAnew(queries, shown),
        queries.invalidateQueries({ queryKey: messageKey(team, emailMessageId) }),
      ]);
    },
    onSuccess: () => {
      keep(undefined);
      clear();
      toast("The subject is saved.");
    },
    onError: () => void queries.invalidateQueries({ queryKey: messageKey(team, emailMessageId) }),
  });
  useLeaveGuard(isChanged);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.mutate();
  };
  const wrong = save.error instanceof RequestError && save.error.path === "subject" ? save.error.message : undefined;
  return (
    <Stack gap="sm">
      <form onSubmit={submit} aria-label="Subject of the mail">
        <Fieldset variant="unstyled" p={0} disabled={isLocked}>
          <Stack gap="sm">
            <TextInput
              label="Subject"
              maxLength={500}
              maw={480}
              value={subject}
              error={wrong}
              onChange={({ currentTarget }) => keep(currentTarget.value)}
            />
            {save.error && wrong === undefined && <Refused error={save.error} onProved={() => save.mutate()} />}
            <Group gap="xs">
              <Button type="submit" size="xs" disabled={!isChanged} loading={save.isPending} data-save>
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
