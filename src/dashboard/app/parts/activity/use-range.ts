import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { type Column, rangeOf } from "./columns.ts";

/**
 * Range selection by mouse, touch or keyboard.
 *
 * @param onSelect takes the range; without it, bars are read-only
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
  const indexOf = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): number => {
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
  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom(indexOf(event));
  };
  const onPointerUp = (event: PointerEvent<SVGSVGElement>) => {
    if (from !== undefined) select(from, indexOf(event));
  };
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const at = over ?? last;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (to === undefined) return select(from ?? at, at);
    setFrom(event.shiftKey ? (from ?? at) : undefined);
    setOver(inside(to));
  };
  const looking = {
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => setOver(indexOf(event)),
    onPointerLeave: leave,
  };
  const start = from ?? over;
  return {
    over,
    marked:
      onSelect && over !== undefined && start !== undefined
        ? { at: Math.min(start, over), to: Math.max(start, over) }
        : undefined,
    hearing: onSelect
      ? { ...looking, onPointerDown, onPointerUp, onPointerCancel: leave, onKeyDown, onBlur: leave }
      : looking,
  };
};
