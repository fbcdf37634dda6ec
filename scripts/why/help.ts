export const HELP = `Shows what happened to every webhook about a person, and why an email was sent or not.

  npm run why -- ada@example.com
  npm run why -- user_42                    a user id, or a provider's own id (cus_…)
  npm run why -- wh_…                       one webhook with every step; wh_….0 is its first call
  npm run why -- snd_…                      one mail with every step: each attempt, and what was reported later
  npm run why -- ada@example.com --since 30d --url https://bridge.example.com

The search includes every identifier that webhooks have linked to this person. Newest webhook first. Under a trouble it prints
what to do. Where the host is Mailspan's email service, it says what became of each mail. Nothing is changed: npm run act acts.

Options
  --since time   how far back: 7d, 12h, or 2026-01-31 (default: 7d)
  --limit n      most webhooks to show (default: 50)
  --full         also shows every step: each attempt with its status, message and wait
  --url url      the bridge (default: http://127.0.0.1:<PORT>, PORT 8787)
  --email-url url  the email service (default: EMAIL_URL, otherwise http://127.0.0.1:<EMAIL_PORT>, 8788, beside a local bridge)
  --team slug    the team there (default: that of EMAIL_API_KEY, otherwise the only team)
  --json         JSON, for programs
  --help         this text

The ADMIN_TOKEN of the bridge, and the EMAIL_ADMIN_TOKEN of the email service if it is another one, come from the environment or
.dev.vars.

Exit code 1 if the bridge gives no answer.`;
