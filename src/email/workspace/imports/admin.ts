import type { AdminHandlers } from "../core/handler.ts";
import { cancelImport, getImport, listAll, pauseImport, resumeImport, startImport } from "./handlers.ts";
import { addRows, beginUpload, completeUpload } from "./parts.ts";
import { previewRows } from "./preview.ts";

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
