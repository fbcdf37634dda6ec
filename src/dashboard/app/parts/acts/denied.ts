import { useAbout } from "../../api/about.ts";
import type { Asked } from "./commands.ts";

/** Why the role of the person does not allow an operation; undefined where it does. The server decides: this only says it before. */
export const useDenied = (asked: Pick<Asked, "api" | "name"> | undefined): string | undefined => {
  const { me, v1 } = useAbout();
  const role = asked && me.needs[`${asked.api === "v1" ? `${v1}.v1` : asked.api}.${asked.name}`];
  return role && `Your role is ${me.role}. This needs ${role}: an owner can give it to you.`;
};

/** What turns a button off, and says why to the mouse and to screen readers. It keeps the focus, so that it can be read. */
export const off = (denied: string | undefined) =>
  denied === undefined
    ? {}
    : ({ "data-disabled": true, "aria-disabled": true, "aria-description": denied, title: denied } as const);
