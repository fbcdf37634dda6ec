import type { AdminContract } from "../../lib/contract/admin/email.ts";
import type { Named, Request } from "../../lib/contract/operation.ts";
import type { UploadStep } from "./imports.ts";

type Suppressions = Request<Named<AdminContract, "suppressions.list">>;
type Recipients = Request<Named<AdminContract, "statistics.recipients">>;

/**
 * Operations that only routes with files ask for, with their inputs. `after`: the end of the piece before the one to give; 0 for the first,
 * and "" where pieces end with an address.
 */
export type FileOperations = {
  "imports.upload": { team: string } & UploadStep;
  /** Lines of the outcome file of an import. `outcome`: of these rows only. */
  "imports.outcome": { team: string; importId: string; outcome: "refused" | undefined; after: number };
  /** Lines of the file with the suppressed addresses. */
  "suppressions.file": Pick<Suppressions, "team" | "q" | "reason"> & { after: string };
  /** Lines of the file with the recipients of a campaign. */
  "statistics.file": Pick<Recipients, "team" | "campaignId" | "state" | "reason" | "group"> & { after: number };
};

/** Some lines of a file. `last`: after which the next piece begins; null when there are no more. */
export type FilePiece<After extends number | string = number> = { text: string; last: After | null };
