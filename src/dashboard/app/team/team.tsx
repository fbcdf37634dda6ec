import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Fragment, type ReactNode, useEffect } from "react";
import { api } from "../api/api.ts";
import { teamOf, useAbout } from "../api/use-about.ts";
import { Failure } from "../parts/failure.tsx";
import { Page } from "../parts/page/page.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { chosenTeam, rememberTeam } from "./chosen.ts";
import { teamsQuery } from "./use-team.ts";

/** A page's team. `id` is undefined without the email service. */
export type Team = {
  id: string | undefined;
  v1: ReturnType<typeof api.v1>;
  bridge: boolean;
  unreachable?: string;
};

export const TeamPage = ({
  title,
  actions,
  more,
  children,
  isOfBoth,
  isOne,
}: {
  title: string;
  /** The page shows one thing, and `title` is its kind. */
  isOne?: boolean;
  /** The page shows bridge data if the email service fails. */
  isOfBoth?: boolean;
  actions?: (team: Team) => ReactNode;
  /** Items of the menu of more actions. */
  more?: (team: Team) => ReactNode;
  children: (team: Team) => ReactNode;
}) => {
  const { bridge, email } = useAbout();
  const { team: named } = useSearch({ strict: false }) as { team?: string };
  if (email === null) {
    const team: Team = { id: undefined, v1: api.v1(undefined), bridge: true };
    return (
      <Page title={title} isOne={isOne} actions={actions?.(team)} more={more?.(team)}>
        {children(team)}
      </Page>
    );
  }
  const { unreachable } = email;
  if (unreachable !== undefined) {
    const isOfBridge = named === undefined || [undefined, named].includes(teamOf(bridge));
    return (
      <Page title={title}>
        <Alert color="red" title="The email service gives no answer">
          {unreachable}
        </Alert>
        {isOfBoth && bridge !== null && children({ id: undefined, v1: api.v1(named), bridge: isOfBridge, unreachable })}
      </Page>
    );
  }
  return (
    <OfTeam title={title} isOne={isOne} actions={actions} more={more} bridgeTeam={teamOf(bridge)}>
      {children}
    </OfTeam>
  );
};

type OfEmail = (id: string, team: Team) => ReactNode;

const withId =
  (draw: OfEmail | undefined, without?: ReactNode) =>
  (team: Team): ReactNode =>
    team.id === undefined ? without : <Fragment key={team.id}>{draw?.(team.id, team)}</Fragment>;

/** A page of the email service: its team has an id. */
export const EmailPage = ({
  actions,
  more,
  children,
  ...page
}: {
  title: string;
  isOne?: boolean;
  actions?: OfEmail;
  more?: OfEmail;
  children: OfEmail;
}) => (
  <TeamPage {...page} actions={withId(actions)} {...(more && { more: withId(more) })}>
    {withId(children, <Text>The email service is not deployed here.</Text>)}
  </TeamPage>
);

const OfTeam = ({
  title,
  actions,
  more,
  bridgeTeam,
  children,
  isOne,
}: {
  title: string;
  isOne: boolean | undefined;
  actions: ((team: Team) => ReactNode) | undefined;
  more: ((team: Team) => ReactNode) | undefined;
  bridgeTeam: string | undefined;
  children: (team: Team) => ReactNode;
}) => {
  const { team: named } = useSearch({ strict: false }) as { team?: string };
  const { data, error, refetch } = useQuery(teamsQuery);
  useEffect(() => {
    if (named !== undefined) rememberTeam(named);
  }, [named]);
  const known = data?.data.map(({ id }) => id) ?? [];
  const id = chosenTeam({ named, bridge: bridgeTeam, known });
  const team: Team | undefined =
    id === undefined ? undefined : { id, v1: api.v1(id), bridge: bridgeTeam === undefined || bridgeTeam === id };
  return (
    <Page title={title} isOne={isOne} actions={team && actions?.(team)} more={team && more?.(team)}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {team && children(team)}
      {data && !team && (
        <Empty title="No team yet" command="npm run deploy">
          A team has contacts, templates and API keys. The deployment makes the first one:
        </Empty>
      )}
    </Page>
  );
};
