import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAbout } from "../../api/use-about.ts";
import { type Bulk, BulkDialog } from "../../parts/acts/bulk.tsx";
import { Issue, Issues } from "../../parts/cards/cards.tsx";
import { Icon } from "../../parts/icons.tsx";
import { retryOf } from "../../parts/ledger/bulks.ts";
import { PauseButton } from "../../parts/ledger/pause.tsx";
import type { FoundDelivery } from "../../parts/ledger/types.ts";
import { Time } from "../../parts/text.tsx";
import type { Need } from "./needs.ts";

/** All that needs a person, the worst first. Nothing there: no section. */
export const NeedsYou = ({ needs }: { needs: readonly Need[] }) => {
  const { bridge } = useAbout();
  const [bulk, setBulk] = useState<Bulk<FoundDelivery>>();
  return (
    <>
      {needs.length > 0 && (
        <Issues
          title="Needs you"
          note={needs.length === 1 ? "1" : `${needs.length}, the worst first`}
          aside={bridge !== null && <Link to="/alerts">Alert history</Link>}
        >
          {needs.map((need) => (
            <One key={need.key} need={need} onBulk={setBulk} />
          ))}
        </Issues>
      )}
      <BulkDialog bulk={bulk} onClose={() => setBulk(undefined)} />
    </>
  );
};

const One = ({
  need: { tone, icon, title, text, since, last, facts = [], to, team, step, resume = [], retry },
  onBulk,
}: {
  need: Need;
  onBulk: (bulk: Bulk<FoundDelivery>) => void;
}) => (
  <Issue
    tone={tone}
    {...(icon ? { icon } : {})}
    title={title}
    facts={[
      ...(since ? [<>Since {<Time at={since} />}</>] : []),
      ...(last && last !== since ? [<>Last {<Time at={last} />}</>] : []),
      ...facts,
    ]}
    actions={
      <>
        {resume.map((source) => (
          <PauseButton key={source} isPaused {...(source === "" ? {} : { source })} />
        ))}
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to={to} search={team === undefined ? {} : ({ team } as never)} {...props} />}
        >
          {step}
        </Button>
        {retry && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="retry" size={14} />}
            onClick={() => onBulk(retryOf(retry))}
          >
            Retry {retry.count.toLocaleString("en")}
          </Button>
        )}
      </>
    }
  >
    {text === "" ? undefined : text}
  </Issue>
);
