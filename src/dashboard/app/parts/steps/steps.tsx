import "./steps.css";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon } from "../icons.tsx";

/** `isDone`: undefined while that is not known. `how`: what it needs, in a few words. */
export type Step = { what: string; to: string; isDone: boolean | undefined; how: string };

/** Steps that tick themselves. Not there until each is known, and when all are done. */
export const Steps = ({ title, steps, onHide }: { title: string; steps: readonly Step[]; onHide: () => void }) => {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length || steps.some(({ isDone }) => isDone === undefined)) return null;
  return (
    <section className="steps" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span>
          {done} of {steps.length} done
        </span>
        <progress value={done} max={steps.length} aria-hidden />
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={onHide}
          aria-label={`Hide ${title.toLowerCase()}`}
        >
          Hide
        </Button>
      </header>
      <ul aria-label={title}>
        {steps.map(({ what, to, isDone, how }) => (
          <li key={what} data-done={isDone || undefined}>
            <Icon name={isDone ? "done" : "right"} size={17} />
            {isDone ? (
              <span>
                {what} <span className="hidden-text">(done)</span>
              </span>
            ) : (
              <span>
                <Link to={to}>{what}</Link> <span className="hidden-text">(open)</span>
                <small>{how}</small>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
