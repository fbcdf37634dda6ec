import { generic } from "../../../../src/handlers/generic.ts";
import { rules } from "../../../../src/rules/types.ts";
import { clip } from "../../../../src/rules/values/clip.ts";
import type { Handler } from "../../../../src/webhook.ts";

type Events =
  | { type: "account.enriched"; data: { userId: string; email: string; company?: string | null; employees?: number } }
  | { type: "report.exported"; data: { userId: string; format: string } };

export default rules(
  generic as Handler<Events>,
  [
    {
      name: "account enriched",
      on: "account.enriched",
      contact: { userId: (e) => e.data.userId, email: (e) => e.data.email },
      update: { company: (e) => clip(e.data.company), employees: (e) => e.data.employees },
    },
    {
      name: "report exported",
      on: "report.exported",
      contact: { userId: (e) => e.data.userId },
      event: { name: "reportExported", properties: { format: (e) => e.data.format } },
    },
  ],
  (e) => (e.type === "account.enriched" ? [{ userId: e.data.userId, email: e.data.email }] : []),
);
