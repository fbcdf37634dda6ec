import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver } from "@mantine/core";

/** Ten steps each, of which Mantine takes the seventh in light and the fourth in dark. */
const span = [
  "#e0f0f3",
  "#c3e2e8",
  "#9ccbd5",
  "#7dd2e1",
  "#5cc3d6",
  "#2b8398",
  "#177286",
  "#0b6578",
  "#084f5f",
  "#063b47",
] as const;
const gray = [
  "#f7f9f9",
  "#f2f5f5",
  "#e2e8e8",
  "#c9d2d3",
  "#aeb9bb",
  "#848f92",
  "#5a696e",
  "#3f4e53",
  "#26343a",
  "#0f1a1d",
] as const;
const dark = [
  "#e8eff0",
  "#b4c2c5",
  "#91a2a6",
  "#6a7c81",
  "#354549",
  "#222e31",
  "#192326",
  "#11181a",
  "#0d1416",
  "#0a0f11",
] as const;
const good = [
  "#e3f4ea",
  "#c9e9d6",
  "#a8d8bd",
  "#8fd9ae",
  "#6bcf95",
  "#3aa56b",
  "#248552",
  "#17703f",
  "#105a32",
  "#0b4526",
] as const;
const warn = [
  "#fdf1dc",
  "#f8e0b6",
  "#eccb8d",
  "#f0c67e",
  "#e9b45c",
  "#c08124",
  "#a5680c",
  "#8a5200",
  "#6f4200",
  "#553200",
] as const;
const bad = [
  "#fdeceb",
  "#f9d5d2",
  "#f0b8b3",
  "#ffb0a9",
  "#ff8f86",
  "#dd5148",
  "#c9362c",
  "#b3261e",
  "#8f1d17",
  "#6e1510",
] as const;

const OF_BOTH = {
  "--mantine-color-body": "var(--surface)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-anchor": "var(--link)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-primary-color-filled-hover": "var(--accent-hover)",
};

/** Sets the colors of Mantine from the tokens in tokens.css. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: OF_BOTH, dark: OF_BOTH });

/** Tokens by the names of colors. */
const TOKENS: Readonly<Record<string, string>> = {
  span: "accent",
  blue: "accent",
  good: "good",
  green: "good",
  warn: "warn",
  yellow: "warn",
  orange: "warn",
  bad: "bad",
  red: "bad",
};

const FILLED: Readonly<Record<string, { background: string; hover: string; color: string }>> = {
  accent: { background: "var(--accent)", hover: "var(--accent-hover)", color: "var(--on-accent)" },
  bad: {
    background: "var(--bad-fill)",
    hover: "color-mix(in srgb, var(--bad-fill) 88%, black)",
    color: "var(--on-bad)",
  },
};

export const theme = createTheme({
  colors: { span, blue: span, gray, dark, good, green: good, warn, yellow: warn, orange: warn, bad, red: bad },
  primaryColor: "span",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  black: "#0f1a1d",
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "12.5px", sm: "13.5px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "17px", sm: "19px", md: "20px", lg: "24px", xl: "28px" },
  headings: {
    fontFamily: "var(--font)",
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "24px", lineHeight: "32px" },
      h2: { fontSize: "16px", lineHeight: "24px", fontWeight: "600" },
      h3: { fontSize: "14px", lineHeight: "20px", fontWeight: "580" },
      h4: { fontSize: "16px", lineHeight: "24px", fontWeight: "600" },
      h5: { fontSize: "14px", lineHeight: "20px", fontWeight: "580" },
      h6: { fontSize: "13px", lineHeight: "18px", fontWeight: "560" },
    },
  },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "20px", xl: "28px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "12px", xl: "14px" },
  defaultRadius: "md",
  shadows: {
    xs: "var(--shadow-1)",
    sm: "var(--shadow-1)",
    md: "var(--shadow-2)",
    lg: "var(--shadow-2)",
    xl: "var(--shadow-3)",
  },
  cursorType: "pointer",
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const plain = defaultVariantColorsResolver(input);
    const token = TOKENS[input.color ?? "span"];
    if (token === undefined) return plain;
    const soft = `var(--${token}-soft)`;
    const ink = token === "accent" ? "var(--link)" : `var(--${token})`;
    if (input.variant === "light") return { ...plain, background: soft, hover: soft, color: ink };
    if (input.variant === "outline") return { ...plain, color: ink, border: `1px solid var(--${token}-line)` };
    if (input.variant === "subtle" || input.variant === "transparent") return { ...plain, color: ink };
    return input.variant === "filled" ? { ...plain, ...FILLED[token] } : plain;
  },
  // Without the components themselves: the first load does not have all of them.
  components: {
    // Color alone does not mark a link.
    Anchor: { defaultProps: { underline: "always" } },
    Button: {
      defaultProps: { size: "sm" },
      vars: (_: unknown, { size }: { size?: string }) => ({
        root:
          size === "sm"
            ? { "--button-height": "34px", "--button-padding-x": "13px", "--button-fz": "13.5px" }
            : size === "xs" || size === "compact-sm"
              ? { "--button-height": "28px", "--button-padding-x": "10px", "--button-fz": "13px" }
              : {},
      }),
    },
    Badge: { defaultProps: { variant: "light", size: "md", tt: "none", fw: 500 } },
    Card: { defaultProps: { radius: "lg", withBorder: true, padding: "lg" } },
    Paper: { defaultProps: { radius: "lg" } },
    Checkbox: { defaultProps: { radius: "xs" } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
    Input: {
      vars: (_: unknown, { size }: { size?: string }) => ({
        wrapper: {
          ...(size === "xs" && { "--input-height": "30px" }),
          ...((size === undefined || size === "sm") && { "--input-height": "36px" }),
          "--input-bg": "var(--surface)",
          "--input-bd": "var(--field-line)",
          "--input-bd-focus": "var(--focus)",
        },
      }),
    },
    Modal: {
      defaultProps: {
        radius: "xl",
        shadow: "xl",
        size: 480,
        overlayProps: { color: "var(--veil)", backgroundOpacity: 1 },
        // The banner is that of the page.
        attributes: { header: { role: "presentation" } },
      },
    },
    Drawer: {
      defaultProps: { attributes: { header: { role: "presentation" } }, closeButtonProps: { "aria-label": "Close" } },
    },
    Menu: { defaultProps: { radius: "lg", shadow: "md", position: "bottom-end" } },
    Notification: { defaultProps: { radius: "lg", withBorder: false } },
    SegmentedControl: { defaultProps: { size: "xs", radius: "md" } },
    Skeleton: { defaultProps: { radius: "sm" } },
    Table: {
      defaultProps: {
        highlightOnHover: true,
        verticalSpacing: 11,
        horizontalSpacing: 12,
        borderColor: "var(--line)",
        highlightOnHoverColor: "var(--hover)",
        fz: 13.5,
      },
    },
    Tooltip: { defaultProps: { radius: "md", openDelay: 250 } },
  },
});
