import type { IconName } from "../icon-paths.ts";

/** Grounds of the tile by kind. */
export type Tone = "start" | "mail" | "wait" | "good" | "other" | "end";

/** Texts and icon of a step. `here`: how many people are at it. `notes`: such as a problem. */
export type Look = {
  icon: IconName;
  tone: Tone;
  name: string;
  fact: string;
  here: number;
  notes: readonly { text: string; isBad?: boolean }[];
};

/** A step of a list. `paths`: of a fork. `isJump`: the step is elsewhere in the list. */
export type Entry = { nodeId: string; isJump?: true; paths?: Entry[][] };
