import type { AdminContract } from "../../lib/contract/admin/email.ts";
import type { Named, Request } from "../../lib/contract/operation.ts";
import type { UploadStep } from "./upload-step.ts";

type Suppressions = Request<Named<AdminContract, "suppressions.list">>;
type Recipients = Request<Named<AdminContract, "statistics.recipients">>;

/** Operations of file routes. `after`: end of the previous piece; 0 or "" for the first. */
export type FileOperations = {
  "imports.upload": { team: string } & UploadStep;
  "imports.outcomeFile": { team: string; importId: string; outcome: "refused" | undefined; after: number };
  "suppressions.file": Pick<Suppressions, "team" | "q" | "reason" | "cause" | "destination" | "since" | "until"> & {
    after: string;
  };
  "campaigns.recipientsFile": Pick<Recipients, "team" | "campaignId" | "state" | "reason" | "group"> & {
    after: number;
  };
};

/** Piece of a file. `last`: value of `after` for the next piece; null at the end. */
export type FilePiece<After extends number | string = number> = { text: string; last: After | null };
