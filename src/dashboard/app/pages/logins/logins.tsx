import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useAbout } from "../../api/use-about.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { ListTable } from "../../parts/list/list-table.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Invite } from "./invite.tsx";
import { Own } from "./own.tsx";
import { PEOPLE } from "./people.tsx";
import { peopleQuery } from "./queries.ts";

export const Logins = () => {
  const query = useQuery(peopleQuery);
  return (
    <Page title="Members" actions={<Invite />} more={<CopyAs asked={{ api: "dashboard", name: "people.list" }} />}>
      <Answer query={query} rows={3}>
        {({ data }) => (
          <>
            <Me person={data.find(({ isMe }) => isMe)} />
            {data.length === 0 ? (
              <Empty icon="people" title="Nobody is invited yet">
                Until then everybody logs in with the admin token, as an owner. Invite a person: they log in with a
                passkey, under their own name and with a role of their own.
              </Empty>
            ) : (
              <ListTable what="People" rows={data} columns={PEOPLE} idOf={({ id }) => id} />
            )}
          </>
        )}
      </Answer>
    </Page>
  );
};

const Me = ({ person }: { person: Parameters<typeof Own>[0]["person"] | undefined }) => {
  const { me, access } = useAbout();
  if (person) return <Own person={person} />;
  return (
    <Text size="sm">
      You are logged in as {me.who}, with the role {me.role} and without a passkey.{" "}
      {access
        ? "Cloudflare Access lets you in. An entry below with your address would give you another role."
        : "The admin token stays for emergencies: invite yourself too, and log in with a passkey."}
    </Text>
  );
};
