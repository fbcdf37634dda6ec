import { Alert, Anchor, Button, List, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api/api.ts";
import { RequestError } from "../api/client.ts";
import { USED_UP } from "../api/queries.ts";
import { aboutQuery } from "../api/use-about.ts";
import { useAct } from "../api/use-act.ts";
import { Mark } from "../parts/mark.tsx";
import { makePasskey, namedOrigin } from "../parts/passkeys/passkeys.ts";
import { ROLES } from "../parts/passkeys/roles.ts";
import { Answer } from "../parts/states.tsx";

/** Milliseconds. The challenge is valid for five minutes. */
const FRESH_MS = 4 * 60_000;

/** Page behind an invitation link. */
export const InvitePage = ({ invite, onDone }: { invite: string; onDone: () => void }) => {
  const opened = useQuery({
    queryKey: ["invite", invite],
    queryFn: () => api.dashboard.invites.open({ invite }),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    gcTime: 0,
    retry: false,
    meta: USED_UP,
  });
  return (
    <main className="door">
      <div className="door-card">
        <Mark size={34} />
        <Title order={1}>Welcome to Mailspan</Title>
        {isNowhere(opened.error) ? (
          <Elsewhere invite={invite} />
        ) : (
          <Stack>
            <Answer query={opened} rows={3}>
              {(found) => <Accept invite={invite} found={found} onDone={onDone} />}
            </Answer>
            {opened.error && (
              <Anchor component="button" type="button" size="sm" onClick={onDone}>
                To the login
              </Anchor>
            )}
          </Stack>
        )}
      </div>
    </main>
  );
};

const isNowhere = (error: Error | null): boolean =>
  error instanceof RequestError && error.code === "passkeys_unavailable" && namedOrigin(location) !== location.origin;

/** Passkeys do not work at an IP address, so this shows the link with a host name. */
const Elsewhere = ({ invite }: { invite: string }) => (
  <Stack>
    <Text>Passkeys belong to a name, and this address has only numbers. The same link works here:</Text>
    <Button component="a" href={`${namedOrigin(location)}/#invite=${invite}`}>
      Open {namedOrigin(location)}
    </Button>
  </Stack>
);

type Found = Awaited<ReturnType<typeof api.dashboard.invites.open>>;

const Accept = ({ invite, found, onDone }: { invite: string; found: Found; onDone: () => void }) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const accept = useAct({
    mutationFn: async () => {
      await api.dashboard.invites.accept({ invite, passkey: await makePasskey(found.options) });
      await navigate({ to: "/settings/members" });
      await queries.resetQueries(aboutQuery);
    },
    onSuccess: onDone,
  });
  return (
    <Stack>
      <Text>
        {found.invitedBy} has invited you as <b>{found.name}</b>, with the role <b>{found.role}</b>, which{" "}
        {ROLES[found.role]}
      </Text>
      <List size="sm">
        <List.Item>You log in with a passkey instead of a password. Your device makes it and keeps it.</List.Item>
        <List.Item>It is unlocked as your device is: by fingerprint, face or PIN.</List.Item>
        <List.Item>A security key, or your phone by its camera, is good too.</List.Item>
      </List>
      {accept.error && (
        <Alert color="red" role="alert">
          {accept.error.message}
        </Alert>
      )}
      <Button onClick={() => accept.mutate()} loading={accept.isPending}>
        Make a passkey
      </Button>
    </Stack>
  );
};
