import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import {
  type Fault,
  type FaultAt,
  filterFaults,
  type JudgedMail,
  mailFaults,
  NO_ADDRESS,
  nameOf,
  variableFault,
} from "../readiness/faults.ts";
import type { TeamFacts } from "../segments/facts.ts";

/** `path` is a campaign field, or "emailMessage" with a field; null for the team. */
export type Problem = Fault & { path: string | null };

/** Only `problems` prevent sending. */
export type Readiness = { problems: Problem[]; warnings: Problem[] };

/** A started campaign. `startedAt` is Unix ms. */
export type Begun = { id: string; name: string; startedAt: number };

/** `segmentFilter` is the copy of the time when it was scheduled, null for the current segment. `scheduledAt` is Unix ms, null for "now". */
type Campaign = {
  list: string | null;
  segment: string | null;
  segmentFilter: AudienceFilter | null;
  filter: AudienceFilter | null;
  scheduledAt: number | null;
};

export type ReadinessTeam = TeamFacts & {
  mail: JudgedMail;
  segmentOf(id: string): AudienceFilter | undefined;
  listFault: Fault | undefined;
  obstacles: readonly Fault[];
  hasPostalAddress: boolean;
  recipients: number;
  /** The last campaign started within a day. */
  recent: Begun | undefined;
  /** A sent campaign with the same content. */
  same: Begun | undefined;
};

/** Collects all problems and warnings of sending. */
export const readinessOf = (campaign: Campaign, team: ReadinessTeam, now: number): Readiness => ({
  problems: [
    ...team.obstacles.map((obstacle) => ({ path: null, ...obstacle })),
    ...mailFaults(team.mail).map(inMail),
    ...(team.listFault ? [{ ...team.listFault, path: "mailingListId" }] : []),
    ...segmentFaults(campaign, team),
    ...filterFaults(team, "The audienceFilter", campaign.filter, "audienceFilter"),
    ...timeFaults(campaign, now),
  ],
  warnings: [
    ...(team.hasPostalAddress ? [] : [{ path: null, ...NO_ADDRESS }]),
    ...(team.recipients === 0 ? [NO_RECIPIENTS] : []),
    ...(campaign.list === null && campaign.segment === null && campaign.filter === null ? [EVERYBODY] : []),
    ...team.mail.unfilled.map((name) => inMail(variableFault(team.mail, name, false, "campaign"))),
    ...team.mail.warnings.map(({ field, fix }) =>
      inMail({ code: "mail_warning", path: field, message: `${nameOf(team.mail)}: ${field}: ${fix}.` }),
    ),
    ...earlierWarnings(team),
  ],
});

const inMail = ({ path, ...fault }: FaultAt): Problem => ({ ...fault, path: `emailMessage.${path}` });

const NO_RECIPIENTS: Problem = {
  code: "no_recipients",
  path: null,
  message:
    "No contact would get the campaign now: it would be done at once. Check its list, its segment and its filter.",
};
const EVERYBODY: Problem = {
  code: "whole_audience",
  path: null,
  message: "The campaign has no list, no segment and no filter: it goes to every contact that may get marketing mail.",
};

const segmentFaults = ({ segment, segmentFilter }: Campaign, team: ReadinessTeam): Problem[] => {
  if (segment === null) return [];
  const path = "audienceSegmentId";
  if (segmentFilter)
    return filterFaults(
      team,
      `The filter that the segment "${segment}" had when it was scheduled`,
      segmentFilter,
      "filter",
    ).map(({ message, ...fault }) => ({
      ...fault,
      path,
      message: `${message} Unschedule the campaign and schedule it again: it takes the segment as it is then.`,
    }));
  const filter = team.segmentOf(segment);
  if (!filter) {
    const message = `There is no audience segment "${segment}". Choose another segment.`;
    return [{ code: "segment_not_found", path, message }];
  }
  return filterFaults(team, `The segment "${segment}"`, filter, "filter").map((fault) => ({ ...fault, path }));
};

const timeFaults = ({ scheduledAt }: Campaign, now: number): Problem[] => {
  if (scheduledAt === null || scheduledAt > now) return [];
  const message = `The campaign was to start at ${isoOf(scheduledAt)}, which has passed. Give it another time, or the method "now".`;
  return [{ code: "scheduled_time_past", path: "scheduling.timestamp", message }];
};

const earlierWarnings = ({ recent, same }: ReadinessTeam): Problem[] => {
  const begun = ({ id, name, startedAt }: Begun) => `The campaign "${name}" (${id}) began at ${isoOf(startedAt)}`;
  return [
    ...(same ? [{ code: "same_content", path: "emailMessage", message: `${begun(same)} with the same content.` }] : []),
    ...(recent
      ? [
          {
            code: "recent_campaign",
            path: null,
            message: `${begun(recent)}: contacts that it reached get two campaigns within a day. An activity condition "sent" with negate leaves them out.`,
          },
        ]
      : []),
  ];
};
