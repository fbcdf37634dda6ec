import { define } from "../lib/command.ts";
import { offeredInWords, senderHelp } from "./senders.ts";

export const DEPLOY = define({
  name: "deploy",
  about:
    "Deploys Mailspan to Cloudflare: email Worker, first team and API key, secrets, bridge, dashboard. Asks questions and explains each step.",
  examples: [
    ["", "all Workers; a repeated run is safe and keeps every secret"],
    ["--service https://api.example.com", "bridge and dashboard, for another email service with the v1 API"],
    ["--no-bridge", "email Worker and dashboard, for an application that calls the v1 API itself"],
    ["--dry-run", "bundles offline and prints the sizes, deploys nothing"],
    [
      "--dry-run --out trial",
      "also asks the questions that need no network, and writes configuration and secrets: for npm start -- --from trial",
    ],
    ["--yes", "asks nothing, takes answers from environment variables (CI)"],
  ],
  options: {
    service: {
      value: "address",
      about:
        'base address of another email service of the API. The bridge is deployed without the binding to the email Worker and with CONTACT_PROPERTIES "flat". Asks for the API key and the template ids of that email service',
    },
    "no-bridge": {
      about:
        "no bridge and no sources: the dashboard is bound to the email Worker only. API keys are made in the dashboard",
    },
    "dry-run": { about: "with --service or --no-bridge: the Workers as they would be deployed" },
    out: { value: "folder", about: "with --dry-run: a new folder for the configuration" },
    plan: {
      value: "plan",
      about:
        "plan of the Cloudflare account, free or paid. Without it the question is asked, with the plan before as the default",
    },
    wait: { about: "waits up to an hour for the DNS records of the sending domain" },
    yes: { about: "takes each answer from its variable, otherwise as Enter; stops if an answer is required" },
  },
  notes: `Variables for --yes
  CLOUDFLARE_API_TOKEN    instead of npx wrangler login
  CLOUDFLARE_ACCOUNT_ID   if the login has several accounts
  ADMIN_TOKEN             opens /admin. Required for a new Worker (a generated token would appear in the log of CI), and
                          to create a team and an API key at an existing one, or to add the dashboard to it
  API_KEY_SECRET          signs API keys of a new email Worker; generated if unset, never replaced
  PAUSE_CAMPAIGNS         yes: campaigns that are being sent are paused while the email Worker is replaced, and resumed after
                          it (needs ADMIN_TOKEN). Default: no
  PLAN                    free or paid, as --plan. Default: as before, else paid
  UPLOADS_BUCKET          no: no R2 bucket, so that uploads of pictures are refused; unset: it is created or used
  TRANSACTIONAL_SENDER    ${offeredInWords}; unset: as before, or none
${senderHelp}
  SENDING_DOMAIN          domain to send from; unset: none is added
  TRIAL_MAIL_TO            address that gets a trial mail when the domain is verified
  TEAM_NAME, TEAM_SLUG    the first team; the slug is made from the name if unset. With --no-bridge and no TEAM_NAME, a later run
                          creates none
  SAMPLES                 no: adds no sample templates. Default: yes for the first team; no if the bridge keeps its API key,
                          and with yes the team of TEAM_SLUG gets those that it lacks (needs ADMIN_TOKEN)
  WEBSITE                 address behind the buttons of the sample templates, for example https://acme.example
  NEW_KEY                 yes: creates another API key for the bridge
  EMAIL_API_KEY           with --service: the API key of that email service. Otherwise: an API key to use if no team is created
  TEMPLATE_<NAME>         with --service: transactionalId of a template in wrangler.toml, for example TEMPLATE_MAGIC_LINK
  EMAIL_URL, BRIDGE_URL, DASHBOARD_URL
                          address of a Worker, if wrangler names none (routes)
  SOURCES                 the sources to set up, for example "stripe clerk", or all; unset: those with a secret below
  <secret of each source> for example STRIPE_WEBHOOK_SECRET; unset: kept, or the source refuses every webhook`,
});
