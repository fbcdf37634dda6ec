import { Alert, Anchor, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { askToEnd } from "../../../../lib/contract/admin/to-end.ts";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import type { Act, Effect } from "../../parts/acts/act.tsx";
import { findingWords } from "../../parts/finding-words.ts";
import { Time } from "../../parts/text.tsx";
import { clock, whenText } from "../../parts/time.ts";
import { useZone } from "../../team/use-zone.ts";
import { peopleText } from "./campaign-words.ts";
import { type Asked, type Estimate, WhoGetsIt } from "./estimated-recipients.tsx";
import { mostOf, USUAL_GROWTH } from "./growth.ts";
import type { Status } from "./state.ts";

const UNDO_SECONDS = 30;
/** Tolerance for a slow browser clock, in ms. */
const SLACK = 30_000;

type Sent = { expected: number | undefined; maxRecipients?: number };

/** The delay has no effect on a campaign with a set time. */
const delayed = (sent: Sent) => ({ ...sent, delaySeconds: UNDO_SECONDS });

type SendAnswer = Awaited<ReturnType<typeof api.email.campaigns.send>>;

/**
 * Sends now or at its time, with the recipient count that the person confirmed by typing. `growth`: percent by which the
 * audience may grow until a time of its own.
 */
export const sending = (
  team: string,
  { id, name }: Pick<Status, "id" | "name">,
  growth = USUAL_GROWTH,
): Act<SendAnswer> => {
  const fields = { team, campaignId: id };
  const options = ["--team", team];
  let most: number | undefined;
  const sent = (expected: number | undefined) =>
    delayed({ expected, ...(most === undefined ? {} : { maxRecipients: most }) });
  const count = () => askToEnd((more) => api.email.campaigns.estimate({ ...fields, exact: true, ...more }));
  return {
    title: `Send ${name}?`,
    label: "Send",
    effect: async (): Promise<Effect> => {
      const looked = await api.email.campaigns.send({ ...fields, dryRun: true });
      // An unready audience may name deleted items, so no person can be counted.
      if (looked.problems.length > 0) return { nothing: true, text: <NotReady looked={looked} /> };
      const [estimate, of] = await Promise.all([count(), api.v1(team).campaigns.get({ campaignId: id })]);
      const { recipients } = estimate;
      most = looked.scheduledFor === null ? undefined : mostOf(recipients, growth);
      const told = {
        text: <Told team={team} looked={looked} estimate={estimate} of={of} most={most} />,
        label: looked.scheduledFor === null ? "Send" : "Schedule",
      };
      if (recipients === 0) return { ...told, nothing: true };
      return {
        ...told,
        count: recipients,
        asked: { api: "email", name: "campaigns.send", fields: { ...fields, ...sent(recipients) } },
        command: {
          name: "campaign",
          args: ["send", id],
          options: [
            "--expected",
            String(recipients),
            ...(most === undefined ? [] : ["--max-recipients", String(most)]),
            ...options,
          ],
        },
      };
    },
    run: async (effect) => {
      const run = () => api.email.campaigns.send({ ...fields, ...sent(effect?.count) });
      return run().catch(async (error: unknown) => {
        // The count expired while the dialog was open. Sending compares the new count with the confirmed count.
        if (!(error instanceof RequestError) || error.code !== "audience_not_counted") throw error;
        await count();
        return run();
      });
    },
    done: ({ scheduledFor }) =>
      scheduledFor !== null && Date.parse(scheduledFor) - clock() > 1_000 * UNDO_SECONDS + SLACK
        ? `${name} is scheduled.`
        : `${name} is being sent. It can be undone for ${UNDO_SECONDS} seconds.`,
    asked: { api: "email", name: "campaigns.send", fields: { ...fields, dryRun: true } },
    command: { name: "campaign", args: ["send", id], options: ["--dry-run", ...options] },
  };
};

const Findings = ({ title, color, found }: { title: string; color: string; found: SendAnswer["problems"] }) =>
  found.length === 0 ? null : (
    <Alert variant="light" color={color} title={title}>
      <List size="sm">
        {found.map((one) => (
          <List.Item key={`${one.code} ${one.path} ${one.message}`} className="wrap">
            {findingWords(one)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );

const NotReady = ({ looked: { problems, warnings } }: { looked: SendAnswer }) => (
  <Stack gap="sm">
    <Findings title="It cannot be sent yet" color="red" found={problems} />
    <Findings title="Look at this too" color="yellow" found={warnings} />
  </Stack>
);

const Begins = ({ team, at }: { team: string; at: string }) => (
  <>
    It begins on {whenText(at, useZone(team))}: <Time at={at} />.
  </>
);

type ToldProps = { team: string; looked: SendAnswer; estimate: Estimate; of: Asked; most: number | undefined };

const Told = ({ team, looked, estimate, of, most }: ToldProps) => (
  <Stack gap="sm">
    <Findings title="Before it goes" color="yellow" found={looked.warnings} />
    <WhoGetsIt team={team} estimate={estimate} of={of} />
    {estimate.recipients > 0 && (
      <Text size="sm">
        {looked.scheduledFor === null ? (
          `It begins in ${UNDO_SECONDS} seconds. Until then it can be undone.`
        ) : (
          <Begins team={team} at={looked.scheduledFor} />
        )}
      </Text>
    )}
    {estimate.recipients > 0 && most !== undefined && <Growth team={team} most={most} />}
  </Stack>
);

const Growth = ({ team, most }: { team: string; most: number }) => {
  const { data } = useQuery({
    queryKey: ["email", team, "notices"],
    queryFn: ({ signal }) => api.email.teams.get({ team }, { signal }),
    staleTime: 60_000,
  });
  return (
    <Text size="sm">
      It goes to those who match then. Above {peopleText(most)} it is held and asks you.{" "}
      {data?.noticeEmail && `${data.noticeEmail} gets a mail then.`}
      {data?.noticeEmail === null && (
        <>
          Nobody gets a mail then: no address for notices is{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/settings" {...props} />}>
            set
          </Anchor>
          .
        </>
      )}
    </Text>
  );
};
