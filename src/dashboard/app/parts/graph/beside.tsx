import "./graph.css";
import { ActionIcon } from "@mantine/core";
import { type ReactNode, type Ref, useId } from "react";
import { Icon } from "../icons.tsx";
import { StepTile } from "./step.tsx";
import type { Look } from "./types.ts";

/** A drawing over the whole width of the page, with a panel at its right. */
export const Beside = ({ panel, children }: { panel: ReactNode; children: ReactNode }) => (
  <div className="beside wide" data-open={Boolean(panel) || undefined}>
    {children}
    {panel}
  </div>
);

type SideProps = {
  label: string;
  title: string;
  fact?: string | undefined;
  tile: Pick<Look, "icon" | "tone">;
  onClose: () => void;
  /** Words of the button that closes. */
  close: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
};

/** The panel beside a drawing: about one step, or a trial. */
export const Side = ({ label, title, fact, tile, onClose, close, ref, children }: SideProps) => {
  const id = useId();
  return (
    <section className="beside-panel" aria-label={label} aria-describedby={id} tabIndex={-1} ref={ref}>
      <header>
        <StepTile {...tile} />
        <div>
          <h2 id={id}>{title}</h2>
          {fact !== undefined && <p>{fact}</p>}
        </div>
        <ActionIcon size={28} variant="subtle" color="gray" aria-label={close} onClick={onClose}>
          <Icon name="remove" />
        </ActionIcon>
      </header>
      {children}
    </section>
  );
};
