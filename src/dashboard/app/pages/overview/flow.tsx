import { useQuery } from "@tanstack/react-query";
import type { api } from "../../api/api.ts";
import { SOON } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { counted, drainText } from "../../parts/ledger/ledger-words.ts";
import { statusQuery } from "../../parts/ledger/status.ts";
import { type Deck, type Pier, Span, type Stop } from "../../parts/span/span.tsx";
import { clock } from "../../parts/time.ts";
import { countsOf } from "./columns.ts";
import { useSends } from "./sends.ts";
import { type Source, useSources } from "./sources.ts";
import { useFirstTeam } from "./team.ts";

type Status = Awaited<ReturnType<typeof api.bridge.dispatch.status>>;

/** The way from the sources to the mailboxes, and where it stops. */
export const Flow = () => {
  const { bridge, email } = useAbout();
  const { stops, service } = useBridgeStops();
  const way = useEmailWay();
  if (bridge === null && email === null) return null;
  const onward: Stop[] = way
    ? [[{ ...service, fact: service.fact ?? way.running }, way.deck], [way.mailboxes]]
    : [[service]];
  return <Span label="The way of webhooks and mail" stops={[...stops, ...onward]} />;
};

const SERVICE: Pier = { icon: "deliveries", name: "Email service" };

const useBridgeStops = (): { stops: Stop[]; service: Pier } => {
  const { bridge } = useAbout();
  const isThere = bridge !== null && bridge.unreachable === undefined;
  const { data: status } = useQuery({ ...statusQuery, enabled: isThere, ...SOON });
  const sources = useSources();
  if (bridge === null) return { stops: [], service: SERVICE };
  const { waiting, interruption, backlog } = status ?? {};
  const refusing = status?.health.problems.flatMap(({ kind, source }) =>
    kind === "refusing" && source ? [source] : [],
  );
  const isBroken = interruption != null && interruption.reason !== "backoff";
  return {
    stops: [
      [
        {
          icon: "sources",
          name: "Sources",
          to: "/sources",
          ...(refusing?.length ? { tone: "bad" } : {}),
          fact: sources && sourcesText(sources, refusing ?? []),
        },
        { state: refusing?.length ? "warn" : "flow", text: sources ? receivedText(sources) : "" },
      ],
      [
        {
          icon: "webhooks",
          name: "Mailspan",
          tone: "accent",
          to: "/deliveries/waiting",
          fact: waiting && backlog && waitingText(waiting.total, backlog.doneAt),
        },
        status ? wayOf(status) : { state: "flow", text: "" },
      ],
    ],
    service: {
      ...SERVICE,
      to: "/deliveries/throughput",
      ...(isBroken ? { tone: "bad" } : {}),
      fact: interruption == null ? undefined : nextText(interruption.until),
    },
  };
};

const sourcesText = (sources: readonly Source[], refusing: readonly string[]): string => {
  const titleOf = (source: string) => sources.find(({ name }) => name === source)?.title ?? source;
  const [first] = refusing;
  if (first !== undefined) return refusing.length > 1 ? `${refusing.length} refused` : `${titleOf(first)} is refused`;
  const used = sources.filter(({ lastReceived }) => lastReceived !== null);
  const shown = used.length > 0 ? used : sources.filter(({ secret }) => secret.state === "set");
  return shown.length > 3
    ? counted(shown.length, "source")
    : shown.map(({ title }) => title).join(", ") || "None is set up";
};

const receivedText = (sources: readonly Source[]): string => {
  const sum = (of: "received24h" | "refused24h") => sources.reduce((total, source) => total + source[of], 0);
  const refused = sum("refused24h");
  return `${counted(sum("received24h"), "webhook")} in 24 h${refused > 0 ? `, ${refused.toLocaleString("en")} refused` : ""}`;
};

const wayOf = ({ interruption, paused, pace }: Status): Deck => {
  if (interruption?.reason === "outage") return { state: "broken", text: "No answer" };
  if (interruption?.reason === "blocked") return { state: "broken", text: "The API key is refused" };
  if (paused.all !== null) return { state: "warn", text: "Paused" };
  const used = pace.last60.reduce((sum, count) => sum + count, 0);
  const text = `${used.toLocaleString("en")} of ${(pace.limit * 60).toLocaleString("en")} requests a minute`;
  return { state: interruption ? "warn" : "flow", text };
};

const waitingText = (total: number, doneAt: string | null): string =>
  total === 0
    ? "Nothing waits"
    : `${counted(total, "delivery")} ${total === 1 ? "waits" : "wait"}${drainText(doneAt, clock())}`;

const nextText = (until: string): string => {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - clock()) / 1_000));
  return seconds === 0 ? "Trying now" : `Next try in ${seconds} s`;
};

const runningText = ({ campaigns, workflows }: { campaigns: number; workflows: number }): string | undefined => {
  const some = [
    ...(campaigns > 0 ? [counted(campaigns, "campaign")] : []),
    ...(workflows > 0 ? [counted(workflows, "workflow")] : []),
  ];
  return some.length === 0 ? undefined : `${some.join(" and ")} ${campaigns + workflows === 1 ? "runs" : "run"}`;
};

/** The way from the email service to the people. */
const useEmailWay = (): { deck: Deck; mailboxes: Pier; running: string | undefined } | undefined => {
  const { email } = useAbout();
  const { data } = useSends(useFirstTeam());
  if (email === null) return undefined;
  const { sent, failed } = countsOf(data?.sends ?? []);
  const isStopped = data?.attention.some(({ kind }) => kind === "sender_failing" || kind === "sender_not_ready");
  return {
    running: data && runningText(data.running),
    deck: { state: isStopped ? "warn" : "flow", text: data ? `${counted(sent, "mail")} in 24 h` : "" },
    mailboxes: {
      icon: "mail",
      name: email.senders?.transactional.sender === "inbox" ? "Local inbox" : "Mailboxes",
      to: "/sent",
      fact: data && (failed === 0 ? "No bounces" : `${failed.toLocaleString("en")} failed, bounced or not sent`),
    },
  };
};
