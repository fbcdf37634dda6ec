export type AcceptedMails = { accepted: number; notSent: number };

/** Counts accepted mails by message row; `sends` counts later states. */
export const addMails = (sql: SqlStorage, message: number, { accepted, notSent }: AcceptedMails): void => {
  sql.exec(
    `INSERT INTO message_counts (message, sends, hard_bounces, soft_bounces, spam_reports, unsubscribes, accepted, settled, not_sent)
     VALUES (?1, 0, 0, 0, 0, 0, ?2, ?3, ?3)
     ON CONFLICT (message) DO UPDATE SET accepted = accepted + excluded.accepted, settled = settled + excluded.settled,
       not_sent = not_sent + excluded.not_sent`,
    message,
    accepted,
    notSent,
  );
};

/** Takes the bounce of a mail back that is sent again. `isRefused`: the mail provider never took it. */
export const takeBackBounce = (sql: SqlStorage, message: number, { isRefused }: { isRefused: boolean }): void => {
  sql.exec(
    "UPDATE message_counts SET sends = sends - 1, hard_bounces = hard_bounces - 1, refused = refused - ? WHERE message = ?",
    isRefused ? 1 : 0,
    message,
  );
};
