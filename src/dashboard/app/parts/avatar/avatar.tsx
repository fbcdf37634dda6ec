import "./avatar.css";

const initialsOf = (name: string): string =>
  name
    .split(/[\s@._-]+/)
    .slice(0, 2)
    .map(([letter = ""]) => letter.toUpperCase())
    .join("");

const TINTS = 4;
const tintOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS;

/** The initials of a person, in a color of their own. `isLarge`: in the head of a page. */
export const Avatar = ({ name, isLarge }: { name: string; isLarge?: boolean }) => (
  <span className="avatar" data-tint={tintOf(name)} data-large={isLarge} aria-hidden>
    {initialsOf(name)}
  </span>
);
