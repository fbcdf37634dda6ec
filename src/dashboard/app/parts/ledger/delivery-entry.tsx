import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAbout, useTeamOfBridge } from "../../api/use-about.ts";
import { Facts } from "../cards/cards.tsx";
import { CodeBlock } from "../code.tsx";
import type { IconName } from "../icon-paths.ts";
import type { StoryEntry } from "../story/story.tsx";
import { Id, Time } from "../text.tsx";
import { DeliveryActs, isStuck } from "./delivery-acts.tsx";
import { FixTemplate } from "./fix-template.tsx";
import { capital, contentOf, filterOf, lasting, shortOf, whatOf, whomOf } from "./ledger-words.ts";
import type { Action, Attempt, Delivery } from "./types.ts";

const ICONS: Readonly<Record<Action, IconName>> = {
  contact: "person",
  event: "event",
  transactional: "mail",
  delete: "delete",
  fetch: "download",
};

/** A delivery as an entry of a story, with its acts, and its attempts on demand. */
export const entryOf = (delivery: Delivery, source: string): StoryEntry => ({
  id: delivery.id,
  icon: ICONS[delivery.action],
  ...(isStuck(delivery) ? { tone: "bad", acts: <DeliveryActs delivery={delivery} /> } : {}),
  what: capital(whatOf(delivery)),
  kind: delivery.state,
  when: <Time at={delivery.settledAt ?? delivery.due} />,
  because: <Because delivery={delivery} source={source} />,
  fold: { summary: "Attempts and content", content: <Details delivery={delivery} /> },
});

const Because = ({ delivery, source }: { delivery: Delivery; source: string }) => {
  const { rule, result, action } = delivery;
  const { email } = useAbout();
  const team = useTeamOfBridge();
  const changes = action === "contact" ? changesOf(delivery) : "";
  return (
    <>
      for <Person delivery={delivery} /> · rule{" "}
      <Link to="/sources/rules/$source/$rule" params={{ source, rule }}>
        {rule}
      </Link>
      {changes !== "" && ` · ${changes}`}
      {action === "transactional" && result !== undefined && email !== null && (
        <>
          {" · "}
          <Link to="/sent/$sendId" params={{ sendId: result }} search={team}>
            show the mail
          </Link>
        </>
      )}
      <Text size="sm">{shortOf(delivery)}</Text>
      <FixTemplate delivery={delivery} />
    </>
  );
};

const MOST = 3;

/** The first properties that a contact update sets: "plan Pro, seats 12 and 4 more". */
const changesOf = (delivery: Delivery): string => {
  const all = Object.entries(contentOf(delivery)).filter(([, value]) => typeof value !== "object" || value === null);
  const shown = all.slice(0, MOST).map(([name, value]) => `${name} ${value ?? "removed"}`);
  return `${shown.join(", ")}${all.length > MOST ? ` and ${all.length - MOST} more` : ""}`;
};

const Person = ({ delivery }: { delivery: Delivery }) => {
  const search = useTeamOfBridge();
  const who = whomOf(delivery);
  if (Object.keys(filterOf(delivery)).length === 0) return who;
  return (
    <Link to="/people/$personId" params={{ personId: who }} search={search}>
      {who}
    </Link>
  );
};

const answerText = ({ status, message, ms, wait }: Attempt): ReactNode => {
  const answer = [status ?? "no answer", message].filter(Boolean).join(": ");
  return `${answer}${ms === undefined ? "" : `, ${lasting(ms)}`}${wait === undefined ? "" : `, next after ${lasting(wait)}`}`;
};

const Details = ({ delivery }: { delivery: Delivery }) => {
  const { id, result, why, attempts, acts = [] } = delivery;
  const content = contentOf(delivery);
  return (
    <>
      <Facts
        facts={[
          { label: "Why", value: capital(why) },
          { label: "Id", value: <Id>{id}</Id> },
          ...(result === undefined ? [] : [{ label: "At the email service", value: <Id>{result}</Id> }]),
          ...attempts.map((attempt, n) => ({
            label: `Attempt ${n + 1}`,
            value: answerText(attempt),
            note: <Time at={attempt.at} />,
          })),
          ...acts.map(({ act, at, by, state }, n) => ({
            label: `Act ${n + 1}`,
            value: `${by ?? "A person"}: ${act}. Before that it was ${state}.`,
            note: <Time at={at} />,
          })),
        ]}
      />
      {Object.keys(content).length > 0 && <CodeBlock name="What it sends" text={JSON.stringify(content, null, 2)} />}
      {!isStuck(delivery) && <DeliveryActs delivery={delivery} />}
    </>
  );
};
