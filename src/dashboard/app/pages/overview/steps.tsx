import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { LIVE } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { type Step, Steps } from "../../parts/steps/steps.tsx";
import { useSources } from "./sources.ts";
import { useFirstTeam } from "./team.ts";

type Page = { data: readonly unknown[] };

/** A step that is done is not asked again. `least`: this many mean done. */
const untilDone = (least = 1) => ({
  refetchInterval: ({ state }: { state: { data?: Page | undefined } }) =>
    (state.data?.data.length ?? 0) >= least ? false : LIVE.refetchInterval,
});
const isVerified = ({ state }: { state: string }): boolean => state === "verified" || state === "warning";

const HIDDEN = "mailspan.first-steps";

const useHidden = () => {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const hide = () => {
    localStorage.setItem(HIDDEN, "hidden");
    setHidden(true);
  };
  return { isHidden, hide };
};

/** The first things that a new team does. Each step is done by what is true; all done or hidden: not there. */
export const FirstSteps = () => {
  const { isHidden, hide } = useHidden();
  return isHidden ? null : <Open onHide={hide} />;
};

const Open = ({ onHide }: { onHide: () => void }) => {
  const { bridge, email } = useAbout();
  const team = useFirstTeam();
  const sources = useSources();
  const mails = useAny(team, "sends", (of, signal) => api.email.sends.list({ team: of, perPage: "10" }, { signal }));
  const imports = useAny(team, "imports", (of, signal) =>
    api.email.imports.list({ team: of, perPage: "10" }, { signal }),
  );
  const campaigns = useAny(team, "campaigns", (of, signal) => api.v1(of).campaigns.list({ perPage: "10" }, { signal }));
  const isInbox = email?.senders?.transactional.sender === "inbox";
  const domains = useQuery({
    queryKey: ["email", team, "domains"],
    queryFn: ({ signal }) => api.email.domains.list({ team: team ?? "" }, { signal }),
    enabled: team !== undefined,
    refetchInterval: ({ state }) => (state.data?.data.some(isVerified) ? false : LIVE.refetchInterval),
  }).data?.data;
  const people = useQuery({
    queryKey: ["people", "count"],
    queryFn: () => api.dashboard.people.list(),
    ...untilDone(2),
  }).data;
  const ofBridge: Step[] = [
    {
      what: "Receive a webhook",
      to: "/sources",
      isDone: sources?.some(({ lastReceived }) => lastReceived !== null),
      how: "Set the secret of a source, or run npm run demo",
    },
  ];
  const ofEmail: Step[] = [
    {
      what: isInbox ? "See a mail in the local inbox" : "Send a mail",
      to: "/sent",
      isDone: mails,
      how: "npm run demo sends samples",
    },
    { what: "Import your people", to: "/people/imports", isDone: imports, how: "A CSV file of any service" },
    { what: "Write a campaign", to: "/campaigns", isDone: campaigns, how: "One mail to many people" },
    {
      what: "Add your sending domain",
      to: "/settings/domains",
      isDone: domains?.some(isVerified),
      how: "DNS, about 10 minutes",
    },
  ];
  const steps: Step[] = [
    ...(bridge === null ? [] : ofBridge),
    ...(email === null ? [] : ofEmail),
    {
      what: "Invite a colleague",
      to: "/settings/members",
      isDone: people && people.data.length > 1,
      how: "Roles: owner, editor, support, viewer",
    },
  ];
  return <Steps title="First steps" steps={steps} onHide={onHide} />;
};

/** True if there is one. Undefined until that is known. */
const useAny = (
  team: string | undefined,
  what: string,
  read: (team: string, signal: AbortSignal) => Promise<Page>,
): boolean | undefined => {
  const { data } = useQuery({
    queryKey: ["email", team, what, "any"],
    queryFn: ({ signal }) => read(team ?? "", signal),
    enabled: team !== undefined,
    ...untilDone(),
  });
  return data && data.data.length > 0;
};
