import { Button, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { TeamPage } from "../../team/team.tsx";
import { LiftButton } from "./lift.tsx";
import { SuppressedAddresses } from "./list.tsx";
import { SuppressButton } from "./suppress.tsx";
import { Waves } from "./waves.tsx";

const route = getRouteApi("/team/people/suppressed");

const Acts = ({ team }: { team: string }) => {
  const { team: _, cursor: __, ...wanted } = route.useSearch() as Filters;
  const query = new URLSearchParams(wanted as Record<string, string>).toString();
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
      <LiftButton team={team} wanted={wanted} />
      <SuppressButton team={team} />
    </>
  );
};

export const Suppressions = () => (
  <TeamPage title="Suppressed" actions={({ id }) => id !== undefined && <Acts team={id} />}>
    {({ id }) =>
      id === undefined ? (
        <Text>The email service has the list. The page of a person shows whether its address is suppressed.</Text>
      ) : (
        <Stack>
          <Waves team={id} />
          <SuppressedAddresses key={id} team={id} />
        </Stack>
      )
    }
  </TeamPage>
);
