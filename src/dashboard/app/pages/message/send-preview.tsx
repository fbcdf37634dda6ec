import { Text, TextInput } from "@mantine/core";
import { keepDraft } from "../../parts/acts/draft.ts";
import { toast } from "../../parts/acts/toast.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { address } from "../../parts/form/checks.ts";
import { DialogForm } from "../../parts/form/form-dialog.tsx";
import type { Team } from "../../team/team.tsx";
import type { Editing } from "./editing.ts";
import { requestValues, type Value } from "./preview/filled.ts";

type Props = { team: Team; id: string; editing: Editing; values: readonly Value[] };
type Request = Parameters<Team["v1"]["emailMessages"]["preview"]>[0];

export const SendPreview = ({ opened, onClose, ...props }: Props & { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Send a preview">
    {opened && <Form {...props} onClose={onClose} />}
  </Dialog>
);

const Form = ({ team, id, editing, values, onClose }: Props & { onClose: () => void }) => {
  const fieldsOf = ({ emails }: { emails: string }) => ({
    emailMessageId: id,
    emails: [emails.trim()],
    ...requestValues(values),
  });
  const missing = values.filter(({ from }) => from === "missing").map(({ name }) => name);
  return (
    <DialogForm
      draft="preview"
      first={{ emails: "" }}
      check={{ emails: address }}
      label={editing.isChanged ? "Save and send" : "Send"}
      run={async (typed) => {
        if (editing.isChanged) await editing.save.mutateAsync();
        return team.v1.emailMessages.preview(fieldsOf(typed) as Request);
      }}
      onDone={({ sends }, { emails }) => {
        // The next preview goes to the same address.
        keepDraft("preview", { emails });
        const isSuppressed = sends.some(({ state }) => state === "not_sent");
        if (isSuppressed) toast("It is not sent: the address is suppressed.", { tone: "bad" });
        else toast(`The preview is on its way to ${emails.trim()}.`);
      }}
      asked={(typed) => ({ api: "v1", name: "emailMessages.preview", fields: fieldsOf(typed) })}
      onClose={onClose}
    >
      {(form) => (
        <>
          {editing.isChanged && <Text size="sm">Your changes are saved first: what is sent is what is saved.</Text>}
          {missing.length > 0 && (
            <Text size="sm">
              There is no value for {missing.join(", ")}. Give {missing.length === 1 ? "it" : "them"} in the preview, or
              it is refused.
            </Text>
          )}
          <TextInput
            label="To"
            placeholder="you@example.com"
            {...form.getInputProps("emails")}
            autoComplete="email"
            data-autofocus
          />
        </>
      )}
    </DialogForm>
  );
};
