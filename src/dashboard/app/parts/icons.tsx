/** Decorative icons, 24 × 24. */
const PATHS = {
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 8h6V4h-6z",
  people: "M16 20v-2a4 4 0 0 0-8 0v2M12 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  webhooks: "M12 4v9m0 0 4-4m-4 4L8 9M5 15v4h14v-4",
  deliveries: "M5 12h14m0 0-5-5m5 5-5 5",
  rules: "M5 6h14M5 12h9M5 18h5",
  sources: "M8 8V4m8 4V4M6 8h12v4a6 6 0 0 1-12 0zM12 18v3",
  health: "M4 12h4l2-6 4 12 2-6h4",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  campaigns: "M4 10v4h3l8 5V5l-8 5zM18 9a4 4 0 0 1 0 6",
  workflows: "M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4",
  transactional: "M7 3h10v18l-2.500-2-2.500 2-2.500-2L7 21zM10 8h4M10 12h4",
  themes:
    "M12 4a8 8 0 1 0 0 16c1 0 1.500-.7 1.500-1.500 0-1.200-1-1.500-1-2.500s.8-1.500 2-1.500H17a3 3 0 0 0 3-3c0-4-3.600-7.500-8-7.500M8 11h.01M11 8h.01M15 8.500h.01",
  components: "M12 3l4 4-4 4-4-4zM12 13l4 4-4 4-4-4zM3 12l4-4 4 4-4 4zM13 12l4-4 4 4-4 4z",
  uploads: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  events: "M13 3L5 13h6l-1 8 8-10h-6z",
  lists: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  properties: "M4 7h16M4 12h16M4 17h10",
  suppressions: "M6 6l12 12M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  settings: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M19 12h2M3 12h2M12 3v2M12 19v2M6 6l1 1M17 17l1 1M18 6l-1 1M7 17l-1 1",
  segments: "M12 3a9 9 0 1 0 9 9h-9zM15 3.5A9 9 0 0 1 20.5 9H15z",
  imports: "M12 4v11m0 0 4-4m-4 4-4-4M4 19h16",
  remove: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  check: "M5 12l5 5 9-10",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4 4",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  replay: "M4 12a8 8 0 1 0 3-6M4 4v4h4",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l11 7-11 7z",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2",
  done: "M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M6.8 10.2l2.2 2.200 4.200-4.600",
  eye: "M2.500 10S5 5 10 5s7.500 5 7.500 5-2.500 5-7.500 5-7.500-5-7.500-5M10 7.700a2.300 2.300 0 1 0 0 4.600a2.300 2.300 0 0 0 0-4.600",
  clock: "M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 6v4.200l2.600 1.600",
  none: "M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M6.500 10h7",
  draft: "M4 16l.8-3.500L13 4.300l2.700 2.700-8.200 8.200Z",
  arrow: "M3 10h12M11 5.500l4.500 4.500-4.500 4.500",
  retry: "M16.500 10a6.500 6.500 0 1 1-2-4.700M16.800 3v3.500h-3.500",
  info: "M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 9.300v4M10 6.700v.1",
  failed: "M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M7.500 7.500l5 5M12.500 7.500l-5 5",
  ban: "M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M5 5l10 10",
  plus: "M10 4v12M4 10h12",
  warning: "M10 3 2.500 16.500h15ZM10 8.500v3.500M10 14.300v.1",
  right: "M7.500 4.500l5.500 5.500-5.500 5.500",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    aria-hidden="true"
  >
    <path d={PATHS[name]} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);
