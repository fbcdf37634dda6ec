/**
 * Vercel: notifies the team of failed deployments.
 *
 * To use it, copy this file to `src/mappings/vercel.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import vercel from "./mappings/vercel.ts";
 *     vercel: { rules: vercel, secret: "VERCEL_WEBHOOK_SECRET" },
 */
import { vercel } from "../src/handlers/vercel.ts";
import { rules } from "../src/rules/types.ts";
import { clip, shortLink } from "../src/rules/values/clip.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

export default rules(vercel, [
  {
    // Not for previews: their `target` is null.
    name: "deployment failed",
    on: "deployment.error",
    when: (e) => e.payload.target === "production",
    contact: team,
    event: {
      name: "deploymentFailed",
      properties: {
        project: (e) => clip(e.payload.deployment?.name),
        branch: (e) => clip(e.payload.deployment?.meta?.githubCommitRef),
        deploymentUrl: (e) => shortLink(e.payload.links?.deployment),
      },
    },
  },
]);
