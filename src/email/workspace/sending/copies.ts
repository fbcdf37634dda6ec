import { fill, type Values } from "../../../lib/lmx/fill.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";

const KEPT = 100;

type Copies = Pick<CompiledMessage, "cc" | "bcc">;

const NONE: Copies = { cc: [], bcc: [] };

/** Caches messages without copies, because most have none. */
export const createCopiesOf = (read: (revision: number) => Copies | undefined) => {
  const known = new Map<number, Copies>();
  return (revision: number, values: string): readonly string[] => {
    const { cc, bcc } = known.get(revision) ?? remember(known, revision, read(revision) ?? NONE);
    if (cc.length === 0 && bcc.length === 0) return [];
    const readonly = JSON.parse(values) as Values;
    return [fill(cc, readonly), fill(bcc, readonly)].filter((address) => address !== "");
  };
};

const remember = (known: Map<number, Copies>, revision: number, { cc, bcc }: Copies): Copies => {
  if (known.size >= KEPT) known.delete(known.keys().next().value ?? 0);
  known.set(revision, { cc, bcc });
  return { cc, bcc };
};
