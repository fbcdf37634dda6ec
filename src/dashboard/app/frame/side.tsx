import { Tooltip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { Link, useMatches, useNavigate, useRouterState } from "@tanstack/react-router";
import { Fragment, lazy, type ReactElement, Suspense } from "react";
import { useAbout } from "../api/use-about.ts";
import { Icon } from "../parts/icons.tsx";
import { Mark } from "../parts/mark.tsx";
import { areasOf, entryAt, type NavEntry } from "../parts/page/navigation.ts";
import { rememberTeam } from "../team/chosen.ts";
import { teamsQuery, useTeam } from "../team/use-team.ts";
import { Count, useCounts, useLate } from "./counts.tsx";
import { Me } from "./me.tsx";

const TeamMenu = lazy(async () => ({ default: (await import("./menus.tsx")).TeamMenu }));

type Entries = { entries: readonly NavEntry[] };

/** The sidebar. Between phone and desktop it has icons only. */
export const Side = ({ entries, onHelp }: Entries & { onHelp: () => void }) => (
  <section className="side" aria-label="Mailspan">
    <Link to="/" className="side-mark">
      <Mark />
      <span>Mailspan</span>
    </Link>
    <TeamSwitch />
    <Named label="Search">
      <button type="button" className="side-find" onClick={spotlight.open}>
        <Icon name="search" />
        <span className="side-grow">Search</span>
        <span className="side-key" aria-hidden="true">
          ⌘K
        </span>
      </button>
    </Named>
    <nav aria-label="Pages" className="side-pages">
      <Links entries={entries} />
    </nav>
    <Me onHelp={onHelp} />
  </section>
);

const NARROW = "(min-width: 761px) and (max-width: 1100px)";

/** A tooltip with the name, where the sidebar has icons only. */
const Named = ({ label, children }: { label: string; children: ReactElement }) => (
  <Tooltip label={label} position="right" disabled={!useMediaQuery(NARROW)}>
    {children}
  </Tooltip>
);

/** All entries, by heading. */
export const Links = ({ entries, onGo }: Entries & { onGo?: () => void }) => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = entryAt(path);
  const counts = useCounts();
  return areasOf(entries).map(({ area, entries: below }) => (
    <Fragment key={area}>
      {area !== undefined && area !== "Foot" && (
        <div className="side-area" role="presentation">
          <span>{area}</span>
        </div>
      )}
      <div className={area === "Foot" ? "side-foot" : undefined}>
        {below.map(({ to, label, icon }) => (
          <Named key={to} label={label}>
            <Link
              to={to}
              // The link would also mark parent places as current without `exact`.
              activeOptions={{ exact: true }}
              className="side-link"
              aria-current={current?.to === to ? "page" : undefined}
              onClick={onGo}
            >
              <Icon name={icon} />
              <span className="side-grow">{label}</span>
              <Count counted={counts[to]} />
            </Link>
          </Named>
        ))}
      </div>
    </Fragment>
  ));
};

const letterOf = (name: string): string => [...name][0]?.toUpperCase() ?? "";

/** The team that pages show. A choice with more than one. */
export const TeamSwitch = () => {
  const { email } = useAbout();
  const isOfTeam = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === "/team") });
  const isLate = useLate() || isOfTeam;
  const team = useTeam(isLate);
  const { data } = useQuery({ ...teamsQuery, enabled: isLate && email !== null });
  const navigate = useNavigate();
  if (email === null) return null;
  const teams = data?.data ?? [];
  const name = teams.find(({ id }) => id === team)?.name ?? team ?? "";
  const go = (next: string) => {
    rememberTeam(next);
    void navigate({ to: isOfTeam ? "." : "/people", search: { team: next } });
  };
  const shown = (
    <>
      <span className="side-team-mark" aria-hidden="true">
        {letterOf(name)}
      </span>
      <span className="side-grow">{name}</span>
    </>
  );
  if (teams.length < 2) return <div className="side-team">{shown}</div>;
  return (
    <Suspense fallback={<div className="side-team">{shown}</div>}>
      <TeamMenu name={name} team={team} teams={teams} onChoose={go}>
        {shown}
      </TeamMenu>
    </Suspense>
  );
};
