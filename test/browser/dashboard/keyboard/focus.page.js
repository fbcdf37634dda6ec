// A script for the pages of the dashboard: what has the focus, and whether a person sees it.

const textOf = (element) => (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();

/** What a screen reader calls an element. */
const nameOf = (element) => {
  const labels = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
  // The star of a required field is not part of its name.
  const label = textOf(element.labels?.[0]).replace(/ ?\*$/, "");
  return element.getAttribute("aria-label") ?? (labels.map(textOf).join(" ").trim() || label || textOf(element));
};

/** An input that is drawn by its label has no size: its own ring is not seen. */
const hasRing = (element) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width } = element.getBoundingClientRect();
  return width > 0 && outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
};

/** Why an element cannot be seen: its part in the window has something else over its middle, or there is no such part. */
const whyHidden = (element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x0, x1] = [Math.max(0, left), Math.min(innerWidth, right)];
  const [y0, y1] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  if (x1 <= x0 || y1 <= y0) return `is outside the window, at ${left}, ${top}`;
  const hit = document.elementFromPoint((x0 + x1) / 2, (y0 + y1) / 2);
  const isSeen = hit !== null && (element.contains(hit) || hit.contains(element));
  return isSeen ? undefined : `is covered by ${hit?.outerHTML.slice(0, 200)}`;
};

/** The name of what has the focus, and what is wrong with how it is shown. */
globalThis.focusNow = () => {
  const element = document.activeElement;
  // Behind an open dialog nothing may have the focus.
  const isBehind = document.querySelector("[role=dialog]") !== null && !element?.closest("[role=dialog]");
  if (element === null || element === document.body) return { name: "", isBehind };
  // What is no stop of Tab, such as the content after its link, is not looked at.
  if (element.tabIndex < 0) return { name: nameOf(element), isBehind };
  // Some inputs are hidden, and what is drawn in their place has the ring.
  const editor = element.closest(".cm-editor");
  const shown = [element, element.nextElementSibling, element.parentElement, editor].find((one) => one && hasRing(one));
  return { name: nameOf(element), isBehind, fault: shown === undefined ? "has no ring" : whyHidden(shown) };
};
