import "./cards.css";
import type { ReactNode } from "react";
import type { IconName } from "../icon-paths.ts";
import { Icon } from "../icons.tsx";
import { CopyIcon } from "../text.tsx";

type Tone = "good" | "warn" | "bad" | "quiet";

const ICONS: Readonly<Record<Tone, IconName>> = { good: "done", warn: "warning", bad: "warning", quiet: "info" };

type NoteProps = {
  tone?: Tone;
  icon?: IconName;
  title?: ReactNode;
  children?: ReactNode;
  role?: "alert" | "status";
  actions?: ReactNode;
};

/** A sentence that answers, with its ground. `title`: the bold beginning. `actions`: at its right. */
export const Note = ({ tone = "quiet", icon = ICONS[tone], title, children, role, actions }: NoteProps) => (
  <div className="note" data-tone={tone} role={role}>
    <Icon name={icon} size={16} />
    <div>
      {title !== undefined && (
        <>
          <strong>{title}</strong>{" "}
        </>
      )}
      {children}
    </div>
    {actions}
  </div>
);

/** The sentence of a whole page, as its heading. */
export const Verdict = ({ tone, icon = ICONS[tone], title, children }: NoteProps & { tone: Tone; title: string }) => (
  <div className="verdict" data-tone={tone}>
    <span aria-hidden>
      <Icon name={icon} size={20} />
    </span>
    <div>
      <h1>{title}</h1>
      {children !== undefined && <p>{children}</p>}
    </div>
  </div>
);

type IssueProps = {
  tone: "bad" | "warn" | "good";
  icon?: IconName;
  /** The cause as a sentence. */
  title: ReactNode;
  /** Consequence and cure. */
  children?: ReactNode;
  /** Such as since, count, last good one, who. */
  facts?: readonly ReactNode[];
  actions?: ReactNode;
  /** Its name for screen readers, if the title is not enough. */
  label?: string;
  /** Below all, such as how to fix it and the rows that it is about. */
  more?: ReactNode;
};

/** A cause that wants a person. `tone` good: it is over. */
export const Issue = ({ tone, icon = ICONS[tone], title, children, facts = [], actions, label, more }: IssueProps) => (
  <article className="issue" data-tone={tone} aria-label={label}>
    <span aria-hidden>
      <Icon name={icon} size={18} />
    </span>
    <div>
      <h3>{title}</h3>
      {children !== undefined && <div className="issue-text">{children}</div>}
      {facts.length > 0 && (
        <ul>
          {facts.map((fact, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their order
            <li key={n}>{fact}</li>
          ))}
        </ul>
      )}
    </div>
    {actions && <div className="issue-acts">{actions}</div>}
    {more && <div className="issue-more">{more}</div>}
  </article>
);

/** How a person fixes a cause, below its issue. */
export const Fix = ({ children }: { children: ReactNode }) => (
  <div className="issue-fix">
    <h3>How to fix it</h3>
    {children}
  </div>
);

type Tile = { label: ReactNode; value: ReactNode; unit?: string; note?: ReactNode };

/** Issues with a heading: how many there are, and a link at its right. */
export const Issues = ({
  title,
  note,
  aside,
  children,
}: {
  title: string;
  note: string;
  aside: ReactNode;
  children: ReactNode;
}) => (
  <section className="issues" aria-label={title}>
    <header>
      <h2>{title}</h2>
      <span className="issues-note">{note}</span>
      {aside}
    </header>
    {children}
  </section>
);

/** Figures in one strip. `note`: a comparison in words. */
export const Tiles = ({ label, tiles }: { label: string; tiles: readonly Tile[] }) => (
  <section aria-label={label}>
    <dl className="tiles">
      {tiles.map(({ label: what, value, unit, note }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tiles keep their order
        <div key={n}>
          <dt>{what}</dt>
          <dd>
            {value}
            {unit !== undefined && <small> {unit}</small>}
          </dd>
          {note !== undefined && <dd className="tiles-note">{note}</dd>}
        </div>
      ))}
    </dl>
  </section>
);

type Fact = {
  label: ReactNode;
  value: ReactNode;
  note?: ReactNode;
  share?: number;
  tone?: "c1" | "c2" | "c-quiet" | "c-bad";
};

/** A part of a whole as a bar. `of`: 0 to 1. The number stands beside it. */
export const Share = ({ of, tone = "c1" }: { of: number; tone?: Fact["tone"] }) => (
  <span className="share" data-tone={tone} aria-hidden>
    {of > 0 && <span className="share-part" style={{ width: `${100 * of}%` }} />}
  </span>
);

/** Facts by name. `isOfNumbers`: values at the right. `share`: 0 to 1, as a bar below. */
export const Facts = ({ facts, isOfNumbers = false }: { facts: readonly Fact[]; isOfNumbers?: boolean }) => (
  <dl className="facts" data-numbers={isOfNumbers || undefined}>
    {facts.map(({ label, value, note, share, tone }, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their order
      <div key={n}>
        <dt>{label}</dt>
        <dd>
          {value} {note && <small>{note}</small>}
        </dd>
        {share !== undefined && (
          <dd className="facts-share">
            <Share of={share} tone={tone} />
          </dd>
        )}
      </div>
    ))}
  </dl>
);

type Part = { label: string; many: number; tone: NonNullable<Fact["tone"]> };

/** One bar for a whole and its parts, with a legend of the parts. `label`: name of the legend. */
export const Parts = ({ whole, label, parts }: { whole: Part; label: string; parts: readonly Part[] }) => (
  <>
    <div className="parts" aria-hidden>
      {[whole, ...parts].map(({ label: what, many, tone }) => (
        <span key={what} className="parts-one" data-tone={tone} style={{ flexGrow: many }} />
      ))}
    </div>
    {parts.length > 0 && (
      <ul className="parts-legend" aria-label={label}>
        {parts.map(({ label: what, tone }) => (
          <li key={what} className="parts-of" data-tone={tone}>
            {what}
          </li>
        ))}
      </ul>
    )}
  </>
);

type CheckLine = { tone: "good" | "warn" | "bad"; text: string; act?: ReactNode };

/** Checks: what is well, and what a person should know, with the way to its cure. */
export const Checked = ({ label, lines }: { label: string; lines: readonly CheckLine[] }) => (
  <ul className="checked" aria-label={label}>
    {lines.map(({ tone, text, act }) => (
      <li key={text} data-tone={tone}>
        <Icon name={ICONS[tone]} />
        <span>
          {text} {act}
        </span>
      </li>
    ))}
  </ul>
);

/** A card with a heading, and what is at its right. `isFlush`: the content has no space around it, such as a list. */
export const Panel = ({
  title,
  aside,
  isFlush,
  children,
}: {
  title: string;
  aside?: ReactNode;
  isFlush?: boolean;
  children: ReactNode;
}) => (
  <section className="panel" data-flush={isFlush || undefined} aria-label={title}>
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);

/** A part of a flush card, below a line. `note`: behind the title. */
export const PanelRow = ({
  title,
  note,
  aside,
  children,
}: {
  title?: string;
  note?: string;
  aside?: ReactNode;
  children: ReactNode;
}) => (
  <section className="panel-row" aria-label={title}>
    {title !== undefined && (
      <header>
        <h3>{title}</h3>
        <span>{note}</span>
        {aside}
      </header>
    )}
    {children}
  </section>
);

/** Texts to copy by name, in boxes beside each other. `lead`: a short text before them. */
export const CopyRow = ({ lead, of }: { lead: string; of: Readonly<Record<string, string>> }) => (
  <div className="copy-row">
    <code>{lead}</code>
    {Object.entries(of).map(([name, text]) => (
      <div key={name}>
        <code>{text}</code>
        <CopyIcon text={text} label={`Copy the ${name}: ${text}`} />
      </div>
    ))}
  </div>
);
