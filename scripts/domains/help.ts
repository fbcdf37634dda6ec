export const HELP = `Sending domains of a team: adds them, shows their DNS records and checks these. docs/sending-domains.md explains them.

  npm run domains                            lists the domains and their records
  npm run domains -- add mail.example.com    adds a domain and shows the records to enter at your DNS provider
  npm run domains -- zone mail.example.com   prints the records as a zone file
  npm run domains -- share mail.example.com  makes a link to the records, for whoever manages the DNS; it ends after 7 days
  npm run domains -- check mail.example.com  checks the records now; --wait 10 checks again for 10 minutes
  npm run domains -- default mail.example.com  sends all mail of the team from this domain
  npm run domains -- warm mail.example.com   ends the warm-up: the domain has sent mail before, elsewhere
  npm run domains -- rotate mail.example.com begins to replace the DKIM key
  npm run domains -- remove mail.example.com deletes the domain

Options
  --team slug     the team (default: demo)
  --wait minutes  with add and check: until the records are right
  --url url       the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)
  --help          this text

ADMIN_TOKEN is read from the environment or .dev.vars. Exit code 1 if a required record is not right.`;
