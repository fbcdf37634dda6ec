export const HELP = `Writes the content of a transactional email to a file, and publishes it from there: to correct a template without the API.

  npm run template -- get tpl_receipt              writes tpl_receipt.lmx, as it is published
  npm run email -- tpl_receipt.lmx                 shows it while you change it
  npm run template -- publish tpl_receipt.lmx      publishes the file; mails from now on have its content

The file has the subject, the sender and the fallbacks of the message before its LMX. Its id says which transactional email it is,
and its first comment from which content it was written: where another person has published since, publish refuses.

Options
  --team id          default demo
  --url address      the email service (default http://127.0.0.1:8788, or EMAIL_PORT)
  --overwrite        get replaces a file; publish replaces what another person published or drafted
  --help             this text

Environment (or .dev.vars)
  ADMIN_TOKEN        the admin token of the email service`;
