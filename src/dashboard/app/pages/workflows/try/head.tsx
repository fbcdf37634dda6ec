import type { Shown } from "../read.ts";
import type { Trying } from "./panel.tsx";

/** The buttons that begin a simulation or a dry run. */
export const TrialHead = (_: Shown & { onBegin: (trying: Trying) => void }) => null;
