import { Button, Group, TextInput } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { pageOf } from "../../story/subject.ts";
import { TeamPage } from "../../team/team.tsx";
import { Contacts } from "./contacts.tsx";
import { NewContact } from "./new-contact.tsx";

export const People = () => (
  <TeamPage
    title="People"
    actions={(team) => <NewContact team={team} />}
    more={(team) => team.id !== undefined && <CopyList team={team.id} />}
  >
    {({ id }) => <Find team={id} />}
  </TeamPage>
);

const route = getRouteApi("/team/people");

const CopyList = ({ team }: { team: string }) => {
  const { team: _, cursor: __, ...wanted } = route.useSearch() as Filters;
  return <CopyAs asked={{ api: "email", name: "contacts.list", fields: { ...wanted, team } }} />;
};

const Find = ({ team }: { team: string | undefined }) => {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const go = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === "") return;
    const page = pageOf(wanted);
    if (page?.to === "/webhooks/$id") void navigate({ to: "/webhooks/$webhookId", params: { webhookId: page.id } });
    else if (page?.to === "/sent/$id") void navigate({ to: "/sent/$sendId", params: { sendId: page.id } });
    else void navigate({ to: "/people/$personId", params: { personId: wanted } });
  };
  return (
    <>
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
      {team !== undefined && <Contacts key={team} team={team} />}
    </>
  );
};
