import { Side } from "../../../parts/graph/beside.tsx";
import { EventsTrial } from "./events.tsx";
import { PersonTrial } from "./person.tsx";
import type { TrialPanelProps } from "./props.ts";

const TITLES = { person: "Simulate a person", events: "Try on past events" } as const;

export const TrialPanel = (props: TrialPanelProps) => (
  <Side
    label="The trial"
    title={TITLES[props.trying]}
    fact="Nothing is sent, and nothing is stored."
    tile={{ icon: "test", tone: "other" }}
    close="End the trial"
    onClose={props.onClose}
  >
    {props.trying === "person" ? <PersonTrial {...props} /> : <EventsTrial {...props} />}
  </Side>
);
