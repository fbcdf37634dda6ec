import "./frame.css";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { EXPIRED, isLoggedOut } from "../api/queries.ts";
import { type About, AboutContext, aboutQuery } from "../api/use-about.ts";
import { Failure } from "../parts/failure.tsx";
import { MissingHalf } from "../parts/page/missing.tsx";
import { entriesFor, missingAt } from "../parts/page/navigation.ts";
import { rememberAccess } from "./access.ts";
import { Bar } from "./bar.tsx";
import { useInvite } from "./invite-link.ts";
import { TabBar, Top } from "./phone.tsx";
import { Side } from "./side.tsx";
import { useKeys } from "./use-keys.ts";

const loadLogin = () => import("./login.tsx");
const LoginPage = lazy(async () => ({ default: (await loadLogin()).LoginPage }));
const LoginDialog = lazy(async () => ({ default: (await loadLogin()).LoginDialog }));
const InvitePage = lazy(async () => ({ default: (await import("./invite.tsx")).InvitePage }));
const Help = lazy(async () => ({ default: (await import("./help.tsx")).Help }));

type Palette = ComponentType<{ about: About }>;

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
  const [helping, help] = useDisclosure();
  const navigate = useNavigate();
  const go = useCallback((to: string) => void navigate({ to }), [navigate]);
  useKeys(entries, go, help.open);
  return (
    <div className="frame">
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <Side entries={entries} onHelp={help.open} />
      <div className="sheet">
        <Top />
        <Bar />
        <main id="main" tabIndex={-1} className="page">
          {missing ? <MissingHalf title={missing.label} half={missing.needs} /> : <Outlet />}
        </main>
      </div>
      <TabBar entries={entries} onHelp={help.open} />
      <Suspense fallback={null}>
        <Palette about={about} />
        <Help opened={helping} onClose={help.close} entries={entries} />
      </Suspense>
    </div>
  );
};
