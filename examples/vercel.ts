/**
 * Vercel: tells the team of deployments that failed.
 *
 * To use it, copy this file to `src/mappings/vercel.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import vercel from "./mappings/vercel.ts";
 *     vercel: { rules: vercel, secret: "VERCEL_WEBHOOK_SECRET" },
 */
import { vercel } from "../src/handlers/vercel.ts";
import { rules } from "../src/rules/types.ts";
import { clip, shortLink } from "../src/rules/values/clip.ts";

/** Who is told. Put your own address here. */
const team = { email: "team@example.com" };

export default rules(vercel, [
  {
    // Not of previews: their `target` is null.
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
