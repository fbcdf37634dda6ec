import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LIVE, SOON } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { statusQuery } from "../../parts/ledger/status.ts";
import { clock } from "../../parts/time.ts";
import { type Need, needOfCause, needOfEmail, needOfProblem, sorted, type Verdict, verdictOf } from "./needs.ts";
import { useSends } from "./sends.ts";
import { useTitleOf } from "./sources.ts";
import { useFirst } from "./team.ts";

/** A query that is asked again has no error meanwhile. */
const hasFailed = ({ errorUpdatedAt, dataUpdatedAt }: { errorUpdatedAt: number; dataUpdatedAt: number }): boolean =>
  errorUpdatedAt > dataUpdatedAt;

/** Everything that needs a person, the worst first, and the sentence about it. */
export const useNeeds = (): { needs: Need[]; verdict: Verdict } => {
  const { bridge, email } = useAbout();
  const { id: team, error: noTeam, isNone } = useFirst();
  const isThere = bridge !== null && bridge.unreachable === undefined;
  const status = useQuery({ ...statusQuery, enabled: isThere, ...SOON });
  const hasCauses = (status.data?.attention ?? 0) > 0;
  const causes = useQuery({
    queryKey: ["bridge", "causes", "first"],
    queryFn: ({ signal }) => api.bridge.deliveries.causes({}, { signal }),
    enabled: isThere && hasCauses,
    ...LIVE,
  });
  const sends = useSends(team);
  const titleOf = useTitleOf();
  const known = status.data;
  const found = causes.data?.data.filter((entry) => entry.kind === "delivery") ?? [];
  const problems = known?.health.problems.filter(({ kind }) => kind !== "deliveries" || found.length === 0) ?? [];
  const needs = sorted([
    ...problems.map((problem) =>
      needOfProblem(problem, { titleOf, paused: known?.paused ?? { all: null, sources: {} } }),
    ),
    ...(hasCauses ? found : []).map(needOfCause),
    ...(team === undefined ? [] : (sends.data?.attention ?? []).map((one) => needOfEmail(one, team))),
  ]);
  const silent = [
    ...(bridge !== null && (!isThere || hasFailed(status)) ? ["The bridge"] : []),
    ...(email !== null && (email.unreachable !== undefined || noTeam !== null || hasFailed(sends))
      ? ["The email service"]
      : []),
  ];
  const isComplete = (bridge === null || known !== undefined) && (email === null || isNone || sends.data !== undefined);
  return { needs, verdict: verdictOf({ needs, silent, status: known, isComplete, now: clock() }) };
};
