import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { wordsOfConditions } from "../../../../lib/contract/audience/condition-words.ts";
import { RequestError } from "../../api/client.ts";
import { Problem } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { whenText } from "../../parts/time.ts";
import { MessageLink } from "../../parts/usage/message-link.tsx";
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

export const useDescribed = (team: Team, { id, status }: Status) =>
  useQuery({ queryKey: ["v1", team.id, "campaign", id, status], queryFn: () => read(team.v1, id) });

/** Facts below its name: its start, audience, mail and sender. */
export const Described = ({ team, status }: { team: Team; status: Status }) => {
  const query = useDescribed(team, status);
  const { data: found } = query;
  if (!found) return <Problem query={query} />;
  return (
    <>
      <Start found={found} status={status} />
      <span>
        to <Audience found={found} />
      </span>
      <MessageLink emailMessageId={found.emailMessageId}>{found.subject || "(no subject)"}</MessageLink>
      <span>from {senderOf(found)}</span>
      <Problem query={query} />
    </>
  );
};

const Start = ({ found: { scheduling }, status }: { found: Read; status: Status }) => {
  const zone = useZone();
  const { progress, scheduledFor } = status;
  if (isCancelledBefore(status)) return <span>cancelled before its start</span>;
  const finishedAt = progress?.finishedAt;
  if (progress?.startedAt)
    return (
      <span>
        started <Time at={progress.startedAt} />
        {finishedAt && (
          <>
            , finished <Time at={finishedAt} />
          </>
        )}
      </span>
    );
  const at = scheduledFor ?? scheduling.timestamp;
  if (at === null) return <span>starts when it is sent</span>;
  return (
    <span>
      starts {whenText(at, zone)}, <Time at={at} />
    </span>
  );
};

const Audience = ({ found: { list, segment, filter } }: { found: Read }) => {
  const parts: ReactNode[] = [
    ...(list ? [<Contacts key="list" name={list.name} search={{ list: list.id }} />] : []),
    ...(segment ? [<OfSegment key="segment" segment={segment} />] : []),
    ...(filter ? [`people who match: ${wordsOfConditions(filter)}`] : []),
  ];
  if (parts.length === 0) return "everyone who gets marketing mail";
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
    <Contacts name={name} search={{ segmentId: id }} />
  );

const Contacts = ({ name, search }: { name: string; search: Record<string, string> }) => (
  <Anchor inherit renderRoot={(props) => <Link to="/people" search={search} {...props} />}>
    {name}
  </Anchor>
);
