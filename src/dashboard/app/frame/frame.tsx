import { ActionIcon, AppShell, Burger, Button, Group, Kbd, NavLink, Text, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { type ComponentType, Fragment, lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { api } from "../api/api.ts";
import { EXPIRED, isLoggedOut } from "../api/queries.ts";
import { type About, AboutContext, aboutQuery } from "../api/use-about.ts";
import { useAct } from "../api/use-act.ts";
import { dropDrafts } from "../parts/acts/draft.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icons.tsx";
import { MissingHalf } from "../parts/missing.tsx";
import { rememberAccess } from "./access.ts";
import { AttentionBadge } from "./attention-badge.tsx";
import { useInvite } from "./invite-link.ts";
import { areasOf, entriesFor, entryAt, missingAt, type NavEntry } from "./navigation.ts";
import { useKeys } from "./use-keys.ts";

const loadLogin = () => import("./login.tsx");
const LoginPage = lazy(async () => ({ default: (await loadLogin()).LoginPage }));
const LoginDialog = lazy(async () => ({ default: (await loadLogin()).LoginDialog }));
const InvitePage = lazy(async () => ({ default: (await import("./invite.tsx")).InvitePage }));
const Help = lazy(async () => ({ default: (await import("./help.tsx")).Help }));

type Palette = ComponentType<{ entries: readonly NavEntry[] }>;

/** Shows the page when logged in, otherwise the login. `palette`: opened by ⌘K. */
export const Frame = ({ palette }: { palette: Palette }) => {
  const about = useQuery(aboutQuery);
  const error = useLastError(about);
  const { data: expired } = useQuery({ queryKey: EXPIRED, queryFn: () => false, staleTime: Number.POSITIVE_INFINITY });
  const { invite, leave } = useInvite();
  const access = about.data?.access;
  useEffect(() => {
    if (access === undefined) return;
    rememberAccess(access);
    // A missing connection or a newer deployment makes this import fail later, so it loads early.
    void loadLogin().catch(() => undefined);
  }, [access]);
  // A logged-in person may open a link for another person, or use the admin token.
  if (invite !== undefined)
    return (
      <Suspense fallback={null}>
        <InvitePage invite={invite} onDone={leave} />
      </Suspense>
    );
  if (about.data)
    return (
      <AboutContext value={about.data}>
        <Shell about={about.data} palette={palette} />
        <Suspense fallback={null}>{expired && <LoginDialog />}</Suspense>
      </AboutContext>
    );
  if (error)
    return isLoggedOut(error) ? (
      <Suspense fallback={null}>
        <LoginPage />
      </Suspense>
    ) : (
      <Failure error={error} onRetry={() => void about.refetch()} />
    );
  return null;
};

/** Keeps the error during a retry, so the login keeps typed text. */
const useLastError = ({ data, error }: { data: unknown; error: Error | null }): Error | null => {
  const [last, setLast] = useState(error);
  if ((data || error) && last !== error) setLast(error);
  return last;
};

type ShellProps = { about: About; palette: Palette };

const Shell = ({ about, palette: Palette }: ShellProps) => {
  const entries = useMemo(() => entriesFor(about), [about]);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const missing = missingAt(path, about);
  const [opened, { toggle, close }] = useDisclosure();
  const [helping, help] = useDisclosure();
  const navigate = useNavigate();
  const go = useCallback((to: string) => void navigate({ to }), [navigate]);
  useKeys(entries, go, help.open);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 210, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Text fw={700}>Mailspan</Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Icon name="search" size={14} />}
              rightSection={<Kbd size="xs">⌘K</Kbd>}
              onClick={spotlight.open}
              visibleFrom="xs"
            >
              Go to
            </Button>
            <SchemeToggle />
            <Logout {...about.me} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" className="scrolls">
        <NavEntries entries={entries} onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {missing ? <MissingHalf title={missing.label} half={missing.needs} /> : <Outlet />}
      </AppShell.Main>
      <Suspense fallback={null}>
        <Palette entries={entries} />
        <Help opened={helping} onClose={help.close} entries={entries} />
      </Suspense>
    </AppShell>
  );
};

const NavEntries = ({ entries, onGo }: { entries: readonly NavEntry[]; onGo: () => void }) => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = entryAt(path);
  return areasOf(entries).map(({ area, entries: below }) => (
    <Fragment key={area}>
      {area !== undefined && (
        <Text size="xs" c="dimmed" fw={600} mt="xs" px="xs" role="presentation">
          {area}
        </Text>
      )}
      {below.map(({ to, label, icon }) => (
        <NavLink
          key={to}
          py={5}
          // The link would also mark parent places as current without `exact`.
          renderRoot={(props) => <Link to={to} {...props} activeOptions={{ exact: true }} />}
          label={label}
          leftSection={<Icon name={icon} />}
          rightSection={to === "/deliveries" ? <AttentionBadge /> : undefined}
          active={current?.to === to}
          aria-current={current?.to === to ? "page" : undefined}
          onClick={onGo}
        />
      ))}
    </Fragment>
  ));
};

const SchemeToggle = () => {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const next = { auto: "dark", dark: "light", light: "auto" }[colorScheme] as "auto" | "dark" | "light";
  return (
    <ActionIcon
      variant="default"
      onClick={() => setColorScheme(next)}
      aria-label={`Colors: ${colorScheme}. Change to ${next}`}
    >
      <Icon name="light" />
    </ActionIcon>
  );
};

const Logout = ({ who, role }: About["me"]) => {
  const queries = useQueryClient();
  const logout = useAct({
    mutationFn: async () => {
      await api.dashboard.session.delete();
      dropDrafts();
      // All queries would refetch before `onSuccess`, and their refusals would open the login dialog over this page.
      await queries.resetQueries(aboutQuery);
    },
  });
  return (
    <Button size="compact-sm" variant="default" onClick={() => logout.mutate()} title={`Logged in as ${who}, ${role}`}>
      Log out
    </Button>
  );
};
