/**
 * Discord: notifies the team when its app is installed into a server, and of purchases. Its events have user ids and no
 * email addresses.
 *
 * To use it, copy this file to `src/mappings/discord.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import discord from "./mappings/discord.ts";
 *     discord: { rules: discord, secret: "DISCORD_PUBLIC_KEY" },
 */
import { discord } from "../src/handlers/discord.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

export default rules(discord, [
  {
    name: "app installed",
    on: "APPLICATION_AUTHORIZED",
    when: (e) => e.event.data?.integration_type === 0,
    contact: team,
    event: {
      name: "discordAppInstalled",
      properties: {
        server: (e) => clip(e.event.data?.guild?.name),
        username: (e) => clip(e.event.data?.user?.username),
      },
    },
  },
  {
    name: "purchase",
    on: "ENTITLEMENT_CREATE",
    contact: team,
    event: {
      name: "discordPurchase",
      properties: { product: (e) => e.event.data?.sku_id, discordUserId: (e) => e.event.data?.user_id },
    },
  },
]);
