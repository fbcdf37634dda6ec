import { removeUpload } from "../../content/uploads.ts";
import type { AdminHandlers } from "../../core/handler.ts";
import { listUploads, uploadUsage } from "./pictures.ts";
import { removeComponent, removeTheme } from "./removal.ts";
import { componentUsage, themeUsage } from "./uses.ts";

export const themes: AdminHandlers<"themes"> = { usage: themeUsage, remove: removeTheme };
export const components: AdminHandlers<"components"> = { usage: componentUsage, remove: removeComponent };
export const uploads: AdminHandlers<"uploads"> = { list: listUploads, usage: uploadUsage, remove: removeUpload };
