import { createContext } from "react";

/** True within the menu of more actions: an act is an item there, not a button. */
export const InMore = createContext(false);
