import { randomBytes } from "node:crypto";
import { isPageBuilt, preparePage } from "../dashboard/page.ts";
import type { Workers } from "../workers.ts";

/** A code that logs in once, within ten minutes. It begins with the time at which it was made. */
export const newLoginCode = (): string => `${Date.now().toString(36)}.${randomBytes(18).toString("base64url")}`;

/**
 * Builds the page of the dashboard where it is missing or old, and prints the link that opens it. Without the page, everything else
 * works.
 */
export const showDashboard = async (
  { dashboardUrl, restart }: Pick<Workers, "dashboardUrl" | "restart">,
  code: string,
): Promise<void> => {
  if (dashboardUrl === undefined) return;
  if (!isPageBuilt()) {
    console.log("Building the page of the dashboard …");
    try {
      await preparePage();
    } catch (error) {
      console.log(
        `Dashboard  not built: ${(error as Error).message}\n           npm run build:dashboard tries again\n`,
      );
      return;
    }
    // The Worker's list of files is of its start.
    await restart();
  }
  console.log(`Dashboard  ${dashboardUrl}/#code=${code}   logs you in once, within 10 minutes\n`);
};
