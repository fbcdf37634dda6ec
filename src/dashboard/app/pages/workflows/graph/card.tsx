import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";

/** A node card. `isTraced`: part of a trial. `problem`: blocks the start. */
type Card = {
  name: string;
  counts: string;
  type: string;
  isSelected: boolean;
  isTraced: boolean;
  isEntry: boolean;
  problem: string | undefined;
};

export type CardNode = Node<Card, "card">;

/** A button, so screen readers announce it. */
export const CardView = ({ id, data }: NodeProps<CardNode>) => {
  const { name, counts, type, isSelected, isTraced, isEntry, problem } = data;
  const title = [name, counts, ...(problem === undefined ? [] : [problem])].join("\n");
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <button
        type="button"
        className="workflow-node nopan"
        data-node={id}
        data-type={type}
        data-traced={isTraced || undefined}
        data-problem={problem !== undefined || undefined}
        aria-current={isSelected ? "true" : undefined}
        tabIndex={isEntry ? 0 : -1}
        title={title}
      >
        <span className="workflow-node-name">{name}</span>
        <span className="workflow-node-counts">{counts}</span>
        {isTraced && <span className="workflow-node-note">The trial came here</span>}
        {problem !== undefined && <span className="workflow-node-note">⚠ {problem}</span>}
      </button>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
};
