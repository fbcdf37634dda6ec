// Takes the place of src/email/delivery/mailer/started.ts: the same notes, with places where a test kills the process.
import { startedClaimsIn as production, type StartedClaims } from "../../../src/email/delivery/mailer/started.ts";
import { reach } from "./reach.ts";

export { schema } from "../../../src/email/delivery/mailer/started.ts";

export const startedClaimsIn: typeof production = (sql, sync): StartedClaims => {
  const notes = production(sql, sync);
  return {
    ...notes,
    add: async (claims, now) => {
      const block = await notes.add(claims, now);
      await reach("noted");
      return block;
    },
    remove: (block) => {
      notes.remove(block);
      void reach("closed");
    },
  };
};
