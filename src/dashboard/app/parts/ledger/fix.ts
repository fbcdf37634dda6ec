import { lineOf } from "../acts/shell.ts";
import type { Delivery } from "./types.ts";

type About = {
  bridge: { team?: string | null; service?: { kind: string }; templates?: Record<string, string> } | null;
  email: { publicUrl?: string | null } | null;
};

/** Refusals that a change of the template, or publishing it, cures. */
const OF_CONTENT = /^No value for |variable|not published/i;

/** Default team of `npm start`. */
const FIRST_TEAM = "demo";

/** Template of a failed mail with fix commands. Undefined for other deliveries or another email service. */
export const fixOf = (
  delivery: Pick<Delivery, "state" | "action" | "message"> & { template?: string },
  { bridge, email }: About,
): { id: string; file: string; get: string; show: string; publish: string } | undefined => {
  const { team, service, templates = {} } = bridge ?? {};
  if (delivery.state !== "failed" || delivery.action !== "transactional" || delivery.template === undefined)
    return undefined;
  if (!OF_CONTENT.test(delivery.message ?? "")) return undefined;
  if (email === null || service?.kind !== "embedded") return undefined;
  const id = templates[delivery.template];
  if (id === undefined || !/^[\w-]+$/.test(id)) return undefined;
  const options = [
    ...(team && team !== FIRST_TEAM ? [`--team=${team}`] : []),
    ...(email.publicUrl ? [`--url=${email.publicUrl}`] : []),
  ];
  const command = (...args: string[]) => lineOf({ name: "template", args, options });
  const file = `${id}.lmx`;
  return {
    id,
    file,
    get: command("get", id),
    show: lineOf({ name: "email", args: [file] }),
    publish: command("publish", file),
  };
};
