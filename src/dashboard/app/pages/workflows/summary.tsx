import { SimpleGrid } from "@mantine/core";
import { Facts, Note, Panel } from "../../parts/cards/cards.tsx";
import { Time } from "../../parts/text.tsx";
import { whenText } from "../../parts/time.ts";
import type { Status } from "./use-workflow.ts";
import { reasonFacts } from "./words.ts";

/** Why a workflow does not move, or not yet. */
export const Pauses = ({ status: { status, queuesUntil, pausedAt, sweeping } }: { status: Status }) => (
  <>
    {status === "PausedAndQueueing" && queuesUntil !== null && (
      <Note tone="warn" icon="pause" title="It is paused.">
        New people are queued until {whenText(queuesUntil)}, and enter when it is resumed. After that, they do not
        enter.
      </Note>
    )}
    {status === "Paused" && (
      <Note tone="warn" icon="pause" title="It is paused.">
        People stay where they are
        {pausedAt !== null && (
          <>
            {" "}
            since <Time at={pausedAt} />
          </>
        )}
        . New ones do not enter.
      </Note>
    )}
    {sweeping && (
      <Note role="status">An edit is still being made for people who wait. The workflow continues after that.</Note>
    )}
  </>
);

/** Who came out, and who did not enter, by reason. */
export const Outcomes = ({ status: { ended, dropped } }: { status: Status }) => {
  const all = [
    { title: "Came out", facts: reasonFacts(ended) },
    { title: "Did not enter", facts: reasonFacts(dropped) },
  ].filter(({ facts }) => facts.length > 0);
  if (all.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {all.map(({ title, facts }) => (
        <Panel key={title} title={title}>
          <Facts isOfNumbers facts={facts} />
        </Panel>
      ))}
    </SimpleGrid>
  );
};
