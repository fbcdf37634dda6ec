import { randomBytes } from "node:crypto";
import { isPageBuilt, preparePage } from "../dashboard/page.ts";
import type { Workers } from "../workers.ts";

/** Creates a one-time login code for ten minutes. It begins with its creation time. */
export const newLoginCode = (): string => `${Date.now().toString(36)}.${randomBytes(18).toString("base64url")}`;

/** Builds an outdated dashboard page and prints its login link. A failure is not fatal. */
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
    // The Worker lists its files only at start.
    await restart();
  }
  console.log(`Dashboard  ${dashboardUrl}/#code=${code}   logs you in once, within 10 minutes\n`);
};
