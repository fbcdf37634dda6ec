import { Alert, List, Stack, Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import type { Act, Effect } from "../../parts/acts/act.tsx";
import { counted } from "../../parts/ledger/words.ts";
import { Time } from "../../parts/text.tsx";
import type { Status } from "./state.ts";
import { countExactly, excludedLines } from "./words.ts";

type Launched = Awaited<ReturnType<typeof api.email.campaigns.launch>>;
type Estimate = Awaited<ReturnType<typeof api.email.campaigns.estimate>>;

/** Starts a campaign now or at its time, for the number of recipients that was shown and typed. */
export const launching = (team: string, { id, name }: Pick<Status, "id" | "name">): Act<Launched> => {
  const fields = { team, campaignId: id };
  const options = ["--team", team];
  return {
    title: `Launch ${name}?`,
    label: "Launch",
    effect: async (): Promise<Effect> => {
      const looked = await api.email.campaigns.launch({ ...fields, dryRun: true });
      // The audience of a campaign that is not ready may name something that is gone: then nobody can be counted.
      if (looked.problems.length > 0) return { nothing: true, text: <NotReady looked={looked} /> };
      const estimate = await countExactly((more) => api.email.campaigns.estimate({ ...fields, exact: true, ...more }));
      const { recipients } = estimate;
      return {
        text: <WhoGetsIt looked={looked} estimate={estimate} />,
        label: looked.scheduledFor === null ? "Launch" : "Schedule",
        count: recipients,
        asked: { api: "email", name: "campaigns.launch", fields: { ...fields, expected: recipients } },
        command: { name: "campaign", args: ["launch", id], options: ["--expected", String(recipients), ...options] },
      };
    },
    run: (effect) => api.email.campaigns.launch({ ...fields, expected: effect?.count }),
    done: ({ status }) => (status === "Scheduled" ? `${name} is scheduled.` : `${name} is being sent.`),
    asked: { api: "email", name: "campaigns.launch", fields: { ...fields, dryRun: true } },
    command: { name: "campaign", args: ["launch", id], options: ["--dry-run", ...options] },
  };
};

const Findings = ({ title, color, found }: { title: string; color: string; found: Launched["problems"] }) =>
  found.length === 0 ? null : (
    <Alert variant="light" color={color} title={title}>
      <List size="sm">
        {found.map(({ code, path, message }) => (
          <List.Item key={`${code} ${path} ${message}`} style={{ overflowWrap: "anywhere" }}>
            {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );

const NotReady = ({ looked: { problems, warnings } }: { looked: Launched }) => (
  <Stack gap="sm">
    <Findings title="It cannot be launched yet" color="red" found={problems} />
    <Findings title="Look at this too" color="yellow" found={warnings} />
  </Stack>
);

const WhoGetsIt = ({ looked, estimate }: { looked: Launched; estimate: Estimate }) => {
  const { recipients, matching, excluded, total } = estimate;
  const lines = excludedLines(excluded);
  return (
    <Stack gap="sm">
      <Findings title="Look at this before" color="yellow" found={looked.warnings} />
      <Text size="sm">
        {counted(recipients, "contact")} would get it, of {counted(matching, "contact")}{" "}
        {matching === total
          ? "in the team."
          : `that ${matching === 1 ? "meets" : "meet"} its segment and filter. The team has ${counted(total, "contact")}.`}
      </Text>
      {lines.length > 0 && (
        <List size="sm" aria-label="Excluded">
          {lines.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm">
        {looked.scheduledFor === null ? (
          "It begins at once."
        ) : (
          <>
            It begins <Time at={looked.scheduledFor} />.
          </>
        )}
      </Text>
    </Stack>
  );
};
