import { decode } from "fast-png";
import { expect, it } from "vitest";
import { iconList } from "../../../../scripts/assets/icons.ts";
import { drawIcon } from "../../../../src/email/http/icons/draw.ts";
import { readIcons } from "../../../../src/email/http/icons.ts";

it("every icon that a mail may have shows something", async () => {
  const icons = readIcons(iconList());
  expect(icons.size).toBeGreaterThan(1_000);
  // Former names have the path of the new icon: each picture is drawn once.
  for (const [path, name] of new Map([...icons].map(([name, path]) => [path, name]))) {
    const { data } = decode(await drawIcon(path, "808080"));
    expect([name, data.some((byte) => byte !== 0)]).toEqual([name, true]);
  }
});
