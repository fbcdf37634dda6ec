import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useAbout } from "../../api/use-about.ts";
import { Issue, Issues } from "../../parts/cards/cards.tsx";
import { PauseButton } from "../../parts/ledger/pause.tsx";
import { Time } from "../../parts/text.tsx";
import type { Need } from "./needs.ts";

/** All that needs a person, the worst first. Nothing there: no section. */
export const NeedsYou = ({ needs }: { needs: readonly Need[] }) => {
  const { bridge } = useAbout();
  if (needs.length === 0) return null;
  return (
    <Issues
      title="Needs you"
      note={needs.length === 1 ? "1" : `${needs.length}, the worst first`}
      aside={bridge !== null && <Link to="/alerts">Alert history</Link>}
    >
      {needs.map((need) => (
        <One key={need.key} need={need} />
      ))}
    </Issues>
  );
};

const One = ({
  need: { tone, icon, title, text, since, last, facts = [], to, team, step, resume = [] },
}: {
  need: Need;
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
      </>
    }
  >
    {text === "" ? undefined : text}
  </Issue>
);
