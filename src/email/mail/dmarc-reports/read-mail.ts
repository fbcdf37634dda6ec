import PostalMime, { type Attachment } from "postal-mime";
import type { AggregateReport } from "../../types/dmarc-report.ts";
import { boundedMail } from "../bounces/bounded.ts";
import { readAggregate } from "./read-xml.ts";
import { unpack } from "./unpack.ts";

const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 262_144, maxRfc822NestingDepth: 0, forceRfc822Attachments: true };

/** Reads the aggregate report in a mail of at most 200 kB. Never throws. */
export const readReportMail = async (mail: Uint8Array): Promise<AggregateReport | { ignored: string }> => {
  try {
    const { attachments } = await PostalMime.parse(boundedMail(mail), LIMITS);
    const part = attachments.find(isReport);
    if (!part) return { ignored: "it has no report" };
    const text = await unpack(bytesOf(part));
    if (text === undefined) return { ignored: "its report is too large" };
    return readAggregate(text) ?? { ignored: "its report has another form" };
  } catch (error) {
    return { ignored: `not readable: ${(error instanceof Error ? error.message : String(error)).slice(0, 100)}` };
  }
};

const TYPES = /^(?:application\/(?:x-)?(?:gzip|zip|zip-compressed|xml)|text\/xml)$/;

const isReport = ({ mimeType, filename }: Attachment): boolean =>
  TYPES.test(mimeType) || /\.(?:xml|gz|zip)$/i.test(filename ?? "");

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
