import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { Filters } from "../../parts/filters.ts";
import type { IconName } from "../../parts/icon-paths.ts";
import { numberText, percentText, reasonText } from "./campaign-words.ts";

export type Counts = Response<AdminContract["statistics"]["results"]>;
export type LinkCounts = Response<AdminContract["statistics"]["links"]>["data"][number];

/** People who did not get it for a reason. `search`: filters that find them, if they are listed. */
export type Missed = { what: string; many: number; tone: "c2" | "c-quiet" | "c-bad"; search?: Filters };

const GOT = new Set(["sent", "delivered", "complained"]);
const BAD = new Set(["failed", "bounced"]);

const toneOf = (state: string, reason: string): Missed["tone"] => {
  if (BAD.has(state) || reason === "suppressed") return "c-bad";
  return state === "skipped" ? "c2" : "c-quiet";
};

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Who did not get it, the most first. Recipients that wait are in none. */
export const missedOf = ({ leftOut, reasons, ...counts }: Counts): Missed[] => {
  const known = reasons.filter(({ state }) => !GOT.has(state));
  const rows: Missed[] = [
    { what: "Not in the segment or filter", many: leftOut?.notSelected ?? 0, tone: "c-quiet" },
    { what: "Not on the list", many: leftOut?.notOnList ?? 0, tone: "c-quiet" },
    ...known.map(({ state, reason, meaning, recipients: many }) => ({
      what: capital((state === "skipped" && reasonText(reason)) || meaning),
      many,
      tone: toneOf(state, reason),
      search: { state, reason },
    })),
    // A failed recipient is listed as bounced if its address takes no mail, so no rest of failed ones is known.
    ...(["skipped", "cancelled", "unknown"] as const).map((state) => ({
      what: { skipped: "Not sent", cancelled: "Cancelled", unknown: "Unknown: it may have been sent" }[state],
      many: counts[state] - known.filter((one) => one.state === state).reduce((sum, one) => sum + one.recipients, 0),
      tone: "c-quiet" as const,
      search: { state },
    })),
  ];
  return rows.filter(({ many }) => many > 0).sort((a, b) => b.many - a.many);
};

type Stop = readonly [
  { icon: IconName; name: string; fact: string; tone?: "accent" },
  { state: "flow"; text: string }?,
];

const flow = (part: number, whole: number): NonNullable<Stop[1]> => ({ state: "flow", text: percentText(part, whole) });

/** From sent to clicked, with the rate of each step. `missed`: how many did not get it. */
export const stopsOf = (counts: Counts, missed: number, isInbox: boolean): Stop[] => {
  const { sent, delivered, bounced, opened, clicked } = counts;
  return [
    // A mail refused for its address counts as bounced but not sent, so it is a part of both.
    [
      { icon: "people", name: `${numberText(sent)} sent`, fact: `${numberText(missed)} did not get it` },
      flow(delivered, delivered + bounced),
    ],
    [
      {
        icon: "mail",
        name: `${numberText(delivered)} delivered`,
        fact: isInbox ? "to the local inbox only" : `${numberText(bounced)} bounced`,
      },
      flow(opened, delivered),
    ],
    [
      { icon: "opened", name: `${numberText(opened)} opened`, fact: "by people, not programs", tone: "accent" },
      flow(clicked, opened),
    ],
    [
      {
        icon: "link",
        name: `${numberText(clicked)} clicked`,
        fact: `${percentText(clicked, delivered) || "–"} of delivered`,
      },
    ],
  ];
};

/** "3.1 points more than November". Undefined if one of both has no rate. */
export const comparedText = (
  of: "opened" | "clicked",
  now: Pick<Counts, "opened" | "clicked" | "delivered">,
  previous: Counts["previous"],
): string | undefined => {
  if (previous === null || previous.delivered === 0 || now.delivered === 0) return undefined;
  const points = Math.round(1_000 * (now[of] / now.delivered - previous[of] / previous.delivered)) / 10;
  if (points === 0) return `as many as ${previous.name}`;
  return `${numberText(Math.abs(points))} points ${points > 0 ? "more" : "fewer"} than ${previous.name}`;
};

const placeText = ({ kind, text }: LinkCounts["places"][number]): string => {
  if (kind === "picture") return text === "" ? "Picture" : `Picture “${text}”`;
  return kind === "button" ? `Button “${text}”` : `“${text}”`;
};

/** Places of a link in the mail: 'Button “Take the offer”, “offer”'. */
export const placesText = ({ places }: Pick<LinkCounts, "places">): string =>
  [...new Set(places.map(placeText))].join(", ");

/** Shares of the people who clicked, for the picture of the mail. */
export const signsOf = (links: readonly LinkCounts[], clicked: number): { place: number; text: string }[] =>
  links.flatMap(({ places }) =>
    places
      .filter(({ people }) => people > 0 && clicked > 0)
      .map(({ place, people }) => ({ place, text: `${Math.round((100 * people) / clicked)} %` })),
  );
