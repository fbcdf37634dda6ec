import { Anchor, createTheme, defaultVariantColorsResolver } from "@mantine/core";

/** White on Mantine's red has a dark contrast of 3.6. */
const RED = {
  background: "var(--mantine-color-red-9)",
  hover: "color-mix(in srgb, var(--mantine-color-red-9) 85%, black)",
};

/** Mantine's defaults with WCAG AA contrast, checked by axe-core. */
export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  cursorType: "pointer",
  respectReducedMotion: true,
  // Color alone does not mark a link.
  components: { Anchor: Anchor.extend({ defaultProps: { underline: "always" } }) },
  // Less black would give a contrast of 4.0.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input);
    if (input.variant === "filled" && input.color === "red") return { ...resolved, ...RED };
    return input.variant === "light" && input.color !== undefined
      ? {
          ...resolved,
          color: `light-dark(color-mix(in srgb, var(--mantine-color-${input.color}-9) 70%, black), var(--mantine-color-${input.color}-2))`,
        }
      : resolved;
  },
});
