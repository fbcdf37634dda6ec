import type { control } from "../../src/lib/contract/admin/email/campaigns/control.ts";
import type { statistics } from "../../src/lib/contract/admin/email/campaigns/statistics.ts";
import type { Response } from "../../src/lib/contract/operation.ts";

export type Listed = Response<typeof control.list>["data"][number];
export type Changed = Response<typeof control.pause>;
export type SendAnswer = Response<typeof control.send>;
export type Retried = Response<typeof control.retryUnknown>;
export type Retry = NonNullable<Retried["retry"]>;
export type Estimate = Response<typeof control.estimate>;
export type Status = Response<typeof control.status>;
export type Progress = NonNullable<Status["progress"]>;

export type Results = Response<typeof statistics.results>;
export type Links = Response<typeof statistics.links>;
export type Recipients = Response<typeof statistics.recipients>;
export type Recipient = Recipients["data"][number];
export type Explained = Response<typeof statistics.contact>;
