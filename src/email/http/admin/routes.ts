import { emailRoutes } from "../../../lib/contract/admin/routes/email.ts";
import type { Route } from "../../../lib/contract/match.ts";
import { uploadRoute } from "../imports/routes.ts";

/** All routes under `/admin` of the email Worker. */
export const adminRoutes: readonly Route[] = [...emailRoutes, uploadRoute];
