import { magicLink } from "./magic-link.ts";
import { receipt } from "./receipt.ts";
import type { SampleTemplate } from "./sample.ts";
import { welcome } from "./welcome.ts";

/** The templates of a new team, in the order they are shown. Each compiles without a problem. */
export const samples: readonly SampleTemplate[] = [welcome, receipt, magicLink];
