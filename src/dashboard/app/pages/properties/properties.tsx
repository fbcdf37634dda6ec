import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { type Column, ListTable } from "../../parts/list/list-table.tsx";
import { Answer } from "../../parts/states.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { Usage } from "./usage.tsx";

type Type = "string" | "number" | "boolean" | "date";

export const Properties = () => (
  <TeamPage
    title="Properties"
    actions={(team) => <NewProperty team={team} />}
    more={(team) => (
      <CopyAs
        asked={
          team.id === undefined
            ? { api: "v1", name: "contactProperties.list" }
            : { api: "email", name: "properties.usage", fields: { team: team.id } }
        }
      />
    )}
  >
    {(team) => (team.id === undefined ? <Found team={team} /> : <Usage team={team.id} />)}
  </TeamPage>
);

/** Another email service has no usage data. */
const Found = ({ team }: { team: Team }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "properties"],
    queryFn: async () => {
      const [all, custom] = await Promise.all([
        team.v1.contactProperties.list({}),
        team.v1.contactProperties.list({ list: "custom" }),
      ]);
      const own = new Set(custom.map(({ name }) => name));
      return all.map((property) => ({ ...property, isOwn: own.has(property.name) }));
    },
  });
  return (
    <Answer query={query}>
      {(properties) => (
        <ListTable what="properties" rows={properties} columns={COLUMNS} idOf={({ name }) => name} isCompact />
      )}
    </Answer>
  );
};

type Property = { name: string; label: string; type: string; isOwn: boolean };

const COLUMNS: readonly Column<Property>[] = [
  { title: "Name", cell: ({ name }) => <code>{name}</code> },
  { title: "Label", cell: ({ label }) => label },
  { title: "Type", cell: ({ type }) => type },
  { title: "Origin", cell: ({ isOwn }) => (isOwn ? "of this team" : "standard") },
];

const NewProperty = ({ team }: { team: Team }) => {
  const fieldsOf = ({ name, type }: { name: string; type: Type }) => ({ name: name.trim(), type });
  return (
    <FormDialog
      opener="New property"
      shortcut="n"
      title="New property"
      draft={`new property ${team.id}`}
      first={{ name: "", type: "string" as Type }}
      check={{ name: filled("Write a name that begins with a small letter, such as planName") }}
      label="Create"
      run={(values) => team.v1.contactProperties.create(fieldsOf(values))}
      done={(_, { name }) => `${name.trim()} is created.`}
      asked={(values) => ({ api: "v1", name: "contactProperties.create", fields: fieldsOf(values) })}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            description="Letters and digits, the first one a small letter: planName"
            {...form.getInputProps("name")}
            data-autofocus
          />
          <Select
            label="Type"
            data={["string", "number", "boolean", "date"]}
            {...form.getInputProps("type")}
            allowDeselect={false}
          />
        </>
      )}
    </FormDialog>
  );
};
