import { type RefObject, useEffect } from "react";
import { isTyping, keysAreOn } from "../keys.ts";

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

const linksIn = (rows: Element): HTMLElement[] =>
  [...rows.querySelectorAll("tr")].flatMap((row) => row.querySelector<HTMLElement>("td a") ?? []);

/** The rows that a key is for: those with the focus, otherwise the first list of the page. */
const rowsOf = (): Element | undefined => {
  const all = [...document.querySelectorAll("main [data-rows]")];
  return all.find((rows) => rows.contains(document.activeElement)) ?? all[0];
};

/** Keys of a list: j and k go from row to row, from anywhere but a field. x selects. Arrows need the focus in it. */
export const useListKeys = (body: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const rows = body.current;
      const by = STEPS[event.key];
      if ((by === undefined && event.key !== "x") || event.metaKey || event.ctrlKey || event.altKey) return;
      if (!rows || rows !== rowsOf() || isTyping(event.target) || document.querySelector('[role="dialog"]')) return;
      const isInside = rows.contains(document.activeElement);
      if (event.key.length === 1 ? !keysAreOn() : !isInside) return;
      if (by === undefined) {
        const row = document.activeElement?.closest("tr");
        if (isInside) row?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
        return;
      }
      const links = linksIn(rows);
      const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
      links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [body]);
};
