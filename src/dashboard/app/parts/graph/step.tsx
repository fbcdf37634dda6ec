import "./graph.css";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { Icon } from "../icons.tsx";
import type { Shape } from "./layout.ts";
import type { Look } from "./types.ts";

/** The icon of a step on the ground of its kind. */
export const StepTile = ({ icon, tone }: Pick<Look, "icon" | "tone">) => (
  <span className="step-tile" data-tone={tone} aria-hidden="true">
    <Icon name={icon} size={18} />
  </span>
);

type StepProps = ComponentProps<"a"> & { id: string; look: Look; shape: Shape | "row" | "jump"; isOn: boolean };

const StepOf = ({ id, look, shape, isOn, ...anchor }: StepProps) => {
  const { icon, tone, name, fact, here, notes } = look;
  return (
    <a
      {...anchor}
      className="step"
      draggable={false}
      data-node={shape === "jump" ? undefined : id}
      data-shape={shape}
      data-tone={tone}
      data-problem={notes.some(({ isBad }) => isBad) || undefined}
      aria-current={isOn ? "true" : undefined}
      title={[name, fact, ...notes.map(({ text }) => text)].join("\n")}
    >
      {shape === "fork" ? <Icon name={icon} size={16} /> : shape !== "jump" && <StepTile icon={icon} tone={tone} />}
      <span className={shape === "fork" ? "hidden-text" : "step-words"}>
        <span className="step-name">{name}</span>
        {shape !== "jump" && (shape !== "card" || notes.length === 0) && <span className="step-fact">{fact}</span>}
        {notes.map(({ text, isBad }) => (
          <span key={text} className="step-note" data-bad={isBad || undefined}>
            {text}
          </span>
        ))}
      </span>
      {shape !== "fork" && shape !== "jump" && here > 0 && (
        <span className="step-here">
          {here.toLocaleString("en")}
          <span className="hidden-text"> {here === 1 ? "person is" : "people are"} here</span>
        </span>
      )}
    </a>
  );
};

/** A step of a drawing or of a list, as a link. */
export const Step = createLink(StepOf);

/** The `+` of an edge, such as the target of a menu. */
export const PlusButton = ({ className = "", ...button }: ComponentProps<"button">) => (
  <button type="button" className={`graph-add ${className}`} {...button}>
    <Icon name="add" size={13} />
  </button>
);
