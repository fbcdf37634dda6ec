/** Characters of a tag; a longer one is text. */
const MAX_TAG = 500;

/** Replaces the tags of HTML with spaces, in linear time. */
export const withoutTags = (html: string): string => {
  const kept: string[] = [];
  let from = 0;
  let end = -1;
  for (let start = html.indexOf("<"); start !== -1; start = html.indexOf("<", start + 1)) {
    if (start < from) continue;
    if (end < start) end = html.indexOf(">", start);
    if (end === -1) break;
    if (end - start > MAX_TAG) continue;
    kept.push(html.slice(from, start), " ");
    from = end + 1;
  }
  kept.push(html.slice(from));
  return kept.join("");
};
