/** A reply in a notice. `command`: of the protocol, as far as the notice shows it. */
type Said = { code: number; command: string; text: string; isOpen: boolean };

const REPLY = /^\s{0,8}(?:<<<\s?|\(reason: |remote host said: |- )?([245]\d\d)([ -])/i;
const COMMAND = /^\s{0,8}>>>\s?(.{1,200})/;
/** Lines that continue a reply. */
const MOST_MORE = 3;

/** Reads the replies of a transcript in order. */
export const repliesIn = (words: string): { said: Said[]; hasCommands: boolean } => {
  const said: Said[] = [];
  let command = "";
  let hasCommands = false;
  let more = 0;
  for (const line of words.split(/\r?\n/)) {
    const [, asked] = COMMAND.exec(line) ?? [];
    const [, code, after] = REPLY.exec(line) ?? [];
    const last = said.at(-1);
    if (asked !== undefined) {
      command = asked;
      hasCommands = true;
      more = MOST_MORE;
    } else if (code !== undefined && last?.isOpen && last.code === Number(code)) {
      last.text += `\n${line}`;
      last.isOpen = after === "-";
    } else if (code !== undefined) {
      said.push({ code: Number(code), command, text: line, isOpen: after === "-" });
      more = 0;
    } else if (last && more < MOST_MORE) {
      last.text += `\n${line}`;
      more += 1;
    }
  }
  return { said, hasCommands };
};

/**
 * Returns the last refusal of a recipient in the words of a server, with its command. Words without a transcript stay
 * as they are.
 */
export const lastRefusal = (words: string, recipient: string | undefined, repliesOf = repliesIn): string => {
  const { said, hasCommands } = repliesOf(words);
  const refused = said.filter(({ code }) => code >= 400);
  if (refused.length < 2 && !hasCommands) return words;
  const address = recipient?.toLowerCase();
  const names = ({ command, text }: Said) =>
    address !== undefined && `${command} ${text}`.toLowerCase().includes(address);
  const last =
    refused.findLast((one) => names(one)) ??
    refused.findLast(({ code, command }) => code !== 503 && !/^(?:data|quit|rset)/i.test(command)) ??
    refused.at(-1);
  if (!last) return words.replace(/^\s{0,8}>>>.*$/gm, "");
  return last.command === "" ? last.text : `>>> ${last.command}\n${last.text}`;
};
