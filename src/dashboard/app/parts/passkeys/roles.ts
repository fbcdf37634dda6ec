import type { Role } from "../../../../lib/contract/access.ts";

export const ROLES: Readonly<Record<Role, string>> = {
  viewer: "sees all pages, and changes nothing.",
  support: "acts on single people and on deliveries, pauses them, and sees what was in webhooks and mails.",
  editor: "does what support does, edits content, sends campaigns, runs workflows, and imports and exports people.",
  owner: "does everything, also API keys, domains, settings, logins, and what is erased or sent again.",
};

export const ROLE_NAMES = Object.keys(ROLES) as Role[];
