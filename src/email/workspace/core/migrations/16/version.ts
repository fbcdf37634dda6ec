import type { Migration } from "../../../../../lib/util/migrate.ts";
import { contactStatements } from "./contacts.ts";
import { countStatements } from "./counts.ts";
import { limitStatements } from "./limits.ts";
import { sendingStatements } from "./sending.ts";
import { statisticsStatements } from "./statistics.ts";
import { storyStatements } from "./story.ts";
import { teamStatements } from "./team.ts";

export const version16: Migration = {
  version: 16,
  statements: [
    ...sendingStatements,
    ...statisticsStatements,
    ...limitStatements,
    ...contactStatements,
    ...countStatements,
    ...storyStatements,
    ...teamStatements,
  ],
};
