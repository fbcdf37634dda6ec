import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { type Column, rangeOf } from "./columns.ts";

/**
 * Read-out of a column, and selection of a range, by mouse, touch or keyboard.
 *
 * @param onSelect takes the range; without it, columns are only read
 * @returns `over`: column index; `marked`: first and last index; `hearing`: event handlers
 */
export const useRange = (
  columns: readonly Column[],
  onSelect: ((range: { since: string; until: string }) => void) | undefined,
) => {
  const [from, setFrom] = useState<number>();
  const [over, setOver] = useState<number>();
  const last = columns.length - 1;
  const inside = (index: number): number => Math.max(0, Math.min(last, index));
  const indexOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return inside(Math.floor(((clientX - left) / width) * columns.length));
  };
  const leave = () => {
    setOver(undefined);
    setFrom(undefined);
  };
  const select = (one: number, other: number) => {
    leave();
    onSelect?.(rangeOf(columns, one, other));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom(indexOf(event));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (from !== undefined) select(from, indexOf(event));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = over ?? last;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape" && over !== undefined) return leave();
    if (to === undefined && (event.key !== "Enter" || !onSelect)) return;
    event.preventDefault();
    if (to === undefined) return select(from ?? at, at);
    setFrom(event.shiftKey && onSelect ? (from ?? at) : undefined);
    setOver(inside(to));
  };
  const looking = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => setOver(indexOf(event)),
    onKeyDown,
    onFocus: () => setOver((at) => at ?? last),
    onBlur: leave,
    onPointerMove: (event: PointerEvent<HTMLElement>) => setOver(indexOf(event)),
    // A touch leaves the numbers to be read.
    onPointerLeave: ({ pointerType }: PointerEvent<HTMLElement>) => pointerType !== "touch" && leave(),
  };
  const start = from ?? over;
  return {
    over,
    marked:
      onSelect && over !== undefined && start !== undefined
        ? { at: Math.min(start, over), to: Math.max(start, over) }
        : undefined,
    hearing: { ...looking, ...(onSelect ? { onPointerDown, onPointerUp, onPointerCancel: leave } : {}) },
  };
};
