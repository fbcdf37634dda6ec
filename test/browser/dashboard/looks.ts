import type { Page } from "playwright-core";

const SCRIPT = `(() => {
  /** Height of the header, in px. */
  const HEADER = 60;
  const isShown = (part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const nameOf = (part) => part.ariaLabel ?? part.textContent.trim().slice(0, 60);
  /** Of a link over two lines, the first one. */
  const centreOf = (part) => {
    const { left, top, width, height } = part.getClientRects()[0];
    return [left + width / 2, top + height / 2];
  };
  const covered = (part) => {
    const { top, bottom } = part.getBoundingClientRect();
    // A list may be wider than its part of the page. Down the page, to the top of the window: then the next ones are in view too.
    const block = top >= HEADER && bottom <= innerHeight ? "nearest" : "start";
    part.scrollIntoView({ block, inline: "center" });
    const [x, y] = centreOf(part);
    // Beside the window: the closed navigation of a phone. Nothing else is: the page is not wider than the window.
    if (x < 0) return [];
    const hit = document.elementFromPoint(x, y);
    if (part === hit || part.contains(hit)) return [];
    return ["covered: " + nameOf(part) + ", by " + (hit?.outerHTML.slice(0, 160) ?? "nothing")];
  };
  /** Else it is said by a screen reader only. */
  const isSeen = (part) => getComputedStyle(part).clipPath === "none" && part.clientWidth > 1;
  const hasText = (part) => [...part.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== "");
  const cut = (part) => {
    const { overflowX, overflowY } = getComputedStyle(part);
    const hides = (overflow) => overflow === "hidden" || overflow === "clip";
    if (!isSeen(part)) return [];
    const isCut = (hides(overflowX) && part.scrollWidth > part.clientWidth + 1) ||
      (hides(overflowY) && part.scrollHeight > part.clientHeight + 2);
    return isCut && !part.closest("[title]") ? ["cut: " + nameOf(part)] : [];
  };
  const controls = [...document.querySelectorAll("button, [role=button], [role=tab], a[href]")];
  const able = controls.filter((part) => isShown(part) && !part.matches(":disabled, [data-disabled]") && part.getClientRects().length > 0);
  const texts = [...document.querySelectorAll("body *")].filter((part) => hasText(part) && isShown(part));
  const headings = texts.filter((part) => part.matches("h1, h2, h3, h4") && isSeen(part));
  const found = [...able, ...headings].flatMap(covered).concat(texts.flatMap(cut));
  scrollTo(0, 0);
  return { found, controls: able.length, texts: texts.length };
})()`;

export type Looks = { found: string[]; controls: number; texts: number };

/** Finds covered controls and headings, and cut texts, on a page. `controls` and `texts`: how many were checked. */
export const looksOf = (page: Page): Promise<Looks> => page.evaluate<Looks>(SCRIPT);
