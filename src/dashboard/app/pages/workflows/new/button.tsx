/** Leads to the form for a new workflow. */
export const NewButton = (_: { team: string }) => null;
