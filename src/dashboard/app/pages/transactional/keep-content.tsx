import { Button, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/form/form-dialog.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Answer } from "../../parts/states.tsx";

type Props = { team: string; id: string };
type Kept = Awaited<ReturnType<typeof api.email.transactionalEmails.kept>>;

const keyOf = ({ team, id }: Props) => ["email", team, "kept-content", id];

/** Shows and changes for how many days the content of mails is kept. */
export const KeepContent = (props: Props) => {
  const { team, id } = props;
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: "transactionalEmails.keep" });
  const query = useQuery({
    queryKey: keyOf(props),
    queryFn: ({ signal }) => api.email.transactionalEmails.kept({ team, transactionalId: id }, { signal }),
    enabled: opened,
  });
  return (
    <>
      <Button size="xs" variant="default" {...off(denied)} onClick={() => denied === undefined && open()}>
        Keep content
      </Button>
      <Dialog opened={opened} onClose={close} title="Keep the content of its mails">
        <Answer query={query} rows={2}>
          {(kept) => <Form {...props} kept={kept} onClose={close} />}
        </Answer>
      </Dialog>
    </>
  );
};

const Form = ({ kept, onClose, ...props }: Props & { kept: Kept; onClose: () => void }) => {
  const queries = useQueryClient();
  const fieldsOf = ({ days }: { days: string }) => ({
    team: props.team,
    transactionalId: props.id,
    keepDays: days.trim() === "" ? Number.NaN : Number(days),
  });
  const oneTime = kept.oneTimeVariables.join(", ");
  return (
    <DialogForm
      first={{ days: String(kept.keepDays) }}
      label="Save"
      isReady={(values) => Number.isInteger(fieldsOf(values).keepDays)}
      run={(values) => api.email.transactionalEmails.keep(fieldsOf(values))}
      done={({ keepDays }) =>
        keepDays === 0 ? "No content is kept." : `Content is kept for ${counted(keepDays, "day")}.`
      }
      onDone={(saved) => queries.setQueryData(keyOf(props), saved)}
      asked={(values) => ({ api: "email", name: "transactionalEmails.keep", fields: fieldsOf(values) })}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Text size="sm">
            {oneTime === ""
              ? "The page of a mail shows it with its values for so long. Who is erased is erased here too."
              : `Its mail has ${oneTime}, which may let a person in, or work once. Such mail is never kept.`}
          </Text>
          <TextInput
            label="Days"
            description="0 to 30, from when the mail is accepted. 0: values are erased once a mail has a result."
            inputMode="numeric"
            {...form.getInputProps("days")}
            data-autofocus
          />
        </>
      )}
    </DialogForm>
  );
};
