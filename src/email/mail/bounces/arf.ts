import type { Feedback } from "../../types/feedback.ts";
import { addressIn, fieldsIn } from "./report-fields.ts";

type Arf = { returnPath?: string } & ({ complaint: Feedback } | { ignored: string });

/** Types that mean unwanted mail; others concern authentication, viruses or non-spam. */
const COMPLAINTS = ["abuse", "complaint", "fraud", "opt-out", "opt-out-list"];

/** Reads an abuse report (RFC 5965). */
export const readArf = (report: string): Arf => {
  const fields = fieldsIn(report);
  const type = (fields.get("feedback-type") ?? "").toLowerCase();
  const recipient = addressIn(fields.get("original-rcpt-to") ?? fields.get("removal-recipient"));
  const returnPath = addressIn(fields.get("original-mail-from"));
  const agent = (fields.get("user-agent") ?? "").slice(0, 100);
  const found = returnPath === undefined ? {} : { returnPath };
  if (!COMPLAINTS.includes(type)) return { ...found, ignored: `a report of the type ${type.slice(0, 40) || "(none)"}` };
  return {
    ...found,
    complaint: {
      kind: "complaint",
      ...(recipient === undefined ? {} : { recipient }),
      message: `Reported as ${type}${agent === "" ? "" : ` (${agent})`}`,
    },
  };
};
