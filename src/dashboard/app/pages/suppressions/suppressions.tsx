import { Button, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { TeamPage } from "../../team/team.tsx";
import { SuppressedAddresses } from "./list.tsx";
import { SuppressButton } from "./suppress.tsx";

const route = getRouteApi("/team/suppressions");

const Acts = ({ team }: { team: string }) => {
  const { team: _, cursor: __, ...wanted } = route.useSearch() as Filters;
  const { q = "", reason = "" } = wanted;
  const query = new URLSearchParams({ q, reason }).toString();
  return (
    <>
      <CopyAs asked={{ api: "email", name: "suppressions.list", fields: { ...wanted, team } }} />
      <Button
        component="a"
        size="xs"
        variant="default"
        href={`/api/email/teams/${encodeURIComponent(team)}/suppressions.csv?${query}`}
        download
      >
        Export as CSV
      </Button>
      <SuppressButton team={team} />
    </>
  );
};

export const Suppressions = () => (
  <TeamPage title="Suppressions" actions={({ id }) => id !== undefined && <Acts team={id} />}>
    {({ id }) =>
      id === undefined ? (
        <Text>The email service has the list. The page of a person shows whether its address is suppressed.</Text>
      ) : (
        <SuppressedAddresses key={id} team={id} />
      )
    }
  </TeamPage>
);
