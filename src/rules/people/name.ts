// Right for most Western names, wrong for companies. Use it as a `guess`.
const words = (name: string | null | undefined) => name?.trim().split(/\s+/).filter(Boolean) ?? [];

export const firstName = (name: string | null | undefined): string | undefined => words(name)[0];

export const lastName = (name: string | null | undefined): string | undefined =>
  words(name).slice(1).join(" ") || undefined;
