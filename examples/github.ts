/**
 * GitHub: notifies the team of new sponsors and releases. Its events have logins and no email addresses.
 *
 * To use it, copy this file to `src/mappings/github.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import github from "./mappings/github.ts";
 *     github: { rules: github, secret: "GITHUB_WEBHOOK_SECRET" },
 */
import { github } from "../src/handlers/github.ts";
import { rules } from "../src/rules/types.ts";
import { clip, shortLink } from "../src/rules/values/clip.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

export default rules(github, [
  {
    name: "sponsorship created",
    on: "sponsorship.created",
    contact: team,
    event: {
      name: "sponsorshipCreated",
      properties: {
        sponsor: (e) => e.sponsorship?.sponsor?.login,
        tier: (e) => clip(e.sponsorship?.tier.name),
        monthlyAmountValue: (e) => e.sponsorship?.tier.monthly_price_in_dollars,
        once: (e) => e.sponsorship?.tier.is_one_time,
      },
    },
  },
  {
    // A release that was a draft sends this webhook when it is published.
    name: "release published",
    on: "release.published",
    when: (e) => e.release?.prerelease === false,
    contact: team,
    event: {
      name: "releasePublished",
      properties: {
        repository: (e) => e.repository?.full_name,
        version: (e) => clip(e.release?.tag_name),
        releaseUrl: (e) => shortLink(e.release?.html_url),
      },
    },
  },
]);
