const two = (number: number): string => String(number).padStart(2, "0");

/** An instant as a field for date and time shows it, in the zone of this browser: "2026-01-31T09:30". */
export const localOf = (iso: string): string => {
  const at = new Date(iso);
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

/** The instant of such a text, as ISO 8601 in UTC; undefined where it is none. */
export const instantOf = (local: string): string | undefined => {
  const at = Date.parse(local);
  return local.trim() === "" || Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** The zone of this browser at a time: "Europe/Berlin, UTC+01:00". `at`: Unix ms. */
export const zoneText = (at: number): string => {
  const offset = -new Date(at).getTimezoneOffset();
  const of = Math.abs(offset);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${timeZone}, UTC${offset < 0 ? "−" : "+"}${two(Math.floor(of / 60))}:${two(of % 60)}`;
};
