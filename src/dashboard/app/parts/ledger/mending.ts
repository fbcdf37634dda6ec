import { lineOf } from "../acts/shell.ts";
import type { Call } from "./types.ts";

/** What the two halves say about themselves, as far as it is needed here. */
type About = {
  bridge: { team?: string | null; host?: { kind: string }; templates?: Record<string, string> } | null;
  email: { publicUrl?: string | null } | null;
};

/** The team of `npm start`, which the commands take where none is named. */
const FIRST_TEAM = "demo";

/**
 * The template of a mail which is dead, and the commands that correct it. Undefined for other calls, and where the template is with another host:
 * its own pages have it.
 */
export const mendingOf = (
  call: Pick<Call, "state" | "action"> & { template?: string },
  { bridge, email }: About,
): { id: string; file: string; get: string; show: string; publish: string } | undefined => {
  const { team, host, templates = {} } = bridge ?? {};
  if (call.state !== "dead" || call.action !== "transactional" || call.template === undefined) return undefined;
  if (email === null || host?.kind !== "embedded") return undefined;
  const id = templates[call.template];
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
