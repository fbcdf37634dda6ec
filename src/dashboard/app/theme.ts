import { Anchor, createTheme, defaultVariantColorsResolver } from "@mantine/core";

/** Of a button that cannot be undone. White on Mantine's own red has a contrast of 3.6 in the dark. */
const RED = {
  background: "var(--mantine-color-red-9)",
  hover: "color-mix(in srgb, var(--mantine-color-red-9) 85%, black)",
};

/** Mantine's defaults, with colours that have the contrast of WCAG AA in light and in dark. axe-core checks it in every test of a page. */
export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  cursorType: "pointer",
  respectReducedMotion: true,
  // The colour alone does not tell a link from the text around it.
  components: { Anchor: Anchor.extend({ defaultProps: { underline: "always" } }) },
  // With less black, yellow on its own light background has a contrast of 4.0.
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
