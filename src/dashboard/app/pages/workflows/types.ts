import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { Workflow } from "../../../../lib/contract/workflows/nodes.ts";

export type { Workflow };
export type Status = Response<AdminContract["workflows"]["status"]>;
export type NodeStatus = Status["nodes"][number];
