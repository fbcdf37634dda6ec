// Takes the place of src/email/delivery/mailer/note.ts: a Mailer without durable notes.

import { type NoteStore, nothingNoted } from "../../src/email/delivery/mailer/note.ts";
import type { Schema } from "../../src/lib/util/migrate.ts";

export { nothingNoted } from "../../src/email/delivery/mailer/note.ts";

export const schema: Schema = { object: "Mailer", migrations: [] };

export const noteIn = (): NoteStore => ({ read: () => nothingNoted, write: async () => {} });
