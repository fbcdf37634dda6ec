// Takes the place of src/email/delivery/mailer/note.ts: the same note, with a place where a test kills the process.
import { type NoteStore, noteIn as production } from "../../../src/email/delivery/mailer/note.ts";
import { reach } from "./reach.ts";

export { nothingNoted, schema } from "../../../src/email/delivery/mailer/note.ts";

export const noteIn: typeof production = (sql, sync): NoteStore => {
  const notes = production(sql, sync);
  return {
    ...notes,
    write: async (note) => {
      await notes.write(note);
      await reach("noted");
    },
  };
};
