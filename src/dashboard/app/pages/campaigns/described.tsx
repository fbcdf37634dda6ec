import { Anchor, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { wordsOfConditions } from "../../../../lib/contract/audience/condition-words.ts";
import { RequestError } from "../../api/client.ts";
import { Answer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { whenText } from "../../parts/time.ts";
import type { Team } from "../../team/team.tsx";
import { useZone } from "../../team/use-zone.ts";
import { senderOf } from "./message.ts";
import { isCancelledBefore, type Status } from "./state.ts";

type Api = Team["v1"];
type Named = { id: string; name: string | undefined };

const segmentOf = async (api: Api, id: string | null): Promise<Named | undefined> => {
  if (id === null) return undefined;
  try {
    return await api.audienceSegments.get({ audienceSegmentId: id });
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return { id, name: undefined };
    throw error;
  }
};

const read = async (api: Api, campaignId: string) => {
  const campaign = await api.campaigns.get({ campaignId });
  const { emailMessageId, mailingListId, audienceSegmentId, audienceFilter, scheduling } = campaign;
  const [{ subject, fromName, fromEmail }, lists, segment] = await Promise.all([
    api.emailMessages.get({ emailMessageId }),
    mailingListId === null ? [] : api.lists.list(),
    segmentOf(api, audienceSegmentId),
  ]);
  const { name } = lists.find(({ id }) => id === mailingListId) ?? { name: mailingListId ?? "" };
  const list = mailingListId === null ? undefined : { id: mailingListId, name };
  return { emailMessageId, subject, fromName, fromEmail, list, segment, filter: audienceFilter, scheduling };
};

type Read = Awaited<ReturnType<typeof read>>;

export const Described = ({ team, status }: { team: Team; status: Status }) => {
  const { id } = status;
  const query = useQuery({
    queryKey: ["v1", team.id, "campaign", id, status.status],
    queryFn: () => read(team.v1, id),
  });
  return (
    <Stack gap="xs">
      <Answer query={query} rows={4}>
        {(found) => <Facts found={found} status={status} />}
      </Answer>
    </Stack>
  );
};

const MailOf = ({ found: { emailMessageId, subject } }: { found: Read }) => (
  <Anchor
    size="sm"
    renderRoot={(props) => <Link to="/messages/$emailMessageId" params={{ emailMessageId }} {...props} />}
  >
    {subject || "(no subject)"}
  </Anchor>
);

const Facts = ({ found, status }: { found: Read; status: Status }) => {
  const { progress } = status;
  const rows: [string, ReactNode][] = [
    ["Mail", <MailOf key="mail" found={found} />],
    ["From", senderOf(found)],
    ["Audience", <Audience key="audience" found={found} />],
    [startWord(status), <Start key="start" found={found} status={status} />],
    ...(progress?.finishedAt ? [["Finished", <Time key="end" at={progress.finishedAt} />] as [string, ReactNode]] : []),
  ];
  return (
    <Table aria-label="What it sends" maw={760} verticalSpacing={4}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={110}>
              {name}
            </Table.Th>
            <Table.Td className="wrap">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};

const startWord = (status: Status): string => {
  if (isCancelledBefore(status)) return "Start";
  return status.progress?.startedAt ? "Started" : "Starts";
};

const Start = ({ found: { scheduling }, status }: { found: Read; status: Status }) => {
  const zone = useZone();
  const { progress, scheduledFor } = status;
  if (isCancelledBefore(status)) return "none: it was cancelled before";
  if (progress?.startedAt) return <Time at={progress.startedAt} />;
  const at = scheduledFor ?? scheduling.timestamp;
  if (at === null) return "when it is sent";
  return (
    <>
      {whenText(at, zone)}: <Time at={at} />
    </>
  );
};

const Audience = ({ found: { list, segment, filter } }: { found: Read }) => {
  const parts: ReactNode[] = [
    ...(list ? [<Contacts key="list" what="the mailing list" name={list.name} search={{ list: list.id }} />] : []),
    ...(segment ? [<OfSegment key="segment" segment={segment} />] : []),
    ...(filter ? [<Text key="filter" span size="sm">{`the filter (${wordsOfConditions(filter)})`}</Text>] : []),
  ];
  if (parts.length === 0) return "all contacts that get marketing mail";
  return parts.map((part, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
    <Fragment key={n}>
      {n > 0 && " and "}
      {part}
    </Fragment>
  ));
};

const OfSegment = ({ segment: { id, name } }: { segment: Named }) =>
  name === undefined ? (
    `the segment ${id}, which was deleted since`
  ) : (
    <Contacts what="the segment" name={name} search={{ segmentId: id }} />
  );

const Contacts = ({ what, name, search }: { what: string; name: string; search: Record<string, string> }) => (
  <>
    {what}{" "}
    <Anchor size="sm" renderRoot={(props) => <Link to="/people" search={search} {...props} />}>
      {name}
    </Anchor>
  </>
);
