import { type Migration, migrate } from "../../../lib/util/migrate.ts";
import { version1 } from "./migrations/1.ts";
import { version2 } from "./migrations/2.ts";
import { version3 } from "./migrations/3.ts";
import { version4 } from "./migrations/4.ts";
import { version5 } from "./migrations/5.ts";
import { version6 } from "./migrations/6.ts";
import { version7 } from "./migrations/7.ts";
import { version8 } from "./migrations/8.ts";
import { version9 } from "./migrations/9.ts";
import { version10 } from "./migrations/10.ts";
import { version11 } from "./migrations/11.ts";
import { version12 } from "./migrations/12.ts";
import { version13 } from "./migrations/13.ts";
import { version14 } from "./migrations/14/version.ts";
import { version15 } from "./migrations/15/version.ts";
import { version16 } from "./migrations/16/version.ts";
import { version17 } from "./migrations/17.ts";
import { version18 } from "./migrations/18.ts";
import newest from "./newest-schema.json" with { type: "json" };

/** Schema of a team's object. A released version never changes. */
export const migrations: readonly Migration[] = [
  version1,
  version2,
  version3,
  version4,
  version5,
  version6,
  version7,
  version8,
  version9,
  version10,
  version11,
  version12,
  version13,
  version14,
  version15,
  version16,
  version17,
  version18,
];

export const migrateTeam = (storage: Parameters<typeof migrate>[0]): number[] => migrate(storage, migrations, newest);
