import type { Feedback } from "../../types/feedback.ts";
import { addressIn, fieldsIn, type ReportFields } from "./report-fields.ts";

type Arf = { complaint: Feedback } | { ignored: string };

/** Types that mean unwanted mail; others concern authentication, viruses or non-spam. */
const COMPLAINTS = ["abuse", "complaint", "fraud", "opt-out", "opt-out-list"];

/** Comments and quotes around a type. */
const COMMENTS = /\([^()]{0,200}\)|["\s]/g;

/** Header field of the returned mail, with the recipient of a complaint at Microsoft. */
const RECIPIENT = "x-hmxmroriginalrecipient";

/** Reads an abuse report (RFC 5965). `returned`: header of the returned mail. */
export const readArf = (report: string, returned: ReportFields): Arf => {
  const fields = fieldsIn(report);
  const type = (fields.get("feedback-type") ?? "").toLowerCase().replace(COMMENTS, "");
  const recipient = addressIn(
    fields.get("original-rcpt-to") ?? fields.get("removal-recipient") ?? returned.get(RECIPIENT),
  );
  const agent = (fields.get("user-agent") ?? "").slice(0, 100);
  if (!COMPLAINTS.includes(type)) return { ignored: `a report of the type ${type.slice(0, 40) || "(none)"}` };
  return {
    complaint: {
      kind: "complaint",
      ...(recipient === undefined ? {} : { recipient }),
      message: `Reported as ${type}${agent === "" ? "" : ` (${agent})`}`,
    },
  };
};

/**
 * Reads a complaint of Microsoft's Junk Mail Reporting Program, which has no report in it. `header`: of the returned mail,
 * or of the whole mail if it is the returned one. Returns undefined for other mail.
 */
export const readJmrp = (subject: string, header: ReportFields): Feedback | undefined => {
  if (!header.has(RECIPIENT) && !/^\s*complaint about message from\b/i.test(subject)) return undefined;
  const recipient = addressIn(header.get(RECIPIENT));
  return { kind: "complaint", ...(recipient === undefined ? {} : { recipient }), message: "Reported as abuse (JMRP)" };
};
