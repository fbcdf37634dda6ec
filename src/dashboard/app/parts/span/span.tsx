import "./span.css";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { IconName } from "../icon-paths.ts";
import { Icon } from "../icons.tsx";

/** A station. `to`: its page. `tone` "accent": Mailspan itself. */
export type Pier = {
  icon: IconName;
  name: string;
  fact?: ReactNode;
  to?: string;
  tone?: "accent" | "warn" | "bad";
};

/** The way to the next station. `text` of a broken one says since when. */
export type Deck = { state: "flow" | "warn" | "broken"; text: string };

export type Stop = readonly [pier: Pier, next?: Deck | undefined];

const WHOLE = "M0 2Q50 34 100 2";
const PARTED = "M0 2Q18 13 36 17M64 17Q82 13 100 2";
const HANGERS = [8, 18, 28, 38, 50, 62, 72, 82, 92];

/** Hangers go from the cable to the deck. The gap of a broken one has none. */
const hangersOf = (isBroken: boolean): string =>
  HANGERS.filter((x) => !isBroken || x < 36 || x > 64)
    .map((x) => `M${x} ${(2 + 64 * (x / 100) * (1 - x / 100)).toFixed(1)}V24`)
    .join("");

/** The way of webhooks and mails, of at most four stations. Read as a list; the drawing is for the eyes. */
export const Span = ({ label, stops }: { label: string; stops: readonly Stop[] }) => (
  <section className="span-frame" aria-label={label}>
    <ol className="span">
      {stops.map(([pier, next]) => (
        <Fragment key={pier.name}>
          <Station {...pier} />
          {next && <Way {...next} />}
        </Fragment>
      ))}
    </ol>
  </section>
);

const Station = ({ icon, name, fact, to, tone }: Pier) => (
  <li className="pier" data-tone={tone}>
    <span className="pier-name">
      <span aria-hidden>
        <Icon name={icon} size={18} />
      </span>
      {to === undefined ? name : <Link to={to}>{name}</Link>}
    </span>
    {fact && <span className="pier-fact">{fact}</span>}
  </li>
);

const Way = ({ state, text }: Deck) => (
  <li className="deck" data-state={state}>
    <span className="deck-line" aria-hidden>
      <svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
        <path d={state === "broken" ? PARTED : WHOLE} />
        <path className="deck-hangers" d={hangersOf(state === "broken")} />
      </svg>
      {state === "broken" && (
        <span className="deck-break">
          <Icon name="remove" size={13} />
        </span>
      )}
    </span>
    <span className="deck-text">{text}</span>
  </li>
);
