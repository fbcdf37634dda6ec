import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { watch } from "../../../../src/email/http/monitor/watch.ts";
import type { Directory } from "../../../../src/email/objects/directory.ts";
import { bindings, type Team } from "../bench.ts";

export const MINUTE = 60_000;

const directory = () => bindings.DIRECTORY.getByName("directory");

/** One event of the cron. */
export const touch = () => watch(bindings as never, Date.now());

export const inDirectory = <T>(look: (sql: SqlStorage) => T) =>
  runInDurableObject(directory(), (_: Directory, { storage }) => look(storage.sql));

/** Mails that one of the senders could take since `due`. */
export const stuckMails = (team: Team, count: number, due: number) =>
  team.run(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, created_at, preview)
     WITH RECURSIVE k(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < ?)
     SELECT ? + k, 'snd_' || k, 'transactional', 1, 'a@example.com', 'a@example.com', '<' || k || '@a>', 'queued', 0, ?, ?, 0 FROM k`,
    count,
    due * 1_000,
    due,
    due,
  );

/** An alarm of the platform that never rings. */
export const loseAlarm = async (team: Team, isEvicted = false) => {
  await team.inside((_, storage) => storage.deleteAlarm());
  if (isEvicted) await evictDurableObject(team.stub);
};

export const alarmOf = (team: Team) => team.inside((_, storage) => storage.getAlarm());
