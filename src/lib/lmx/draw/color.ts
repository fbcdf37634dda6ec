const channels = (color: string): [number, number, number] => {
  const value = Number.parseInt(color.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
};

/** Returns relative luminance, 0 (black) to 1 (white), by WCAG 2. */
export const luminance = (color: string): number => {
  const [red, green, blue] = channels(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the WCAG 2 contrast ratio, 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** Hue in degrees, and HSL saturation. */
const hueOf = (color: string): { hue: number; chroma: number; saturation: number } => {
  const [red, green, blue] = channels(color);
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const chroma = max - min;
  if (chroma === 0) return { hue: 0, chroma, saturation: 0 };
  const sixth =
    max === red ? (green - blue) / chroma : max === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma;
  return { hue: (sixth * 60 + 360) % 360, chroma, saturation: chroma / (1 - Math.abs(max + min - 1)) };
};

/** CSS Color 4, section 7.1. */
const fromHue = (hue: number, saturation: number, lightness: number): string => {
  const part = (offset: number): string => {
    const at = (offset + hue / 30) % 12;
    const value =
      lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
};

/** Changes luminance; keeps hue and chroma, so pale colors stay pale. */
export const withLuminance = (color: string, wanted: number): string => {
  const { hue, chroma, saturation } = hueOf(color);
  const at = (lightness: number): string => {
    const most = 1 - Math.abs(2 * lightness - 1);
    return fromHue(hue, most === 0 ? 0 : Math.min(saturation, chroma / most), lightness);
  };
  let low = 0;
  let high = 1;
  for (let step = 0; step < 10; step++) {
    const middle = (low + high) / 2;
    if (luminance(at(middle)) < wanted) low = middle;
    else high = middle;
  }
  return at(high);
};
