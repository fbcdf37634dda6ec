import { useAbout } from "../../api/use-about.ts";
import type { Asked } from "./commands.ts";

/** Why the role forbids an operation, or undefined. The server decides. */
export const useDenied = (asked: Pick<Asked, "api" | "name"> | undefined): string | undefined => {
  const { me, v1 } = useAbout();
  const role = asked && me.needs[`${asked.api === "v1" ? `${v1}.v1` : asked.api}.${asked.name}`];
  return role && `Your role is ${me.role}. This needs ${role}: an owner can give it to you.`;
};

/** Disables a button with a reason but keeps it focusable. */
export const off = (denied: string | undefined) =>
  denied === undefined
    ? {}
    : ({ "data-disabled": true, "aria-disabled": true, "aria-description": denied, title: denied } as const);
