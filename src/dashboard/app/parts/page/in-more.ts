import { createContext } from "react";

/** Gives the focus back to the menu of more actions. Undefined outside it: an act within is an item, not a button. */
export const InMore = createContext<(() => void) | undefined>(undefined);
