import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { counted } from "../ledger/ledger-words.ts";

export type Usage = Response<AdminContract["themes"]["usage"]>;
export type Use = Usage["data"][number];

export const sumOf = ({ total, components }: Pick<Usage, "total" | "components">): string => {
  const parts = [
    ...(total > 0 ? [counted(total, "message")] : []),
    ...(components.length > 0 ? [counted(components.length, "component")] : []),
  ];
  return parts.length === 0 ? "Nothing uses it." : `Used by ${parts.join(" and ")}.`;
};

export const reachOf = ({ total, data }: Pick<Usage, "total" | "data">): string => {
  if (total === 0) return "No message uses it: the change reaches nothing yet.";
  const sent = data.filter(({ state }) => !/^draft$/i.test(state)).length;
  const mails = sent === 0 ? "all of them drafts" : `${sent}${data.length < total ? " or more" : ""} of them in use`;
  return `${counted(total, "message")} ${total === 1 ? "uses" : "use"} it, ${mails}. ${total === 1 ? "It gets" : "They get"} the new content within minutes. Mail that was sent before stays as it is.`;
};
