import "./status.css";
import { Icon } from "../icons.tsx";
import { kindOf, stateText } from "./kinds.ts";

/** A state as icon and word. `kind`: state of an API. `count`: how many have it. */
export const Status = ({ kind, count = 1 }: { kind: string; count?: number }) => {
  const { look, icon } = kindOf(kind);
  return (
    <span className="status" data-look={look}>
      <Icon name={icon} size={15} />
      {stateText(kind, count)}
    </span>
  );
};
