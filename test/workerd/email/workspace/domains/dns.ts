import { vi } from "vitest";

/** Values by type and name, as a resolver shows them. "fails": the name servers do not answer. */
type Zone = Record<string, readonly string[] | "fails">;

/** Replaces fetch by a DNS over HTTPS resolver. The test may change the zone. */
export const fakeDns = () => {
  const dns: { zone: Zone; asked: string[] } = { zone: {}, asked: [] };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { searchParams } = new URL(new Request(input).url);
    const [type, name] = [searchParams.get("type") ?? "", searchParams.get("name") ?? ""];
    dns.asked.push(`${type} ${name}`);
    const values = dns.zone[`${type} ${name}`];
    if (values === "fails") return Response.json({ Status: 2 });
    if (!values) return Response.json({ Status: 3 });
    const data = (value: string) => (type === "TXT" ? `"${value}"` : `${value}.`);
    return Response.json({
      Status: 0,
      Answer: values.map((value) => ({ name, type: type === "TXT" ? 16 : 15, data: data(value) })),
    });
  });
  return dns;
};

type Shown = { records: { kind: string; type: string; host: string; value: string }[] };

export const zoneOf = ({ records }: Shown): Record<string, string[]> =>
  Object.fromEntries(records.map(({ type, host, value }) => [`${type} ${host}`, [value]]));
