import type { AdminHandlers } from "../core/handler.ts";
import { cancelImport, getImport, listAll, pauseImport, resumeImport, startImport } from "./handlers.ts";
import { previewRows } from "./preview.ts";
import { addRows, beginUpload, completeUpload } from "./rows-in-parts.ts";

export const imports: AdminHandlers<"imports"> = {
  list: listAll,
  get: getImport,
  begin: beginUpload,
  addRows,
  complete: completeUpload,
  preview: previewRows,
  start: startImport,
  pause: pauseImport,
  resume: resumeImport,
  cancel: cancelImport,
};
