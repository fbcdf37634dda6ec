import { Switch, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";

const FIRST = { name: "", isDefault: false, isWarm: false };

export const AddDomain = ({ team }: { team: string }) => {
  const navigate = useNavigate();
  const fieldsOf = ({ name, isDefault, isWarm }: typeof FIRST) => ({
    team,
    name: name.trim(),
    isDefault,
    warmup: !isWarm,
  });
  return (
    <FormDialog
      opener="New domain"
      shortcut="n"
      title="New domain"
      draft={`domain ${team}`}
      first={FIRST}
      check={{ name: filled("Write a domain that you own, such as mail.example.com") }}
      label="Add"
      run={(values) => api.email.domains.create(fieldsOf(values))}
      done={({ name }) => `${name} is added. Enter its records at your DNS provider.`}
      onDone={({ id }) => void navigate({ to: "/settings/domains/$domainId", params: { domainId: id } })}
      asked={(values) => ({ api: "email", name: "domains.create", fields: fieldsOf(values) })}
      command={({ name }) => ({
        name: "domains",
        args: ["add", name.trim() || "mail.example.com"],
        options: ["--team", team],
      })}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            description="Such as mail.example.com. A subdomain keeps its reputation apart from that of your company's mail"
            maxLength={300}
            {...form.getInputProps("name")}
            data-autofocus
          />
          <Switch
            label="It has sent mail before: no warm-up"
            description="Else few marketing mails of a day leave at first, and more each day for two weeks"
            {...form.getInputProps("isWarm", { type: "checkbox" })}
          />
          <Switch
            label="Make it the default"
            description="The From address of all mail has the default domain. The first domain is it anyway"
            {...form.getInputProps("isDefault", { type: "checkbox" })}
          />
        </>
      )}
    </FormDialog>
  );
};
