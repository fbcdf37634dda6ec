import PostalMime, { type Attachment } from "postal-mime";
import type { AggregateReport, UnreadReport } from "../../types/dmarc-report.ts";
import { boundedMail } from "../bounces/bounded.ts";
import { readAggregate } from "./read-xml.ts";
import { mayBeReport, unpack } from "./unpack.ts";

const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 262_144, maxRfc822NestingDepth: 0, forceRfc822Attachments: true };

/** Reads the aggregate report in a mail of at most 200 kB. Never throws. Undefined if the mail has no file for one. */
export const readReportMail = async (mail: Uint8Array): Promise<AggregateReport | UnreadReport | undefined> => {
  try {
    const { attachments } = await PostalMime.parse(boundedMail(mail), LIMITS);
    const part = attachments.find(isReport) ?? attachments.find((other) => mayBeReport(bytesOf(other)));
    if (!part) return undefined;
    const { text, isCut } = await unpack(bytesOf(part));
    const report = readAggregate(text);
    if (!report) return { unread: isCut ? "its report is too large" : "its report has another form" };
    return { ...report, isCut: isCut || report.isCut };
  } catch {
    return { unread: "its file is damaged" };
  }
};

const TYPES = /^(?:application\/(?:x-)?(?:gzip|zip|zip-compressed|xml)|text\/xml)$/;

const isReport = ({ mimeType, filename }: Attachment): boolean =>
  TYPES.test(mimeType) || /\.(?:xml|gz|zip)$/i.test(filename ?? "");

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
