import { splitVariables } from "../language/variables.ts";
import { decode } from "../parse/entities.ts";
import { isElement } from "../parse/tree.ts";
import { excerpt } from "../problem.ts";
import type { Facts } from "./facts.ts";
import type { ContentLocation } from "./nodes.ts";
import { unsubscribePhrase } from "./phrases.ts";
import { type Item, inField, itemAt, type Rule } from "./rule.ts";

/** Characters; most inboxes truncate longer subjects. */
const MAX_SUBJECT = 70;
/** Gmail truncates at about 102 KB; values need space too. */
const CLIPPED = 102;
const NEAR_CLIPPING_BYTES = 92 * 1024;

const NEEDED = ["subject", "fromName", "fromEmail", "lmx"] as const;

const isSeen = ({ node }: Facts["nodes"][number]): boolean =>
  isElement(node) ? node.tag === "Image" || node.tag === "Icon" : decode(node.raw).trim() !== "";

const empty = ({ message, problems, nodes }: Facts): Item[] => {
  const blank = NEEDED.filter((field) => message[field].trim() === "").map((field) =>
    itemAt(field === "lmx" ? NOTHING : inField(field), field, "is required to publish"),
  );
  // An erroneous document is only partly known.
  const isKnown = problems.every(({ severity }) => severity !== "error");
  const shows = problems.every(({ code }) => code !== "empty_document") && (!isKnown || nodes.some(isSeen));
  if (shows || message.lmx.trim() === "") return blank;
  return [...blank, itemAt(NOTHING, "lmx", "The document shows nothing: add a <Paragraph>")];
};

const NOTHING = { path: "lmx:1:1", line: 1, column: 1 };

const large = ({ literal }: Facts): Item[] => {
  const bytes = new TextEncoder().encode(literal).length;
  if (bytes <= NEAR_CLIPPING_BYTES) return [];
  const size = `${Math.ceil(bytes / 1024)} KB`;
  const fix = `The HTML has ${size} without the values of a send, and Gmail cuts a mail off at about ${CLIPPED} KB: shorten it`;
  return [itemAt(NOTHING, size, fix)];
};

/** Variables are unknown, so they do not count. */
const longSubject = ({ message: { subject } }: Facts): Item[] => {
  const literal = splitVariables(subject).filter((piece) => typeof piece === "string");
  const { length } = [...literal.join("")];
  if (length <= MAX_SUBJECT) return [];
  const fix = `It has ${length} characters without its variables: most inboxes cut it off after ${MAX_SUBJECT}`;
  return [itemAt(inField("subject"), excerpt(subject), fix)];
};

const inTexts = ({ message, nodes }: Facts, fix: string, find: (text: string) => string | undefined): Item[] => {
  const items: Item[] = [];
  const look = (raw: string, locationOf: () => ContentLocation): void => {
    const found = find(decode(raw));
    if (found !== undefined) items.push(itemAt(locationOf(), found, fix));
  };
  for (const { node, location } of nodes) {
    if (!isElement(node)) look(node.raw, () => location(node));
    const alt =
      isElement(node) && node.tag === "Image" ? node.attributes.find(({ name }) => name === "alt") : undefined;
    if (alt !== undefined) look(alt.raw, () => location(alt.value));
  }
  const inLines = (["subject", "previewText"] as const).flatMap((field) => {
    const found = find(message[field]);
    return found === undefined ? [] : [itemAt(inField(field), found, fix)];
  });
  return [...inLines, ...items];
};

const unsubscribe = (facts: Facts): Item[] => {
  if (facts.kind !== "transactional") return [];
  const fix = "Recipients cannot unsubscribe from transactional mail: remove it, or send this as a campaign";
  return inTexts(facts, fix, unsubscribePhrase);
};

const filler = (facts: Facts): Item[] =>
  inTexts(facts, "Replace the filler by your text", (text) => /lorem ipsum/i.exec(text)?.[0]);

const imagesOnly = ({ nodes }: Facts): Item[] => {
  const image = nodes.find(({ node }) => isElement(node) && node.tag === "Image");
  const hasText = nodes.some(({ node }) => !isElement(node) && node.raw.trim() !== "");
  if (image === undefined || hasText) return [];
  const fix =
    "Add some text: mail that is only pictures is empty while pictures are blocked, and spam filters distrust it";
  return [itemAt(image.location(image.node), "<Image>", fix)];
};

export const contentRules: readonly Rule[] = [
  {
    rule: "mailspan.emptyFields",
    severity: "error",
    title: "Empty fields",
    description: "Every mail needs a subject, a sender and a text.",
    covers: ["empty_document"],
    find: empty,
  },
  {
    rule: "mailspan.clipping",
    severity: "warning",
    title: "A mail that Gmail may cut off",
    description: "Gmail shows the first 102 KB of the HTML, and a link to the rest.",
    covers: ["large_html"],
    find: large,
  },
  {
    rule: "mailspan.longSubject",
    severity: "warning",
    title: "A long subject",
    description: "Most inboxes show about 70 characters, phones fewer.",
    find: longSubject,
  },
  {
    rule: "mailspan.unsubscribePhrases",
    severity: "warning",
    title: "An offer to unsubscribe",
    description: "Transactional mail has no link to unsubscribe, and mail with such words is taken for marketing.",
    find: unsubscribe,
  },
  {
    rule: "mailspan.fillerText",
    severity: "warning",
    title: "Filler text",
    description: "Readers would see it.",
    find: filler,
  },
  {
    rule: "mailspan.imagesOnly",
    severity: "warning",
    title: "Pictures without any text",
    description: "Many mail clients block pictures until the reader asks for them.",
    find: imagesOnly,
  },
];
