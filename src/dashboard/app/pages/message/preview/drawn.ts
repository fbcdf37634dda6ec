import { fill } from "../../../../../lib/lmx/fill.ts";
import { compileMessage } from "../../../../../lib/lmx/message/compile-message.ts";
import { plainBody } from "../../../../../lib/mail-body/body.ts";
import type { Library } from "../../../team/library.ts";
import { kindOf, type Message, sourceIn } from "../source.ts";

/** HTML of a message as stored, with names in the place of values, so that every section is shown. */
export const drawnMessage = (message: Message, { library, footer }: Library): string | undefined => {
  const kind = kindOf(message);
  const { compiled } = compileMessage(sourceIn(message), kind, library);
  if (compiled === undefined) return undefined;
  const values = Object.fromEntries(compiled.variables.map((name) => [name, `{${name}}`]));
  const html = fill(compiled.html, values);
  return plainBody({ html, text: "" }, kind === "transactional" ? undefined : footer).html;
};
