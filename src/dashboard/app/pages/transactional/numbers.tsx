import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { Facts, Panel, Tiles } from "../../parts/cards/cards.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import type { Team } from "../../team/team.tsx";
import { reasonsOf, shareOf, TROUBLES } from "./reasons.ts";
import type { Listed } from "./state.ts";

type Metrics = Awaited<ReturnType<Team["v1"]["transactionalEmails"]["metrics"]>>;

const SUMS: readonly { name: keyof Metrics; label: string; state?: string }[] = [
  { name: "sends", label: "Sent" },
  { name: "deliveries", label: "Delivered, as far as is known" },
  { name: "hardBounces", label: "Hard bounces", state: "bounced" },
  { name: "softBounces", label: "Soft bounces", state: "failed" },
  { name: "spamReports", label: "Complaints", state: "complained" },
];

export const Numbers = ({ team, email: { id } }: { team: Team; email: Listed }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "transactional", "metrics", id],
    queryFn: ({ signal }) => team.v1.transactionalEmails.metrics({ transactionalId: id }, { signal }),
    ...LATER,
  });
  return (
    <>
      <Answer query={query} rows={2}>
        {(metrics) => <Sums team={team} id={id} metrics={metrics} />}
      </Answer>
      {team.id !== undefined && <Reasons team={team.id} id={id} />}
    </>
  );
};

const Sums = ({ team, id, metrics }: { team: Team; id: string; metrics: Metrics }) => (
  <Tiles
    label="Statistics"
    tiles={SUMS.map(({ name, label, state }) => ({
      label:
        team.id !== undefined && state !== undefined && metrics[name] > 0 ? (
          <Link to="/sent" search={{ template: id, state }}>
            {label}
          </Link>
        ) : (
          label
        ),
      value: metrics[name].toLocaleString("en"),
      note: name !== "sends" && metrics.sends > 0 ? shareOf(metrics[name], metrics.sends) : undefined,
    }))}
  />
);

const Reasons = ({ team, id }: { team: string; id: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "sends", "reasons", id],
    queryFn: async ({ signal }) => {
      const asked = { team, template: id, perPage: "50" as never };
      const parts = await Promise.all(TROUBLES.map((state) => api.email.sends.list({ ...asked, state }, { signal })));
      return reasonsOf(parts.flatMap(({ data }) => data));
    },
  });
  return (
    <Answer query={query} rows={1}>
      {(reasons) =>
        reasons.length > 0 && (
          <Panel title="Why mails did not arrive" aside="Of the newest">
            <Facts
              isOfNumbers
              facts={reasons.map(({ state, why, count }) => ({
                label: (
                  <>
                    <Link to="/sent" search={{ template: id, state }}>
                      <Status kind={state} />
                    </Link>{" "}
                    {why}
                  </>
                ),
                value: count,
              }))}
            />
          </Panel>
        )
      }
    </Answer>
  );
};
