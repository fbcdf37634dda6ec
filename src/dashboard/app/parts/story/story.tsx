import "./story.css";
import type { ReactNode } from "react";
import type { IconName } from "../icon-paths.ts";
import { Icon } from "../icons.tsx";
import { Status } from "../status/status.tsx";

/** A result of an entry. `kind`: state of an API. */
type StoryResult = { icon: IconName; what: ReactNode; why?: ReactNode; kind: string };

/** An outcome. `because`: the second line. `acts`: buttons. `fold`: what is shown on demand, with its summary. */
export type StoryEntry = {
  id: string;
  icon: IconName;
  tone?: "accent" | "bad";
  what: ReactNode;
  kind?: string;
  when: ReactNode;
  because?: ReactNode;
  results?: readonly StoryResult[];
  acts?: ReactNode;
  fold?: { summary: string; content: ReactNode };
};

type Day = { day: string; entries: readonly StoryEntry[] };

/** Outcomes in order, by day. `isOne`: all are of one thing, and the day is a heading of the page. */
export const Story = ({ days, isOne }: { days: readonly Day[]; isOne?: boolean }) =>
  days.map(({ day, entries }) => (
    <section key={day} className="story" data-one={isOne} aria-label={day}>
      <h2>{day}</h2>
      <ol>
        {entries.map((entry) => (
          <Entry key={entry.id} {...entry} />
        ))}
      </ol>
    </section>
  ));

const Entry = ({ id, icon, tone, what, kind, when, because, results = [], acts, fold }: StoryEntry) => (
  <li id={id}>
    <span className="story-tile" data-tone={tone} aria-hidden>
      <Icon name={icon} size={16} />
    </span>
    <div>
      <div className="story-what">
        <strong>{what}</strong>
        {kind !== undefined && <Status kind={kind} />}
        <span>{when}</span>
      </div>
      {because !== undefined && <div className="story-because">{because}</div>}
      {results.length > 0 && (
        <ul>
          {results.map((result, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results keep their order
            <li key={n}>
              <Icon name={result.icon} size={14} />
              <span>
                {result.what} {result.why !== undefined && <small>{result.why}</small>}
              </span>
              <Status kind={result.kind} />
            </li>
          ))}
        </ul>
      )}
      {acts && <div className="story-acts">{acts}</div>}
      {fold && <Fold summary={fold.summary}>{fold.content}</Fold>}
    </div>
  </li>
);

/** Content that is shown on demand. */
export const Fold = ({ summary, children }: { summary: string; children: ReactNode }) => (
  <details className="fold">
    <summary>
      <Icon name="right" size={13} />
      {summary}
    </summary>
    <div>{children}</div>
  </details>
);
