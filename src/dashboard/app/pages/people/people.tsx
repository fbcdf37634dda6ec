import { Button, Group, Menu, TextInput } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { Icon } from "../../parts/icons.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { useColumns } from "./columns.ts";
import { Contacts } from "./contacts.tsx";
import { NewContact } from "./new-contact.tsx";
import { useOpen } from "./open.ts";
import { useProperties } from "./queries.ts";
import { editable } from "./values.ts";

export const People = () => (
  <TeamPage
    title="People"
    actions={(team) => (
      <>
        {team.id !== undefined && (
          <Button
            variant="default"
            leftSection={<Icon name="upload" />}
            renderRoot={(props) => <Link to="/people/imports/new" {...props} />}
          >
            Import
          </Button>
        )}
        <NewContact team={team} />
      </>
    )}
    more={(team) =>
      team.id !== undefined && (
        <>
          <Columns team={team} />
          <CopyList team={team.id} />
        </>
      )
    }
  >
    {(team) => (team.id === undefined ? <Find /> : <Contacts key={team.id} team={team} id={team.id} />)}
  </TeamPage>
);

const route = getRouteApi("/team/people");

const CopyList = ({ team }: { team: string }) => {
  const { team: _, cursor: __, ...wanted } = route.useSearch() as Filters;
  return <CopyAs asked={{ api: "email", name: "contacts.list", fields: { ...wanted, team } }} />;
};

/** The properties that the list shows, kept in this browser. */
const Columns = ({ team }: { team: Team }) => {
  const { data = [] } = useProperties(team);
  const { columns, toggle, isFull } = useColumns();
  return (
    <>
      <Menu.Label>Columns</Menu.Label>
      {editable(data).map(({ name, label }) => {
        const isOn = columns.includes(name);
        return (
          <Menu.Item
            key={name}
            closeMenuOnClick={false}
            disabled={isFull && !isOn}
            leftSection={<Icon name={isOn ? "check" : "add"} />}
            aria-label={`${isOn ? "Hide" : "Show"} ${label}`}
            onClick={() => toggle(name)}
          >
            {label}
          </Menu.Item>
        );
      })}
    </>
  );
};

/** Another email service has no list of people. */
const Find = () => {
  const [text, setText] = useState("");
  const open = useOpen();
  const go = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") open(text.trim());
  };
  return (
    <form onSubmit={go}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Find a person"
          description="An address, a user id, a provider's id (cus_…), or the id of a webhook (wh_…) or mail (snd_…)"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={{ base: "100%", sm: 460 }}
        />
        <Button type="submit">Find</Button>
      </Group>
    </form>
  );
};
