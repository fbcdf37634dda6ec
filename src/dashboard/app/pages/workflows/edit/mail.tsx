import { Group, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { RequestError } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { Answer } from "../../../parts/states.tsx";
import { MessageButton } from "../../../parts/usage/message-link.tsx";
import { messageKey } from "../../message/editing.ts";
import { readAnew } from "./change.ts";
import type { StepProps } from "./props.ts";
import { StepForm } from "./step-form.tsx";

type Props = StepProps & { emailMessageId: string };

const saidOfSubject = (error: Error | null): string | undefined =>
  error instanceof RequestError && error.path === "subject" ? error.message : undefined;

/** Subject of a step's mail, and the way to its text. */
export const MailFields = ({ emailMessageId, isLocked, edits, note, nodeId, ...shown }: Props) => {
  const { team } = shown;
  const queryKey = messageKey(team, emailMessageId);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => team.v1.emailMessages.get({ emailMessageId }, { signal }),
  });
  return (
    <Answer query={query} rows={2}>
      {({ subject: stored, lmx, contentRevisionId }) => {
        const fieldsOf = (subject: string) => ({
          emailMessageId,
          subject,
          ...(contentRevisionId === null ? {} : { expectedRevisionId: contentRevisionId }),
        });
        const save = async (subject: string): Promise<string> => {
          try {
            return (await team.v1.emailMessages.update(fieldsOf(subject))).subject;
          } finally {
            await Promise.all([readAnew(shown), queries.invalidateQueries({ queryKey })]);
          }
        };
        return (
          <Stack gap="sm">
            <StepForm
              label="Subject of the mail"
              nodeId={nodeId}
              edits={edits}
              stored={stored}
              isLocked={isLocked}
              isSound={() => true}
              asked={(subject) => ({ api: "v1", name: "emailMessages.update", fields: fieldsOf(subject) })}
              save={save}
              done="The subject is saved."
              isShown={(error) => saidOfSubject(error) !== undefined}
              note={note}
            >
              {(subject, onChange, error) => (
                <TextInput
                  label="Subject"
                  maxLength={500}
                  value={subject}
                  error={saidOfSubject(error)}
                  onChange={({ currentTarget }) => onChange(currentTarget.value)}
                />
              )}
            </StepForm>
            <Group>
              <MessageButton emailMessageId={emailMessageId}>
                {isLocked ? "Read the mail" : lmx === "" ? "Write the mail" : "Edit the mail"}
              </MessageButton>
            </Group>
          </Stack>
        );
      }}
    </Answer>
  );
};
