import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import type { Team } from "../../team/team.tsx";

export const NewCampaign = ({ team }: { team: Team }) => {
  const navigate = useNavigate();
  return (
    <FormDialog
      opener="New campaign"
      shortcut="n"
      title="New campaign"
      draft={`new campaign ${team.id}`}
      first={{ name: "" }}
      check={{ name: filled("Write a name, such as December offer") }}
      label="Create"
      run={({ name }) => team.v1.campaigns.create({ name: name.trim() })}
      done={(_, { name }) => `${name.trim()} is a draft. Nothing is sent until you send or schedule it.`}
      onDone={({ id }) => void navigate({ to: "/campaigns/$campaignId", params: { campaignId: id } })}
      asked={({ name }) => ({ api: "v1", name: "campaigns.create", fields: { name: name.trim() } })}
    >
      {(form) => (
        <TextInput
          label="Name"
          description="Of its page and its lists. Its recipients do not see it"
          maxLength={255}
          {...form.getInputProps("name")}
          data-autofocus
        />
      )}
    </FormDialog>
  );
};
