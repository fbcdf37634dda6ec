import type { control } from "../../src/lib/contract/admin/email/workflows/control.ts";
import type { insight } from "../../src/lib/contract/admin/email/workflows/insight.ts";
import type { Response } from "../../src/lib/contract/operation.ts";

export type Started = Response<typeof control.start>;
export type Paused = Response<typeof control.pause>;
export type Stopped = Response<typeof control.stop>;
export type Removed = Response<typeof control.remove>;
export type Status = Response<typeof control.status>;
export type StatusNode = Status["nodes"][number];
export type Story = Response<typeof insight.explain>;
export type Simulated = Response<typeof insight.simulate>;
export type DryRun = Response<typeof insight.dryRun>;
export type Difference = Response<typeof insight.diff>;
export type Here = Response<typeof insight.here>;
