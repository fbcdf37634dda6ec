import "./graph.css";
import type { ReactNode } from "react";
import type { Shape } from "./layout.ts";
import type { Entry } from "./types.ts";

type Draw = (nodeId: string, shape: Shape | "row" | "jump") => ReactNode;
type Props = { entries: readonly Entry[]; shapes: ReadonlyMap<string, Shape>; step: Draw };

/** The steps of a graph below each other. The ways of a fork are indented below it. */
export const StepRows = ({ label, tools, ...rows }: Props & { label: string; tools: ReactNode }) => (
  <section className="step-list" aria-label={label}>
    <div className="graph-tools">{tools}</div>
    <Rows {...rows} />
  </section>
);

const Rows = ({ entries, shapes, step }: Props) => (
  <ol>
    {entries.map(({ nodeId, isJump, paths = [] }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two jumps may lead to the same step
      <li key={`${nodeId} ${index}`}>
        {step(nodeId, isJump ? "jump" : shapes.get(nodeId) === "way" ? "way" : "row")}
        {paths.length > 0 && (
          <ol>
            {paths.map((path, way) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a way has no other name
              <li key={way}>
                {shapes.get(path[0]?.nodeId ?? "") !== "way" && <p className="step-way">Way {way + 1}</p>}
                <Rows entries={path} shapes={shapes} step={step} />
              </li>
            ))}
          </ol>
        )}
      </li>
    ))}
  </ol>
);
